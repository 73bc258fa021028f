"""What a search costs, by words and by meaning, over generated mail whose words are distributed like real mail's.

    python3 packaging/dev.py bench search --messages 20000 --json [--no-meaning] [--questions 40]

Words follow Zipf's law (a Zipf-Mandelbrot curve over 400,000 words). Mails are stored as sync stores them. Vectors: two hundred
mails are embedded with the program's model, the others get vectors near one of these. Each question of 4 to 24 words is asked
once ("cold").
Times are wall-clock; the keys with `cpu` are processor time of the process, for a machine that does other work too.
`words_*` ask with all operators in random order, `typing_*` asks at each key from the third on.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as app.main does for the engine

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from app.agent.retrieval import DIMENSION, MODEL_ID, NEAR, MiniLm, PassageCache, mail_text, near_enough  # noqa: E402
from app.config.settings import Settings  # noqa: E402
from app.domain.errors import NotAllowed  # noqa: E402
from app.domain.ids import GmailId, GmailThreadId, HistoryId, MessageId  # noqa: E402
from app.domain.mail.message import Address, Label, RemoteAttachment, RemoteMessage  # noqa: E402
from app.domain.protocol.queries import FindMail, FindSimilar  # noqa: E402
from app.engine.runtime.tables import Tables, open_tables  # noqa: E402
from app.engine.search.mail_search import TextSearch  # noqa: E402
from app.engine.search.semantic_search import SemanticModels, SemanticSearch  # noqa: E402
from app.store.mail.sync_page import SyncPage  # noqa: E402
from app.store.search.vectors import VectorKind, Vectors  # noqa: E402
from fakes.engine.engine_parts import FixedSettings  # noqa: E402
from performance.generated_mail import COMMON, ME, SYLLABLES  # noqa: E402

WORDS = 400_000
SHIFT, EXPONENT = 2.7, 1.07
EMBEDDED = 200
PAGE = 500
FORMS = ("", "s", "ed", "ing")
LABELS = tuple(Label(f"Label_{n}", name, "user") for n, name in enumerate(("Work", "Travel", "Family", "Receipts")))
NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
Report = dict[str, float | str | None]


class Words:
    """An endless text of Zipf-distributed words, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        chance = (np.arange(WORDS) + SHIFT) ** -EXPONENT
        self._steps = np.cumsum(chance / chance.sum())
        self._random = np.random.default_rng(seed)

    def draw(self, count: int) -> list[str]:
        return [word(int(rank)) for rank in np.searchsorted(self._steps, self._random.random(count))]


def word(rank: int) -> str:
    """The word of a rank: an English one at first, then made of syllables, with four forms each."""
    if rank < len(COMMON):
        return COMMON[rank]
    number, form = divmod(rank - len(COMMON), len(FORMS))
    number += len(SYLLABLES)
    parts = []
    while number:
        number, part = divmod(number, len(SYLLABLES))
        parts.append(SYLLABLES[part])
    return "".join(parts) + FORMS[form]


def made(count: int, seed: int) -> list[RemoteMessage]:
    """Generated mails, oldest first."""
    words, chance = Words(seed), random.Random(seed)
    people = [
        Address(f"{'.'.join(words.draw(2))}{n}@{word(900 + n % 300)}.example", " ".join(words.draw(2)).title())
        for n in range(900)
    ]
    threads: list[tuple[str, str]] = []
    mails = []
    for number in range(count):
        if not threads or chance.random() < 0.4:
            threads.append((f"t{number}", " ".join(words.draw(chance.randint(2, 8)))))
        thread, subject = threads[-1] if chance.random() < 0.5 else threads[max(0, len(threads) - chance.randint(1, 40))]
        body = words.draw(int(min(20_000, chance.lognormvariate(4.9, 1.0))))
        text = "\n".join(" ".join(body[at : at + 12]) + "." for at in range(0, len(body), 12))
        mails.append(_mail(number, count, chance, people, (thread, subject, text)))
    return mails


