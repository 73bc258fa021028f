"""The scripted session: drives the real window through its own actions, with the real engine behind it.

Waits for sync and drafts; approves two complete drafts, edits two alike and approves them, rejects one, undoes one; waits for
sending; asks the assistant for a mail that was answered; then compares with the server. A step without a suitable draft is left
out, which the report's counts show. The window runs offscreen; screenshots of every page and theme are taken.
"""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import qasync
from PySide6.QtCore import QEventLoop, QTimer

from app.config.paths import DataFolder
from app.demo.local_server import LocalServer
from app.demo.report import ApprovedReply, Report, add_verdicts, compare_mirror, compare_sent
from app.domain.agents.memory import PROFILE, SIGNS, Preference
from app.domain.agents.requests import RESTING
from app.domain.agents.runs import RunStatus
from app.domain.drafting.draft import fill_slots
from app.domain.drafting.review import Review, ReviewKind, ReviewStatus
from app.domain.errors import ExpectedError
from app.domain.ids import AccountId, RequestId, ReviewId
from app.domain.mail.outbox import OutboxState
from app.domain.ports.window import EngineLink, MailboxReader
from app.domain.protocol.assistant_commands import AskAssistant
from app.domain.protocol.commands import DraftingPreview, DraftReply, PreviewDrafting, StartDrafting
from app.domain.protocol.events import CommandFailed, EngineReady, ErrorReported, SyncPhase, SyncProgress
from app.domain.record import Record
from app.domain.wire import Event
from app.store.maintenance.reporting import verdicts
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.navigation.places import PAGES
from app.ui.services.engine_bridge import EngineBridge
from app.ui.startup.application import PROGRAM, WindowOptions, build_window, make_application
from app.ui.window.main_window import MainWindow

E = TypeVar("E")

LOOK_AGAIN_S = 0.25


class DemoStuck(ExpectedError):
    """A wait reached its limit. The detail names what was waited for."""


class EventWatcher:
    """All events of the engine in order."""

    def __init__(self, link: EngineLink, limit_s: float) -> None:
        self.events: list[Event] = []
        self._deadline = time.monotonic() + limit_s
        self._stop = link.subscribe(self.events.append)

    async def until(self, what: str, reached: Callable[[], bool]) -> None:
        """Waits until `reached()`. At the limit it raises `DemoStuck` with `what` and the engine's last error."""
        while not reached():
            if time.monotonic() > self._deadline:
                raise DemoStuck(f"Waited in vain for {what}. {self.last_error()}".strip())
            await asyncio.sleep(LOOK_AGAIN_S)

    def last(self, kind: type[E]) -> E | None:
        """The newest event of a kind."""
        return next((event for event in reversed(self.events) if isinstance(event, kind)), None)

    def last_error(self) -> str:
        """The engine's last error, empty if there was none."""
        for event in reversed(self.events):
            if isinstance(event, ErrorReported | CommandFailed):
                return f"The engine last said: {event.code}: {event.text}"
        return ""

    def close(self) -> None:
        self._stop()


APPROVE_COMPLETE = 2
ADDED_WORDS = "Just ask if anything is unclear."
NEW_ENDING = "Greetings from the workshop,"
OPEN_RUNS = {RunStatus.QUEUED, RunStatus.RUNNING}
LEAVING = {OutboxState.QUEUED, OutboxState.DRAFTING, OutboxState.DRAFTED, OutboxState.SENDING}
STUCK = {OutboxState.HELD, OutboxState.UNCERTAIN}
MANY = 1_000_000


def ending(body: str) -> str:
    """The first line of the last paragraph, i.e. the closing."""
    return body.rstrip().rpartition("\n\n")[2].partition("\n")[0]


def ended_otherwise(body: str) -> str:
    """The text with another closing above the same name."""
    above, _, last = body.rstrip().rpartition("\n\n")
    return f"{above}\n\n{NEW_ENDING}\n{last.partition(chr(10))[2]}".rstrip()


