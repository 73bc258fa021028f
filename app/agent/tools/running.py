"""Running a tool that may run: within its time, its trouble in words, its result cut to a bearable size and noted as read.

Refuses to pass a bug's own text on: it may hold mail. The log has the place.
"""

import asyncio
import json
import logging
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.agent.tools.context import CallContext
from app.agent.tools.outcomes import Reading, Result
from app.agent.turns import ToolCall
from app.domain.errors import ExpectedError
from app.domain.policy import Effect
from app.domain.review import Proposal
from app.domain.tools import Json, ToolDefinition

TIMEOUT_S = 60.0
LONGEST_RESULT = 24_000
"""Characters of a result as JSON; of a longer one the model gets the beginning, and is told so."""

Handler = Callable[..., Awaitable[Json | Reading]]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tool:
    """A definition with what carries it out within `timeout_s` seconds. `propose`, for calls that ask: what the owner is shown,
    made from the same arguments; it raises where the call could not be carried out anyway, so that nobody is asked in vain."""

    definition: ToolDefinition
    handler: Handler
    timeout_s: float = TIMEOUT_S
    propose: Callable[..., Awaitable[Proposal]] | None = None


async def carry_out(tool: Tool, call: ToolCall, ctx: CallContext) -> Result:
    """The handler's result; `{"error": ...}` for whatever went wrong."""
    (value,) = await asyncio.gather(_called(tool, call), return_exceptions=True)
    if isinstance(value, BaseException):
        return Result({"error": _told(tool, call, value)}, failed=True)
    shown = value.value if isinstance(value, Reading) else value
    try:
        text = json.dumps(shown, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return Result({"error": f"{call.name} returned what is not JSON."}, failed=True)
    ctx.observe(value, public=tool.definition.public)
    if tool.definition.effect is Effect.SEND:
        ctx.spend(sends=1)
    return Result(shown if len(text) <= LONGEST_RESULT else _cut(text))


async def _called(tool: Tool, call: ToolCall) -> Json | Reading:
    """The call, with its time limit inside so that its time-out is told apart from the caller's."""
    return await asyncio.wait_for(tool.handler(**call.arguments), tool.timeout_s)


def _told(tool: Tool, call: ToolCall, error: BaseException) -> str:
    """Trouble in words for the model."""
    if isinstance(error, TimeoutError):
        return f"{call.name} took longer than {tool.timeout_s:g} s."
    if isinstance(error, ExpectedError):
        return f"{error.code}: {error}"
    log.warning("tool %s failed: %s\n%s", call.name, type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
    return f"{call.name} failed: {type(error).__name__}."


def _cut(text: str) -> Json:
    return {"truncated": True, "characters": len(text), "beginning": text[:LONGEST_RESULT]}
