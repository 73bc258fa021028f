"""One account's contacts in the shape of the People API, and the field mask of its requests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.domain.record import Record, replace
from app.sandbox.google_api.errors import ApiError
from app.sandbox.google_api.json_values import JsonObject

PERSON_FIELDS = (
    "addresses ageRanges biographies birthdays calendarUrls clientData coverPhotos emailAddresses events externalIds "
    "genders imClients interests locales locations memberships metadata miscKeywords names nicknames occupations "
    "organizations phoneNumbers photos relations sipAddresses skills urls userDefined"
)


class StoredContact(Record):
    """A contact as in the sample file."""

    id: str
    name: str
    emails: Sequence[str] = ()
    phones: Sequence[str] = ()
    organization: str = ""
    notes: str = ""
    version: int = 1

    @property
    def resource_name(self) -> str:
        """`people/<id>`."""
        return f"people/{self.id}"

    def shape(self, mask: Sequence[str]) -> JsonObject:
        """JSON of the person with the fields of the mask."""
        shape: JsonObject = {"resourceName": self.resource_name, "etag": f"%{self.id}.{self.version}"}
        for name, values in self._fields().items():
            if name in mask and values:
                shape[name] = [{"metadata": self._metadata(index == 0), **value} for index, value in enumerate(values)]
        if "metadata" in mask:
            shape["metadata"] = {"sources": [{"type": "CONTACT", "id": self.id}], "objectType": "PERSON"}
        return shape

    def _fields(self) -> dict[str, list[JsonObject]]:
        given, _, family = self.name.rpartition(" ")
        last_first = f"{family}, {given}" if given else family
        name: JsonObject = {
            "displayName": self.name,
            "familyName": family if given else "",
            "givenName": given or family,
            "displayNameLastFirst": last_first,
            "unstructuredName": self.name,
        }
        return {
            "names": [{key: value for key, value in name.items() if value}] if self.name else [],
            "emailAddresses": [{"value": email} for email in self.emails],
            "phoneNumbers": [{"value": phone} for phone in self.phones],
            "organizations": [{"name": self.organization}] if self.organization else [],
            "biographies": [{"value": self.notes, "contentType": "TEXT_PLAIN"}] if self.notes else [],
        }

    def _metadata(self, first: bool) -> JsonObject:
        metadata: JsonObject = {"source": {"type": "CONTACT", "id": self.id}}
        return {"primary": True, **metadata} if first else metadata


@dataclass(slots=True)
class ContactStore:
    """Contacts of one account in order of creation. `version` counts changes and is used as the sync token."""

    contacts: list[StoredContact] = field(default_factory=list)
    version: int = 1
    _deleted: dict[str, int] = field(default_factory=dict)
    _created: int = 0

    def add(self, name: str, emails: Sequence[str], phones: Sequence[str], organization: str, notes: str) -> StoredContact:
        self._created += 1
        self.version += 1
        contact = StoredContact(f"c{self._created:06d}", name, emails, phones, organization, notes, version=self.version)
        self.contacts.append(contact)
        return contact

    def change(self, resource_id: str, changes: Mapping[str, Any]) -> StoredContact:
        """Changes fields of a contact. Raises `ApiError` 404."""
        old = self.find(resource_id)
        self.version += 1
        new = replace(old, **changes, version=self.version)
        self.contacts[self.contacts.index(old)] = new
        return new

    def delete(self, resource_id: str) -> None:
        """Deletes a contact. Raises `ApiError` 404."""
        self.contacts.remove(self.find(resource_id))
        self.version += 1
        self._deleted[resource_id] = self.version

    def changed_since(self, version: int) -> tuple[list[StoredContact], list[str]]:
        """Contacts changed since a sync token, and ids of deleted ones. Raises `ApiError` 400 as the API does."""
        if not 0 <= version <= self.version:
            text = "Sync token is expired. Clear local cache and retry call without the sync token. (EXPIRED_SYNC_TOKEN)"
            raise ApiError(400, text, "failedPrecondition")
        changed = [contact for contact in self.contacts if contact.version > version]
        return changed, [contact_id for contact_id, at in self._deleted.items() if at > version]

    def find(self, resource_id: str) -> StoredContact:
        """One contact. Raises `ApiError` 404."""
        for contact in self.contacts:
            if contact.id == resource_id:
                return contact
        raise ApiError(404, "Requested entity was not found.", "notFound")


def person_mask(value: str | None, parameter: str) -> list[str]:
    """Parses a field mask. Raises `ApiError` 400 if it is missing or has unknown names, as the People API does."""
    if not value:
        text = f"{parameter} mask is required. Please specify one or more valid paths."
        raise ApiError(400, text, "badRequest")
    mask = [name.strip() for name in value.split(",")]
    for name in mask:
        if name.partition(".")[0] not in PERSON_FIELDS.split():
            raise ApiError(400, f'Invalid {parameter} mask path: "{name}".', "badRequest")
    return [name.partition(".")[0] for name in mask]
