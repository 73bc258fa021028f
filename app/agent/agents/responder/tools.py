"""The response agent's tools: their schemas, which are available now, and the calls of its conversation.

`check_calendar` needs a readable calendar, `schedule_meeting` a writable one of the mail's account.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from time import perf_counter
from typing import Any
from zoneinfo import ZoneInfo

from app.agent.agents.calls import QUESTION, CallStatus
from app.agent.drafting.claims import unsupported
from app.agent.drafting.model_request import evidence_of
from app.agent.drafting.model_text import plain_subject, plain_text, with_slots
from app.agent.drafting.sources import tool_sources
from app.agent.language.times import at_local
from app.agent.llm.turns import ChatMessage, JsonSchema, ToolCall
from app.agent.runtime.conversation import OWNER_SAYS, last_calls
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.proposals import flags_of, plain_proposal
from app.agent.runtime.state import DraftPayload, MailState, ToolOutcome, message_id_of
from app.agent.tools.registry import a_list, an_object
from app.domain.agents.tools import ToolDefinition, always
from app.domain.drafting.draft import Draft
from app.domain.drafting.meeting import (
    CHECK_CALENDAR,
    LONGEST_TITLE,
    MOST_GUESTS,
    SCHEDULE_MEETING,
    BusyTime,
    Meeting,
    busy_times,
    meeting_from,
    overlapping,
)
from app.domain.drafting.review import FlagKind, Proposal, RedFlag, ReviewKind, ToolStep
from app.domain.errors import ExpectedError, NotAllowed
from app.domain.ids import AccountId, MessageId
from app.domain.mail.message import Account, Address, Message
from app.domain.mail.recipients import own_addresses, reply_recipients, reply_subject
from app.domain.policy.policy import Effect
from app.domain.record import Record, replace

DONE = "Done"


def results(talk: Sequence[ChatMessage]) -> dict[str, Mapping[str, Any]]:
    return {one["tool_call_id"]: json.loads(one["content"]) for one in talk if one["role"] == "tool"}


def settled(talk: Sequence[ChatMessage]) -> bool:
    """Whether the model may be done: all other calls of the last turn are queued."""
    known = results(talk)
    others = [known.get(one.id) for one in last_calls(talk, DONE) if one.name != DONE]
    return all(one is not None and one["status"] == CallStatus.QUEUED for one in others)


def owner_words(talk: Sequence[ChatMessage]) -> str:
    """Everything the owner typed in this conversation."""
    said = [one["content"].removeprefix(OWNER_SAYS) for one in talk if one["role"] == "user"]
    heard = [str(one.get("feedback") or one.get("answer") or "") for one in results(talk).values()]
    return "\n".join(filter(None, said + heard))


SEND_EMAIL = "send_email"

LONGEST_TEXT = 12000
LONGEST_SUBJECT = 300
MOST_DATES = 14
MOST_RECIPIENTS = 10
ADDRESS = r'^[^\x00-\x20\x7f@,;:<>()"]+@[^\x00-\x20\x7f@,;:<>()"]+$'
AN_ADDRESS = {"type": "string", "pattern": ADDRESS}
DATE = r"^\d{2}-\d{2}-\d{4}$"
LOCAL_TIME = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$"


def _text(description: str, **more: object) -> JsonSchema:
    return {"type": "string", "description": description, **more}


_DEFINITIONS = (
    ToolDefinition(
        SEND_EMAIL,
        "Propose a reply, or with an empty email_id and a subject a new mail. The owner sees it first and may change it; "
        "it leaves later.",
        an_object(
            ("email_id", "response_text", "email_address"),
            email_id=_text("The number of the mail that is answered, as its block names it; empty for a new mail."),
            response_text=_text("The words of the reply.", minLength=1, maxLength=LONGEST_TEXT),
            email_address=_text("The address the reply goes to.", pattern=ADDRESS),
            subject=_text("The subject of a new mail; a reply keeps that of its conversation.", maxLength=LONGEST_SUBJECT),
            additional_recipients=a_list(
                AN_ADDRESS, "Addresses that get a copy; none unless the mail calls for it.", maxItems=MOST_RECIPIENTS
            ),
        ),
        Effect.SEND,
    ),
    ToolDefinition(
        CHECK_CALENDAR,
        "Read when the owner is busy on some days.",
        an_object(
            ("dates",),
            dates=a_list({"type": "string", "pattern": DATE}, "The days, each as DD-MM-YYYY.", minItems=1, maxItems=MOST_DATES),
        ),
        Effect.READ,
    ),
    ToolDefinition(
        SCHEDULE_MEETING,
        "Propose a meeting in the owner's calendar. The owner sees it first and may change it; then the guests are invited.",
        an_object(
            ("attendees", "title", "start_time", "end_time", "organizer_email", "timezone"),
            attendees=a_list(AN_ADDRESS, "Addresses of the guests, without the owner's.", minItems=1, maxItems=MOST_GUESTS),
            title=_text("What the meeting is called.", minLength=1, maxLength=LONGEST_TITLE),
            start_time=_text("When it begins, wall-clock time in the time zone.", pattern=LOCAL_TIME),
            end_time=_text("When it ends, in the same form.", pattern=LOCAL_TIME),
            organizer_email=_text("The owner's address.", pattern=ADDRESS),
            timezone=_text("The time zone's IANA name, such as Europe/Prague.", minLength=1, maxLength=60),
        ),
        Effect.CALENDAR,
        ("attendees",),
        ("title",),
    ),
    ToolDefinition(
        QUESTION,
        "Ask the owner for what only the owner knows.",
        an_object(("content",), content=_text("The question.", minLength=1, maxLength=2000)),
        Effect.LOCAL_WRITE,
        asks_when=always,
    ),
    ToolDefinition(DONE, "Say that everything is done.", an_object((), done={"type": "boolean"}), Effect.READ),
)
TOOLS = {one.name: one for one in _DEFINITIONS}


def offered(deps: Deps, account_id: AccountId) -> dict[str, ToolDefinition]:
    """The tools whose services are available."""
    missing = set() if deps.calendar is not None else {CHECK_CALENDAR}
    if not deps.may_schedule(account_id):
        missing.add(SCHEDULE_MEETING)
    return {name: tool for name, tool in TOOLS.items() if name not in missing}


DAY_FORM = "%d-%m-%Y"
SHORTEST_GAP = timedelta(minutes=15)
"""Shorter free times are not offered."""


class CalendarLookup(Record):
    """Busy times with titles for the owner, and a summary without titles for the model, one line per day."""

    busy: tuple[BusyTime, ...]
    summary: str


async def look_up(dates: Sequence[str], deps: Deps) -> CalendarLookup:
    """Reads the days (DD-MM-YYYY) in the owner's time zone. Raises `NotAllowed` for an invalid day, and the calendar's errors."""
    if deps.calendar is None:
        raise NotAllowed("No calendar is connected.")
    busy: dict[BusyTime, None] = {}
    lines = []
    for day in sorted({_day(one, deps) for one in dates}):
        ends = day + timedelta(days=1)
        found = await deps.calendar.busy(day, ends)
        busy.update(dict.fromkeys(found))
        stretches = []
        for one in found:
            begins, closes = max(one.start, day).astimezone(deps.time_zone), min(one.end, ends).astimezone(deps.time_zone)
            stretches.append(f"{begins:%H:%M}-{'24:00' if closes == ends else f'{closes:%H:%M}'}")
        taken = ", ".join(stretches) or "nothing"
        lines.append(f"{day:%A} {day:{DAY_FORM}}: busy {taken}; {_availability(found, day, deps)}")
    zone = deps.clock().astimezone(deps.time_zone)
    return CalendarLookup(tuple(busy), "\n".join([*lines, f"Times are in {zone:%Z}."]))


def merged(before: ToolOutcome | None, dates: Sequence[str], looked: CalendarLookup) -> ToolOutcome:
    """Adds a lookup to what the run has read of the calendar."""
    rows = [{"start": one.start.isoformat(), "end": one.end.isoformat(), "title": one.title} for one in looked.busy]
    summary = looked.summary
    if before is not None:
        rows = [*before["result"]["busy"], *(one for one in rows if one not in before["result"]["busy"])]
        dates = [*before["arguments"].get("dates", ()), *dates]
        summary = f"{before['result']['summary']}\n{summary}"
    return ToolOutcome(arguments={"dates": [*dates]}, result={"busy": rows, "summary": summary}, error="", latency_ms=0.0)


def _day(text: str, deps: Deps) -> datetime:
    """Midnight of a day, aware."""
    try:
        day = datetime.strptime(f"{text} +0000", f"{DAY_FORM} %z").date()
    except ValueError as error:
        raise NotAllowed(f"{text} is no day of the form DD-MM-YYYY.") from error
    return datetime(day.year, day.month, day.day, tzinfo=deps.time_zone)


def _availability(found: Sequence[BusyTime], day: datetime, deps: Deps) -> str:
    """The free times of a day within the owner's working hours."""
    hours = deps.hours
    opens, closes = (at_local(day.date(), clock, deps.time_zone) for clock in (hours.start, hours.end))
    if day.weekday() not in hours.days or opens is None or closes is None:
        return "no working day"
    free: list[str] = []
    at = opens
    for start, end in [*sorted((one.start, one.end) for one in found), (closes, closes)]:
        if min(start, closes) - at >= SHORTEST_GAP:
            free.append(f"{at.astimezone(deps.time_zone):%H:%M}-{min(start, closes).astimezone(deps.time_zone):%H:%M}")
        at = max(at, end)
    return f"free {', '.join(free) or 'nothing'} of the working hours"


