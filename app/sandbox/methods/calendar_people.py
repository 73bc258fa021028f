"""The `events` methods of Calendar v3 and `people.connections.list` of People v1."""

from app.sandbox.calendar_people.calendar import EventCalendar, EventWindow, bad_request, rfc3339, stamp, zone_of
from app.sandbox.calendar_people.people import person_mask
from app.sandbox.call import Answer, HandlerTable, MethodCall
from app.sandbox.google_api.errors import ApiError
from app.sandbox.google_api.json_values import JsonObject
from app.sandbox.google_api.schema import page_size

HANDLERS = HandlerTable()


@HANDLERS.serves("calendar.events.list")
def list_events(call: MethodCall) -> Answer:
    """A page of events."""
    calendar, args = _calendar(call), call.args
    single = args.get("singleEvents", False)
    if args.get("orderBy") == "startTime" and not single:
        raise bad_request("The requested ordering is not available for the particular query.")
    zone_of(args.get("timeZone"))
    low, high = (rfc3339(args[name]) if args.get(name) else None for name in ("timeMin", "timeMax"))
    events = calendar.listed(EventWindow(low, high, single, args.get("showDeleted", False), args.get("iCalUID", "")))
    size, begin = page_size(args, "maxResults", 250, 2_500), _begin(call, bad_request("Invalid page token value.", "invalid"))
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
    return {**answer, "nextPageToken": str(begin + size)} if begin + size < len(events) else answer


@HANDLERS.serves("calendar.events.get")
def get_event(call: MethodCall) -> Answer:
    return _calendar(call).get(call.path["eventId"])


@HANDLERS.serves("calendar.events.insert")
def insert_event(call: MethodCall) -> Answer:
    return _calendar(call).insert(call.body, _updates(call))


@HANDLERS.serves("calendar.events.patch")
def patch_event(call: MethodCall) -> Answer:
    return _calendar(call).patch(call.path["eventId"], call.body, _updates(call))


@HANDLERS.serves("calendar.events.delete")
def delete_event(call: MethodCall) -> Answer:
    _calendar(call).delete(call.path["eventId"], _updates(call))
    return None


@HANDLERS.serves("people.people.connections.list")
def list_connections(call: MethodCall) -> Answer:
    """A page of the account's contacts, or of changes since a sync token."""
    args, book = call.args, call.account.contacts
    mask, since = person_mask(args.get("personFields")), args.get("syncToken")
    if call.path["peopleId"] != "me":
        raise ApiError(400, 'Resource name must be "people/me".', "badRequest")
    contacts, gone = book.contacts, list[str]()
    if since:
        contacts, gone = book.changed_since(int(since) if since.isdecimal() else -1)
    size, begin = page_size(args, "pageSize", 100, 2_000), _begin(call, ApiError(400, "Invalid page token.", "badRequest"))
    shapes = [contact.shape(mask) for contact in contacts[begin : begin + size]]
    answer: JsonObject = {"totalPeople": len(book.contacts), "totalItems": len(book.contacts)}
    if begin + size < len(contacts):
        answer["nextPageToken"] = str(begin + size)
    else:
        shapes += [{"resourceName": f"people/{resource_id}", "metadata": {"deleted": True}} for resource_id in gone]
        if since or args.get("requestSyncToken"):
            answer["nextSyncToken"] = str(book.version)
    return {"connections": shapes, **answer} if shapes else answer


def _calendar(call: MethodCall) -> EventCalendar:
    if call.path["calendarId"] not in {"primary", call.account.calendar.owner}:
        raise ApiError(404, "Not Found", "notFound")
    return call.account.calendar


def _updates(call: MethodCall) -> str:
    return str(call.args.get("sendUpdates") or ("all" if call.args.get("sendNotifications") else "none"))


def _begin(call: MethodCall, error: ApiError) -> int:
    """The first entry of the page. Raises `error` for an invalid token."""
    token = call.args.get("pageToken") or "0"
    if not token.isdecimal():
        raise error
    return int(token)
