"""Google Calendar: reads busy times and inserts approved meetings under an id of ours."""

from datetime import UTC, date, datetime, time, tzinfo
from functools import partial
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from app.domain.drafting.invitation import InvitationReply
from app.domain.drafting.meeting import BusyTime
from app.domain.errors import NotFound, RejectedByServer
from app.mail.compose.meeting import approved_of
from app.mail.gmail.wire.calls import ServiceClient
from app.mail.mime.parts import settled

PAGE = 250
MOST_PAGES = 40
FREE_TYPES = frozenset({"workingLocation", "birthday"})


class _Camel(msgspec.Struct, rename="camel"):
    """Uses Google's camelCase field names."""


class _Moment(_Camel):
    date_time: str = ""
    date: str = ""
    time_zone: str = ""


class _Attendee(_Camel):
    self: bool = False
    response_status: str = ""


class _Guests(_Camel):
    """An event with its guests as Google wrote them, since a patch replaces the whole list."""

    id: str = ""
    recurring_event_id: str = ""
    attendees: list[dict[str, object]] = []

    @property
    def own(self) -> "dict[str, object] | None":
        return next((guest for guest in self.attendees if guest.get("self") is True), None)


class _GuestLists(_Camel):
    items: list[_Guests] = []


class _Event(_Camel):
    id: str = ""
    start: _Moment = msgspec.field(default_factory=_Moment)
    end: _Moment = msgspec.field(default_factory=_Moment)
    summary: str = ""
    status: str = ""
    transparency: str = ""
    event_type: str = "default"
    attendees: list[_Attendee] = []


class _Events(_Camel):
    items: list[_Event] = []
    time_zone: str = "UTC"
    next_page_token: str = ""


class GoogleCalendar(ServiceClient):
    """The primary calendar of an account. Raises the errors of `MailServer`."""

    api = "calendar.v3"

    async def busy(self, start: datetime, end: datetime) -> tuple[BusyTime, ...]:
        """Returns the busy times between two aware times, in order.

        All-day events last from midnight to midnight of the calendar's time zone.
        """
        found: list[BusyTime] = []
        token = None
        for _ in range(MOST_PAGES):
            request = self._resource.events().list(
                calendarId="primary",
                timeMin=start.astimezone(UTC).isoformat(),
                timeMax=end.astimezone(UTC).isoformat(),
                singleEvents=True,
                orderBy="startTime",
                maxResults=PAGE,
                pageToken=token,
            )
            page = await self._calls.read(request, partial(msgspec.json.decode, type=_Events))
            found += [each for event in page.items if (each := _busy(event, page.time_zone)) is not None]
            token = page.next_page_token
            if not token:
                break
        return tuple(sorted(found, key=lambda each: (each.start, each.end)))

    async def has(self, event_id: str) -> bool:
        """Whether an event with this id was ever inserted.

        A deleted event counts, as Google still returns it. An answer about another event does not count.
        """
        request = self._resource.events().get(calendarId="primary", eventId=event_id)
        try:
            found: _Event = await self._calls.read(request, partial(msgspec.json.decode, type=_Event))
        except NotFound:
            return False
        return found.id == event_id

    async def insert(self, payload: bytes) -> None:
        """Sends `events.insert` by one HTTP request; a 409 means it is already there.

        `payload` is what `app.mail.compose.meeting` composed.
        """
        wanted = approved_of(payload).insertion
        request = self._resource.events().insert(calendarId="primary", body=wanted.event, sendUpdates=wanted.send_updates)
        try:
            await self._calls.write(request, partial(msgspec.json.decode, type=_Event))
        except RejectedByServer as error:
            if not error.detail.startswith("409"):
                raise

    async def reply_to(self, uid: str) -> InvitationReply | None:
        """The owner's answer to the event with this uid, None without one. Raises `NotFound`."""
        own = (await self._invited_to(uid)).own or {}
        given = str(own.get("responseStatus"))
        return InvitationReply(given) if given in set(InvitationReply) else None

    async def reply(self, uid: str, reply: InvitationReply) -> None:
        """Sets the owner's answer by one `events.patch`, and none if it is set already.

        Of a series the whole series is answered. Raises `NotFound`.
        """
        event = await self._invited_to(uid)
        if event.own is None or event.own.get("responseStatus") == reply:
            return
        guests = [{**guest, "responseStatus": reply.value} if guest is event.own else guest for guest in event.attendees]
        request = self._resource.events().patch(
            calendarId="primary", eventId=event.id, body={"attendees": guests}, sendUpdates="all"
        )
        await self._calls.write(request, partial(msgspec.json.decode, type=_Event))

    async def _invited_to(self, uid: str) -> _Guests:
        """The event with this uid that the owner is a guest of; of a series the series itself."""
        request = self._resource.events().list(calendarId="primary", iCalUID=uid, maxResults=PAGE)
        found: _GuestLists = await self._calls.read(request, partial(msgspec.json.decode, type=_GuestLists))
        events = [event for event in found.items if event.own is not None and not event.recurring_event_id]
        if not events:
            raise NotFound("The calendar has no such event with you as a guest.")
        return events[0]


def _busy(event: _Event, calendar_zone: str) -> BusyTime | None:
    """The time an event occupies; None if it is free, declined or cancelled."""
    free = event.status == "cancelled" or event.transparency == "transparent" or event.event_type in FREE_TYPES
    declined = any(each.self and each.response_status == "declined" for each in event.attendees)
    start, end = _moment(event.start, calendar_zone), _moment(event.end, calendar_zone)
    if free or declined or start is None or end is None or end <= start:
        return None
    return BusyTime(start, end, event.summary)


def _moment(moment: _Moment, calendar_zone: str) -> datetime | None:
    """Parses a time to UTC, None if it is invalid. Times thousands of years away are moved to the limit."""
    zone = _zone(moment.time_zone or calendar_zone)
    try:
        if moment.date:
            return settled(datetime.combine(date.fromisoformat(moment.date), time(), _zone(calendar_zone)))
        found = datetime.fromisoformat(moment.date_time)
    except ValueError:
        return None
    return settled(found if found.tzinfo else found.replace(tzinfo=zone))


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
