"""`triage_interrupt`: mail the user should see without an answer. Opens the notify review; the gate behind it waits."""

from app.agent.deps import Deps
from app.agent.pipeline.review import await_decision
from app.agent.proposals import plain_proposal
from app.agent.state import MailState, Update
from app.agent.steps import PutUp
from app.domain.ids import ReviewId
from app.domain.review import ReviewKind

NOTIFY_KEY = "notify"


async def open_notify(state: MailState, deps: Deps) -> PutUp:
    """Put the mail up once."""
    return PutUp(plain_proposal(state, ReviewKind.NOTIFY, state["reason"], deps), NOTIFY_KEY, {})


async def notify_gate(state: MailState, deps: Deps) -> Update:
    """Wait for respond or ignore; the reply that may follow is a review of its own."""
    return {**await_decision(ReviewId(state["review_id"]), deps), "review_id": 0, "revision": 0}
