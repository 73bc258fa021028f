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


NOTICE_KEY = "agent_notice"
NOTHING_DONE_KEY = "nothing_done"
LONGEST_NOTICE = 2000


async def profile_end(state: MailState, deps: Deps) -> Update | ProposalOpened:
    """Stores the result once and returns the outcome of the run."""
    if deps.toolbox is None:
        raise NotAllowed("There is nothing to note an agent's result in.")
    talk = load(state)
    status = AgentStatus(state["finish"])
    result = AgentRun(
        run_id_of(state),
        state["profile"],
        status,
        log_of(talk),
        final_message(talk),
        turns(talk),
        state.get("failure", "") if status is AgentStatus.ERROR else "",
    )
    await asyncio.to_thread(deps.toolbox.book.finish, result, message_id_of(state))
    done: Update = {"outcome": RunStatus.DONE.value}
    if status is not AgentStatus.COMPLETED:
        return {"error": f"{state['profile']}: {_trouble(result)}"}
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


def _trouble(result: AgentRun) -> str:
    """Why the run was not completed."""
    if result.status is AgentStatus.MAX_ITERATIONS:
        return f"The agent was not done after {result.iterations} turns."
    return result.error or "The agent failed."
