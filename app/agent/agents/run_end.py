"""Nodes that end a run: `needs_review` tells of a failure, `profile_end` notes a result, `mark_as_read` the mark of the mail.

A completed profile run without a review becomes a notice. A run that was not completed goes to `needs_review`. The engine marks
the mail as read through the outbox, after the replies were sent.
"""

import asyncio

from app.agent.runtime.conversation import final_message, load, log_of, read_mark, turns
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.proposals import plain_proposal
from app.agent.runtime.state import MailState, Update, message_id_of, run_id_of
from app.agent.runtime.steps import ProposalOpened
from app.domain.agents.runs import AgentRun, AgentStatus, Route, RunStatus
from app.domain.drafting.review import ReviewKind
from app.domain.errors import NotAllowed
from app.domain.mail.triage import Decision, ReasonCode
from app.domain.policy.policy import CallFacts, Effect, Verdict, judge_call

LONGEST_MAIL = 4000


async def _note_result(state: MailState, deps: Deps, status: AgentStatus, error: str) -> AgentRun:
    """Stores the result of a profile's run, once."""
    if deps.toolbox is None:
        raise NotAllowed("There is nothing to note an agent's result in.")
    talk = load(state)
    result = AgentRun(run_id_of(state), state["profile"], status, log_of(talk), final_message(talk), turns(talk), error)
    await asyncio.to_thread(deps.toolbox.book.finish, result, message_id_of(state))
    return result


FAILURE_KEY = "needs_review"


async def needs_review(state: MailState, deps: Deps) -> ProposalOpened:
    """Opens the review, once per run. For an agent it has the preprocessed mail too, and a run that began gets its result."""
    detail = str(state.get("error") or "")
    if state.get("route") == Route.AGENT:
        box = deps.toolbox
        if box is not None and not state.get("finish") and await asyncio.to_thread(box.book.begun, run_id_of(state)):
            await _note_result(state, deps, AgentStatus.ERROR, detail)
        given = deps.preprocess(deps.corpus.message(message_id_of(state)))
        detail = f"{detail}\n\n{given.prompt[:LONGEST_MAIL]}"
    proposal = plain_proposal(state, ReviewKind.NEEDS_REVIEW, detail, deps)
    return ProposalOpened(proposal, FAILURE_KEY, {"outcome": RunStatus.NEEDS_REVIEW.value}, waits=False)


NOTICE_KEY = "agent_notice"
NOTHING_DONE_KEY = "nothing_done"
LONGEST_NOTICE = 2000


async def profile_end(state: MailState, deps: Deps) -> Update | ProposalOpened:
    """Stores the result once and returns the outcome of the run."""
    status = AgentStatus(state["finish"])
    failure = state.get("failure", "") if status is AgentStatus.ERROR else ""
    result = await _note_result(state, deps, status, failure)
    done: Update = {"outcome": RunStatus.DONE.value}
    if status is AgentStatus.MAX_ITERATIONS:
        return {"error": f"{state['profile']}: The agent was not done after {result.iterations} turns."}
    if status is not AgentStatus.COMPLETED:
        return {"error": f"{state['profile']}: {failure or 'The agent failed.'}"}
    if not result.final_message or deps.desk.newest_of_run(result.run_id):
        return done
    notice = plain_proposal(state, ReviewKind.NOTIFY, result.final_message[:LONGEST_NOTICE], deps)
    return ProposalOpened(notice, NOTICE_KEY, done, waits=False)


async def mark_as_read(state: MailState, deps: Deps) -> Update | ProposalOpened:
    """Notes that the mail is to be marked as read, and ends the run.

    A mail that wanted an answer and got nothing stays unread, and the owner gets a notice.
    """
    if judge_call(CallFacts(Effect.READ_MARKS, listed=True, done=state["done"])).verdict is not Verdict.ALLOW:
        raise NotAllowed("Mail is marked read only after the work is done.")
    done: Update = {"outcome": RunStatus.DONE.value}
    if state.get("decision") == Decision.RESPOND and not state.get("review_id"):
        words = final_message(load(state))[:LONGEST_NOTICE] or ReasonCode.NOTHING_TO_DO.value
        return ProposalOpened(plain_proposal(state, ReviewKind.NOTIFY, words, deps), NOTHING_DONE_KEY, done, waits=False)
    await asyncio.to_thread(deps.journal.tool, read_mark(state, deps, "when_sent"))
    return done
