"""One account's calendar: events with Calendar v3's rules for ids, recurrence and deletion."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from app.domain.record import Record
from app.sandbox.clock import Clock
from app.sandbox.google_api.errors import ApiError
from app.sandbox.google_api.json_values import JsonObject

MOST_INSTANCES = 2_000


def bad_request(message: str = "Bad Request", reason: str = "badRequest") -> ApiError:
    """400 as Calendar answers."""
    return ApiError(400, message, reason)


def zone_of(name: str | None) -> ZoneInfo:
    """A time zone by IANA name. Raises `ApiError` 400."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise bad_request(f"Invalid time zone definition for '{name}'.", "invalid") from error


def rfc3339(text: str) -> datetime:
    """Parses a time with offset. Raises `ApiError` 400."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise bad_request() from error
    if moment.tzinfo is None:
        raise bad_request()
    return moment


def moment_of(point: JsonObject, timezone: str) -> datetime:
    """Start or end of an event as an aware time. A whole day begins at midnight in the calendar's zone. Raises `ApiError` 400."""
    day = point.get("date")
    if day is not None:
        try:
            return datetime.combine(date.fromisoformat(day), time(), zone_of(timezone))
        except ValueError as error:
            raise bad_request("Invalid value for: " + day, "invalid") from error
    text = point.get("dateTime")
    if text is None:
        raise bad_request("Start and end times must either both be date or both be dateTime.", "invalid")
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise bad_request("Invalid value for: " + text, "invalid") from error
    if moment.tzinfo is not None:
        return moment
    if not point.get("timeZone"):
        raise bad_request("Missing time zone definition for start time.", "required")
    return moment.replace(tzinfo=zone_of(point.get("timeZone")))


def span_of(event: JsonObject, timezone: str) -> tuple[datetime, datetime]:
    return moment_of(event.get("start", {}), timezone), moment_of(event.get("end", {}), timezone)


def instances(event: JsonObject, timezone: str, low: datetime | None, high: datetime | None) -> Iterator[JsonObject]:
    """Instances of a recurring event in the window.

    Without `high` it stops a thousand days after the start. Raises `ApiError` 400.
    """
    from dateutil.rrule import rrulestr

    start, end = span_of(event, timezone)
    local = start.astimezone(zone_of(event.get("start", {}).get("timeZone") or timezone))
    naive, length = local.replace(tzinfo=None), end - start
    lines = [_naive_until(line, local) for line in event.get("recurrence", [])]
    try:
        rule = rrulestr("\n".join(lines), dtstart=naive, forceset=True)
    except (ValueError, TypeError) as error:
        raise bad_request("Invalid recurrence rule.", "invalid") from error
    horizon = high or start + timedelta(days=1_000)
    for count, found in enumerate(rule):
        begin = found.replace(tzinfo=local.tzinfo)
        if begin >= horizon or count >= MOST_INSTANCES:
            return
        if low is None or begin + length > low:
            yield _instance(event, begin, length)


def check_recurrence(event: JsonObject, timezone: str) -> None:
    """Raises `ApiError` 400 for rules that cannot be parsed."""
    if event.get("recurrence", []):
        next(instances(event, timezone, None, None), None)


