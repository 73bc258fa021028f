"""The owner's contacts from the People API, read-only and page by page. Refuses to write contacts."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import msgspec
from google.auth.credentials import Credentials

from app.domain.mail import Address
from app.mail.endpoint import Endpoint, requests_of
from app.mail.mime.invisible import one_line
from app.mail.wire.calls import Calls, Sleep
from app.mail.wire.gateway import call_of
from app.mail.wire.retry import Backoff
from app.mail.wire.transport import Transport

PAGE = 1000
MOST_PAGES = 50
FIELDS = "names,emailAddresses,organizations,biographies"


@dataclass(frozen=True, slots=True)
class Person:
    """A contact with at least one address. `organization` and `notes` may be empty."""

    addresses: tuple[Address, ...]
    organization: str
    notes: str


class _Camel(msgspec.Struct, rename="camel"):
    """Google's field names."""


class _Name(_Camel):
    display_name: str = ""


class _Email(_Camel):
    value: str = ""


class _Organization(_Camel):
    name: str = ""
    title: str = ""


class _Person(_Camel):
    names: list[_Name] = []
    email_addresses: list[_Email] = []
    organizations: list[_Organization] = []
    biographies: list[_Email] = []


class _Connections(_Camel):
    connections: list[_Person] = []
    next_page_token: str = ""


class GoogleContacts:
    """Reads one account's contacts."""

    def __init__(
        self,
        endpoint: Endpoint,
        credentials: Credentials,
        *,
        sleep: Sleep = asyncio.sleep,
        backoff: Backoff | None = None,
        chance: Callable[[], float] = random.random,
        timeout_s: float = 30.0,
    ) -> None:
        self._connections = requests_of(endpoint, "people.v1").people().connections()
        transport = Transport(endpoint, credentials, timeout_s)
        self._calls = Calls(transport, None, sleep=sleep, backoff=backoff, chance=chance, threads=1)

    async def all(self) -> tuple[Person, ...]:
        """Every contact that has a mail address. Raises the errors of `MailServer`."""
        found: list[Person] = []
        token = None
        for _ in range(MOST_PAGES):
            request = self._connections.list(resourceName="people/me", personFields=FIELDS, pageSize=PAGE, pageToken=token)
            page = await self._calls.read(call_of(request), 0, partial(msgspec.json.decode, type=_Connections))
            found += [person for each in page.connections if (person := _person(each)) is not None]
            token = page.next_page_token
            if not token:
                break
        return tuple(found)

    async def close(self) -> None:
        """Close the connection and end the worker thread."""
        await self._calls.close()


def _person(source: _Person) -> Person | None:
    name = one_line(source.names[0].display_name) if source.names else ""
    emails = [one_line(each.value).lower() for each in source.email_addresses]
    addresses = tuple(Address(email, name) for email in dict.fromkeys(emails) if "@" in email)
    if not addresses:
        return None
    organization = next((each for each in source.organizations), _Organization())
    shown = ", ".join(filter(None, (one_line(organization.title), one_line(organization.name))))
    notes = source.biographies[0].value.strip() if source.biographies else ""
    return Person(addresses, shown, notes)
