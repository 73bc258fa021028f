"""Runs a profile's agent in child processes, kills each with SIGKILL at one point, then continues the run.

Run as `python profile_agent.py FOLDER MODEL_ADDRESS`. Prints one JSON line per point: the store's content at the end.
"""

import os
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any

from app.domain.agents.runs import AgentRun, CallAudit, CallOutcome, Route
from app.domain.drafting.review import Action
from app.domain.ids import MessageId
from app.store.runs.audit import AuditTable
from fakes.engine.agent_mailbox import Room, verdict
from fakes.models.killed.agent_kills import DyingRuns, Point, gateway, kill_at_each, run_on, waiting
from fakes.models.profile_agent import PROFILE, inquiry, toolbox

POINTS: dict[str, list[Point]] = {
    "new": [{"tool": "search_drugs"}, {"node": "profile_plan"}],
    "decided": [
        {"ran": "manage_reservation"},
        {"tool": "manage_reservation"},
        {"node": "profile_act", "logged": True},
        {"ran": "create_draft"},
        {"node": "profile_agent"},
        {"finished": True},
    ],
}
"""Before the decision the search; after it the reservation's effect, row and log, the draft, a turn, the end."""


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
    to_the_end: bool = False,
    node: str = "",
    logged: bool = False,
    tool: str = "",
    ran: str = "",
    finished: bool = False,
) -> None:
    """Starts or continues the run in this process; `to_the_end` accepts everything that waits."""
    with Room(folder) as room:
        model = gateway(room, api_base)
        run_on(
            room,
            verdict(),
            (node, logged),
            partial(decide, folder) if to_the_end else None,
            journal=DyingRuns(room, tool),
            gateway=model,
            profile_gateway=lambda _profile: model,
            profile={"pharmacy": PROFILE}.get,
            toolbox=toolbox(room, book=DyingBook(room, ran, finished)),
        )


def decide(folder: Path) -> None:
    """Accepts the waiting call."""
    with Room(folder) as room:
        for review in waiting(room):
            room.decide(review.id, Action.ACCEPT)


def effects(room: Room) -> dict[str, Any]:
    """What the agent's calls left in the store."""
    return {
        "audit": [tuple(row) for row in room.db.read("SELECT tool, outcome, approved_by FROM tool_audit ORDER BY id")],
        "reservations": room.db.read("SELECT count(*) FROM reservations")[0][0],
        "results": [tuple(row) for row in room.db.read("SELECT status, iterations FROM agent_runs")],
        "events": room.db.read("SELECT count(*) FROM email_events WHERE kind = 'agent_run'")[0][0],
    }


def main(folder: Path, api_base: str) -> None:
    """Kills at every point."""
    from app.agent.llm.litellm_setup import load_litellm

    load_litellm()  # once for all children
    (folder / "new").mkdir()
    with Room(folder / "new") as room:
        (message,) = room.put(inquiry("Prosím o rezervaci Paralenu 500."))
        room.start(message, route=Route.AGENT, profile="pharmacy")
    kill_at_each(folder, api_base, advance, decide, POINTS, effects)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
