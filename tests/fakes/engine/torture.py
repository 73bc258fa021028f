"""Random test of the engine process over a local server: mail arrives, a hasty user clicks, the engine is killed. Seeded.

The user double-clicks, undoes, decides on old revisions, asks for changes and rejects. At the end all actions stop, and
`Findings` holds the outcome of every run, review and outbox item.
"""

import asyncio
import random
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from app.domain.drafting.draft import Draft, fill_slots
from app.domain.drafting.review import Action, Review, ReviewKind, ReviewStatus
from app.domain.ids import ReviewId
from app.domain.mail.outbox import OutboxState
from app.domain.protocol.commands import Decide, SendNow, StartDrafting, SyncNow, Undo
from app.domain.protocol.events import CommandFailed, OutboxChanged, ReviewDecided, ReviewReady, RunChanged
from app.domain.wire import Event
from app.link.frames import LinkClosed
from fakes.gmail.sending import Stage

SETTINGS = """[sync]
poll_s = 1
budget_units = 100000
[sending]
undo_s = 1
[drafting]
concurrency = 2
"""
PROGRESS: tuple[type[Event], ...] = (RunChanged, ReviewReady, ReviewReady, ReviewDecided, ReviewDecided, OutboxChanged)
"""The kinds of events of which one is chosen and counted until the kill."""

OPEN_RUNS = """SELECT id FROM runs WHERE status IN ('queued', 'running', 'waiting') UNION
    SELECT r.run_id FROM reviews r JOIN outbox o ON o.review_id = r.id WHERE o.state NOT IN ('sent', 'cancelled')"""
LONGEST_LOOK_S = 0.9
LOOK_S = 0.05
CALM_S = 300.0
LONGEST_LIFE_S = 60.0
QUESTIONS = (
    "Could you tell me when the order arrives? And what does the delivery cost?",
    "Can we meet next Tuesday to talk about the offer? Which time suits you?",
    "I am very disappointed: the bag came broken. What will you do about it?",
    "Any news on my question from last week? Please let me know.",
)


@dataclass
class Findings:
    """The outcome. Everything after `struck` must be empty or zero."""

    mails: int = 0
    kills: int = 0
    runs: Counter[str] = field(default_factory=Counter)
    reviews: Counter[str] = field(default_factory=Counter)
    items: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    tried: Counter[str] = field(default_factory=Counter)
    struck: Counter[str] = field(default_factory=Counter)
    """By run: the kills that came while it was queued, running or waiting, or while its mail was not sent."""

    missing: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    unasked: list[str] = field(default_factory=list)
    hung: list[str] = field(default_factory=list)
    left_checkpoints: int = 0
    left_jobs: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)


class HastyUser:
    """Decides on pending reviews carelessly."""

    def __init__(self, stage: Stage, chance: random.Random, tried: Counter[str]) -> None:
        self._stage = stage
        self._chance = chance
        self._tried = tried
        self.calm = False

    async def work(self) -> None:
        """Works through the queue until the engine dies."""
        while True:
            for review_id in self._stage.engine.reader.review_ids():
                review = self._stage.engine.reader.review(ReviewId(review_id))
                if review is not None and review.status is ReviewStatus.PENDING:
                    await self._act(review)
            for row in self._stage.engine.reader.outbox():
                if row.item.state is OutboxState.HELD:
                    await self._all(SendNow(row.item.id))
            await asyncio.sleep(LOOK_S)

    async def _act(self, review: Review) -> None:
        if review.proposal.kind is not ReviewKind.REPLY:
            answers = self._chance.random() < 0.5 and not self.calm
            await self._twice(review, Action.RESPOND if answers else Action.IGNORE, text="answer kindly" if answers else "")
            return
        dice = 0.0 if self.calm else self._chance.random()
        if dice < 0.6:
            await self._twice(review, Action.ACCEPT)
        elif dice < 0.7:
            await self._rivals(review)
        elif dice < 0.85:
            await self._back_and_forth(review)
        elif dice < 0.93 and review.revision < 4:
            await self._twice(review, Action.RESPOND, text="mention that Friday is fine")
        else:
            await self._twice(review, Action.IGNORE)

    async def _twice(self, review: Review, action: Action, text: str = "") -> None:
        """A double click."""
        self._tried[f"double {action}"] += 1
        command = self._decide(review, action, text)
        await self._all(command, command)

    async def _rivals(self, review: Review) -> None:
        """Two different decisions on one revision at once."""
        self._tried["rivals"] += 1
        await self._all(self._decide(review, Action.ACCEPT), self._decide(review, Action.IGNORE))

    async def _back_and_forth(self, review: Review) -> None:
        """Approves, undoes, and decides on the old revision; sometimes after the mail was sent."""
        self._tried["undo"] += 1
        command = self._decide(review, Action.ACCEPT)
        await self._all(command)
        await asyncio.sleep(self._chance.choice((0.0, 0.1, 1.0)))
        await self._all(Undo(review.id), command)

    def _decide(self, review: Review, action: Action, text: str = "") -> Decide:
        return Decide(review.id, review.revision, action, _finished(review) if action is Action.ACCEPT else None, text)

    async def _all(self, *commands: Decide | Undo | SendNow) -> None:
        await asyncio.gather(*(self._stage.engine.client.send(one) for one in commands))


