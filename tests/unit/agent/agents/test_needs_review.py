"""The notify review, its gate, and the row of a failed run."""

import pytest

from app.agent.agents.needs_review import needs_review
from app.agent.agents.pipeline.review import open_notify
from app.agent.runtime.state import MailState, initial_state, triage_update
from app.agent.runtime.steps import NodeSpec, step
from app.agent.runtime.transitions import Node
from app.domain.drafting.review import ReviewKind
from app.domain.mail.triage import Category, Decision
from fakes.engine.agent_mailbox import FixedTriage, Room, mail, verdict

pytestmark = pytest.mark.anyio


def state_of(room: Room) -> MailState:
    (message,) = room.put(mail("The office closes."))
    judged = verdict(Decision.NOTIFY, Category.OTHER)
    return MailState(**{**initial_state(room.start(message)), **triage_update(judged)})  # type: ignore[typeddict-item]


async def test_notify_opens_once_with_the_reason(room: Room) -> None:
    state, deps = state_of(room), room.deps(FixedTriage(verdict()))
    node = step(Node.NOTIFY, NodeSpec(open_notify), deps)
    assert (await node(state)).update == (await node(state)).update
    (review,) = room.all_reviews()
    assert (review.proposal.kind, review.proposal.detail) == (ReviewKind.NOTIFY, "Asks two questions.")


async def test_needs_review_opens_once_with_the_error(room: Room) -> None:
    state, deps = state_of(room), room.deps(FixedTriage(verdict()))
    state["error"] = "classify: The calendar is gone."
    node = step(Node.NEEDS_REVIEW, NodeSpec(needs_review), deps)
    assert (await node(state)).update == (await node(state)).update
    (review,) = room.all_reviews()
    assert (review.proposal.kind, review.proposal.detail) == (ReviewKind.NEEDS_REVIEW, "classify: The calendar is gone.")
