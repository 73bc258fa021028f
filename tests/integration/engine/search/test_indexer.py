"""Index jobs become vectors in a real Chroma: answered questions first, again when an answer comes, gone mail forgotten."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from app.domain.ids import AccountId
from app.domain.mail.message import RemoteMessage
from app.domain.protocol.archive_commands import ArchivedMail, MailPlace
from app.domain.protocol.events import IndexProgress
from app.engine.search.indexer import INDEX, Indexer
from app.store.search.vectors import VectorKind, Vectors
from fakes.clock.waiting import until
from fakes.engine.engine_parts import Parts
from fakes.engine.store.values import ME, remote


class LetterEmbedder:
    """Three numbers from a text's letters; remembers the order of what it saw, and fails on one word."""

    model_id = "letters"
    dimension = 3

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.failing = ""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Unit vectors."""
        self.seen += texts
        if self.failing and any(self.failing in text for text in texts):
            raise RuntimeError("the model failed")
        counts = [[float(text.count(sign)) + 0.1 for sign in "aeo"] for text in texts]
        return [[one / sum(x * x for x in row) ** 0.5 for one in row] for row in counts]


class Bench:
    """An indexer with its surroundings."""

    def __init__(self, parts: Parts, vectors: Vectors) -> None:
        self.parts = parts
        self.vectors = vectors
        self.embedder = LetterEmbedder()
        self.archives = False
        shared = (parts.tables, parts.announcer, self.embedder, vectors)
        self.indexer = Indexer(*shared, lambda subject, body: body, lambda: None, lambda: self.archives)


@asynccontextmanager
async def bench(parts: Parts, folder: Path) -> AsyncIterator[Bench]:
    """The indexer at work."""
    vectors = await asyncio.to_thread(Vectors.open, folder / "chroma", "letters", 3)
    made = Bench(parts, vectors)
    working = asyncio.create_task(made.indexer.run())
    try:
        yield made
    finally:
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working
        made.indexer.close()
        vectors.close()


async def test_answered_questions_go_first_and_everything_is_indexed(parts: Parts, tmp_path: Path) -> None:
    mails = parts.mail(
        remote("q", "t", text="question", minutes=-100),
        remote("mine", "t", text="answer", sender=ME, labels=("SENT",), minutes=-90),
        *(remote(f"n{at}", text=f"newer {at}", minutes=at) for at in range(20)),
    )
    async with bench(parts, tmp_path) as made:
        await until(lambda: not parts.tables.jobs.counts().get(INDEX))
        assert made.embedder.seen[0] == "question"
        assert made.vectors.count(parts.account_id) == len(mails)
        assert made.vectors.count(parts.account_id, VectorKind.ANSWERED) == 1
        await until(lambda: any(0 < one.total == one.done for one in parts.events(IndexProgress)[-1:]))


def archived(parts: Parts, *mails: RemoteMessage) -> AccountId:
    """Mail of an imported archive."""
    account_id = parts.tables.archives.open(Path("/old.mbox"), 100).account_id
    page = [ArchivedMail(one, MailPlace(one.gmail_id, "old.mbox", 0, 10, ""), 0, 10, ()) for one in mails]
    parts.tables.archives.write(account_id, page, "")
    return account_id


async def test_an_archive_is_indexed_while_the_owner_wants_it(parts: Parts, tmp_path: Path) -> None:
    old = archived(parts, remote("o1", text="old one"), remote("o2", text="old two", labels=("TRASH",)))
    parts.mail(remote("own", text="own mail"))
    async with bench(parts, tmp_path) as made:
        await until(lambda: made.vectors.count(parts.account_id) == 1 and made.indexer.caught_up)
        assert made.vectors.count(old) == 0
        made.archives = True
        made.indexer.wake()
        await until(lambda: made.vectors.count(old) == 1)
        archived(parts, remote("o1", text="old one"), remote("o3", text="old three"))
        made.indexer.wake()
        await until(lambda: made.vectors.count(old) == 2)
        assert made.embedder.seen == ["own mail", "old one", "old three"]
        made.archives = False
        made.indexer.wake()
        await until(lambda: made.vectors.count(old) == 0)
        assert made.vectors.count(parts.account_id) == 1
        assert not parts.tables.jobs.counts().get(INDEX)
