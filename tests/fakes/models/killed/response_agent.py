"""A program that runs the response agent in children of its own, kills each with SIGKILL at one point, then goes on with it.

Run as `python killed_agent.py FOLDER MODEL_ADDRESS`; the model behind the address answers by what it is told, not by turn, so
that a turn asked again gets the same answer. Prints one JSON line per point: what stood in the store after all was over.
"""

import asyncio
import json
import os
import shutil
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any

from app.agent.graph import MailGraph, rows_tell, worth_keeping
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.litellm_setup import close_door
from app.agent.llm.target import ModelTarget
from app.agent.runtime.checkpoints import open_checkpoints
from app.domain.agents.runs import Route, RunStatus, ToolExecution
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.ids import RunId
from app.engine.runtime.tables import open_tables
from fakes.engine.agent_mailbox import FixedTriage, Room, ScriptedCalendar, mail
from fakes.models.killed.mail_graph import KillingBook, in_child
from fakes.models.response_agent import MEETING, word


class DyingJournal:
    """The journal, except that the process dies right after the row of one tool, before anything else is known of it."""

    def __init__(self, room: Room, tool: str) -> None:
        self._rows = room.runs
        self._tool = tool

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rows, name)

    def tool(self, execution: ToolExecution) -> None:
        """Write the row, and die where it was asked for."""
        self._rows.tool(execution)
        if execution.tool == self._tool:
            os.kill(os.getpid(), signal.SIGKILL)


def advance(folder: Path, api_base: str, node: str = "", logged: bool = False, tool: str = "", to_the_end: bool = False) -> None:
    """Start the run or go on with it, in this process; `to_the_end` accepts whatever waits on the way."""

    async def work() -> None:
        with Room(folder) as room:
            journal: Any = DyingJournal(room, tool)
            changes: dict[str, Any] = {"journal": journal, "gateway": gateway(room, api_base), "calendar": ScriptedCalendar()}
            deps = room.deps(FixedTriage(MEETING), **changes)
            object.__setattr__(deps, "book", KillingBook(journal, room.reviews, node, logged))
            graph = MailGraph(await open_checkpoints(folder / "checkpoints.db", worth_keeping, deps.book.write, rows_tell), deps)
            run = room.runs.get(RunId("run-1"))
            status = await graph.run(run)
            if to_the_end and status is RunStatus.WAITING:
                decide(folder)
                status = await graph.run(run)
            room.runs.set_status(run.id, status)
            await graph.close()
            await close_door()

    asyncio.run(work())


def gateway(room: Room, api_base: str) -> LiteLlmGateway:
    """The real gateway to the model behind the address."""
    return LiteLlmGateway(ModelTarget("openai/scripted", api_base, "key", timeout_s=20), room.runs, room.clock, ())


def warm(folder: Path, api_base: str) -> None:
    """Import what a first call imports, once for all children."""

    async def call() -> None:
        with Room(folder) as room:
            await gateway(room, api_base).text(RunId("warm"), "test", [{"role": "user", "content": "Ready?"}])
            await close_door()

    folder.mkdir()
    asyncio.run(call())


def decide(folder: Path) -> None:
    """Accept the reply that waits, as the engine writes it."""
    with Room(folder) as room:
        tables = open_tables(folder / "mail.db", room.clock)
        for review in room.all_reviews():
            if review.status is ReviewStatus.PENDING:
                word(tables, review, Action.ACCEPT)
        tables.db.close()


def report(folder: Path, point: str, killed: int) -> None:
    """What stands in the store."""
    with Room(folder) as room:
        found = {
            "point": point,
            "killed": killed,
            "status": room.runs.get(RunId("run-1")).status.value,
            "reviews": [(one.proposal.kind.value, one.status.value, one.revision) for one in room.all_reviews()],
            "tools": [row[0] for row in room.db.read("SELECT tool FROM tool_executions ORDER BY call_order")],
            "outbox": room.db.read("SELECT count(*) FROM outbox")[0][0],
        }
        print(json.dumps(found), flush=True)


def prepare(folder: Path) -> None:
    """A mail and its run."""
    folder.mkdir()
    with Room(folder) as room:
        (message,) = room.put(mail("Shall we meet on Monday?"))
        room.start(message, route=Route.RESPONSE_AGENT)


def main(folder: Path, api_base: str) -> None:
    """Before the decision: the row of the calendar; after it: the reply's row, its log, the next turn, the end."""
    before: list[dict[str, Any]] = [{"tool": "check_calendar"}]
    after: list[dict[str, Any]] = [
        {"tool": "send_email"},
        {"node": "interrupt_act", "logged": True},
        {"node": "llm_call"},
        {"tool": "mark_as_read"},
    ]
    warm(folder / "warm", api_base)
    prepare(folder / "new")
    shutil.copytree(folder / "new", folder / "decided")
    in_child(lambda: advance(folder / "decided", api_base))
    decide(folder / "decided")
    for stage, points in (("new", before), ("decided", after)):
        for number, point in enumerate(points):
            place = folder / f"{stage}-{number}"
            shutil.copytree(folder / stage, place)
            killed = in_child(partial(advance, place, api_base, **point))
            in_child(partial(advance, place, api_base, to_the_end=True))
            report(place, f"{stage} {point}", killed)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