class Torture:
    """The whole random test."""

    def __init__(self, stage: Stage, seed: int) -> None:
        self._stage = stage
        self._chance = random.Random(seed)
        self.findings = Findings()
        self._user = HastyUser(stage, self._chance, self.findings.tried)
        self._numbers = iter(range(1, 10_000))
        self._threads: list[int] = []

    async def play(self, mails: int, kills: int) -> Findings:
        """Delivers `mails` questions over `kills + 1` engine processes, then waits for the end."""
        await self._consent()
        lives = kills + 1
        for life in range(kills):
            self._deliver(mails // lives + (life < mails % lives))
            await self._live_and_die()
        self._deliver(mails // lives)
        await self._calm_down()
        return self._inspect()

    async def play_until(self, struck: int, at_once: int = 2) -> Findings:
        """Restarts the engine with `at_once` new questions each time until `struck` runs were killed at least once, then waits
        for the end.
        """
        await self._consent()
        while len(self.findings.struck) < struck:
            self._deliver(at_once)
            await self._live_and_die(impatient=True)
        await self._calm_down()
        return self._inspect()

    async def _consent(self) -> None:
        account = await self._stage.engine.until(lambda: next(iter(self._stage.engine.reader.accounts()), None))
        await self._stage.engine.do(StartDrafting(account.id, 7))

    def _deliver(self, count: int) -> None:
        """Delivers questions; one in six continues a thread that may have a review."""
        for _ in range(count):
            number = next(self._numbers)
            again = self._threads and self._chance.random() < 1 / 6
            old = self._chance.choice(self._threads) if again else 0
            self._stage.sandbox.deliver(letter(number, old, self._chance.choice(QUESTIONS)))
            self.findings.mails += 1
            if not old:
                self._threads.append(number)

    async def _live_and_die(self, impatient: bool = False) -> None:
        """The user works until some progress and a moment later; then the engine is killed and restarted.

        `impatient`: kills it a moment after the mail arrived and any event came.
        """
        self._stage.engine.client.send(SyncNow())
        user = asyncio.create_task(self._user.work())
        engine = self._stage.engine
        kind, wanted = self._chance.choice(PROGRESS), self._chance.randint(1, 5)
        try:
            async with asyncio.timeout(LONGEST_LIFE_S):
                if impatient:
                    await engine.until(lambda: self._came_in() == self.findings.mails)
                    while sum(isinstance(one, PROGRESS) for one in engine.seen) < wanted and not self._nothing_to_do():
                        await asyncio.sleep(0.01)
                    await asyncio.sleep(self._chance.uniform(0, LONGEST_LOOK_S))
                else:
                    while sum(isinstance(one, kind) for one in engine.seen) < wanted and not self._nothing_to_do():
                        await asyncio.sleep(0.01)
                    await asyncio.sleep(self._chance.uniform(0, 0.4))
        except TimeoutError:
            self.findings.tried["long life"] += 1
        finally:
            await self._stage.crash()
            await _ended(user)
        self.findings.kills += 1
        self.findings.struck.update(str(row[0]) for row in self._rows(OPEN_RUNS))
        self._note_refusals()
        await self._stage.restart()

    def _came_in(self) -> object:
        return self._rows("SELECT count(*) FROM messages WHERE NOT outgoing")[0][0]

    def _nothing_to_do(self) -> bool:
        return self._all_routed() and self._quiet()

    async def _calm_down(self) -> None:
        """Waits without tricks until all work is done."""
        self._user.calm = True
        self._stage.engine.client.send(SyncNow())
        user = asyncio.create_task(self._user.work())
        try:
            async with asyncio.timeout(CALM_S):
                while not (self._all_routed() and self._all_back() and self._quiet() and not self._checkpoints()):
                    await asyncio.sleep(0.2)
        except TimeoutError:
            self.findings.troubles.append("it never came to rest")
        finally:
            user.cancel()
            await _ended(user)
        self._note_refusals()

    def _all_routed(self) -> bool:
        """Whether every delivered message has a run, or a verdict without one."""
        sql = """SELECT count(*) FROM messages m WHERE NOT m.outgoing
            AND (m.maker <> '' OR EXISTS (SELECT 1 FROM runs r WHERE r.message_id = m.id))"""
        return bool(self._rows(sql)[0][0] == self.findings.mails)

    def _all_back(self) -> bool:
        """Whether every answer on the server is in the local copy, so that none brings more work."""
        return self._rows("SELECT count(*) FROM messages WHERE outgoing")[0][0] == len(self._stage.sandbox.sent())

    def _quiet(self) -> bool:
        busy = """SELECT 1 FROM runs WHERE status IN ('queued', 'running', 'waiting')
            UNION ALL SELECT 1 FROM outbox WHERE state NOT IN ('sent', 'cancelled')
            UNION ALL SELECT 1 FROM reviews WHERE status = 'pending'
            UNION ALL SELECT 1 FROM jobs WHERE failed_at IS NULL AND kind <> 'sweep'"""
        return not self._rows(busy)

    def _rows(self, sql: str, file: str = "mail.db") -> list[tuple[object, ...]]:
        return rows(self._stage.data / file, sql)

    def _note_refusals(self) -> None:
        for event in self._stage.engine.seen:
            if isinstance(event, CommandFailed):
                self.findings.refusals[f"{event.command}:{event.code}"] += 1

    def _inspect(self) -> Findings:
        """Compares all tables with each other and with the server."""
        found = self.findings
        found.runs.update(str(row[0]) for row in self._rows("SELECT status FROM runs"))
        found.reviews.update(str(row[0]) for row in self._rows("SELECT status FROM reviews"))
        found.hung += [
            str(row) for row in self._rows("SELECT id, status FROM runs WHERE status IN ('queued', 'running', 'waiting')")
        ]
        found.hung += [f"failed {row}" for row in self._rows("SELECT id, error FROM runs WHERE status = 'failed'")]
        found.left_jobs += [str(row) for row in self._rows("SELECT kind, key, error FROM jobs WHERE kind <> 'sweep'")]
        found.left_checkpoints = self._checkpoints()
        self._compare_with_server()
        return found

    def _checkpoints(self) -> int:
        """The number of checkpoint rows; they are deleted a moment after the run's last row."""
        sql = "SELECT (SELECT count(*) FROM checkpoints) + (SELECT count(*) FROM writes)"
        return int(str(self._rows(sql, "checkpoints.db")[0][0]))

    def _compare_with_server(self) -> None:
        """Compares approvals with the mail on the server."""
        sent = [self._stage.sandbox.mail.raw(one["id"]) for one in self._stage.sandbox.sent()]
        known = 0
        sql = "SELECT id, review_id, state, marker FROM outbox WHERE kind = 'send'"
        for item, review, state, marker in self._rows(sql):
            copies = sum(str(marker).encode() in raw for raw in sent)
            known += copies
            self.findings.items[str(state)] += 1
            if state == "sent" and copies == 0:
                self.findings.missing.append(f"item {item} of review {review}")
            if copies > 1 or (copies and state != "sent"):
                self.findings.doubled.append(f"item {item} of review {review}: {state}, {copies} copies")
        self.findings.unasked += ["mail on the server that no item knows"] * (len(sent) - known)
        approved = """SELECT r.id FROM reviews r WHERE r.status = 'approved' AND
            (SELECT count(*) FROM outbox o WHERE o.review_id = r.id AND o.state = 'sent') <> 1"""
        self.findings.missing += [f"review {row[0]} approved without one sent item" for row in self._rows(approved)]
        other = """SELECT o.id FROM outbox o JOIN reviews r ON r.id = o.review_id
            WHERE o.kind = 'send' AND o.state = 'sent' AND r.status <> 'approved'"""
        self.findings.unasked += [f"item {row[0]} sent without approval" for row in self._rows(other)]
        twice = """SELECT review_id, count(*) FROM decisions WHERE undone_at IS NULL AND action IN ('accept', 'edit')
            GROUP BY review_id HAVING count(*) > 1"""
        self.findings.doubled += [f"review {row[0]} has {row[1]} approvals" for row in self._rows(twice)]


def letter(number: int, follows: int, text: str) -> bytes:
    """A mail from Ann; `follows` is the number of the mail it continues, or 0."""
    threading = f"In-Reply-To: <o{follows}@partner.org>\r\nReferences: <o{follows}@partner.org>\r\n" if follows else ""
    return (
        f"From: Ann Berg <ann@partner.org>\r\nTo: me@example.com\r\nMessage-ID: <o{number}@partner.org>\r\n"
        f"Subject: {'Re: ' if follows else ''}Order {follows or number}\r\n{threading}"
        f"Date: {datetime.now(UTC):%a, %d %b %Y %H:%M:%S +0000}\r\n\r\nHello,\r\n\r\n{text}\r\n\r\nAnn\r\n"
    ).encode()


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    """Runs a read-only query beside the engine."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
        return connection.execute(sql).fetchall()


def _finished(review: Review) -> Draft | None:
    """The draft with every slot filled."""
    draft = review.proposal.draft
    if draft is None:
        return None
    return fill_slots(draft, tuple(f"It is fine ({datetime.now(UTC):%H:%M})." for _ in draft.open_slots))


async def _ended(user: "asyncio.Task[None]") -> None:
    """Waits for a user whose engine is gone."""
    user.cancel()
    for outcome in await asyncio.gather(user, return_exceptions=True):
        if isinstance(outcome, Exception) and not isinstance(outcome, LinkClosed):
            raise outcome
