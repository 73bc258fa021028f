"""Google Calendar and Contacts as the engine sees them; `app.mail` implements both. Used only where the user turned them on."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.domain.mail import Address
from app.domain.ports.agents import BusyTime


class CalendarServer(Protocol):
    """The primary calendar of one account. Raises the errors of `MailServer`."""

    async def busy(self, start: datetime, end: datetime) -> tuple[BusyTime, ...]:
        """Events between two aware times, in order."""

    async def has(self, event_id: str) -> bool:
        """Whether an event with this id was ever made here, deleted or not."""

    async def insert(self, payload: bytes) -> None:
        """Perform an approved request once; one whose event exists already changes nothing. Never repeated by itself."""

    async def close(self) -> None:
        """Close connections."""


@dataclass(frozen=True, slots=True)
class Person:
    """A contact with at least one address. `resource` is Google's name for it, `etag` its version; `organization` and `notes` may
    be empty."""

    addresses: tuple[Address, ...]
    organization: str
    notes: str
    resource: str = ""
    etag: str = ""


@dataclass(frozen=True, slots=True)
class PeopleChanges:
    """What changed since a sync token: contacts as they are now, and the resources of deleted ones. `whole`: this is every
    contact, and whatever is not here is gone."""

    people: tuple[Person, ...]
    gone: tuple[str, ...]
    sync_token: str
    whole: bool


class AddressBook(Protocol):
    """The contacts of one account. Raises the errors of `MailServer`."""

    async def changes(self, sync_token: str) -> PeopleChanges:
        """What changed since `sync_token`; everything where it is empty or has expired."""

    async def close(self) -> None:
        """Close connections."""
