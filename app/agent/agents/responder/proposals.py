"""Converts calls of `send_email` to drafts and back, and calls of `schedule_meeting` to reviews.

The user edits the draft or the meeting; the model knows only its arguments. A reply takes the conversation's subject. A meeting's
review holds the calendar around the slot.
"""

import json
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from app.agent.drafting.claims import unsupported
from app.agent.drafting.model_request import evidence_of
from app.agent.drafting.model_text import plain_subject, plain_text, with_slots
from app.agent.drafting.sources import tool_sources
from app.agent.llm.turns import ToolCall
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.proposals import flags_of, plain_proposal
from app.agent.runtime.state import DraftPayload, MailState, message_id_of
from app.domain.drafting.draft import Draft
from app.domain.drafting.meeting import CHECK_CALENDAR, Meeting, busy_times, meeting_from, overlapping
from app.domain.drafting.review import FlagKind, Proposal, RedFlag, ReviewKind, ToolStep
from app.domain.errors import ExpectedError, NotAllowed
from app.domain.mail.message import Account, Address, Message
from app.domain.mail.recipients import own_addresses, reply_recipients, reply_subject
from app.domain.record import replace


def starts(call: ToolCall) -> bool:
    """Whether the call is a new mail and no reply. Raises `NotAllowed` for one without a subject."""
    if str(call.arguments["email_id"]).strip():
        return False
    if not " ".join(str(call.arguments.get("subject", "")).split()):
        raise NotAllowed("A new mail needs a subject; a reply needs the email_id that it answers.")
    return True


def answered_mail(call: ToolCall, thread: Sequence[Message]) -> Message:
    """The message of the conversation that the call answers. Raises `NotAllowed`."""
    wanted = str(call.arguments["email_id"]).strip()
    found = next((one for one in thread if str(one.id) == wanted), None)
    if found is None:
        raise NotAllowed(f"No mail of this thread has the email_id {wanted[:40]}. There are: {_listed(thread)}.")
    return found


def letter(call: ToolCall, thread: Sequence[Message], account: Account, maker: str) -> Draft:
    """The mail as a draft. In a reply the owner's own address stands for the sender's. Raises `NotAllowed`."""
    if starts(call):
        return _new_mail(call, thread, account, maker)
    mail = answered_mail(call, thread)
    known = {one.email.lower(): one for one in _people(thread)}
    address = str(call.arguments["email_address"])
    own = own_addresses(account)
    to = reply_recipients(mail, account, everybody=False)[0] if address.lower() in own else (_named(address, known),)
    taken = own | {one.email.lower() for one in to}
    more = dict.fromkeys(str(one) for one in call.arguments.get("additional_recipients", ()))
    cc = tuple(_named(one, known) for one in more if one.lower() not in taken)
    empty = Draft(to, cc, (), reply_subject(mail.subject), "", maker, mail.id)
    return with_slots(empty, _text(call, account))


def _new_mail(call: ToolCall, thread: Sequence[Message], account: Account, maker: str) -> Draft:
    known, own = {one.email.lower(): one for one in _people(thread)}, own_addresses(account)
    asked = (call.arguments["email_address"], *call.arguments.get("additional_recipients", ()))
    first, *rest = dict.fromkeys(str(one) for one in asked)
    if first.lower() in own:
        raise NotAllowed("email_address: a new mail goes to somebody else than the owner.")
    cc = tuple(_named(one, known) for one in rest if one.lower() not in own)
    subject = plain_subject(str(call.arguments["subject"]))
    return with_slots(Draft((_named(first, known),), cc, (), subject, "", maker), _text(call, account))


def _text(call: ToolCall, account: Account) -> str:
    return plain_text(str(call.arguments["response_text"]), account.signature)


def marked(draft: Draft, state: MailState, message: Message, deps: Deps) -> Draft:
    return replace(draft, spans=(*draft.spans, *unsupported(draft.body, evidence_of(state, message, deps))))


def arguments_of(draft: Draft) -> dict[str, Any]:
    """The arguments of `send_email` that would make this draft."""
    first, *rest = [one.email for one in draft.recipients] or [""]
    more = {"additional_recipients": rest} if rest else {}
    new = {} if draft.reply_to else {"subject": draft.subject}
    return {"email_id": str(draft.reply_to or ""), "response_text": draft.body, "email_address": first, **new, **more}


def _named(address: str, known: dict[str, Address]) -> Address:
    return known.get(address.lower(), Address(address))


def _people(thread: Iterable[Message]) -> list[Address]:
    return [one for mail in thread for one in (mail.sender, *mail.to, *mail.cc)]


def _listed(thread: Sequence[Message]) -> str:
    return ", ".join(str(one.id) for one in thread)


BEFORE, AFTER = timedelta(days=1), timedelta(days=14)
"""How much of the calendar is read around the slot, in case the user moves it."""

ABOUT_PEOPLE = frozenset({FlagKind.RECIPIENT_OUTSIDE_THREAD, FlagKind.NEVER_WRITTEN_TO, FlagKind.LOOK_ALIKE_DOMAIN})


def meeting_of(call: ToolCall, account: Account) -> Meeting:
    """The meeting in a call. Raises `NotAllowed`."""
    meeting = meeting_from(call.arguments)
    if meeting.organizer not in own_addresses(account):
        raise NotAllowed(f"organizer_email: the owner organizes it; use {account.email}.")
    return meeting


async def meeting_proposal(call: ToolCall, state: MailState, deps: Deps) -> Proposal:
    """The review of a meeting. Raises `NotAllowed`."""
    message = deps.corpus.message(message_id_of(state))
    account = deps.corpus.account(message.account_id)
    meeting = meeting_of(call, account)
    step = await _calendar_step(meeting, deps)
    proposal = plain_proposal(state, ReviewKind.TOOL_CALL, "", deps)
    tools = (*(one for one in proposal.tools if one.name != CHECK_CALENDAR or step.error), step)
    letter = Draft(tuple(map(Address, meeting.guests)), (), (), meeting.title, meeting.title, "", message.id)
    sources = tool_sources(state.get("tool_results", {}), account)
    flags = [one for one in flags_of(DraftPayload(letter), message, account, state, deps) if one.kind in ABOUT_PEOPLE]
    return replace(proposal, tools=tools, sources=sources, flags=(*flags, *_conflicts(meeting, (step,), deps.time_zone)))


async def _calendar_step(meeting: Meeting, deps: Deps) -> ToolStep:
    """Reads the calendar around the slot as a tool step. An error is part of the step."""
    start, end = meeting.start - BEFORE, meeting.start + AFTER
    arguments = json.dumps({"start": start.isoformat(), "end": end.isoformat()})
    began = time.perf_counter()
    result, error = "", ""
    try:
        busy = await deps.calendar.busy(start, end) if deps.calendar is not None else ()
        rows = [{"start": one.start.isoformat(), "end": one.end.isoformat(), "title": one.title} for one in busy]
        result = json.dumps({"busy": rows}, ensure_ascii=False)
    except ExpectedError as caught:
        error = f"{caught.code}: {caught}"
    return ToolStep(CHECK_CALENDAR, arguments, result, error, (time.perf_counter() - began) * 1000)


def _conflicts(meeting: Meeting, tools: Sequence[ToolStep], zone: tzinfo) -> tuple[RedFlag, ...]:
    taken = overlapping(busy_times(tools), meeting.start, meeting.end)
    return tuple(
        RedFlag(
            FlagKind.CALENDAR_CONFLICT, f"{one.title} {one.start.astimezone(zone):%H:%M}-{one.end.astimezone(zone):%H:%M}".strip()
        )
        for one in taken
    )


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
