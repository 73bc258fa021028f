"""What a full review queue costs: the window's list over the read-only file, memory and database growth.

    python3 packaging/dev.py bench reviews [--reviews 1000] --json

`list_open_ms` is what the Reviews page does first, in a fresh process with a fresh `SqliteMailboxReader`: numbers, all ids in
queue
order, the rows of the first screen, the first review whole. `all_rows_ms` is every row by id. Milliseconds are medians of 9.
"""

import argparse
import json
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from app.domain.drafting.draft import Draft, Source, SourceKind, Span, SpanKind  # noqa: E402
from app.domain.drafting.review import Proposal, ReviewKind  # noqa: E402
from app.domain.ids import ReviewId, RunId  # noqa: E402
from app.domain.mail.message import Address, Message  # noqa: E402
from app.store.reader.mailbox_reader import SqliteMailboxReader  # noqa: E402
from fakes.engine.agent_mailbox import ANN, Room, mail  # noqa: E402

SCREEN = 40
TIMES = 9


@dataclass
class Report:
    """What is printed."""

    reviews: int = 0
    list_open_ms: float = 0.0
    list_open_first_ms: float = 0.0
    all_rows_ms: float = 0.0
    one_review_ms: float = 0.0
    reader_memory_kb: float = 0.0
    database_kb_per_review: float = 0.0
    open_review_ms: float = 0.0


def fill(folder: Path, amount: int) -> tuple[float, float]:
    """Mails with a pending reply each; kilobytes the file grew a review, and milliseconds that opening one took."""
    with Room(folder) as room:
        messages: list[Message] = []
        for at in range(0, amount, 50):
            numbers = range(at, min(at + 50, amount))
            text = "Question: what is the price of 40 boxes? " * 6
            messages += room.put(*(mail(text, key=f"k{number}", thread=f"t{number}") for number in numbers))
        before = _size(folder)
        started = time.perf_counter()
        for message in messages:
            room.start(message, f"run-{message.id}")
            room.reviews.open(reply_to(message), "reply")
        spent_ms = 1000 * (time.perf_counter() - started)
    return (_size(folder) - before) / 1024 / amount, spent_ms / amount


def reply_to(message: Message) -> Proposal:
    """A drafted reply of the usual size, with marks and three sources."""
    body = "Hello Ann,\n\nthank you for your question.\n\n" + "We deliver within two weeks. " * 12
    slot = Span(len(body), len(body), SpanKind.OPEN_SLOT, "the price")
    quoted = Span(0, 5, SpanKind.FROM_SOURCE, "", message.id)
    draft = Draft((ANN,), (Address("bob@partner.org"),), (), "Re: Question", body, "template", message.id, (slot, quoted))
    sources = tuple(Source(SourceKind.MESSAGE, f"Mail {n}", "An excerpt. " * 20, message.id, score=0.5) for n in range(3))
    identity = (message.account_id, RunId(f"run-{message.id}"), message.id, message.thread_id)
    said = "Asks a question."
    return Proposal(*identity, ReviewKind.REPLY, "respond", "inquiry", 0.8, said, "local:90", draft, sources=sources)


def _size(folder: Path) -> int:
    """The file with everything folded into it."""
    with closing(sqlite3.connect(folder / "mail.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return (folder / "mail.db").stat().st_size


def open_list(path: Path) -> None:
    """What the page asks for first."""
    reader = SqliteMailboxReader(path)
    reader.counts()
    ids = [ReviewId(one) for one in reader.review_ids()]
    shown = reader.review_rows(ids[:SCREEN])
    assert len(shown) == min(SCREEN, len(ids))
    assert reader.review(ids[0]) is not None
    reader.close()


def read(path: Path) -> Report:
    """The measurements of the reading side; for a process of its own."""
    process = psutil.Process()
    resident = process.memory_info().rss
    first_ms = _timed(lambda: open_list(path))
    reader = SqliteMailboxReader(path)
    ids = [ReviewId(one) for one in reader.review_ids()]
    report = Report(
        reviews=len(ids),
        list_open_ms=_median(lambda: open_list(path)),
        list_open_first_ms=first_ms,
        all_rows_ms=_median(lambda: reader.review_rows(ids)),
        one_review_ms=_median(lambda: reader.review(ids[len(ids) // 2])),
    )
    kept = reader.review_rows(ids)
    report.reader_memory_kb = round((process.memory_info().rss - resident) / 1024)
    assert len(kept) == len(ids)
    reader.close()
    return report


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return round(1000 * (time.perf_counter() - started), 2)


def _median(work: Callable[[], object]) -> float:
    return round(statistics.median(_timed(work) for _ in range(TIMES)), 2)


def main(arguments: Sequence[str]) -> int:
    """Measure and print; 1 when the list takes 100 ms or more."""
    parser = argparse.ArgumentParser(prog="bench reviews", description="What a full review queue costs.")
    parser.add_argument("--reviews", type=int, default=1000)
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.read:
        print(json.dumps(asdict(read(options.read))))
        return 0
    with tempfile.TemporaryDirectory(prefix="replyroom-bench-") as name:
        grown_kb, opened_ms = fill(Path(name), options.reviews)
        command = [sys.executable, __file__, "--read", str(Path(name) / "mail.db")]
        values = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    values |= {"database_kb_per_review": round(grown_kb, 2), "open_review_ms": round(opened_ms, 2)}
    print(json.dumps(values) if options.json else "\n".join(f"{name:24} {value}" for name, value in values.items()))
    return 0 if values["list_open_ms"] < 100 else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
