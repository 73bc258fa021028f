"""Runs the response agent in child processes, kills each with SIGKILL at one point, then continues the run.

Run as `python response_agent.py FOLDER MODEL_ADDRESS`. The model answers by the conversation, not by turn, so that a repeated
turn gets the same answer. Prints one JSON line per point: the store's content at the end.
"""

import asyncio
import sys
from functools import partial
from pathlib import Path

from app.agent.llm.litellm_setup import close_litellm
from app.domain.agents.runs import Route
from app.domain.drafting.review import Action
from app.domain.ids import RunId
from app.engine.runtime.tables import open_tables
from fakes.engine.agent_mailbox import Room, ScriptedCalendar
from fakes.models.killed.agent_kills import DyingRuns, Point, gateway, kill_at_each, run_on, waiting
from fakes.models.response_agent import MEETING, word

POINTS: dict[str, list[Point]] = {
    "new": [{"tool": "check_calendar"}],
    "decided": [
        {"tool": "send_email"},
        {"node": "interrupt_act", "logged": True},
        {"node": "llm_call"},
        {"tool": "mark_as_read"},
    ],
}
"""Before the decision the calendar's row; after it the reply's row and log, the next turn, the end."""


def advance(folder: Path, api_base: str, to_the_end: bool = False, node: str = "", logged: bool = False, tool: str = "") -> None:
    """Starts or continues the run in this process; `to_the_end` accepts everything that waits."""
    with Room(folder) as room:
        accept = partial(decide, folder) if to_the_end else None
        calendar = ScriptedCalendar()
        run_on(
            room,
            MEETING,
            (node, logged),
            accept,
            journal=DyingRuns(room, tool),
            gateway=gateway(room, api_base),
            calendar=calendar,
        )


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
        for review in waiting(room):
            word(tables, review, Action.ACCEPT)
        tables.db.close()


def outbox(room: Room) -> dict[str, int]:
    """How many items the outbox holds."""
    return {"outbox": room.db.read("SELECT count(*) FROM outbox")[0][0]}


def main(folder: Path, api_base: str) -> None:
    """Kills at every point."""
    warm(folder / "warm", api_base)
    (folder / "new").mkdir()
    with Room(folder / "new") as room:
        room.start(room.one("Shall we meet on Monday?"), route=Route.RESPONSE_AGENT)
    kill_at_each(folder, api_base, advance, decide, POINTS, outbox)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
