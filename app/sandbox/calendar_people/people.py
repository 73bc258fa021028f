"""One account's contacts in the shape of the People API, and the field mask of its requests."""

from collections.abc import Sequence
from typing import Any

from app.domain.record import Record, replace
from app.sandbox.google_api.errors import ApiError, not_found
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
                source = {"source": {"type": "CONTACT", "id": self.id}}
                shape[name] = [
                    {"metadata": source if index else {"primary": True, **source}, **value} for index, value in enumerate(values)
                ]
        if "metadata" in mask:
            shape["metadata"] = {"sources": [{"type": "CONTACT", "id": self.id}], "objectType": "PERSON"}
        return shape

    def _fields(self) -> dict[str, list[JsonObject]]:
        given, _, family = self.name.rpartition(" ")
        name: JsonObject = {
            "displayName": self.name,
            "familyName": family if given else "",
            "givenName": given or family,
            "displayNameLastFirst": f"{family}, {given}" if given else family,
            "unstructuredName": self.name,
        }
        return {
            "names": [{key: value for key, value in name.items() if value}] if self.name else [],
            "emailAddresses": [{"value": email} for email in self.emails],
            "phoneNumbers": [{"value": phone} for phone in self.phones],
            "organizations": [{"name": self.organization}] if self.organization else [],
            "biographies": [{"value": self.notes, "contentType": "TEXT_PLAIN"}] if self.notes else [],
        }


class ContactStore:
    """Contacts of one account in order of creation. `version` counts changes and is used as the sync token."""

    def __init__(self) -> None:
        self.contacts: list[StoredContact] = []
        self.version = 1
        self._deleted: dict[str, int] = {}

    def add(self, name: str = "", **fields: Any) -> StoredContact:
        """Adds a contact with these fields of `StoredContact`."""
        self.version += 1
        contact = StoredContact(f"c{self.version - 1:06d}", name, version=self.version, **fields)
        self.contacts.append(contact)
        return contact

    def change(self, resource_id: str, changes: JsonObject) -> None:
        """Changes fields of a contact. Raises `ApiError` 404."""
        old = self.find(resource_id)
        self.version += 1
        self.contacts[self.contacts.index(old)] = replace(old, **changes, version=self.version)

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
        found = next((contact for contact in self.contacts if contact.id == resource_id), None)
        if found is None:
            raise not_found()
        return found


def person_mask(value: str | None) -> list[str]:
    """Parses a field mask. Raises `ApiError` 400 if it is missing or has unknown names, as the People API does."""
    if not value:
        raise ApiError(400, "personFields mask is required. Please specify one or more valid paths.", "badRequest")
    mask = [name.strip().partition(".")[0] for name in value.split(",")]
    for name in mask:
        if name not in PERSON_FIELDS.split():
            raise ApiError(400, f'Invalid personFields mask path: "{name}".', "badRequest")
    return mask