def answered_mail(call: ToolCall, thread: Sequence[Message]) -> Message:
    """The message of the conversation that the call answers. Raises `NotAllowed`."""
    wanted = str(call.arguments["email_id"]).strip()
    found = next((one for one in thread if str(one.id) == wanted), None)
    if found is None:
        listed = ", ".join(str(one.id) for one in thread)
        raise NotAllowed(f"No mail of this thread has the email_id {wanted[:40]}. There are: {listed}.")
    return found


def letter(call: ToolCall, thread: Sequence[Message], account: Account, maker: str) -> Draft:
    """The mail as a draft. In a reply the owner's own address stands for the sender's. Raises `NotAllowed`."""
    known = {one.email.lower(): one for mail in thread for one in (mail.sender, *mail.to, *mail.cc)}
    own, given = own_addresses(account), call.arguments
    body = plain_text(str(given["response_text"]), account.signature)
    asked = dict.fromkeys(str(one) for one in (given["email_address"], *given.get("additional_recipients", ())))
    first, *rest = (known.get(one.lower(), Address(one)) for one in asked)
    to: tuple[Address, ...] = (first,)
    answered = None
    if str(given["email_id"]).strip():
        answered = answered_mail(call, thread)
        subject = reply_subject(answered.subject)
        if first.email.lower() in own:
            to = reply_recipients(answered, account, everybody=False)[0]
    else:
        subject = plain_subject(str(given.get("subject", "")))
        if not " ".join(subject.split()):
            raise NotAllowed("A new mail needs a subject; a reply needs the email_id that it answers.")
        if first.email.lower() in own:
            raise NotAllowed("email_address: a new mail goes to somebody else than the owner.")
    taken = own | {one.email.lower() for one in to}
    cc = tuple(one for one in rest if one.email.lower() not in taken)
    return with_slots(Draft(to, cc, (), subject, "", maker, answered.id if answered else MessageId(0)), body)


