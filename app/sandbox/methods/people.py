"""The `people` and `otherContacts` methods of People v1."""

from collections.abc import Mapping, Sequence

from app.sandbox.account import GoogleAccount
from app.sandbox.calendar_people.people import StoredContact, person_mask
from app.sandbox.call import Answer, Handler, MethodCall
from app.sandbox.gmail.headers import addresses_in
from app.sandbox.google_api.errors import ApiError
from app.sandbox.google_api.json_values import JsonObject


def people_handlers() -> Mapping[str, Handler]:
    """Handlers by method name (after `people.`)."""
    return {
        "people.connections.list": list_connections,
        "people.get": get_person,
        "people.searchContacts": search_contacts,
        "otherContacts.list": list_others,
    }


def list_connections(call: MethodCall) -> Answer:
    """A page of the account's contacts, or of changes since a sync token."""
    mask = person_mask(_person_fields(call), "personFields")
    if call.path["peopleId"] != "me":
        raise ApiError(400, 'Resource name must be "people/me".', "badRequest")
    book, since = call.account.contacts, call.args.text("syncToken")
    contacts, gone = book.contacts, list[str]()
    if since:
        contacts, gone = book.changed_since(int(since) if since.isdecimal() else -1)
    page, token = _page(call, contacts, 2_000)
    shapes = [contact.shape(mask) for contact in page]
    if not token:
        shapes += [{"resourceName": f"people/{resource_id}", "metadata": {"deleted": True}} for resource_id in gone]
    answer: JsonObject = {"connections": shapes} if shapes else {}
    if token:
        answer["nextPageToken"] = token
    elif since or call.args.flag("requestSyncToken"):
        answer["nextSyncToken"] = str(book.version)
    return {**answer, "totalPeople": len(book.contacts), "totalItems": len(book.contacts)}


def get_person(call: MethodCall) -> Answer:
    """One person, or the owner as `people/me`."""
    mask = person_mask(_person_fields(call), "personFields")
    if call.path["peopleId"] == "me":
        owner = call.account.identities[0]
        return StoredContact("me", owner.name, (owner.address,)).shape(mask)
    return call.account.contacts.find(call.path["peopleId"]).shape(mask)


def search_contacts(call: MethodCall) -> Answer:
    """Contacts with a word that begins with the query."""
    mask = person_mask(call.args.text("readMask"), "readMask")
    size = call.args.count("pageSize", 10, 30)
    words = (call.args.text("query") or "").strip()
    found = [contact for contact in call.account.contacts.contacts if words and contact.begins_with(words)]
    return {"results": [{"person": contact.shape(mask)} for contact in found[:size]]} if found else {}


def list_others(call: MethodCall) -> Answer:
    """People the account wrote to who are not contacts."""
    mask = person_mask(call.args.text("readMask"), "readMask")
    for name in mask:
        if name not in {"emailAddresses", "metadata", "names", "phoneNumbers", "photos"}:
            raise ApiError(400, f'Invalid readMask mask path: "{name}".', "badRequest")
    others = _others(call.account)
    page, token = _page(call, others, 1_000)
    answer: JsonObject = {"otherContacts": [contact.shape(mask) for contact in page]} if page else {}
    if token:
        answer["nextPageToken"] = token
    return {**answer, "totalSize": len(others)}


def _person_fields(call: MethodCall) -> str | None:
    return call.args.text("personFields") or call.args.text("requestMask.includeField")


def _page(call: MethodCall, contacts: Sequence[StoredContact], most: int) -> tuple[Sequence[StoredContact], str | None]:
    size, token = call.args.count("pageSize", 100, most), call.args.text("pageToken") or "0"
    if not token.isdecimal():
        raise ApiError(400, "Invalid page token.", "badRequest")
    begin = int(token)
    return contacts[begin : begin + size], str(begin + size) if begin + size < len(contacts) else None


def _others(account: GoogleAccount) -> list[StoredContact]:
    known = {email.lower() for contact in account.contacts.contacts for email in contact.emails}
    written: dict[str, None] = {}
    for row in account.mailbox.newest_first():
        if "SENT" in row.labels:
            written.update(dict.fromkeys(addresses_in(row.facts.to, row.facts.cc)))
    strangers = [person for person in written if person not in known and not account.owns(person)]
    return [StoredContact(f"o{person}", "", (person,), source="OTHER_CONTACT") for person in strangers]
