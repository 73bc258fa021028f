"""Node `execute_tools`: runs the selected tools one after another, each with its own row. A failed tool does not stop the others.

Tools read or write locally. `check_calendar` reads the coming weeks and every day the mail names. Its summary, which drafts may
use, holds no event titles.
"""

import asyncio
import json
import logging
import time
import traceback
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from app.agent.agents.pipeline.decide import CHECK_CALENDAR, CREATE_DRAFT, GET_CONTACT, PIPELINE_TOOLS
from app.agent.drafting.sources import EXCERPT_LIMIT
from app.agent.language.times import DAYS_AHEAD, named_days
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import MailState, ToolOutcome, Update, message_id_of, run_id_of
from app.domain.agents.runs import ToolExecution
from app.domain.drafting.meeting import BusyTime
from app.domain.errors import ExpectedError, NotAllowed, NotFound
from app.domain.mail.message import Account, Address, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.recipients import draft_recipients, reply_subject
from app.domain.policy.policy import CallFacts, Effect, Verdict, judge_call

log = logging.getLogger(__name__)

Result = dict[str, Any]

CUT = "; later times are not listed here and not known"


async def check_calendar(message: Message, account: Account, deps: Deps) -> tuple[Result, Result]:
    """Busy times of the coming weeks and of the days the mail names.

    The weeks are those for which free times are offered.
    """
    if deps.calendar is None:
        raise NotFound("No calendar is connected.")
    start = deps.clock().astimezone(deps.time_zone)
    end = _midnight(start.date() + timedelta(days=DAYS_AHEAD + 1), deps)
    named = named_days(newest_part(message.body_text), start, deps.time_zone)
    beyond = [(_midnight(one, deps), _midnight(one + timedelta(days=1), deps)) for one in named if one >= end.date()]
    windows = [(start, end), *beyond]
    found: dict[BusyTime, None] = {}
    for window in windows:
        found.update(dict.fromkeys(await deps.calendar.busy(*window)))
    busy = sorted(found, key=lambda one: (one.start, one.end, one.title))
    rows = [{"start": one.start.isoformat(), "end": one.end.isoformat(), "title": one.title} for one in busy]
    looked = [[one.isoformat() for one in window] for window in windows]
    return {"start": looked[0][0], "end": looked[0][1], "days": looked[1:]}, {
        "busy": rows,
        "summary": _summary(start, end, named, busy, deps),
    }


def _midnight(day: date, deps: Deps) -> datetime:
    """The beginning of a day in the owner's time zone, aware."""
    return datetime(day.year, day.month, day.day, tzinfo=deps.time_zone)


def _summary(start: datetime, end: datetime, named: Iterable[date], busy: Sequence[BusyTime], deps: Deps) -> str:
    """The busy times as text, the days the mail names first.

    Cut to the length of an excerpt.
    """
    days = [f"{one:%A %Y-%m-%d}: {', '.join(_stretches(one, busy, deps)) or 'nothing'}." for one in sorted(named)]
    head = " ".join(
        [*(["Busy on the days the mail names:", *days] if days else []), f"Busy from {start:%Y-%m-%d} to {end:%Y-%m-%d}: "]
    )
    listed, left = "", EXCERPT_LIMIT - len(head) - len(CUT)
    for line in (_line(one, deps) for one in busy if one.start < end):
        more = f"; {line}" if listed else line
        if len(listed) + len(more) > left:
            return head + listed + CUT
        listed += more
    return head + (listed or "nothing")


def _stretches(day: date, busy: Iterable[BusyTime], deps: Deps) -> Iterator[str]:
    begins, ends = _midnight(day, deps), _midnight(day + timedelta(days=1), deps)
    for one in busy:
        if one.start < ends and one.end > begins:
            start, end = max(one.start, begins).astimezone(deps.time_zone), min(one.end, ends).astimezone(deps.time_zone)
            yield f"{start:%H:%M} to {'24:00' if end.date() > day else f'{end:%H:%M}'}"