def marked(draft: Draft, state: MailState, message: Message, deps: Deps) -> Draft:
    return replace(draft, spans=(*draft.spans, *unsupported(draft.body, evidence_of(state, message, deps))))


def arguments_of(draft: Draft) -> dict[str, Any]:
    """The arguments of `send_email` that would make this draft."""
    first, *rest = [one.email for one in draft.recipients] or [""]
    more = {"additional_recipients": rest} if rest else {}
    new = {} if draft.reply_to else {"subject": draft.subject}
    return {"email_id": str(draft.reply_to or ""), "response_text": draft.body, "email_address": first, **new, **more}


BEFORE, AFTER = timedelta(days=1), timedelta(days=14)
"""How much of the calendar is read around the slot, in case the user moves it."""

ABOUT_PEOPLE = frozenset({FlagKind.RECIPIENT_OUTSIDE_THREAD, FlagKind.NEVER_WRITTEN_TO, FlagKind.LOOK_ALIKE_DOMAIN})


async def meeting_proposal(call: ToolCall, state: MailState, deps: Deps) -> Proposal:
    """The review of a meeting. Raises `NotAllowed`."""
    message = deps.corpus.message(message_id_of(state))
    account = deps.corpus.account(message.account_id)
    meeting = meeting_from(call.arguments)
    if meeting.organizer not in own_addresses(account):
        raise NotAllowed(f"organizer_email: the owner organizes it; use {account.email}.")
    step = await _calendar_step(meeting, deps)
    proposal = plain_proposal(state, ReviewKind.TOOL_CALL, "", deps)
    tools = (*(one for one in proposal.tools if one.name != CHECK_CALENDAR or step.error), step)
    letter = Draft(tuple(map(Address, meeting.guests)), (), (), meeting.title, meeting.title, "", message.id)
    sources = tool_sources(state.get("tool_results", {}), account)
    flags = [one for one in flags_of(DraftPayload(letter), message, account, state, deps) if one.kind in ABOUT_PEOPLE]
    for one in overlapping(busy_times((step,)), meeting.start, meeting.end):
        times = f"{one.start.astimezone(deps.time_zone):%H:%M}-{one.end.astimezone(deps.time_zone):%H:%M}"
        flags.append(RedFlag(FlagKind.CALENDAR_CONFLICT, f"{one.title} {times}".strip()))
    return replace(proposal, tools=tools, sources=sources, flags=tuple(flags))


