"""The `events` methods of Calendar v3 and `people.connections.list` of People v1."""

from collections.abc import Mapping, Sequence

from app.sandbox.calendar_people.calendar import EventCalendar, EventWindow, bad_request, rfc3339, stamp, zone_of
from app.sandbox.calendar_people.people import StoredContact, person_mask
from app.sandbox.call import Answer, Handler, MethodCall
from app.sandbox.google_api.errors import ApiError
from app.sandbox.google_api.json_values import JsonObject

PAGE, MOST_PAGE = 250, 2_500


def calendar_handlers() -> Mapping[str, Handler]:
    """Handlers by method name (after `calendar.`)."""
    return {
        "events.list": list_events,
        "events.get": lambda call: _calendar(call).get(call.path["eventId"]),
        "events.insert": lambda call: _calendar(call).insert(call.body, _updates(call)),
        "events.patch": lambda call: _calendar(call).patch(call.path["eventId"], call.body, _updates(call)),
        "events.delete": delete_event,
    }


def list_events(call: MethodCall) -> Answer:
    """A page of events."""
    calendar, single = _calendar(call), call.args.flag("singleEvents")
    if call.args.text("orderBy") == "startTime" and not single:
        raise bad_request("The requested ordering is not available for the particular query.")
    return _events_page(call, calendar, calendar.listed(_window(call, single)))


def delete_event(call: MethodCall) -> Answer:
    _calendar(call).delete(call.path["eventId"], _updates(call))
    return None


def _calendar(call: MethodCall) -> EventCalendar:
    if call.path["calendarId"] not in {"primary", call.account.calendar.owner}:
        raise ApiError(404, "Not Found", "notFound")
    return call.account.calendar


def _updates(call: MethodCall) -> str:
    return call.args.text("sendUpdates") or ("all" if call.args.flag("sendNotifications") else "none")


def _window(call: MethodCall, single: bool) -> EventWindow:
    low, high = call.args.text("timeMin"), call.args.text("timeMax")
    zone_of(call.args.text("timeZone"))
    return EventWindow(
        low=rfc3339(low) if low else None,
        high=rfc3339(high) if high else None,
        single=single,
        deleted_too=call.args.flag("showDeleted"),
        uid=call.args.text("iCalUID") or "",
    )


def _events_page(call: MethodCall, calendar: EventCalendar, events: list[JsonObject]) -> JsonObject:
    size, token = call.args.count("maxResults", PAGE, MOST_PAGE), call.args.text("pageToken") or "0"
    if not token.isdecimal():
        raise bad_request("Invalid page token value.", "invalid")
    begin = int(token)
    answer: JsonObject = {
        "kind": "calendar#events",
        "etag": f'"{calendar.version}"',
        "summary": calendar.owner,
        "updated": stamp(call.account.mailbox.clock.moment()),
        "timeZone": calendar.timezone,
        "accessRole": "owner",
        "defaultReminders": [],
        "items": events[begin : begin + size],
    }
    if begin + size < len(events):
        answer["nextPageToken"] = str(begin + size)
    return answer


def people_handlers() -> Mapping[str, Handler]:
    """Handlers by method name (after `people.`)."""
    return {"people.connections.list": list_connections}


def list_connections(call: MethodCall) -> Answer:
    """A page of the account's contacts, or of changes since a sync token."""
    mask = person_mask(call.args.text("personFields"), "personFields")
    if call.path["peopleId"] != "me":
        raise ApiError(400, 'Resource name must be "people/me".', "badRequest")
    book, since = call.account.contacts, call.args.text("syncToken")
    contacts, gone = book.contacts, list[str]()
    if since:
        contacts, gone = book.changed_since(int(since) if since.isdecimal() else -1)
    page, token = _contacts_page(call, contacts, 2_000)
    shapes = [contact.shape(mask) for contact in page]
    if not token:
        shapes += [{"resourceName": f"people/{resource_id}", "metadata": {"deleted": True}} for resource_id in gone]
    answer: JsonObject = {"connections": shapes} if shapes else {}
    if token:
        answer["nextPageToken"] = token
    elif since or call.args.flag("requestSyncToken"):
        answer["nextSyncToken"] = str(book.version)
    return {**answer, "totalPeople": len(book.contacts), "totalItems": len(book.contacts)}


def _contacts_page(call: MethodCall, contacts: Sequence[StoredContact], most: int) -> tuple[Sequence[StoredContact], str | None]:
    size, token = call.args.count("pageSize", 100, most), call.args.text("pageToken") or "0"
    if not token.isdecimal():
        raise ApiError(400, "Invalid page token.", "badRequest")
    begin = int(token)
    return contacts[begin : begin + size], str(begin + size) if begin + size < len(contacts) else None
