"""The engine's side of runs in one process: real tables, router, runner, review service, Chroma and mail graph; no server, no
sync.

For measurements and counts over many runs. The caller sets triage, embedder and calendar.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from app.agent.drafting.template_draft import draft_without_model
from app.agent.graph import MailGraph
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import GRAPH_VERSION
from app.config.patterns import compile_pattern
from app.domain.agents.routing import RuleSet
from app.domain.agents.runs import Run
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Action, Review
from app.domain.ids import AccountId, MessageId, ReviewId, RunId
from app.domain.mail.message import Account, Address, RemoteMessage
from app.domain.ports.agents import Clock, Embedder
from app.domain.protocol.commands import Decide
from app.domain.protocol.events import Initiator
from app.domain.record import replace
from app.domain.wire import Event
from app.engine.outbox.outbox_writer import OutboxWriter
from app.engine.reviews.outbox_composer import OutboxComposer
from app.engine.reviews.review_service import ReviewService
from app.engine.runs.router import MailRouter
from app.engine.runs.run_repository import RunRepository
from app.engine.runs.runner import Runner
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import open_tables
from app.engine.runtime.workers import WakeUp
from app.store.mail.sync_page import SyncPage
from app.store.requests.artifacts import ArtifactFolder
from app.store.runs.runs import FINAL
from app.store.search.corpus import StoreCorpus
from app.store.search.vectors import VectorKind, Vectors
from fakes.engine.agent_mailbox import ANN, OWNER, PROMPTS, SENT, LetterEmbedder, mail
from fakes.engine.engine_parts import FixedSettings
from fakes.engine.store.empty import prepared

NO_RULES = RuleSet((), compile_pattern)
PAST_THREADS = 60
WORDS = ("order", "price", "delivery", "date", "invoice", "meeting", "offer", "sample", "colour", "size", "address", "repair")
PATIENCE_S = 60.0


def real_time() -> datetime:
    return datetime.now(UTC)


@asynccontextmanager
async def open_graph(path: Path, deps: Deps) -> AsyncIterator[MailGraph]:
    """The mail graph over a file of checkpoints, closed at the end."""
    graph = await MailGraph.open(path, deps)
    try:
        yield graph
    finally:
        await graph.close()


class EndBell(WakeUp):
    """The runner's wake-up, which also signals the end of runs to the test."""

    def __init__(self) -> None:
        super().__init__()
        self.changed = asyncio.Event()
        self.rested = asyncio.Event()

    async def wait(self, timeout_s: float | None = None) -> bool:
        """Sets `rested`: the runner has nothing to do, so what it found at its start is queued."""
        self.rested.set()
        return await super().wait(timeout_s)

    def ring(self) -> None:
        """Wakes the runner and the test."""
        super().ring()
        self.changed.set()


@dataclass
class Work:
    """A running router and runner."""

    world: "RunWorld"
    router: MailRouter
    bell: EndBell
    started: list[MessageId] = field(default_factory=list)

    async def run(self, *ids: MessageId) -> None:
        """Routes messages and waits until their runs wait or have ended."""
        self.arrive(*ids)
        await self.settled()

    def arrive(self, *ids: MessageId) -> None:
        """Queues `route` jobs, as a page of sync does."""
        for message_id in ids:
            self.world.tables.jobs.put("route", str(message_id), "")
        self.started += ids
        self.router.wake()

    async def settled(self) -> None:
        """Waits until nothing is queued: every run waits for its owner or has ended."""
        async with asyncio.timeout(PATIENCE_S):
            while not self.idle():
                self.bell.changed.clear()
                await self.bell.changed.wait()

    def idle(self) -> bool:
        """Whether nothing is queued."""
        counts = self.world.tables.jobs.counts()
        return not any(counts.get(kind) for kind in ("route", "classify", "agent_process", "wake"))


@dataclass(frozen=True)
class OpenLimits:
    """Limits of a runner that nothing holds up."""

    concurrency: int
    paused: bool = False

    def may_start(self) -> bool:
        """Always."""
        return True


