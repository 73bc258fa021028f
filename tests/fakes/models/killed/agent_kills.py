"""What the scripts share that kill an agent in child processes with SIGKILL at one point each, then let a new one continue."""

import asyncio
import json
import os
import shutil
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from app.agent.graph import MailGraph
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.litellm_setup import close_litellm
from app.agent.llm.target import ModelTarget
from app.agent.runtime.checkpoints import open_checkpoints
from app.domain.agents.runs import RunStatus, ToolExecution
from app.domain.drafting.review import Review, ReviewStatus
from app.domain.ids import RunId
from app.domain.mail.triage import Triage
from app.store.runs.runs import Runs
from fakes.engine.agent_mailbox import FixedTriage, Room
from fakes.models.killed.mail_graph import KillingBook, in_child

Point = dict[str, Any]
"""Where a process dies: keyword arguments of the script's `advance`."""


class DyingRuns(Runs):
    """Dies right after a tool's row is written."""

    def __init__(self, room: Room, tool: str) -> None:
        super().__init__(room.db, room.clock)
        self._dies_at = tool

    def tool(self, execution: ToolExecution) -> None:
        """Writes the row, and dies where requested."""
        super().tool(execution)
        if execution.tool == self._dies_at:
            os.kill(os.getpid(), signal.SIGKILL)


def gateway(room: Room, api_base: str) -> LiteLlmGateway:
    """The real gateway to the model at the address."""
    return LiteLlmGateway(ModelTarget("openai/scripted", api_base, "key", timeout_s=20), room.runs, room.clock, ())


def run_on(room: Room, verdict: Triage, book: tuple[str, bool], accept: Callable[[], None] | None, **changes: Any) -> None:
    """Runs the graph in this process until it waits; with `accept` until its end. `book`: see `KillingBook`."""

    async def work() -> None:
        deps = room.deps(FixedTriage(verdict), **changes)
        object.__setattr__(deps, "book", KillingBook(deps.journal, room.reviews, *book))
        graph = MailGraph(await open_checkpoints(room.folder / "checkpoints.db", deps.book.write), deps)
        run = room.runs.get(RunId("run-1"))
        status = await graph.run(run)
        if accept and status is RunStatus.WAITING:
            accept()
            status = await graph.run(run)
        room.runs.set_status(run.id, status)
        await graph.close()
        await close_litellm()

    asyncio.run(work())


def waiting(room: Room) -> list[Review]:
    """The reviews that wait for a decision."""
    return [one for one in room.all_reviews() if one.status is ReviewStatus.PENDING]


def state(room: Room) -> dict[str, Any]:
    """What the store holds of the run."""
    return {
        "status": room.runs.get(RunId("run-1")).status.value,
        "reviews": [(one.proposal.kind.value, one.status.value, one.revision) for one in room.all_reviews()],
        "tools": [row[0] for row in room.db.read("SELECT tool FROM tool_calls ORDER BY seq")],
    }


def kill_at_each(
    folder: Path,
    api_base: str,
    advance: Callable[..., None],
    decide: Callable[[Path], None],
    stages: dict[str, list[Point]],
    look: Callable[[Room], dict[str, Any]],
) -> None:
    """Kills a copy of the run in `folder`/new at each point of "new", and one of the decided run at each of "decided".

    Prints one JSON line per point: what the store holds at the end.
    """
    shutil.copytree(folder / "new", folder / "decided")
    in_child(lambda: advance(folder / "decided", api_base))
    decide(folder / "decided")
    for stage, points in stages.items():
        for number, point in enumerate(points):
            place = folder / f"{stage}-{number}"
            shutil.copytree(folder / stage, place)
            killed = in_child(partial(advance, place, api_base, **point))
            in_child(partial(advance, place, api_base, to_the_end=True))
            with Room(place) as room:
                found = {"point": f"{stage} {point}", "killed": killed, **state(room), **look(room)}
            print(json.dumps(found), flush=True)