def _mail(
    number: int, count: int, chance: random.Random, people: Sequence[Address], written: tuple[str, str, str]
) -> RemoteMessage:
    thread, subject, text = written
    own = chance.random() < 0.15
    labels = {"SENT"} if own else {"INBOX"} if chance.random() < 0.3 else set()
    labels |= {one for one, share in (("UNREAD", 0.1), ("STARRED", 0.02), ("SPAM", 0.02)) if chance.random() < share}
    labels |= {one.gmail_label_id for one in LABELS if chance.random() < 0.06}
    files = ()
    if chance.random() < 0.08:
        name = f"{word(chance.randint(200, 5000))}.{chance.choice(('pdf', 'docx', 'jpg', 'zip'))}"
        files = (RemoteAttachment("1", name, "application/octet-stream", 9000),)
    return RemoteMessage(
        gmail_id=GmailId(f"m{number}"), gmail_thread_id=GmailThreadId(thread), history_id=HistoryId(1),
        date=NOW - timedelta(minutes=20 * (count - number)), sender=Address(ME, "Me") if own else chance.choice(people),
        to=(chance.choice(people) if own else Address(ME, "Me"),),
        cc=(chance.choice(people),) if chance.random() < 0.1 else (), bcc=(), reply_to=(),
        subject=subject, snippet=text[:100], body_text=text, body_html="", rfc822_id=f"<{number}@bench.example>",
        in_reply_to="", references=(), headers=(), labels=frozenset(labels), attachments=files, size=len(text) + 3000,
    )  # fmt: skip


def queries(mails: Sequence[RemoteMessage], seed: int) -> list[str]:
    """Searches of every kind with words of these mails."""
    words, chance = Words(seed + 1), random.Random(seed)
    some = [chance.choice(mails) for _ in range(12)]
    common = [word(rank) for rank in (20, 60, 90)]
    medium = [word(rank) for rank in (150, 400, 1200, 2500)]
    rare = [word(rank) for rank in (40_000, 90_000, 150_000)]
    phrases = [f'"{" ".join(one.body_text.split()[at : at + 2])}"' for at, one in enumerate(some[:4], 3)] + [
        '"of the"',
        '"to be"',
    ]
    two = [f"{a} {b}" for a, b in zip(medium, common, strict=False)] + [" ".join(words.draw(2)) for _ in range(2)]
    people = [f"from:{one.sender.email}" for one in some[4:7]] + [f"to:{ME}", f"from:{some[8].sender.name.split()[0]}"]
    facts = ["has:attachment", f"has:attachment {common[0]}", "filename:pdf", "in:inbox", "is:unread", "label:work", "is:starred",
             f"label:travel {medium[0]}", "after:2025/06/01", "before:2025/01/01 is:unread", "newer_than:7d"]  # fmt: skip
    more = [f"subject:{medium[0]}", f"subject:({medium[1]} OR {common[0]})", f"{medium[0]} OR {medium[1]}",
            f"{common[0]} OR {common[2]}", f"{common[1]} -{medium[0]}", f"in:inbox -{common[0]}", f"{medium[2][:4]}*",
            "con*", f"{rare[0]} {common[0]}"]  # fmt: skip
    return [*common, *medium, *rare, *phrases, *two, *people, *facts, *more]


def fill(tables: Tables, mails: Sequence[RemoteMessage]) -> float:
    """Stores mails as sync does. Returns mails per second of processor time."""
    account = tables.accounts.add(ME, "Me", (ME,), "", "#112233")
    begun = time.process_time()
    for at in range(0, len(mails), PAGE):
        labels = LABELS if not at else ()
        tables.messages.apply(account, SyncPage(messages=tuple(mails[at : at + PAGE]), labels=labels))
    tables.db.write("DELETE FROM jobs")
    return len(mails) / (time.process_time() - begun)


def index_mb(tables: Tables) -> float:
    """The full-text index's blocks and its table of lengths."""
    sql = "SELECT (SELECT sum(length(block)) FROM mail_fts_data) + (SELECT sum(length(sz) + 4) FROM mail_fts_docsize)"
    return float(tables.db.read(sql)[0][0]) / 1e6


@dataclass
class Times:
    """Wall and processor milliseconds of some questions."""

    wall: list[float]
    cpu: list[float]

    @property
    def report(self) -> tuple[float, float, float, float]:
        """p50 and p95 of the wall, p50 and p95 of the processor."""
        return (*(round(float(np.percentile(self.wall, at)), 2) for at in (50, 95)),
                *(round(float(np.percentile(self.cpu, at)), 2) for at in (50, 95)))  # fmt: skip


async def timed(asked: Sequence[str], ask: Callable[[str], Awaitable[object]], slow: bool) -> Times:
    times = Times([], [])
    for text in asked:
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            await ask(text)
        except NotAllowed:
            continue
        times.wall.append((time.perf_counter() - wall) * 1000)
        times.cpu.append((time.process_time() - cpu) * 1000)
        if slow:
            print(f"{times.wall[-1]:8.1f} ms wall {times.cpu[-1]:8.1f} ms cpu  {text}", file=sys.stderr)
    return times


