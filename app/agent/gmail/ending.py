"""The gate before a mail and the end of a task: the one interrupt, and the contract that code writes.

The gate has no effect and asks no model, as it runs again when it is resumed. Refuses any resume value but what became of the
proposal, and decides nothing by it: reviews and the outbox are rows of whoever called.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from langchain_core.messages import AIMessage
from langgraph.types import interrupt

from app.agent.gmail.case import context_of, open_case
from app.agent.gmail.outcome import Searched
from app.agent.gmail.parts import GmailParts
from app.agent.gmail.state import OUTCOMES, RESULTS, Pending, Work, pending_of
from app.agent.handlers.conversation import next_call
from app.agent.tools.context import not_paused
from app.agent.tools.outcomes import Asked, Word
from app.domain.assistant import Capability, completion_contract
from app.domain.errors import Refused
from app.domain.policy import Spent

OWNER = "user"


def gate(state: Work) -> Work:
    """Wait until the proposal is settled."""
    outcome: Any = None
    while not isinstance(outcome, Mapping) or outcome.get("status") not in OUTCOMES:
        outcome = interrupt(state["pending"])
    return {"outcome": dict(outcome)}


async def end(work: Work, deps: GmailParts, contract_id: str) -> Work:
    """The contract as the last message, which has the id `contract_id`, and the result in the context."""
    if "found" in work:
        result = msgspec.convert(work["found"], Searched)
    else:
        pending = pending_of(work["pending"])
        await _audited(work, pending, deps)
        result = Searched(sent_data(pending, work["outcome"]), "", pending.sources)
    contract = completion_contract(Capability.GMAIL, result.data)
    context = {**work["context"], RESULTS: msgspec.to_builtins(result)}
    return {"messages": [AIMessage(contract, id=contract_id)], "context": context}


def sent_data(pending: Pending, outcome: Mapping[str, Any]) -> dict[str, Any]:
    """What a contract says of a proposal that is settled; where the owner changed it, `outcome` has the mail as it became."""
    return {
        "action": "send",
        "status": outcome["status"],
        "to": str(outcome.get("to") or ", ".join(pending.args.to)),
        "subject": str(outcome.get("subject") or pending.args.subject),
        "attachment": bool(outcome.get("attachment", pending.args.attachments)),
        "tool_used": True,
    }


async def _audited(work: Work, pending: Pending, deps: GmailParts) -> None:
    """The end of the call that waited, in its audit row. What has happened is noted, whether agents are paused by now or not."""
    case = await open_case(work, deps)
    call = next_call(case.talk)
    if call is None:
        raise Refused("The call that was proposed is not in its conversation.")

    def word(asked: Asked) -> Word:
        return Word(pending.plan_hash, work["outcome"]["status"] != "rejected", OWNER, deps.clock())

    ctx = await context_of(case, word)
    ctx.paused, ctx.spent = not_paused, Spent()
    await case.registry.execute(call, ctx)
