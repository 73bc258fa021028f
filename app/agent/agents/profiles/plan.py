"""Node `profile_plan`: takes the next call and opens its review if it needs one.

One call at a time. Opening the review is the only write, once per call. A run without
checkpoints continues from its review and the first row of its log.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from app.agent.agents.builtin_tools.case import MailCase
from app.agent.agents.profiles.casework import context_of, open_case
from app.agent.llm.turns import ToolCall
from app.agent.runtime.conversation import dump, load, next_call, tool_steps, with_result, with_turn, with_words
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.proposals import as_request, plain_proposal
from app.agent.runtime.run_recorder import loaded
from app.agent.runtime.state import MailState, Update, state_from_review
from app.agent.runtime.steps import ProposalOpened
from app.agent.runtime.transitions import Node
from app.agent.tools.execution import LONGEST_NAME, note
from app.agent.tools.registry import Registry
from app.agent.tools.tool_calls import NeedsApproval
from app.domain.agents.runs import Route, StepLog
from app.domain.agents.tools import plan_hash
from app.domain.drafting.review import Action, Proposal, RedFlag, Review, ReviewKind, request_of
from app.domain.errors import ExpectedError
from app.domain.policy.policy import Verdict
from app.domain.ports.agents import ReviewDecision

NOTHING_LEFT: Update = {"call_id": "", "plan_hash": "", "requires_approval": False, "verdict": ""}


async def plan(state: MailState, deps: Deps) -> Update | ProposalOpened:
    """The next call with its hash, and its review when it needs one. Without a call the model goes on."""
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
    return ProposalOpened(replace(shown, flags=tuple(dict.fromkeys((*shown.flags, *judged.flags)))), f"call:{call.id}", asked)


async def _proposal(call: ToolCall, registry: Registry, case: MailCase, flags: tuple[RedFlag, ...]) -> Proposal:
    """The review of a call. Raises `ExpectedError` when the call cannot succeed."""
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


LEFT_BY = frozenset({"create_draft"})
"""Calls that do not wait for the owner. The model already has their result."""


def profile_of(logs: Sequence[StepLog]) -> str:
    """The profile of a run, by its first step. Empty for other runs."""
    began = loaded(logs[0].input_state) if logs else {}
    return str(began.get("profile", "")) if began.get("route") == Route.AGENT else ""


def after_agents_review(review: Review, decided: ReviewDecision, profile: str) -> MailState | None:
    """The state in which a run continues after its review. None when nothing is left to do.

    A reply that the owner asks for on a notice, an escalation or a failure is drafted by the pipeline.
    """
    action, arguments = request_of(review.proposal.request_json)
    if not action:
        asked = decided.action == Action.RESPOND
        return state_from_review(review, decided.text) if asked else None
    stretch = f"r{review.id}_{review.revision}_"
    call = ToolCall(f"{stretch}c1_1", action, arguments)
    talk = with_turn([], "", [call], stretch)
    if action in LEFT_BY:
        return _with_remark(review, decided, profile, talk, call, stretch) if decided.action == Action.RESPOND else None
    state = _state(review, profile, stretch)
    return MailState(
        **{
            **state,
            "entry": Node.PROFILE_GATE.value,
            "messages": dump(talk),
            "review_id": review.id,
            "call_id": call.id,
            "plan_hash": review.proposal.plan_hash,
            "requires_approval": True,
        }
    )


def _with_remark(
    review: Review, decided: ReviewDecision, profile: str, talk: list[dict[str, object]], call: ToolCall, stretch: str
) -> MailState:
    """The state with the owner's remark on a draft of the agent."""
    messages = with_words(with_result(talk, call, {"status": "created"}), decided.text)
    return MailState(**{**_state(review, profile, stretch), "messages": dump(messages)})


def _state(review: Review, profile: str, stretch: str) -> MailState:
    state = state_from_review(review, "")
    state.pop("review_id", None)
    state.pop("revision", None)
    return MailState(**{**state, "route": Route.AGENT.value, "profile": profile, "stretch": stretch})
