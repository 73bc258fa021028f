"""Between the arguments of `schedule_meeting` and the review of a meeting: what the user sees and changes before it is booked.

The owner's calendar is read around the slot, so that the card can show the day. Refuses, in words for the model, guests and times
that are none, and an organizer who is not the owner.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from app.agent.deps import Deps
from app.agent.drafting.sources import tool_sources
from app.agent.models.answers import NotFitting
from app.agent.proposals import flags_of, plain_proposal
from app.agent.state import Drafted, MailState, message_id_of
from app.agent.turns import ToolCall
from app.domain.busy import CHECK_CALENDAR, busy_times, overlapping
from app.domain.draft import Draft
from app.domain.errors import ExpectedError, Refused
from app.domain.mail import Account, Address
from app.domain.meeting import Meeting, meeting_from
from app.domain.recipients import own_addresses
from app.domain.review import FlagKind, Proposal, RedFlag, ReviewKind, ToolStep

BEFORE, AFTER = timedelta(days=1), timedelta(days=14)
"""How far around the slot the calendar is read, for a user who moves it."""

ABOUT_PEOPLE = frozenset({FlagKind.RECIPIENT_OUTSIDE_THREAD, FlagKind.NEVER_WRITTEN_TO, FlagKind.LOOK_ALIKE_DOMAIN})


def meeting_of(call: ToolCall, account: Account) -> Meeting:
    """The meeting a call names. Raises `NotFitting`."""
    try:
        meeting = meeting_from(call.arguments)
    except Refused as problem:
        raise NotFitting(str(problem)) from problem
    if meeting.organizer not in own_addresses(account):
        raise NotFitting(f"organizer_email: the owner organizes it; use {account.email}.")
    return meeting


async def meeting_proposal(call: ToolCall, state: MailState, deps: Deps) -> Proposal:
    """The review of a meeting. Raises `NotFitting`."""
    message = deps.corpus.message(message_id_of(state))
    account = deps.corpus.account(message.account_id)
    meeting = meeting_of(call, account)
    step = await _look_around(meeting, deps)
    proposal = plain_proposal(state, ReviewKind.TOOL_CALL, "", deps)
    tools = (*(one for one in proposal.tools if one.name != CHECK_CALENDAR or step.error), step)
    letter = Draft(tuple(map(Address, meeting.guests)), (), (), meeting.title, meeting.title, "", message.id)
    sources = tool_sources(state.get("tool_results", {}), account)
    flags = [one for one in flags_of(Drafted(letter), message, account, state, deps) if one.kind in ABOUT_PEOPLE]
    return replace(proposal, tools=tools, sources=sources, flags=(*flags, *_conflicts(meeting, (step,), deps.time_zone)))


async def _look_around(meeting: Meeting, deps: Deps) -> ToolStep:
    """The calendar around the slot as a step of the trace; trouble stands in it."""
    start, end = meeting.start - BEFORE, meeting.start + AFTER
    arguments = json.dumps({"start": start.isoformat(), "end": end.isoformat()})
    began = time.perf_counter()
    result, error = "", ""
    try:
        busy = await deps.calendar.busy(start, end) if deps.calendar is not None else ()
        rows = [{"start": one.start.isoformat(), "end": one.end.isoformat(), "title": one.title} for one in busy]
        result = json.dumps({"busy": rows}, ensure_ascii=False)
    except ExpectedError as trouble:
        error = f"{trouble.code}: {trouble}"
    return ToolStep(CHECK_CALENDAR, arguments, result, error, (time.perf_counter() - began) * 1000)


def _conflicts(meeting: Meeting, tools: Sequence[ToolStep], zone: tzinfo) -> tuple[RedFlag, ...]:
    """What the owner has on at that time."""
    taken = overlapping(busy_times(tools), meeting.start, meeting.end)
    return tuple(
        RedFlag(
            FlagKind.CALENDAR_CONFLICT, f"{one.title} {one.start.astimezone(zone):%H:%M}-{one.end.astimezone(zone):%H:%M}".strip()
        )
        for one in taken
    )


def zone_name(zone: tzinfo, now: datetime) -> str:
    """The zone's IANA name; where the machine does not tell it, the name of its offset of now."""
    if isinstance(zone, ZoneInfo):
        return zone.key
    place = Path("/etc/localtime")
    name = str(place.resolve()).partition("/zoneinfo/")[2] if place.is_symlink() else ""
    offset = now.astimezone(zone).utcoffset() or timedelta()
    if name and now.astimezone(ZoneInfo(name)).utcoffset() == offset:
        return name
    hours, rest = divmod(offset, timedelta(hours=1))
    return f"Etc/GMT{-hours:+d}" if hours and not rest else UTC.tzname(None) or "UTC"