def _line(one: BusyTime, deps: Deps) -> str:
    """A busy time, with the end date when it differs."""
    start, end = one.start.astimezone(deps.time_zone), one.end.astimezone(deps.time_zone)
    until = f"{end:%H:%M}" if start.date() == end.date() else f"{end:%A %Y-%m-%d %H:%M}"
    return f"{start:%A %Y-%m-%d %H:%M} to {until}"


Tool = Callable[[Message, Account, Deps], Awaitable[tuple[Result, Result]]]
"""Returns the arguments it used and its result, both JSON."""


async def execute_tools(state: MailState, deps: Deps) -> Update:
    """Runs all selected tools. Failures are part of the results."""
    message = deps.corpus.message(message_id_of(state))
    account = deps.corpus.account(message.account_id)
    results: dict[str, ToolOutcome] = {}
    for tool in state["selected_tools"]:
        outcome = await _run(tool, message, account, deps)
        results[tool] = outcome
        execution = ToolExecution(
            run_id_of(state),
            tool,
            tool,
            json.dumps(outcome["arguments"]),
            json.dumps(outcome["result"]),
            outcome["error"],
            outcome["latency_ms"],
            deps.clock(),
        )
        deps.book.tool(execution)
    return {"tool_results": results}


async def _run(tool: str, message: Message, account: Account, deps: Deps) -> ToolOutcome:
    """Runs one tool and catches its error."""
    started = time.perf_counter()
    (outcome,) = await asyncio.gather(_allowed(tool, message, account, deps), return_exceptions=True)
    latency_ms = (time.perf_counter() - started) * 1000
    if isinstance(outcome, BaseException):
        return ToolOutcome(arguments={}, result={}, error=_error_text(tool, outcome), latency_ms=latency_ms)
    arguments, result = outcome
    return ToolOutcome(arguments=arguments, result=result, error="", latency_ms=latency_ms)


async def _allowed(tool: str, message: Message, account: Account, deps: Deps) -> tuple[Result, Result]:
    """Runs the tool if policy allows it."""
    facts = CallFacts(PIPELINE_TOOLS.get(tool, Effect.SEND), listed=tool in PIPELINE_TOOLS)
    if judge_call(facts).verdict is not Verdict.ALLOW:
        raise NotAllowed(f"The tool {tool} is not allowed here.")
    return await TOOLS[tool](message, account, deps)


def _error_text(tool: str, error: BaseException) -> str:
    """The error text of a failed tool.

    An expected error gives its code and message, a bug its class, with the traceback in the log.
    """
    if isinstance(error, ExpectedError):
        return f"{error.code}: {error}"
    log.warning("tool %s failed: %s\n%s", tool, type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
    return type(error).__name__


async def get_contact(message: Message, account: Account, deps: Deps) -> tuple[Result, Result]:
    card = deps.corpus.contact(account.id, message.sender.email)
    if card is not None and card.sent:  # only then there may be promises
        card = await asyncio.to_thread(deps.corpus.card, account.id, message.sender.email, deps.clock())
    arguments = {"email": message.sender.email}
    if card is None:
        return arguments, {"known": False}
    last = card.last_contact.date().isoformat() if card.last_contact else "never"
    facts = [card.address.name or card.address.email, card.organization, card.notes, card.own_note]
    facts += [f"the owner wrote on {one.sent:%Y-%m-%d}: {one.text}" for one in card.promises]
    summary = "; ".join([*filter(None, facts), f"{card.received} mails received, {card.sent} sent, last contact {last}"])
    return arguments, {"known": True, "received": card.received, "sent": card.sent, "last_contact": last, "summary": summary}


async def create_draft(message: Message, account: Account, deps: Deps) -> tuple[Result, Result]:
    """Recipients and subject of the reply. `generate` writes the text, and only an approval sends it."""
    to, cc = draft_recipients(message, account, deps.corpus.thread(message.thread_id))
    subject = reply_subject(message.subject)
    return {"reply_to": message.id}, {"to": _listed(to), "cc": _listed(cc), "subject": subject}


def _listed(addresses: tuple[Address, ...]) -> list[list[str]]:
    return [[one.email, one.name] for one in addresses]


TOOLS: dict[str, Tool] = {CHECK_CALENDAR: check_calendar, GET_CONTACT: get_contact, CREATE_DRAFT: create_draft}
