"""`mark_as_read_node`: the agent is done; its mail is to be marked read once what it proposed is sent.

Only notes the wish, once per run. The engine carries it out through the outbox, when the replies have left and not before.
"""

import asyncio
import json

from app.agent.deps import Deps
from app.agent.state import MailState, Update, message_id_of, run_id_of
from app.domain.errors import Refused
from app.domain.policy import Verdict, judge_tool
from app.domain.runs import RunStatus, ToolExecution

MARK_AS_READ = "mark_as_read"


async def mark_as_read(state: MailState, deps: Deps) -> Update:
    """Note the wish and end the run."""
    if judge_tool(MARK_AS_READ, (MARK_AS_READ,), done=state["done"]).verdict is not Verdict.ALLOW:
        raise Refused("Mail is marked read only after the work is done.")
    arguments = json.dumps({"email_id": str(message_id_of(state))})
    result = json.dumps({"status": "when_sent"})
    wish = ToolExecution(run_id_of(state), MARK_AS_READ, MARK_AS_READ, arguments, result, "", 0.0, deps.clock())
    await asyncio.to_thread(deps.journal.tool, wish)
    return {"outcome": RunStatus.DONE.value}