async def measure_words(tables: Tables, mails: Sequence[RemoteMessage], seed: int, slow: bool) -> dict[str, float]:
    search = TextSearch(tables)
    asked = queries(mails, seed)
    chance = random.Random(seed)
    await search.answer(FindMail("warm", limit=10))
    rounds = [text for _ in range(3) for text in chance.sample(asked, len(asked))]
    words = (await timed(rounds, lambda text: search.answer(FindMail(text, limit=200)), slow)).report
    typed = [one for text in (word(150), word(700), word(5000), word(90_000), f"subject:{word(400)}") for one in _keys(text)]
    typing = (await timed(typed, lambda text: search.answer(FindMail(text, limit=200)), slow)).report
    await search.close()
    names = ("words_p50_ms", "words_p95_ms", "words_cpu_p50_ms", "words_cpu_p95_ms")
    return dict(zip(names, words, strict=True)) | {"typing_p95_ms": typing[1], "typing_cpu_p95_ms": typing[3]}


def _keys(text: str) -> list[str]:
    return [text[:at] for at in range(3, len(text) + 1)]


def put_vectors(tables: Tables, vectors: Vectors, model: MiniLm, mails: Sequence[RemoteMessage], seed: int) -> None:
    """Gives each mail a vector: embedded, or near an embedded one."""
    chance = np.random.default_rng(seed)
    texts = [mail_text(one.subject, one.body_text) for one in mails[:: max(1, len(mails) // EMBEDDED)]]
    base: NDArray[np.float32] = np.asarray(model.embed(texts), dtype=np.float32)
    ids = [MessageId(row[0]) for row in tables.db.read("SELECT id FROM messages ORDER BY id")]
    for at in range(0, len(ids), 1000):
        few = ids[at : at + 1000]
        rows = base[[one % len(base) for one in few]] + chance.normal(0, 0.03, (len(few), DIMENSION)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1)[:, None]
        account = tables.accounts.all()[0].id
        vectors.upsert(account, [(one, row.tolist(), VectorKind.OTHER) for one, row in zip(few, rows, strict=True)])


async def measure_meaning(
    tables: Tables, folder: Path, mails: Sequence[RemoteMessage], options: argparse.Namespace
) -> dict[str, float]:
    model = MiniLm.open()
    vectors = await asyncio.to_thread(Vectors.open, folder / "chroma", MODEL_ID, DIMENSION)
    await asyncio.to_thread(put_vectors, tables, vectors, model, mails, options.seed)
    settings = FixedSettings()
    settings.now = Settings()
    search = SemanticSearch(tables, settings)
    search.begin()
    search.ready(SemanticModels(model, vectors, PassageCache(model), near_enough, NEAR, model.question))
    chance = random.Random(options.seed)
    embedded = mails[:: max(1, len(mails) // EMBEDDED)]
    asked = [" ".join(chance.choice(embedded).body_text.split()[: chance.randint(4, 24)]) for _ in range(options.questions)]
    operators = ("in:anywhere", "is:read", "-has:attachment", "label:work", "after:2025/06/01", f"-{word(150)}")
    narrowed = [f"{text} {operators[at % len(operators)]}" for at, text in enumerate(asked)]
    await search.answer(FindSimilar("warm words"))
    await search.answer(FindSimilar("warm words in:anywhere"))
    plain = (await timed(asked[::2], lambda text: search.answer(FindSimilar(text)), options.slow)).report
    cut = (await timed(narrowed[1::2], lambda text: search.answer(FindSimilar(text)), options.slow)).report
    await search.close()
    vectors.close()
    return {"meaning_p50_ms": plain[0], "meaning_p95_ms": plain[1], "meaning_cpu_p95_ms": plain[3],
            "meaning_operators_p95_ms": cut[1], "meaning_operators_cpu_p95_ms": cut[3]}  # fmt: skip


async def measured(folder: Path, options: argparse.Namespace) -> Report:
    mails = made(options.messages, options.seed)
    tables = open_tables(folder / "mail.db", lambda: NOW)
    built = fill(tables, mails)
    report: Report = {"messages": len(mails), "build_per_s": round(built, 1), "index_mb": round(index_mb(tables), 1)}
    report |= await measure_words(tables, mails, options.seed, options.slow)
    names = ("meaning_p50_ms", "meaning_p95_ms", "meaning_cpu_p95_ms", "meaning_operators_p95_ms", "meaning_operators_cpu_p95_ms")
    report |= dict.fromkeys(names) if options.no_meaning else await measure_meaning(tables, folder, mails, options)
    report["peak_rss_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
    tables.db.close()
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description="What a search costs, by words and by meaning.")
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--questions", type=int, default=40, help="half are asked without operators, half with")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-meaning", action="store_true", help="skip the vectors, which take longest to make")
    parser.add_argument("--slow", action="store_true", help="list each question with its time on standard error")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = asyncio.run(measured(Path(folder), options))
    print(json.dumps(report) if options.json else "\n".join(f"{name:32} {value}" for name, value in report.items()))


if __name__ == "__main__":
    main()
