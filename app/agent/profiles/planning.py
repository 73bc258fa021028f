"""`profile_plan` and `profile_gate`: take the next call, put it before the owner if it asks, and wait for the word.

One call at a time. Opening the review is the only thing written here, once per call. The gate holds the interrupt alone.
"""

import asyncio
from dataclasses import replace

from app.agent.deps import Deps
from app.agent.handlers.case import MailCase, as_request
from app.agent.handlers.conversation import next_call, tool_steps
from app.agent.pipeline.review import await_decision
from app.agent.profiles.casework import context_of, open_case
from app.agent.proposals import plain_proposal
from app.agent.state import MailState, Update
from app.agent.steps import PutUp
from app.agent.talk import load
from app.agent.tools.auditing import LONGEST_NAME, note
from app.agent.tools.outcomes import NeedsApproval
from app.agent.tools.registry import Registry
from app.agent.turns import ToolCall
from app.domain.errors import ExpectedError
from app.domain.ids import ReviewId
from app.domain.policy import Verdict
from app.domain.review import Proposal, RedFlag, ReviewKind
from app.domain.tools import plan_hash

NOTHING_LEFT: Update = {"call_id": "", "plan_hash": "", "requires_approval": False, "verdict": ""}


async def plan(state: MailState, deps: Deps) -> Update | PutUp:
    """The call that is next, its hash, and its review where it asks. No call left: back to the model."""
    call = next_call(load(state))
    if call is None:
        return NOTHING_LEFT
    work = open_case(state, deps)
    registry = work.registry(call.id)
    ctx = await context_of(work, registry)
    judged = registry.judge(call, ctx)
    update = {**NOTHING_LEFT, "call": call.name[:LONGEST_NAME], "call_id": call.id, "plan_hash": judged.plan_hash}
    if judged.ruling.verdict is not Verdict.ASK or registry.misfit(call):
        return update
    try:
        shown = await _proposal(call, work.registry(call.id, judged.flags), work.case, judged.flags)
    except ExpectedError:
        return update
    waiting = NeedsApproval(judged.plan_hash, judged.flags, judged.ruling.why)
    await note(call, ctx, registry.definition(call.name), judged, waiting)
    asked = {**update, "requires_approval": True, "final_response": ""}
    return PutUp(replace(shown, flags=tuple(dict.fromkeys((*shown.flags, *judged.flags)))), f"call:{call.id}", asked)


async def gate(state: MailState, deps: Deps) -> Update:
    """Wait for the word on the call."""
    return await_decision(ReviewId(state["review_id"]), deps)


async def _proposal(call: ToolCall, registry: Registry, case: MailCase, flags: tuple[RedFlag, ...]) -> Proposal:
    """What the owner is shown. Raises where the call could not be carried out."""
    tool = registry.tool(call.name)
    if tool is not None and tool.propose is not None:
        made = await asyncio.wait_for(tool.propose(**call.arguments), tool.timeout_s)
        return replace(made, plan_hash=plan_hash(call.name, call.arguments), request_json=as_request(call.name, call.arguments))
    plain = plain_proposal(case.state, ReviewKind.TOOL_CALL, "", case.deps)
    return replace(
        plain,
        maker=case.maker,
        request_json=as_request(call.name, call.arguments),
        plan_hash=plan_hash(call.name, call.arguments),
        tools=tool_steps(load(case.state)),
        flags=flags,
    )
