"""One audit row for each call that passed the registry: hashes and codes, never the arguments themselves."""

import asyncio
from dataclasses import dataclass

from app.agent.tools.context import CallContext
from app.agent.tools.outcomes import Denied, NeedsApproval, Outcome, Word
from app.agent.turns import ToolCall
from app.domain.audit import CallAudit, CallOutcome
from app.domain.policy import Ruling, Verdict, Why
from app.domain.review import RedFlag
from app.domain.tools import ToolDefinition, plan_hash

LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Judged:
    """What policy says of a call, with its red flags."""

    ruling: Ruling
    flags: tuple[RedFlag, ...]
    plan_hash: str


UNFIT = Judged(Ruling(Verdict.DENY, Why.BAD_ARGUMENTS), (), "")
"""Of a call whose arguments do not fit its schema."""


async def note(
    call: ToolCall,
    ctx: CallContext,
    definition: ToolDefinition | None,
    judged: Judged,
    outcome: Outcome,
    word: Word | None = None,
) -> Outcome:
    """Write the call's row; the outcome as it is."""
    agreed = word if word is not None and word.approved else None
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
    """How a call ended so far."""
    if isinstance(outcome, NeedsApproval):
        return CallOutcome.WAITING
    if isinstance(outcome, Denied):
        return CallOutcome.DENIED
    return CallOutcome.FAILED if outcome.failed else CallOutcome.RAN