def stamp(moment: datetime) -> str:
    """UTC as Google writes it, with milliseconds."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _naive_until(line: str, local: datetime) -> str:
    """A line of a recurrence with its moments in local time."""

    def naive(stamp: re.Match[str]) -> str:
        moment = datetime.strptime(stamp[0], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        return f"{moment.astimezone(local.tzinfo):%Y%m%dT%H%M%S}"

    if line.startswith(("EXDATE", "RDATE")):
        line = re.sub(r"^(\w+);[^:]*:", r"\1:", line)
    return re.sub(r"\d{8}T\d{6}Z", naive, line)


def _instance(event: JsonObject, begin: datetime, length: timedelta) -> JsonObject:
    whole_day = "date" in event.get("start", {})
    start, end = _point(event, "start", begin, whole_day), _point(event, "end", begin + length, whole_day)
    suffix = f"{begin:%Y%m%d}" if whole_day else f"{begin.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    single = {name: value for name, value in event.items() if name != "recurrence"}
    return {
        **single,
        "id": f"{event['id']}_{suffix}",
        "recurringEventId": event["id"],
        "originalStartTime": start,
        "start": start,
        "end": end,
    }


def _point(event: JsonObject, name: str, moment: datetime, whole_day: bool) -> JsonObject:
    if whole_day:
        return {"date": moment.date().isoformat()}
    point: JsonObject = {"dateTime": moment.isoformat()}
    zone = event.get(name, {}).get("timeZone")
    return {**point, "timeZone": zone} if zone else point


READ_ONLY = ("kind", "etag", "htmlLink", "created", "updated", "creator", "organizer", "recurringEventId", "eventType")


class EventWindow(Record):
    """Which events a list wants. `single` expands recurring events."""

    low: datetime | None = None
    high: datetime | None = None
    single: bool = False
    deleted_too: bool = False
    uid: str = ""


class EventCalendar:
    """The primary calendar of one account."""

    def __init__(self, clock: Clock, owner: str, timezone: str) -> None:
        self.owner, self.timezone = owner, timezone
        self.invitations: list[JsonObject] = []
        """Changes about which Google would have notified guests."""
        self.version = 1
        self._clock = clock
        self._events: dict[str, JsonObject] = {}

    def insert(self, body: JsonObject, send_updates: str = "none") -> JsonObject:
        """Adds an event. Raises `ApiError` 400, or 409 for an id that was used before, even by a deleted event."""
        event_id = body.get("id") or f"event{self.version:012d}"
        if not re.fullmatch(r"[a-v0-9]{5,1024}", event_id):
            raise bad_request("Invalid resource id value.", "invalid")
        if event_id in self._events:
            raise ApiError(409, "The requested identifier already exists.", "duplicate")
        now = stamp(self._clock.moment())
        given = {name: value for name, value in body.items() if name not in READ_ONLY}
        event: JsonObject = {"status": "confirmed", **given, "id": event_id, "created": now}
        event.setdefault("iCalUID", f"{event_id}@google.com")
        event.setdefault("reminders", {"useDefault": True})
        event["creator"] = event["organizer"] = {"email": self.owner, "self": True}
        self._store(event)
        self._invite(event, "insert", send_updates)
        return event

    def get(self, event_id: str) -> JsonObject:
        """An event, or one instance of a recurring event. Raises `ApiError` 404."""
        if event_id in self._events:
            return self._events[event_id]
        event = self._events.get(event_id.rpartition("_")[0], {})
        for single in instances(event, self.timezone, None, None) if event.get("recurrence") else ():
            if single["id"] == event_id:
                return single
        raise ApiError(404, "Not Found", "notFound")

    def patch(self, event_id: str, body: JsonObject, send_updates: str = "none") -> JsonObject:
        """Changes the given fields of an event; a list replaces the whole list. Raises `ApiError` 404."""
        given = {name: value for name, value in body.items() if name not in READ_ONLY and name != "id"}
        event = {**self.get(event_id), **given}
        self._store(event)
        self._invite(event, "update", send_updates)
        return event

    def delete(self, event_id: str, send_updates: str = "none") -> None:
        """Cancels an event. Raises `ApiError` 404, or 410 if it is already cancelled."""
        event = self.get(event_id)
        if event["status"] == "cancelled":
            raise ApiError(410, "Resource has been deleted", "deleted")
        self._store({**event, "status": "cancelled"})
        self._invite(event, "delete", send_updates)

    def listed(self, window: EventWindow) -> list[JsonObject]:
        """Events of a window by start time."""
        found: list[JsonObject] = []
        for event in self._events.values():
            cancelled, recurrent = event["status"] == "cancelled", bool(event.get("recurrence"))
            if (cancelled and not window.deleted_too) or (window.uid and event["iCalUID"] != window.uid):
                continue
            if window.single and recurrent and not cancelled:
                singles = instances(event, self.timezone, window.low, window.high)
                found += [single for single in singles if single["id"] not in self._events]
                continue
            start, end = span_of(event, self.timezone)
            if (window.high is None or start < window.high) and (recurrent or window.low is None or end > window.low):
                found.append(event)
        return sorted(found, key=lambda event: span_of(event, self.timezone)[0])

    def _store(self, event: JsonObject) -> None:
        for name, message in (("start", "Missing start time."), ("end", "Missing end time.")):
            if not event.get(name, {}):
                raise bad_request(message, "required")
        start, end = span_of(event, self.timezone)
        if end < start:
            raise bad_request("The specified time range is empty.", "timeRangeEmpty")
        check_recurrence(event, self.timezone)
        for guest in event.get("attendees", []):
            if "@" not in (guest.get("email") or ""):
                raise bad_request("Invalid attendee email.", "invalid")
            guest.setdefault("responseStatus", "needsAction")
            if guest.get("email") == self.owner:
                guest["self"] = True
        self.version += 1
        event_id = str(event["id"])
        event.setdefault("sequence", 0)
        event["kind"], event["etag"] = "calendar#event", f'"{self.version:016d}"'
        event["updated"] = stamp(self._clock.moment())
        event["eventType"] = "default"
        event["htmlLink"] = f"https://www.google.com/calendar/event?eid={event_id}"
        self._events[event_id] = event

    def _invite(self, event: JsonObject, action: str, send_updates: str) -> None:
        guests = [guest.get("email", "") for guest in event.get("attendees", [])]
        self.invitations.append({"eventId": event["id"], "action": action, "sendUpdates": send_updates, "guests": guests})
