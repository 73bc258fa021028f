"""Runs a permitted tool call within its timeout, cuts long results, records them as read, and writes audit rows.

An audit row holds hashes and codes, never the arguments.
"""

import asyncio
import json
import logging
import traceback
from collections.abc import Awaitable, Callable

from app.agent.llm.turns import ToolCall
from app.agent.tools.tool_calls import CallContext, Denied, NeedsApproval, Outcome, OwnerDecision, ReadTexts, Result
from app.domain.agents.runs import CallAudit, CallOutcome
from app.domain.agents.tools import Json, ToolDefinition, plan_hash
from app.domain.drafting.review import Proposal, RedFlag
from app.domain.errors import ExpectedError, NotAllowed
from app.domain.policy.policy import Effect, PolicyReason, Ruling, Verdict
from app.domain.record import Record

TIMEOUT_S = 60.0
LONGEST_RESULT = 24_000
"""Characters of a result as JSON. The model gets the beginning of a longer one, marked as truncated."""

Handler = Callable[..., Awaitable[Json | ReadTexts]]
Proposes = Callable[..., Awaitable[Proposal]]

log = logging.getLogger(__name__)


class RegisteredTool(Record):
    """A tool definition with its handler and timeout.

    `propose` makes what the owner sees before approving, from the same arguments. It raises where the call could not run anyway.
    """

    definition: ToolDefinition
    handler: Handler
    timeout_s: float = TIMEOUT_S
    propose: Proposes | None = None


async def carry_out(tool: RegisteredTool, call: ToolCall, ctx: CallContext) -> Result:
    """Runs the handler. Any error becomes `{"error": ...}` with `failed=True`."""
    (value,) = await asyncio.gather(_call_handler(tool, call), return_exceptions=True)
    if isinstance(value, BaseException):
        return Result({"error": _error_message(tool, call, value)}, failed=True)
    shown = value.value if isinstance(value, ReadTexts) else value
    try:
        text = json.dumps(shown, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return Result({"error": f"{call.name} returned what is not JSON."}, failed=True)
    ctx.observe(value, public=tool.definition.public)
    if tool.definition.effect is Effect.SEND:
        ctx.spend(sends=1)
    return Result(shown if len(text) <= LONGEST_RESULT else _cut(text))


async def _call_handler(tool: RegisteredTool, call: ToolCall) -> Json | ReadTexts:
    """Runs the handler within its own timeout, so that a timeout of the caller is not mistaken for it."""
    return await asyncio.wait_for(tool.handler(**call.arguments), tool.timeout_s)


def _error_message(tool: RegisteredTool, call: ToolCall, error: BaseException) -> str:
    """Error message for the model. Unexpected errors are logged without their text."""
    if isinstance(error, TimeoutError):
        return f"{call.name} took longer than {tool.timeout_s:g} s."
    if isinstance(error, ExpectedError):
        return error_words(error)
    log.warning("tool %s failed: %s\n%s", call.name, type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
    return f"{call.name} failed: {type(error).__name__}."


def error_words(error: ExpectedError) -> str:
    """An error for the model: its code and text. A refusal says itself what is wrong."""
    return str(error) if isinstance(error, NotAllowed) else f"{error.code}: {error}"


def _cut(text: str) -> Json:
    return {"truncated": True, "characters": len(text), "beginning": text[:LONGEST_RESULT]}


LONGEST_NAME = 100


class JudgedCall(Record):
    """The policy's ruling on a call, with its red flags."""

    ruling: Ruling
    flags: tuple[RedFlag, ...]
    plan_hash: str


UNFIT = JudgedCall(Ruling(Verdict.DENY, PolicyReason.BAD_ARGUMENTS), (), "")
"""For a call whose arguments do not fit its schema."""


async def note(
    call: ToolCall,
    ctx: CallContext,
    definition: ToolDefinition | None,
    judged: JudgedCall,
    outcome: Outcome,
    decision: OwnerDecision | None = None,
) -> Outcome:
    """Writes the call's audit row and returns the outcome unchanged."""
    agreed = decision if decision is not None and decision.approved else None
    row = CallAudit(
        run_id=ctx.run_id,
        call_id=call.id,
        tool=call.name[:LONGEST_NAME],
        effect=definition.effect if definition else None,
        arguments_hash=plan_hash(call.name, call.arguments),
        verdict=judged.ruling.verdict,
        why=outcome.why if isinstance(outcome, Denied) else judged.ruling.why,
        flags=tuple(dict.fromkeys(one.kind for one in judged.flags)),
        outcome=ended(outcome),
        at=ctx.clock(),
        approved_by=agreed.by if agreed else "",
        approved_at=agreed.at if agreed else None,
    )
    await asyncio.to_thread(ctx.audit, row)
    return outcome


def ended(outcome: Outcome) -> CallOutcome:
    """The outcome as the code stored in the audit row."""
    if isinstance(outcome, NeedsApproval):
        return CallOutcome.WAITING
    if isinstance(outcome, Denied):
        return CallOutcome.DENIED
    return CallOutcome.FAILED if outcome.failed else CallOutcome.RAN
