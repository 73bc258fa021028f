"""Runs the response agent in child processes, kills each with SIGKILL at one point, then continues the run.

Run as `python response_agent.py FOLDER MODEL_ADDRESS`. The model answers by the conversation, not by turn, so that a repeated
turn gets the same answer. Prints one JSON line per point: the store's content at the end.
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

from app.agent.graph import MailGraph
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.litellm_setup import close_litellm
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
    """A journal that dies right after the row of one tool is written."""

    def __init__(self, room: Room, tool: str) -> None:
        self._rows = room.runs
        self._tool = tool

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rows, name)

    def tool(self, execution: ToolExecution) -> None:
        """Writes the row, and dies where requested."""
        self._rows.tool(execution)
        if execution.tool == self._tool:
            os.kill(os.getpid(), signal.SIGKILL)


def advance(folder: Path, api_base: str, node: str = "", logged: bool = False, tool: str = "", to_the_end: bool = False) -> None:
    """Starts or continues the run in this process; `to_the_end` accepts everything that waits."""

    async def work() -> None:
        with Room(folder) as room:
            journal: Any = DyingJournal(room, tool)
            changes: dict[str, Any] = {"journal": journal, "gateway": gateway(room, api_base), "calendar": ScriptedCalendar()}
            deps = room.deps(FixedTriage(MEETING), **changes)
            object.__setattr__(deps, "book", KillingBook(journal, room.reviews, node, logged))
            graph = MailGraph(await open_checkpoints(folder / "checkpoints.db", deps.book.write), deps)
            run = room.runs.get(RunId("run-1"))
            status = await graph.run(run)
            if to_the_end and status is RunStatus.WAITING:
                decide(folder)
                status = await graph.run(run)
            room.runs.set_status(run.id, status)
            await graph.close()
            await close_litellm()

    asyncio.run(work())


def gateway(room: Room, api_base: str) -> LiteLlmGateway:
    """The real gateway to the model at the address."""
    return LiteLlmGateway(ModelTarget("openai/scripted", api_base, "key", timeout_s=20), room.runs, room.clock, ())


def warm(folder: Path, api_base: str) -> None:
    """Imports what a first call imports, once for all children."""

    async def call() -> None:
        with Room(folder) as room:
            await gateway(room, api_base).text(RunId("warm"), "test", [{"role": "user", "content": "Ready?"}])
            await close_litellm()

    folder.mkdir()
    asyncio.run(call())


def decide(folder: Path) -> None:
    """Accepts the waiting reply as the engine does."""
    with Room(folder) as room:
        tables = open_tables(folder / "mail.db", room.clock)
        for review in room.all_reviews():
            if review.status is ReviewStatus.PENDING:
                word(tables, review, Action.ACCEPT)
        tables.db.close()


def report(folder: Path, point: str, killed: int) -> None:
    """Prints the store's content."""
    with Room(folder) as room:
        found = {
            "point": point,
            "killed": killed,
            "status": room.runs.get(RunId("run-1")).status.value,
            "reviews": [(one.proposal.kind.value, one.status.value, one.revision) for one in room.all_reviews()],
            "tools": [row[0] for row in room.db.read("SELECT tool FROM tool_calls ORDER BY seq")],
            "outbox": room.db.read("SELECT count(*) FROM outbox")[0][0],
        }
        print(json.dumps(found), flush=True)


def prepare(folder: Path) -> None:
    """Stores a mail and its run."""
    folder.mkdir()
    with Room(folder) as room:
        (message,) = room.put(mail("Shall we meet on Monday?"))
        room.start(message, route=Route.RESPONSE_AGENT)


def main(folder: Path, api_base: str) -> None:
    """Kills before the decision (the calendar's row) and after it (the reply's row and log, the next turn, the end)."""
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
