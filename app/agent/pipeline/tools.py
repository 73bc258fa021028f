"""`execute_tools`: run the selected tools one after another, each with its own row; a failed one does not stop the others.

The tools here read, or write locally. Refuses any tool that policy does not allow without asking.
"""

import asyncio
import json
import logging
import time
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from app.agent.deps import Deps
from app.agent.pipeline.calendar import check_calendar
from app.agent.pipeline.decide import CHECK_CALENDAR, CREATE_DRAFT, GET_CONTACT, PIPELINE_TOOLS
from app.agent.state import MailState, ToolOutcome, Update, message_id_of, run_id_of
from app.domain.errors import ExpectedError, Refused
from app.domain.mail import Account, Address, Message
from app.domain.policy import Verdict, judge_tool
from app.domain.recipients import reply_recipients, reply_subject
from app.domain.runs import ToolExecution

Result = dict[str, Any]
Tool = Callable[[Message, Account, Deps], Awaitable[tuple[Result, Result]]]
"""To the arguments it used and its result, both JSON."""

log = logging.getLogger(__name__)


async def execute_tools(state: MailState, deps: Deps) -> Update:
    """Run them all; failures stand in the results."""
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
    """One tool, its trouble caught."""
    started = time.perf_counter()
    (outcome,) = await asyncio.gather(_allowed(tool, message, account, deps), return_exceptions=True)
    latency_ms = (time.perf_counter() - started) * 1000
    if isinstance(outcome, BaseException):
        return ToolOutcome(arguments={}, result={}, error=_words(tool, outcome), latency_ms=latency_ms)
    arguments, result = outcome
    return ToolOutcome(arguments=arguments, result=result, error="", latency_ms=latency_ms)


async def _allowed(tool: str, message: Message, account: Account, deps: Deps) -> tuple[Result, Result]:
    """The tool's outcome, if policy lets it run."""
    if judge_tool(tool, PIPELINE_TOOLS).verdict is not Verdict.ALLOW:
        raise Refused(f"The tool {tool} is not allowed here.")
    return await TOOLS[tool](message, account, deps)


def _words(tool: str, error: BaseException) -> str:
    """Expected trouble by code and words; a bug by its class, with its place in the log."""
    if isinstance(error, ExpectedError):
        return f"{error.code}: {error}"
    log.warning("tool %s failed: %s\n%s", tool, type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
    return type(error).__name__


async def get_contact(message: Message, account: Account, deps: Deps) -> tuple[Result, Result]:
    """The sender's card."""
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
    """Lay out the local reply: recipients and subject. Its words come from `generate`, and it leaves only by approval."""
    to, cc = reply_recipients(message, account, everybody=True)
    subject = reply_subject(message.subject)
    return {"reply_to": message.id}, {"to": _listed(to), "cc": _listed(cc), "subject": subject}


def _listed(addresses: tuple[Address, ...]) -> list[list[str]]:
    """Addresses as JSON."""
    return [[one.email, one.name] for one in addresses]


TOOLS: dict[str, Tool] = {CHECK_CALENDAR: check_calendar, GET_CONTACT: get_contact, CREATE_DRAFT: create_draft}
"""The pipeline's tools by name."""
