"""Nodes `gate` and `end`: the only interrupt of the graph, and the contract, which code writes.

The gate has no effect and calls no model, because it runs again when it is resumed.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from langchain_core.messages import AIMessage
from langgraph.types import interrupt

from app.agent.agents.gmail.case import context_of, open_case
from app.agent.agents.gmail.interface import GmailDeps, GmailFound
from app.agent.agents.gmail.state import CHOSEN, OUTCOMES, RESULTS, GmailTaskState, PendingSend, pending_of
from app.agent.runtime.conversation import next_call
from app.agent.tools.tool_calls import OwnerDecision, PendingCall, not_paused
from app.domain.agents.requests import Capability, completion_contract
from app.domain.errors import NotAllowed
from app.domain.policy.policy import BudgetSpent
from app.domain.record import replace

OWNER = "user"


def gate(state: GmailTaskState) -> GmailTaskState:
    """Interrupts until the proposal is settled."""
    outcome: Any = None
    while not isinstance(outcome, Mapping) or outcome.get("status") not in OUTCOMES:
        outcome = interrupt(state["pending"])
    return {"outcome": dict(outcome)}


async def end(work: GmailTaskState, deps: GmailDeps, contract_id: str) -> GmailTaskState:
    """Adds the contract as the last message and the result to the context.

    `contract_id` is the message's id, so a repeated node does not add it twice.
    """
    if "found" in work:
        result = msgspec.convert(work["found"], GmailFound)
    else:
        pending = pending_of(work["pending"])
        await _audited(work, pending, deps)
        result = GmailFound(sent_data(pending, work["outcome"]), "", pending.sources)
    if CHOSEN in work["context"]:
        result = replace(result, data={**result.data, CHOSEN: work["context"][CHOSEN]})
    contract = completion_contract(Capability.GMAIL, result.data)
    context = {**work["context"], RESULTS: msgspec.to_builtins(result)}
    return {"messages": [AIMessage(contract, id=contract_id)], "context": context}


def sent_data(pending: PendingSend, outcome: Mapping[str, Any]) -> dict[str, Any]:
    """The contract data of a settled proposal. `outcome` has the final values when the owner changed the mail."""
    return {
        "action": "send",
        "status": outcome["status"],
        "to": str(outcome.get("to") or ", ".join(pending.args.to)),
        "subject": str(outcome.get("subject") or pending.args.subject),
        "attachment": bool(outcome.get("attachment", pending.args.attachments)),
        "tool_used": True,
    }


async def _audited(work: GmailTaskState, pending: PendingSend, deps: GmailDeps) -> None:
    """Finishes the audit row of the waiting call, even while agents are paused."""
    case = await open_case(work, deps)
    call = next_call(case.talk)
    if call is None:
        raise NotAllowed("The call that was proposed is not in its conversation.")

    def word(asked: PendingCall) -> OwnerDecision:
        return OwnerDecision(pending.plan_hash, work["outcome"]["status"] != "rejected", OWNER, deps.clock())

    ctx = await context_of(case, word)
    ctx.paused, ctx.spent = not_paused, BudgetSpent()
    await case.registry.execute(call, ctx)