class DemoStage(Record):
    data: DataFolder
    server: LocalServer
    link: EngineLink
    reader: MailboxReader
    window: MainWindow
    watcher: EventWatcher
    days: int


class DemoSession:
    """One session. `report` fills as it goes on."""

    def __init__(self, stage: DemoStage) -> None:
        self._stage = stage
        self._started = time.monotonic()
        self._approved: list[ApprovedReply] = []
        self._ending = ""
        self.report = Report()

    async def play(self) -> Report:
        before = self._stage.server.sent()
        wanted = await self._sync_and_draft()
        await self._review()
        await self._wait_for_sending()
        await self._learn()
        await self._ask()
        seen = verdicts(self._stage.data.database)
        compare_sent(self.report, self._stage.server, before, self._approved)
        compare_mirror(self.report, self._stage.server, seen)
        add_verdicts(self.report, seen, wanted)
        self._mark("total")
        return self.report

    async def _sync_and_draft(self) -> int:
        """Waits from the engine's start to the last draft. Returns the number of mails to be judged."""
        stage, watcher = self._stage, self._stage.watcher
        await watcher.until("the engine's start", lambda: watcher.last(EngineReady) is not None)
        self._mark("engine_ready")
        await watcher.until("the first sync", self._synced)
        self._mark("synced")
        account = AccountId(stage.reader.accounts()[0].id)
        preview = await stage.link.ask(PreviewDrafting(account, stage.days))
        assert isinstance(preview, DraftingPreview)
        stage.link.send(StartDrafting(account, stage.days))
        await watcher.until(f"{preview.mails} mails to be looked at", lambda: self._drafted(preview.mails))
        self._mark("drafted")
        reviews = [self._review_of(ReviewId(key)) for key in stage.reader.review_ids()]
        drafts = [review.proposal.draft for review in reviews if review.proposal.draft is not None]
        kinds = [str(review.proposal.kind) for review in reviews]
        self.report.reviews = {kind: kinds.count(kind) for kind in sorted(set(kinds))}
        self.report.drafts = {"all": len(drafts), "complete": sum(draft.complete for draft in drafts)}
        self.report.mails["lookedAt"] = preview.mails
        return preview.mails

    async def _review(self) -> None:
        """Decides reviews through the window."""
        self._stage.window.show_page("review")
        complete = self._replies(complete=True)
        for review in complete[:APPROVE_COMPLETE]:
            await self._approve(review, edited=False)
        rest = complete[APPROVE_COMPLETE:]
        for review in (self._replies(complete=False) or rest)[:1]:
            await self._approve(review, edited=True)
        for review in [one for one in self._replies(complete=False) if self._ends_as_before(one)][:1]:
            await self._approve(review, edited=True)  # the second sign that makes the rule
        done = {one.review_id for one in self._approved}
        left = [review for review in (*rest, *self._replies(complete=False)) if review.id not in done]
        for review in [one for one in left if one.proposal.draft is not None and one.proposal.draft.complete][:1]:
            await self._undo(review)
            left.remove(review)
        for review in left[:1]:
            await self._reject(review)
        self._mark("reviewed")

    async def _approve(self, review: Review, edited: bool) -> None:
        """Approves as it is, or with all slots filled and a sentence added."""
        page = self._stage.window.review_page
        page.open(review.id)
        draft = review.proposal.draft
        assert draft is not None
        if edited:
            filled = fill_slots(draft, tuple(ADDED_WORDS for _ in draft.open_slots))
            words = filled.body if draft.open_slots else f"{ADDED_WORDS}\n\n{draft.body}"
            self._ending = self._ending or ending(words)
            page.deciding.set_body(ended_otherwise(words))
        await self._press_approve(review)
        self._count("edited" if edited else "approved")
        sent = self._review_of(review.id)
        original = self._stage.reader.message(review.proposal.message_id)
        assert original is not None
        self._approved.append(ApprovedReply(review.id, sent.proposal.draft or draft, original, edited))

    async def _press_approve(self, review: Review) -> None:
        """Approves once the page accepts it. A review must be visible for a moment first."""
        page = self._stage.window.review_page
        await self._stage.watcher.until(f"review {review.id} to be looked at", lambda: page.deciding.glanced_at)
        self._stage.window.actions_by_id["review.approve"].trigger()
        await self._decided(review.id, ReviewStatus.APPROVED)

    async def _undo(self, review: Review) -> None:
        """Approves and undoes within the delay."""
        self._stage.window.review_page.open(review.id)
        await self._press_approve(review)
        self._stage.window.actions_by_id["window.undo"].trigger()
        await self._decided(review.id, ReviewStatus.PENDING)
        self._count("undone")

    async def _reject(self, review: Review) -> None:
        page = self._stage.window.review_page
        page.open(review.id)
        page.deciding.reject("Not needed")
        await self._decided(review.id, ReviewStatus.REJECTED)
        self._count("rejected")

    async def _wait_for_sending(self) -> None:
        """Waits until the outbox is empty and the sent mails were synced."""
        stage = self._stage
        await stage.watcher.until("the approved replies to leave", lambda: not self._leaving())
        held = [str(row.item.state) for row in stage.reader.outbox() if row.item.state in STUCK]
        if held:
            self.report.problems.append(f"left in the outbox: {held}")
        there = len(stage.server.dump())
        await stage.watcher.until("sent mail to come back", lambda: stage.reader.counts().messages >= there)
        self._mark("sent")

    async def _learn(self) -> None:
        """Waits for the lesson from both edits, then checks that another draft uses it."""
        reader = self._stage.reader
        if not self._ending.endswith(",") or self.report.actions.get("edited", 0) < SIGNS:
            return

        def lessons() -> list[Preference]:
            return [one for one in reader.preferences() if one.rule is None or one.rule.kind not in PROFILE]

        await self._stage.watcher.until("the edits to be learned from", lambda: any(one.confirmed for one in lessons()))
        self.report.lessons = [one.text for one in lessons()]
        self.report.learned = len(self.report.lessons)
        for review in [one for one in self._replies(complete=True) + self._replies(complete=False) if self._ends_as_before(one)][
            :1
        ]:
            self.report.used_at_once = NEW_ENDING in await self._drafted_anew(review)
        self._mark("learned")

    async def _drafted_anew(self, review: Review) -> str:
        """The text of another draft for the same mail."""
        self._stage.link.send(DraftReply(review.proposal.message_id))
        superseded = ReviewStatus.SUPERSEDED
        await self._stage.watcher.until("the next draft", lambda: self._review_of(review.id).status is superseded)
        draft = self._review_of(ReviewId(max(self._stage.reader.review_ids()))).proposal.draft
        return "" if draft is None else draft.body

    async def _ask(self) -> None:
        """Asks the assistant for a mail that was answered. Without a model this is a search."""
        original = next((one.original for one in self._approved if one.original.subject.strip()), None)
        if original is None:
            return
        request_id = RequestId(str(uuid4()))
        self._stage.link.send(AskAssistant(request_id, original.account_id, original.subject))
        await self._stage.watcher.until("the answer to a request", lambda: self._rests(request_id))
        request = self._stage.reader.request(request_id)
        assert request is not None
        cited = [source.message_id for step in request.steps for source in step.sources]
        found = {"cited": len(cited), "found": original.id in cited}
        self.report.asked = {"status": request.status.value, "maker": request.maker, **found}
        self._mark("asked")

    def _rests(self, request_id: RequestId) -> bool:
        request = self._stage.reader.request(request_id)
        return request is not None and request.status in RESTING

    def _ends_as_before(self, review: Review) -> bool:
        """Whether a draft has the closing that was replaced, which means the same language."""
        draft = review.proposal.draft
        return draft is not None and bool(self._ending) and self._ending in draft.body

    def _synced(self) -> bool:
        progress = self._stage.watcher.last(SyncProgress)
        current = progress is not None and progress.phase is SyncPhase.CURRENT
        return current and self._stage.reader.counts().messages >= self._stage.server.messages

    def _drafted(self, wanted: int) -> bool:
        if any(run.status in OPEN_RUNS for run in self._stage.reader.runs(MANY)):
            return False
        return sum(bool(one.decision) for one in verdicts(self._stage.data.database)) >= wanted

    def _leaving(self) -> bool:
        return any(row.item.state in LEAVING for row in self._stage.reader.outbox())

    def _replies(self, complete: bool) -> list[Review]:
        """Pending replies in queue order, with or without open slots. One with a red flag is not approved by one key."""
        reviews = [self._review_of(ReviewId(key)) for key in self._stage.reader.review_ids()]
        replies = [one for one in reviews if one.proposal.kind is ReviewKind.REPLY and one.proposal.draft is not None]
        plain = [one for one in replies if not any(flag.red for flag in one.proposal.flags)]
        return [one for one in plain if one.proposal.draft is not None and one.proposal.draft.complete is complete]

    async def _decided(self, review_id: ReviewId, status: ReviewStatus) -> None:
        await self._stage.watcher.until(f"review {review_id} to be {status}", lambda: self._review_of(review_id).status is status)

    def _review_of(self, review_id: ReviewId) -> Review:
        review = self._stage.reader.review(review_id)
        assert review is not None
        return review

    def _count(self, action: str) -> None:
        self.report.actions[action] = self.report.actions.get(action, 0) + 1

    def _mark(self, name: str) -> None:
        self.report.timings_s[name] = round(time.monotonic() - self._started, 2)


