"""Carries out the owner's corrections: "this should have been ...", with model or without, and their undo.

Verdict, labels and lesson are one transaction. Review items that lost their point are then dismissed as the owner would do it,
and what was dropped gets a new run.
"""

from contextlib import suppress
from typing import Protocol

from app.domain.errors import ExpectedError
from app.domain.ids import OutboxId
from app.domain.mail.triage import OwnerVerdict
from app.domain.protocol.changes import CorrectVerdict, UndoCorrection
from app.domain.protocol.events import Initiator, MemoryChanged, ReviewDecided
from app.engine.reviews.review_service import ReviewService
from app.engine.runs.router import MailRouter
from app.engine.runs.run_repository import RunRepository
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp
from app.store.learning.corrections import CorrectionResult
from app.store.mail.label_rows import LabelChangeResult


class CorrectionListener(Protocol):
    """Follows the owner's corrections."""

    def corrected(self, agents: bool) -> None:
        """Called after a correction or its undo. `agents`: a run was started for it."""

    def fetched(self) -> None:
        """Called when mail left spam or trash."""


class CorrectionService:
    """Handles corrections. `sender` wakes the sender, `runs` the runner."""

    commands = (CorrectVerdict, UndoCorrection)

    def __init__(
        self,
        tables: Tables,
        announcer: EventBus,
        reviews: ReviewService,
        router: MailRouter,
        wakes: tuple[WakeUp, WakeUp],
        listener: CorrectionListener,
    ) -> None:
        self._tables, self._announcer = tables, announcer
        self._reviews, self._router, self._listener = reviews, router, listener
        self._sender, self._runs = wakes
        self._rows = RunRepository(tables)

    async def do(self, command: CorrectVerdict | UndoCorrection) -> None:
        """Handles one command. Raises `NotFound` or `NotAllowed`."""
        if isinstance(command, UndoCorrection):
            await self._undo(command.key)
            return
        done = await self._tables.run(self._tables.corrections.correct, command)
        for message_id in done.again:
            await self._router.force(message_id, command.verdict is OwnerVerdict.NEEDS_REPLY)
        for review_id in done.closing:
            await self._reviews.dismiss(review_id)
        self._tell(done)
        if done.labels.rescued_ids:
            self._listener.fetched()
        self._listener.corrected(bool(done.again))

    async def _undo(self, key: str) -> None:
        done = await self._tables.run(self._tables.corrections.undo, key)
        self._tell_labels(await self._tables.run(self._tables.actions.undo, key))
        for review_id in done.closing:
            with suppress(ExpectedError):  # it was decided or superseded meanwhile
                await self._reviews.undo(review_id)
        for threads in done.labels.threads.values():
            for thread_id in threads:
                await self._tables.run(self._rows.wake_superseded, thread_id)
        for review_id, status in done.reviews:
            self._announcer.tell(ReviewDecided(review_id, status, OutboxId(0), 0))
        self._runs.ring()
        self._tell(done)
        self._listener.corrected(False)

    def _tell(self, done: CorrectionResult) -> None:
        self._tell_labels(done.labels)
        self._announcer.tell(MemoryChanged(()))

    def _tell_labels(self, changed: LabelChangeResult) -> None:
        if self._announcer.labels(changed, Initiator.USER):
            self._sender.ring()
