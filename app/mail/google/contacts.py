"""The owner's contacts from the People API, read-only: all of them once, then the changes since a sync token."""

from functools import partial

import msgspec

from app.domain.errors import NotFound, RejectedByServer
from app.domain.mail.message import Address
from app.domain.ports.services import PeopleChanges, Person
from app.mail.gmail.wire.calls import ServiceClient
from app.mail.mime.text import one_line

PAGE = 1000
MOST_PAGES = 50
FIELDS = "names,emailAddresses,organizations,biographies,metadata"
EXPIRED = "EXPIRED_SYNC_TOKEN"


class _Camel(msgspec.Struct, rename="camel"):
    """Uses Google's camelCase field names."""


class _Name(_Camel):
    display_name: str = ""


class _Email(_Camel):
    value: str = ""


class _Organization(_Camel):
    name: str = ""
    title: str = ""


class _Metadata(_Camel):
    deleted: bool = False


class _Person(_Camel):
    resource_name: str = ""
    etag: str = ""
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)
    names: list[_Name] = []
    email_addresses: list[_Email] = []
    organizations: list[_Organization] = []
    biographies: list[_Email] = []


class _Connections(_Camel):
    connections: list[_Person] = []
    next_page_token: str = ""
    next_sync_token: str = ""


class GoogleContacts(ServiceClient):
    """The contacts of an account. Raises the errors of `MailServer`."""

    api = "people.v1"

    async def changes(self, sync_token: str) -> PeopleChanges:
        """Returns the changes since `sync_token`.

        Returns everything if it is empty or expired; Google drops tokens after a week.
        """
        if sync_token:
            try:
                return await self._read(sync_token)
            except (NotFound, RejectedByServer) as error:
                if EXPIRED not in error.detail and not error.detail.startswith("410"):
                    raise
        return await self._read("")

    async def _read(self, sync_token: str) -> PeopleChanges:
        found: list[_Person] = []
        token, next_sync = None, ""
        for _ in range(MOST_PAGES):
            request = (
                self._resource.people()
                .connections()
                .list(
                    resourceName="people/me",
                    personFields=FIELDS,
                    pageSize=PAGE,
                    pageToken=token,
                    requestSyncToken=True,
                    syncToken=sync_token or None,
                )
            )
            page = await self._calls.read(request, partial(msgspec.json.decode, type=_Connections))
            found += page.connections
            token, next_sync = page.next_page_token, page.next_sync_token or next_sync
            if not token:
                break
        people = tuple(person for each in found if not each.metadata.deleted and (person := _person(each)) is not None)
        kept = {person.resource for person in people}
        gone = tuple(each.resource_name for each in found if each.resource_name not in kept)
        return PeopleChanges(people, gone, next_sync, whole=not sync_token)


def _person(source: _Person) -> Person | None:
    name = one_line(source.names[0].display_name) if source.names else ""
    emails = [one_line(each.value).lower() for each in source.email_addresses]
    addresses = tuple(Address(email, name) for email in dict.fromkeys(emails) if "@" in email)
    if not addresses:
        return None
    organization = next((each for each in source.organizations), _Organization())
    shown = ", ".join(filter(None, (one_line(organization.title), one_line(organization.name))))
    notes = source.biographies[0].value.strip() if source.biographies else ""
    return Person(addresses, shown, notes, source.resource_name, source.etag)
