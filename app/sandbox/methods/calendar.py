"""The `calendarList`, `events` and `freebusy` methods of Calendar v3."""

from collections.abc import Mapping
from datetime import datetime

from app.sandbox.calendar_people.calendar import EventCalendar, EventWindow
from app.sandbox.calendar_people.recurrence import bad_request, rfc3339, span_of, stamp, zone_of
from app.sandbox.call import Answer, Handler, MethodCall
from app.sandbox.google_api.errors import ApiError
from app.sandbox.google_api.json_values import JsonObject, objects_of, text_of

PAGE, MOST_PAGE = 250, 2_500
MOST_CALENDARS = 50
UNSYNCABLE = ("timeMin", "timeMax", "orderBy", "q", "iCalUID", "updatedMin")


def calendar_handlers() -> Mapping[str, Handler]:
    """Handlers by method name (after `calendar.`)."""
    return {
        "calendarList.list": list_calendars,
        "events.list": list_events,
        "events.get": lambda call: _calendar(call).get(call.path["eventId"]),
        "events.insert": lambda call: _calendar(call).insert(call.body, _updates(call)),
        "events.update": lambda call: _changed(call, whole=True),
        "events.patch": lambda call: _changed(call, whole=False),
        "events.delete": delete_event,
        "freebusy.query": query_busy,
    }


def list_calendars(call: MethodCall) -> Answer:
    """The account's one calendar."""
    calendar = call.account.calendar
    entry: JsonObject = {
        "kind": "calendar#calendarListEntry",
        "etag": '"1"',
        "id": calendar.owner,
        "summary": calendar.owner,
        "timeZone": calendar.timezone,
        "accessRole": "owner",
        "primary": True,
        "selected": True,
        "defaultReminders": [{"method": "popup", "minutes": 10}],
    }
    return {"kind": "calendar#calendarList", "etag": '"1"', "nextSyncToken": "1", "items": [entry]}


def list_events(call: MethodCall) -> Answer:
    """A page of events, or of changes since a sync token."""
    calendar, single = _calendar(call), call.args.flag("singleEvents")
    order, token = call.args.text("orderBy"), call.args.text("syncToken")
    if order == "startTime" and not single:
        raise bad_request("The requested ordering is not available for the particular query.")
    if token is not None:
        if any(call.args.text(name) for name in UNSYNCABLE):
            raise bad_request("Sync token cannot be used with query restrictions.")
        events = calendar.changed_since(int(token) if token.isdecimal() else -1, single=single)
    else:
        events = calendar.listed(_window(call, single))
        edge = call.args.text("updatedMin")
        if edge:
            low = rfc3339(edge)
            events = [event for event in events if rfc3339(str(event["updated"])) >= low]
    if order == "updated":
        events.sort(key=lambda event: str(event["updated"]))
    uid = call.args.text("iCalUID")
    return _page(call, calendar, [event for event in events if uid is None or event["iCalUID"] == uid])


def delete_event(call: MethodCall) -> Answer:
    """Cancels an event."""
    _calendar(call).delete(call.path["eventId"], _updates(call))
    return None


def query_busy(call: MethodCall) -> Answer:
    """Busy times of the requested calendars."""
    low, high = _time_argument(call.body, "timeMin"), _time_argument(call.body, "timeMax")
    if high <= low:
        raise bad_request("The specified time range is empty.", "timeRangeEmpty")
    wanted = [text_of(item, "id") or "" for item in objects_of(call.body, "items")]
    if len(wanted) > MOST_CALENDARS:
        raise bad_request("Too many calendars requested.", "tooManyCalendarsRequested")
    calendars: JsonObject = {}
    for name in wanted:
        if name in {"primary", call.account.calendar.owner}:
            calendars[name] = {"busy": _busy(call.account.calendar, low, high)}
        else:
            calendars[name] = {"errors": [{"domain": "global", "reason": "notFound"}], "busy": []}
    return {"kind": "calendar#freeBusy", "timeMin": stamp(low), "timeMax": stamp(high), "calendars": calendars}


def _calendar(call: MethodCall) -> EventCalendar:
    if call.path["calendarId"] not in {"primary", call.account.calendar.owner}:
        raise ApiError(404, "Not Found", "notFound")
    return call.account.calendar


def _updates(call: MethodCall) -> str:
    return call.args.text("sendUpdates") or ("all" if call.args.flag("sendNotifications") else "none")


def _changed(call: MethodCall, *, whole: bool) -> JsonObject:
    return _calendar(call).change(call.path["eventId"], call.body, whole=whole, send_updates=_updates(call))


def _window(call: MethodCall, single: bool) -> EventWindow:
    low, high = call.args.text("timeMin"), call.args.text("timeMax")
    zone_of(call.args.text("timeZone"))
    return EventWindow(
        low=rfc3339(low) if low else None,
        high=rfc3339(high) if high else None,
        single=single,
        deleted_too=call.args.flag("showDeleted"),
        words=call.args.text("q") or "",
    )


def _page(call: MethodCall, calendar: EventCalendar, events: list[JsonObject]) -> JsonObject:
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
    else:
        answer["nextSyncToken"] = str(calendar.version)
    return answer


def _time_argument(body: JsonObject, name: str) -> datetime:
    text = text_of(body, name)
    if not text:
        raise bad_request(f"Missing {name} parameter.", "required")
    return rfc3339(text)


def _busy(calendar: EventCalendar, low: datetime, high: datetime) -> list[JsonObject]:
    spans: list[tuple[datetime, datetime]] = []
    for event in calendar.listed(EventWindow(low, high, single=True)):
        if event.get("transparency") == "transparent" or _declined(event, calendar.owner):
            continue
        start, end = span_of(event, calendar.timezone)
        start, end = max(start, low), min(end, high)
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], end))
        else:
            spans.append((start, end))
    return [{"start": stamp(start), "end": stamp(end)} for start, end in spans]


def _declined(event: JsonObject, owner: str) -> bool:
    guests = objects_of(event, "attendees")
    return any(guest.get("email") == owner and guest.get("responseStatus") == "declined" for guest in guests)
