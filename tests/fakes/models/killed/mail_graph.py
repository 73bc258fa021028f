"""Runs the mail graph in child processes, kills each with SIGKILL at one point, then continues the run.

Run as `python mail_graph.py FOLDER`. Prints one JSON line per point: the store's content at the end. Forks before any thread
starts, so that each child begins as a new engine would.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from app.agent.graph import MailGraph
from app.agent.runtime.checkpoints import open_checkpoints
from app.agent.runtime.run_recorder import RowOf, RunRecorder
from app.domain.agents.runs import RunRecord, RunStatus, StepLog
from app.domain.drafting.draft import fill_slots
from app.domain.drafting.review import Action, Proposal
from app.domain.ids import JobId, ReviewId, RunId
from app.domain.mail.triage import Decision
from app.store.reviews.reviews import Reviews
from app.store.runs.runs import FINAL, Runs
from fakes.engine.agent_mailbox import FixedTriage, Room, mail, verdict

EFFECTS = frozenset({"execute_tools", "review", "triage_interrupt", "dispatch"})


class KillingBook(RunRecorder):
    """A run recorder in which a chosen node dies right after it ran, or once its rows are written."""

    def __init__(self, journal: Runs, desk: Reviews, node: str, logged: bool) -> None:
        super().__init__(journal, desk)
        self._node = node
        self._logged = logged

    def note(self, row: StepLog) -> None:
        """Called when a node has run."""
        if row.step_name == self._node and not self._logged:
            os.kill(os.getpid(), signal.SIGKILL)
        super().note(row)

    def _written(self, trail: RunRecord, job: JobId) -> None:
        """Called when the rows are written."""
        super()._written(trail, job)
        if self._logged and any(step.step_name == self._node for step in trail.steps):
            os.kill(os.getpid(), signal.SIGKILL)

    async def open_review(self, proposal: Proposal, key: str, again: ReviewId, row: RowOf, *, waits: bool) -> None:
        """Called when a review is opened, by the chosen node or another."""

        def told(review_id: ReviewId, revision: int) -> StepLog:
            names.append((made := row(review_id, revision)).step_name)
            if names[-1] == self._node and not self._logged:
                os.kill(os.getpid(), signal.SIGKILL)
            return made

        names: list[str] = []
        await super().open_review(proposal, key, again, told, waits=waits)
        if self._node in names:
            os.kill(os.getpid(), signal.SIGKILL)


def in_child(work: Callable[[], None]) -> int:
    """Runs `work` in a fork. Returns the signal that ended it, 0 for a clean end."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException as error:
            print(f"child failed: {error!r}", file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise RuntimeError("a child failed")
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def advance(folder: Path, decision: Decision, node: str = "", logged: bool = False, wanted: RunStatus | None = None) -> None:
    """Starts or continues the run in this process."""

    async def work() -> None:
        with Room(folder) as room:
            deps = room.deps(FixedTriage(verdict(decision)))
            object.__setattr__(deps, "book", KillingBook(room.runs, room.reviews, node, logged))
            graph = MailGraph(await open_checkpoints(folder / "checkpoints.db", deps.book.write), deps)
            run = room.runs.get(RunId("run-1"))
            status = run.status if run.status in FINAL else await graph.run(run, JobId("1:classify:1"))
            await graph.close()
        assert wanted is None or status is wanted, status

    asyncio.run(work())


def decide(folder: Path, action: Action, text: str = "") -> None:
    """Decides on the newest review."""
    with Room(folder) as room:
        review = room.all_reviews()[-1]
        draft = review.proposal.draft
        filled = fill_slots(draft, ("It is 12.",) * len(draft.open_slots)) if draft and action is Action.SAVE_DRAFT else None
        room.decide(review.id, action, text, filled)


def prepare(folder: Path) -> None:
    """Stores one mail and its run."""
    folder.mkdir()
    with Room(folder) as room:
        (message,) = room.put(mail("Could you tell me the price?"))
        room.start(message)


def report(folder: Path, point: str, killed: int) -> None:
    """Prints the store's content."""
    with Room(folder) as room:
        reviews = [(one.proposal.kind.value, one.status.value, one.revision) for one in room.all_reviews()]
        tools = [row[0] for row in room.db.read("SELECT tool FROM tool_calls ORDER BY seq")]
        print(
            json.dumps({"point": point, "killed": killed, "reviews": reviews, "tools": tools, "steps": room.steps()}), flush=True
        )


def one_point(folder: Path, stage: str, node: str, logged: bool) -> None:
    """Kills at one point of one stage, then lets the run end."""
    decision = Decision.NOTIFY if stage == "notify" else Decision.RESPOND
    prepare(folder)
    if stage in ("decided", "answered"):
        in_child(lambda: advance(folder, decision, wanted=RunStatus.WAITING))
        action = Action.SAVE_DRAFT if stage == "decided" else Action.RESPOND
        decide(folder, action, "shorter")
    killed = in_child(lambda: advance(folder, decision, node, logged))
    after = RunStatus.DONE if stage == "decided" else RunStatus.WAITING
    in_child(lambda: advance(folder, decision, wanted=after))
    if stage != "decided":
        decide(folder, Action.IGNORE)
        in_child(lambda: advance(folder, decision, wanted=RunStatus.DONE))
    report(folder, f"{stage}:{node}:{'logged' if logged else 'unlogged'}", killed)


def main(folder: Path) -> None:
    """Kills at every node of every stage before its row is written; nodes with effects also after it."""
    stages = {
        "new": ("route", "classify", "retrieve", "decide", "execute_tools", "generate", "review"),
        "notify": ("triage_interrupt",),
        "decided": ("gate", "dispatch"),
        "answered": ("gate", "generate", "review"),
    }
    for stage, nodes in stages.items():
        for node in nodes:
            for logged in (False, True) if node in EFFECTS else (False,):
                one_point(folder / f"{stage}-{node}-{logged}", stage, node, logged)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
