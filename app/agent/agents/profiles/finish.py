"""Node `profile_end`: stores the run's result and an event on its mail, then opens a review if the owner has none yet.

A completed run without a review becomes a notice. A run that was not completed goes to `needs_review`.
"""

import asyncio

from app.agent.runtime.conversation import final_message, load, log_of, turns
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.proposals import plain_proposal
from app.agent.runtime.state import MailState, Update, message_id_of, run_id_of
from app.agent.runtime.steps import ProposalOpened
from app.domain.agents.runs import AgentRun, AgentStatus, RunStatus
from app.domain.drafting.review import ReviewKind
from app.domain.errors import NotAllowed

NOTICE_KEY = "agent_notice"
LONGEST_NOTICE = 2000


async def end(state: MailState, deps: Deps) -> Update | ProposalOpened:
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


def _trouble(result: AgentRun) -> str:
    """Why the run was not completed."""
    if result.status is AgentStatus.MAX_ITERATIONS:
        return f"The agent was not done after {result.iterations} turns."
    return result.error or "The agent failed."