class RunWorld:
    """A store with earlier mail and everything that runs need. Use it as a context manager."""

    def __init__(
        self,
        folder: Path,
        seed: int = 7,
        past: int = PAST_THREADS,
        clock: Clock = real_time,
        embedder: Embedder | None = None,
        owner: Account | None = None,
    ) -> None:
        """Creates a store in `folder` with `past` answered threads, or opens an existing one."""
        self.folder = folder
        self.events: list[Event] = []
        self.bell = EndBell()
        self._random = random.Random(seed)
        self._numbers = count(1)
        self.tables = open_tables(prepared(folder / "mail.db"), clock)
        self.announcer = EventBus(self.events.append)
        self.rows = RunRepository(self.tables)
        steps = OutboxWriter(self.tables, self.announcer, WakeUp())
        outgoing = OutboxComposer(self.tables, ArtifactFolder(folder / "artifacts"))
        self.reviewer = ReviewService(self.tables, self.announcer, outgoing, FixedSettings.undo_s(0), steps, self)
        self.embedder = embedder or LetterEmbedder()
        self.vectors = Vectors.open(folder / "chroma", self.embedder.model_id, self.embedder.dimension)
        mia = Account(AccountId(0), OWNER.email, OWNER.name, (OWNER.email,), "<p>Mia</p>", "#336699")
        own = owner or mia
        self.account_id = self.tables.accounts.add(own.email, own.name, own.send_as, own.signature, "#336699")
        self._remember(past)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.tables.threads.close()
        self.vectors.close()
        self.tables.db.close()

    def deps(self, triage: Any, **changes: Any) -> Deps:
        """What the engine gives its graph, without a model."""
        values: dict[str, Any] = {
            "corpus": StoreCorpus(self.tables.db, self.vectors),
            "journal": self.tables.runs,
            "desk": self.tables.reviews,
            "embedder": self.embedder,
            "triage": triage,
            "drafter": draft_without_model,
            "clock": self.tables.clock,
            "prompts": PROMPTS,
            "approver": self.reviewer,
            "verdict_written": lambda account, thread: self.announcer.mail(account, (thread,), Initiator.AGENT),
            "backoff_s": (0.0, 0.0),
            **changes,
        }
        return Deps(**values)

    def questions(self, amount: int) -> list[MessageId]:
        """Stores new messages, each in its own thread; every second one is from somebody the owner wrote to."""
        return self.put([self._question(next(self._numbers)) for _ in range(amount)])

    def put(self, mails: list[RemoteMessage]) -> list[MessageId]:
        """Stores messages and returns their ids."""
        for at in range(0, len(mails), 50):
            self.tables.messages.apply(self.account_id, SyncPage(messages=tuple(mails[at : at + 50])))
        found = [self.tables.messages.by_gmail_id(self.account_id, one.gmail_id) for one in mails]
        return [one.id for one in found if one is not None]

    @asynccontextmanager
    async def working(self, graph: Any, concurrency: int = 1, rules: RuleSet = NO_RULES) -> AsyncIterator[Work]:
        """Runs router and runner over a graph."""
        router = MailRouter(self.tables, self.announcer, lambda: rules, self.bell, GRAPH_VERSION)
        runner = Runner(self.tables, self.announcer, graph, self.bell, OpenLimits(concurrency))
        tasks = [asyncio.create_task(router.run()), asyncio.create_task(runner.run())]
        try:
            self.bell.rested.clear()
            await asyncio.wait_for(self.bell.rested.wait(), PATIENCE_S)
            yield Work(self, router, self.bell)
        finally:
            for task in tasks:
                task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(*tasks)
            self.announcer.flush()

    def pending(self, message_id: MessageId) -> list[ReviewId]:
        """The pending reviews of a message's thread."""
        return list(self.tables.reviews.pending_for_thread(self.tables.messages.get(message_id).thread_id))

    async def decide(self, review: Review, action: Action, draft: Draft | None = None, text: str = "") -> None:
        """Decides on a review as the engine does and wakes its run."""
        await self.reviewer.decide(Decide(review.id, review.revision, action, draft, text))

    def runs(self) -> list[Run]:
        return [
            self.tables.runs.get(RunId(row[0]))
            for row in self.tables.db.read("SELECT id FROM runs ORDER BY message_id, created_at")
        ]

    def open_runs(self) -> list[Run]:
        """Runs that have not ended."""
        return [one for one in self.runs() if one.status not in FINAL]

    async def decided(self, run_id: RunId, review_id: ReviewId) -> None:
        await self.tables.run(self.rows.wake, run_id, review_id)
        self.bell.ring()

    async def decision_undone(self) -> None:
        """Nothing is learned here."""

    def _text(self) -> str:
        words = self._random.choices(WORDS, k=40)
        return f"Hello Mia,\n\ncould you tell me about the {' '.join(words)}? When would that be possible?\n\nThanks, Ann"

    def _question(self, number: int) -> RemoteMessage:
        sender = ANN if number % 2 else Address(f"new{number}@client.example", f"New Person {number}")
        return mail(self._text(), key=f"q{number}", thread=f"tq{number}", sender=sender, at=datetime.now(UTC))

    def _remember(self, threads: int) -> None:
        """Stores and indexes earlier questions with the owner's answers."""
        past, kinds = [], []
        for number in range(threads):
            asked_at = datetime.now(UTC) - timedelta(days=number + 2)
            asked = mail(self._text(), key=f"p{number}", thread=f"tp{number}", at=asked_at)
            said = mail(
                "Dear Ann,\n\nit takes two weeks and costs nothing.\n\nBest regards\nMia",
                key=f"a{number}",
                thread=f"tp{number}",
                sender=OWNER,
                to=(ANN,),
                labels=SENT,
                at=asked_at + timedelta(hours=3),
            )
            past += [asked, replace(said, subject="Re: Question")]
            kinds += [VectorKind.ANSWERED, VectorKind.OTHER]
        if not past:
            return
        ids = self.put(past)
        vectors = self.embedder.embed([one.body_text for one in past])
        self.vectors.upsert(self.account_id, list(zip(ids, vectors, kinds, strict=True)))
