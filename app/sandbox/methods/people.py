"""The method `people.connections.list` of People v1."""

from collections.abc import Mapping, Sequence

from app.sandbox.calendar_people.people import StoredContact, person_mask
from app.sandbox.call import Answer, Handler, MethodCall
from app.sandbox.google_api.errors import ApiError
from app.sandbox.google_api.json_values import JsonObject


def people_handlers() -> Mapping[str, Handler]:
    """Handlers by method name (after `people.`)."""
    return {
        "people.connections.list": list_connections,
    }


def list_connections(call: MethodCall) -> Answer:
    """A page of the account's contacts, or of changes since a sync token."""
    mask = person_mask(call.args.text("personFields"), "personFields")
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


def _page(call: MethodCall, contacts: Sequence[StoredContact], most: int) -> tuple[Sequence[StoredContact], str | None]:
    size, token = call.args.count("pageSize", 100, most), call.args.text("pageToken") or "0"
    if not token.isdecimal():
        raise ApiError(400, "Invalid page token.", "badRequest")
    begin = int(token)
    return contacts[begin : begin + size], str(begin + size) if begin + size < len(contacts) else None
