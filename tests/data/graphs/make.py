"""Makes a data folder whose runs wait in a graph of version 0: today's nodes, but both gates have other names.

    .venv/bin/python tests/data/graphs/make.py tests/data/graphs/v0000

Run once when it was written; the files are kept as they are, for a user's old files do not change either. A real version change
adds a folder: run this script (without its renaming) with the program before the change.
"""

import asyncio
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from app.agent import graph as graph_module  # noqa: E402
from app.agent import state as state_module  # noqa: E402
from app.agent.graph import MailGraph  # noqa: E402
from app.agent.transitions import AFTER, Node  # noqa: E402
from app.domain.draft import fill_slots  # noqa: E402
from app.domain.review import Action  # noqa: E402
from app.domain.runs import RunStatus  # noqa: E402
from app.domain.triage import Category, Decision  # noqa: E402
from fakes.mailroom import FixedTriage, Room, mail, verdict  # noqa: E402

VERSION = 0
OLD_GATE = "human_queue"
OLD_NOTIFY_GATE = "inbox_gate"
WAITING = ("reply", "answer", "notify", "decided")
"""One run each; the user's word on the last is written, but its run was never woken."""


def rename() -> None:
    """Give both gates their old names, and the graph its old version."""
    state_module.GRAPH_VERSION = graph_module.GRAPH_VERSION = VERSION
    Node.GATE._value_, Node.NOTIFY_GATE._value_ = OLD_GATE, OLD_NOTIFY_GATE
    AFTER[Node.REVIEW] = (lambda _: OLD_GATE, (OLD_GATE,))
    AFTER[Node.NOTIFY] = (lambda _: OLD_NOTIFY_GATE, (OLD_NOTIFY_GATE,))


async def fill(folder: Path) -> None:
    """Runs that wait."""
    triage = FixedTriage(verdict())
    with Room(folder) as room:
        graph = await MailGraph.open(folder / "checkpoints.db", room.deps(triage))
        for name in WAITING:
            triage.verdict = verdict(Decision.NOTIFY, Category.OTHER) if name == "notify" else verdict()
            (message,) = room.put(mail(f"Could you tell me the price of {name}?", key=name, thread=name))
            run = room.start(message, f"run-{name}", graph_version=VERSION)
            assert await graph.run(run) is RunStatus.WAITING
            room.runs.set_status(run.id, RunStatus.WAITING)
        review = room.all_reviews()[-1]
        assert review.proposal.draft is not None
        draft = fill_slots(review.proposal.draft, ("It is 12.",))
        room.decide(review.id, Action.SAVE_DRAFT, draft=draft)
        await graph.close()


def main(folder: Path) -> None:
    """Make it, in two plain files."""
    folder.mkdir()
    rename()
    asyncio.run(fill(folder))
    for file in sorted(folder.glob("*.db")):
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("VACUUM")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