async def _calendar_step(meeting: Meeting, deps: Deps) -> ToolStep:
    """Reads the calendar around the slot as a tool step. An error is part of the step."""
    start, end = meeting.start - BEFORE, meeting.start + AFTER
    arguments = json.dumps({"start": start.isoformat(), "end": end.isoformat()})
    began = perf_counter()
    result, error = "", ""
    try:
        busy = await deps.calendar.busy(start, end) if deps.calendar is not None else ()
        rows = [{"start": one.start.isoformat(), "end": one.end.isoformat(), "title": one.title} for one in busy]
        result = json.dumps({"busy": rows}, ensure_ascii=False)
    except ExpectedError as caught:
        error = f"{caught.code}: {caught}"
    return ToolStep(CHECK_CALENDAR, arguments, result, error, (perf_counter() - began) * 1000)


def zone_name(zone: tzinfo, now: datetime) -> str:
    """The zone's IANA name. Without one, the `Etc/GMT` name of its current offset."""
    if isinstance(zone, ZoneInfo):
        return zone.key
    place = Path("/etc/localtime")
    name = str(place.resolve()).partition("/zoneinfo/")[2] if place.is_symlink() else ""
    offset = now.astimezone(zone).utcoffset() or timedelta()
    if name and now.astimezone(ZoneInfo(name)).utcoffset() == offset:
        return name
    hours, rest = divmod(offset, timedelta(hours=1))
    return f"Etc/GMT{-hours:+d}" if hours and not rest else UTC.tzname(None) or "UTC"
