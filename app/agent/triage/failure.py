"""`needs_review`: a run that failed becomes a row the user sees, with what went wrong; nothing is dropped in silence."""

import asyncio

from app.agent.deps import Deps
from app.agent.proposals import plain_proposal
from app.agent.state import MailState, Update
from app.domain.review import ReviewKind
from app.domain.runs import RunStatus

FAILURE_KEY = "needs_review"


async def needs_review(state: MailState, deps: Deps) -> Update:
    """Open the row once."""
    proposal = plain_proposal(state, ReviewKind.NEEDS_REVIEW, str(state.get("error") or ""), deps)
    review_id = await asyncio.to_thread(deps.desk.open, proposal, FAILURE_KEY)
    return {"review_id": review_id, "outcome": RunStatus.NEEDS_REVIEW.value}