SETTLE_MS = 350


def take(window: MainWindow, folder: Path, pages: tuple[str, ...] = (*PAGES, "welcome")) -> list[Path]:
    """Writes `page-theme.png` for each page and theme into `folder` and returns the files. Restores the theme and the page."""
    folder.mkdir(parents=True, exist_ok=True)
    appearance = window.appearance
    before = (appearance.choice, appearance.text_size)
    page_before = window.name
    written: list[Path] = []
    for theme in ("light", "dark"):
        appearance.apply(theme, before[1])
        for page in pages:
            window.show_page(page)
            written.append(shoot(window, folder / f"{page}-{theme}.png"))
    appearance.apply(*before)
    window.show_page(page_before)
    return written


def shoot(window: MainWindow, file: Path) -> Path:
    """Grabs the window after it has settled. Runs a nested event loop: never call it inside a coroutine."""
    settle(SETTLE_MS)
    window.grab().save(str(file))
    return file


def settle(ms: int) -> None:
    """Runs timers and repaints for `ms` milliseconds."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


SIZE = (1440, 900)


def play(data: DataFolder, server: LocalServer, engine: list[str], days: int, limit_s: float, shots: Path | None) -> Report:
    """Plays the session in an offscreen window and ends the engine. With `shots` also writes screenshots there."""
    app = make_application()
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    reader = SqliteMailboxReader(data.database)
    bridge = EngineBridge(engine, os.environ, PROGRAM)
    watcher = EventWatcher(bridge, limit_s)
    window = build_window(data, reader, bridge, WindowOptions(page="review", sample=True))
    window.resize(*SIZE)
    window.first_painted.connect(bridge.start)
    window.show()
    try:
        report: Report = loop.run_until_complete(
            DemoSession(DemoStage(data, server, bridge, reader, window, watcher, days)).play()
        )
        if shots is not None:
            take(window, shots)
        return report
    finally:
        watcher.close()
        window.close()
        bridge.stop()
        reader.close()
        loop.close()
