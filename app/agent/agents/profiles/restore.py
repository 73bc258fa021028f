"""Restores a profile's run without checkpoints from its review and the first row of its log."""

from collections.abc import Sequence

from app.agent.llm.turns import ToolCall
from app.agent.runtime.conversation import dump, with_result, with_turn, with_words
from app.agent.runtime.run_recorder import loaded
from app.agent.runtime.state import MailState, state_from_review
from app.agent.runtime.transitions import Node
from app.domain.agents.runs import Route, StepLog
from app.domain.drafting.review import Action, Review, request_of
from app.domain.ports.agents import ReviewDecision

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
