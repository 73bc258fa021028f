"""A profile's run that goes on from a decided row, its checkpoints gone: what the row and the first line of the log tell."""

from collections.abc import Sequence

from app.agent.handlers.conversation import with_result, with_turn
from app.agent.log_json import loaded
from app.agent.state import MailState, state_from_review
from app.agent.talk import dump, with_words
from app.agent.transitions import Node
from app.agent.turns import ToolCall
from app.domain.ports.agents import Decided
from app.domain.review import Action, Review, request_of
from app.domain.runs import Route, StepLog

LEFT_BY = frozenset({"create_draft"})
"""Calls that do not wait for the owner: their result was given when they were made."""


def profile_of(logs: Sequence[StepLog]) -> str:
    """The profile that a run belongs to, by its first node; empty for any other run."""
    began = loaded(logs[0].input_state) if logs else {}
    return str(began.get("profile", "")) if began.get("route") == Route.AGENT else ""


def after_agents_review(review: Review, decided: Decided, profile: str) -> MailState | None:
    """What the run goes on with; None where the row says everything. An answer that the owner asks for on a notice, an
    escalation or a failure is drafted by the pipeline."""
    action, arguments = request_of(review.proposal.request_json)
    if not action:
        asked = decided.action == Action.RESPOND
        return state_from_review(review, decided.text) if asked else None
    stretch = f"r{review.id}_{review.revision}_"
    call = ToolCall(f"{stretch}c1_1", action, arguments)
    talk = with_turn([], "", [call], stretch)
    if action in LEFT_BY:
        return _with_words(review, decided, profile, talk, call, stretch) if decided.action == Action.RESPOND else None
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


def _with_words(
    review: Review, decided: Decided, profile: str, talk: list[dict[str, object]], call: ToolCall, stretch: str
) -> MailState:
    """The agent hears what the owner said of its draft."""
    heard = with_words(with_result(talk, call, {"status": "created"}), decided.text)
    return MailState(**{**_state(review, profile, stretch), "messages": dump(heard)})


def _state(review: Review, profile: str, stretch: str) -> MailState:
    state = state_from_review(review, "")
    state.pop("review_id", None)
    state.pop("revision", None)
    return MailState(**{**state, "route": Route.AGENT.value, "profile": profile, "stretch": stretch})
