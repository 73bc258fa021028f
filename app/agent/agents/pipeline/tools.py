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
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any

from app.agent.drafting.sources import EXCERPT_LIMIT, message_text
from app.agent.drafting.templates import asked_of_owner, asks_for_time
from app.agent.language.times import DAYS_AHEAD, named_days
from app.agent.llm.prompts import chat, fence, prompt
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import MailState, ToolOutcome, Update, message_id_of, run_id_of
from app.domain.agents.runs import ToolExecution
from app.domain.drafting.meeting import CHECK_CALENDAR, BusyTime
from app.domain.errors import CapReached, ExpectedError, ModelUnavailable, NotAllowed, NotFound
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.recipients import draft_recipients, reply_subject
from app.domain.mail.triage import Category
from app.domain.policy.policy import CallFacts, Effect, Verdict, judge_call

GET_CONTACT = "get_contact"
CREATE_DRAFT = "create_draft"

PIPELINE_TOOLS = {CHECK_CALENDAR: Effect.READ, GET_CONTACT: Effect.READ, CREATE_DRAFT: Effect.LOCAL_WRITE}
"""All tools of the pipeline."""

PURPOSES = {
    CHECK_CALENDAR: "read when the owner is busy in the next four weeks and on the days the mail names",
    GET_CONTACT: "read how often and when the owner wrote with the sender",
}
"""The tools a model may choose. `create_draft` always runs."""

BY_CATEGORY: dict[Category, tuple[str, ...]] = {
    Category.MEETING_REQUEST: (CHECK_CALENDAR, GET_CONTACT, CREATE_DRAFT),
    Category.COMPLAINT: (GET_CONTACT, CREATE_DRAFT),
    Category.INQUIRY: (GET_CONTACT, CREATE_DRAFT),
    Category.FOLLOW_UP: (GET_CONTACT, CREATE_DRAFT),
    Category.SPAM: (),
}

ONLY_IF_KNOWN = frozenset({Category.INQUIRY, Category.OTHER})
"""Categories where `get_contact` runs for known senders only."""


async def decide(state: MailState, deps: Deps) -> Update:
    """Selects the tools in the order they run, of those whose services are available."""
    message = deps.corpus.message(message_id_of(state))
    category = Category(state["classification"])
    missing = set() if deps.calendar else {CHECK_CALENDAR}
    if category in ONLY_IF_KNOWN and deps.corpus.contact(message.account_id, message.sender.email) is None:
        missing.add(GET_CONTACT)
    offered = [tool for tool in PIPELINE_TOOLS if tool not in missing]
    # a category that is still open is not worth a call
    by_rule = deps.gateway is None or bool(state.get("without_model") or state.get("verdict_open"))
    if by_rule and category is not Category.SPAM:
        wanted = asked_of_owner(message, deps.corpus.account(message.account_id))
        if any(map(asks_for_time, wanted)):
            return {"selected_tools": offered}
    if category not in BY_CATEGORY and not by_rule:
        with suppress(ModelUnavailable, CapReached):  # the choice by rule does as well; `generate` notes what is missing
            return {"selected_tools": [*await _chosen(state, message, offered, deps), CREATE_DRAFT]}
    return {"selected_tools": [tool for tool in BY_CATEGORY.get(category, (GET_CONTACT, CREATE_DRAFT)) if tool in offered]}


async def _chosen(state: MailState, message: Message, offered: list[str], deps: Deps) -> list[str]:
    """The model's choice, from one structured call. No call when there is nothing to choose."""
    assert deps.gateway is not None
    deps.check_leaving(message.thread_id)
    choices = [tool for tool in PURPOSES if tool in offered]
    if not choices:
        return []
    schema = {
        "type": "object",
        "properties": {"tools": {"type": "array", "items": {"type": "string", "enum": choices}, "uniqueItems": True}},
        "required": ["tools"],
        "additionalProperties": False,
    }
    listed = "\n".join(f"- {tool}: {PURPOSES[tool]}" for tool in choices)
    system = prompt(deps.prompts, "decide", tools=listed, category=state["classification"])
    answer = await deps.gateway.structured(
        run_id_of(state), "plan", chat(system, fence(message_text(message), "mail", message)), schema
    )
    return [tool for tool in choices if tool in answer["tools"]]


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
    """The busy times as text, the days the mail names first, cut to the length of an excerpt."""
    days = [f"{one:%A %Y-%m-%d}: {', '.join(_stretches(one, busy, deps)) or 'nothing'}." for one in sorted(named)]
    head = " ".join(
        [*(["Busy on the days the mail names:", *days] if days else []), f"Busy from {start:%Y-%m-%d} to {end:%Y-%m-%d}: "]
    )
    listed, left = "", EXCERPT_LIMIT - len(head) - len(CUT)
    for one in busy:
        if one.start >= end:
            continue
        begins, ends = one.start.astimezone(deps.time_zone), one.end.astimezone(deps.time_zone)
        until = f"{ends:%H:%M}" if begins.date() == ends.date() else f"{ends:%A %Y-%m-%d %H:%M}"
        more = f"{'; ' if listed else ''}{begins:%A %Y-%m-%d %H:%M} to {until}"
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
    """Runs one tool.

    The error is the code and message of an expected one, the class of a bug, whose traceback is in the log.
    """
    started = time.perf_counter()
    (outcome,) = await asyncio.gather(_allowed(tool, message, account, deps), return_exceptions=True)
    arguments, result = ({}, {}) if isinstance(outcome, BaseException) else outcome
    error = ""
    if isinstance(outcome, ExpectedError):
        error = f"{outcome.code}: {outcome}"
    elif isinstance(outcome, BaseException):
        error = type(outcome).__name__
        log.warning("tool %s failed: %s\n%s", tool, error, "".join(traceback.format_tb(outcome.__traceback__)))
    return ToolOutcome(arguments=arguments, result=result, error=error, latency_ms=(time.perf_counter() - started) * 1000)


async def _allowed(tool: str, message: Message, account: Account, deps: Deps) -> tuple[Result, Result]:
    facts = CallFacts(PIPELINE_TOOLS.get(tool, Effect.SEND), listed=tool in PIPELINE_TOOLS)
    if judge_call(facts).verdict is not Verdict.ALLOW:
        raise NotAllowed(f"The tool {tool} is not allowed here.")
    return await TOOLS[tool](message, account, deps)


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
    listed = {name: [[one.email, one.name] for one in people] for name, people in (("to", to), ("cc", cc))}
    return {"reply_to": message.id}, {**listed, "subject": reply_subject(message.subject)}


TOOLS: dict[str, Tool] = {CHECK_CALENDAR: check_calendar, GET_CONTACT: get_contact, CREATE_DRAFT: create_draft}
