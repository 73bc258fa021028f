"""Node `needs_review`: turns a failed run into a review that says what went wrong, so that no failure is silent."""

import asyncio

from app.agent.runtime.conversation import final_message, load, log_of, turns
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.proposals import plain_proposal
from app.agent.runtime.state import MailState, message_id_of, run_id_of
from app.agent.runtime.steps import ProposalOpened
from app.domain.agents.runs import AgentRun, AgentStatus, Route, RunStatus
from app.domain.drafting.review import ReviewKind

LONGEST_MAIL = 4000


async def note_failure(state: MailState, deps: Deps, error: str) -> None:
    """Stores the result of a failed profile run. Does nothing when it never began or the result is already stored."""
    talk = load(state)
    if deps.toolbox is None or state.get("finish") or not await asyncio.to_thread(deps.toolbox.book.begun, run_id_of(state)):
        return
    failed = AgentRun(
        run_id_of(state), state["profile"], AgentStatus.ERROR, log_of(talk), final_message(talk), turns(talk), error
    )
    await asyncio.to_thread(deps.toolbox.book.finish, failed, message_id_of(state))


def with_mail(state: MailState, deps: Deps, detail: str) -> str:
    """The error and the preprocessed mail."""
    given = deps.preprocess(deps.corpus.message(message_id_of(state)))
    return f"{detail}\n\n{given.prompt[:LONGEST_MAIL]}"


FAILURE_KEY = "needs_review"


async def needs_review(state: MailState, deps: Deps) -> ProposalOpened:
    """Opens the review, once per run."""
    detail = str(state.get("error") or "")
    if state.get("route") == Route.AGENT:
        await note_failure(state, deps, detail)
        detail = with_mail(state, deps, detail)
    proposal = plain_proposal(state, ReviewKind.NEEDS_REVIEW, detail, deps)
    return ProposalOpened(proposal, FAILURE_KEY, {"outcome": RunStatus.NEEDS_REVIEW.value}, waits=False)
