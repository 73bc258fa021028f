"""Calendar times and the instances of recurring events, from RFC 3339 and RRULE lines."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from app.sandbox.google_api.errors import ApiError
from app.sandbox.google_api.json_values import JsonObject, object_of, text_of, texts_of

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
    """Start or end of an event as an aware time.

    A whole day begins at midnight in the calendar's zone. Raises `ApiError` 400.
    """
    day = text_of(point, "date")
    if day is not None:
        try:
            return datetime.combine(date.fromisoformat(day), time(), zone_of(timezone))
        except ValueError as error:
            raise bad_request("Invalid value for: " + day, "invalid") from error
    text = text_of(point, "dateTime")
    if text is None:
        raise bad_request("Start and end times must either both be date or both be dateTime.", "invalid")
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise bad_request("Invalid value for: " + text, "invalid") from error
    if moment.tzinfo is not None:
        return moment
    if not text_of(point, "timeZone"):
        raise bad_request("Missing time zone definition for start time.", "required")
    return moment.replace(tzinfo=zone_of(text_of(point, "timeZone")))


def span_of(event: JsonObject, timezone: str) -> tuple[datetime, datetime]:
    """Start and end of an event."""
    return moment_of(object_of(event, "start"), timezone), moment_of(object_of(event, "end"), timezone)


def instances(event: JsonObject, timezone: str, low: datetime | None, high: datetime | None) -> Iterator[JsonObject]:
    """Instances of a recurring event in the window.

    Without `high` it stops a thousand days after the start. Raises `ApiError` 400.
    """
    from dateutil.rrule import rrulestr

    start, end = span_of(event, timezone)
    local = start.astimezone(zone_of(text_of(object_of(event, "start"), "timeZone") or timezone))
    naive, length = local.replace(tzinfo=None), end - start
    lines = [_naive_until(line, local) for line in texts_of(event, "recurrence")]
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
    if texts_of(event, "recurrence"):
        next(instances(event, timezone, None, None), None)


def stamp(moment: datetime) -> str:
    """UTC as Google writes it, with milliseconds."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _naive_until(line: str, local: datetime) -> str:
    name, mark, rest = line.partition("UNTIL=")
    value = rest.partition(";")[0]
    if mark and value.endswith("Z") and len(value) == 16:
        until = datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).astimezone(local.tzinfo)
        return f"{name}{mark}{until:%Y%m%dT%H%M%S}{rest[len(value) :]}"
    if line.startswith(("EXDATE", "RDATE")):
        head, _, values = line.partition(":")
        return head.partition(";")[0] + ":" + ",".join(_naive_stamp(value, local) for value in values.split(","))
    return line


def _naive_stamp(value: str, local: datetime) -> str:
    if not value.endswith("Z"):
        return value
    moment = datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    return f"{moment.astimezone(local.tzinfo):%Y%m%dT%H%M%S}"


def _instance(event: JsonObject, begin: datetime, length: timedelta) -> JsonObject:
    whole_day = "date" in object_of(event, "start")
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
    zone = text_of(object_of(event, name), "timeZone")
    return {**point, "timeZone": zone} if zone else point
