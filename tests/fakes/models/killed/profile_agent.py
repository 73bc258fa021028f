"""Runs a profile's agent in child processes, kills each with SIGKILL at one point, then continues the run.

Run as `python profile_agent.py FOLDER MODEL_ADDRESS`. Prints one JSON line per point: the store's content at the end.
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
from app.domain.agents.runs import AgentRun, CallAudit, CallOutcome, Route, RunStatus, ToolExecution
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.ids import MessageId, RunId
from app.store.runs.audit import AuditTable
from app.store.runs.runs import Runs
from fakes.engine.agent_mailbox import FixedTriage, Room, verdict
from fakes.models.killed.mail_graph import KillingBook, in_child
from fakes.models.profile_agent import PROFILE, inquiry, toolbox


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


class DyingBook(AuditTable):
    """Dies right after a call ran and was recorded, or after the run's result was written."""

    def __init__(self, room: Room, ran: str, finished: bool) -> None:
        super().__init__(room.db, room.clock)
        self._ran = ran
        self._finished = finished

    def note(self, row: CallAudit) -> None:
        """Writes the row, and dies where requested."""
        super().note(row)
        if row.tool == self._ran and row.outcome is CallOutcome.RAN:
            os.kill(os.getpid(), signal.SIGKILL)

    def finish(self, run: AgentRun, message_id: MessageId) -> None:
        """Writes the result, and dies where requested."""
        super().finish(run, message_id)
        if self._finished:
            os.kill(os.getpid(), signal.SIGKILL)


def advance(
    folder: Path,
    api_base: str,
    node: str = "",
    logged: bool = False,
    tool: str = "",
    ran: str = "",
    finished: bool = False,
    to_the_end: bool = False,
) -> None:
    """Starts or continues the run in this process; `to_the_end` accepts everything that waits."""

    async def work() -> None:
        with Room(folder) as room:
            box = toolbox(room, book=DyingBook(room, ran, finished))
            model = gateway(room, api_base)
            deps: dict[str, Any] = {
                "journal": DyingRuns(room, tool),
                "gateway": model,
                "profile_gateway": lambda _profile: model,
                "profile": {"pharmacy": PROFILE}.get,
                "toolbox": box,
            }
            made = room.deps(FixedTriage(verdict()), **deps)
            object.__setattr__(made, "book", KillingBook(made.journal, room.reviews, node, logged))
            graph = MailGraph(await open_checkpoints(folder / "checkpoints.db", made.book.write), made)
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


def warm() -> None:
    """Imports what a first call imports, once for all children."""
    from app.agent.llm.litellm_setup import load_litellm

    load_litellm()


def decide(folder: Path) -> None:
    """Accepts the waiting call."""
    with Room(folder) as room:
        for review in room.all_reviews():
            if review.status is ReviewStatus.PENDING:
                room.decide(review.id, Action.ACCEPT)


def report(folder: Path, point: str, killed: int) -> None:
    """Prints the store's content."""
    with Room(folder) as room:
        found = {
            "point": point,
            "killed": killed,
            "status": room.runs.get(RunId("run-1")).status.value,
            "reviews": [(one.proposal.kind.value, one.status.value, one.revision) for one in room.all_reviews()],
            "tools": [row[0] for row in room.db.read("SELECT tool FROM tool_calls ORDER BY seq")],
            "audit": [tuple(row) for row in room.db.read("SELECT tool, outcome, approved_by FROM tool_audit ORDER BY id")],
            "reservations": room.db.read("SELECT count(*) FROM reservations")[0][0],
            "results": [tuple(row) for row in room.db.read("SELECT status, iterations FROM agent_runs")],
            "events": room.db.read("SELECT count(*) FROM email_events WHERE kind = 'agent_run'")[0][0],
        }
        print(json.dumps(found), flush=True)


def prepare(folder: Path) -> None:
    """Stores a mail and its run."""
    folder.mkdir()
    with Room(folder) as room:
        (message,) = room.put(inquiry("Prosím o rezervaci Paralenu 500."))
        room.start(message, route=Route.AGENT, profile="pharmacy")


def main(folder: Path, api_base: str) -> None:
    """Kills before the decision (search) and after it (the reservation's effect, row and log, the draft, a turn, the end)."""
    before: list[dict[str, Any]] = [{"tool": "search_drugs"}, {"node": "profile_plan"}]
    after: list[dict[str, Any]] = [
        {"ran": "manage_reservation"},
        {"tool": "manage_reservation"},
        {"node": "profile_act", "logged": True},
        {"ran": "create_draft"},
        {"node": "profile_agent"},
        {"finished": True},
    ]
    warm()
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
