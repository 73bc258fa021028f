"""What a run of a profile leaves when it fails: its result, and the mail as the agent would have got it."""

import asyncio

from app.agent.deps import Deps
from app.agent.handlers.conversation import final_message, log_of
from app.agent.state import MailState, message_id_of, run_id_of
from app.agent.talk import load, turns
from app.domain.audit import AgentRun, AgentStatus

LONGEST_MAIL = 4000


async def note_failure(state: MailState, deps: Deps, error: str) -> None:
    """The result of a run that broke off; nothing where the agent never spoke, or has its result already."""
    talk = load(state)
    if deps.toolbox is None or not talk or state.get("finish"):
        return
    failed = AgentRun(
        run_id_of(state), state["profile"], AgentStatus.ERROR, log_of(talk), final_message(talk), turns(talk), error
    )
    await asyncio.to_thread(deps.toolbox.book.finish, failed, message_id_of(state))


def with_mail(state: MailState, deps: Deps, detail: str) -> str:
    """What went wrong, and the mail as it was preprocessed."""
    given = deps.preprocess(deps.corpus.message(message_id_of(state)))
    return f"{detail}\n\n{given.prompt[:LONGEST_MAIL]}"
