"""`needs_review`: a run that failed becomes a row the user sees, with what went wrong; nothing is dropped in silence."""

from app.agent.deps import Deps
from app.agent.profiles.failing import note_failure, with_mail
from app.agent.proposals import plain_proposal
from app.agent.state import MailState
from app.agent.steps import PutUp
from app.domain.review import ReviewKind
from app.domain.runs import Route, RunStatus

FAILURE_KEY = "needs_review"


async def needs_review(state: MailState, deps: Deps) -> PutUp:
    """Open the row once."""
    detail = str(state.get("error") or "")
    if state.get("route") == Route.AGENT:
        await note_failure(state, deps, detail)
        detail = with_mail(state, deps, detail)
    proposal = plain_proposal(state, ReviewKind.NEEDS_REVIEW, detail, deps)
    return PutUp(proposal, FAILURE_KEY, {"outcome": RunStatus.NEEDS_REVIEW.value}, waits=False)
