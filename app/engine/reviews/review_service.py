"""The user's decisions on reviews: composed, written in one commit, reported, and passed on to sender and runner.

The exact bytes are composed before the transaction. Approving works offline and without any graph. A decision that teaches
something also writes a `memory` job for the learner in its transaction.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Protocol

from app.domain.agents.memory import RejectionReason
from app.domain.drafting.meeting import SCHEDULE_MEETING
from app.domain.drafting.review import Action, Review, ReviewKind, ReviewStatus, edited_request, request_of
from app.domain.error_texts import Cause
from app.domain.errors import CapReached, NotAllowed
from app.domain.ids import OutboxId, ReviewId, RunId
from app.domain.mail.outbox import HoldReason, OutboxKind, OutboxState, due_time
from app.domain.mail.triage import Decision
from app.domain.protocol.commands import Decide, SendNow, Undo
from app.domain.protocol.events import Initiator, OutboxChanged, ReviewDecided
from app.engine.letters.letter_editor import newest
from app.engine.outbox.label_sender import reread
from app.engine.outbox.outbox_writer import OutboxWriter
from app.engine.reviews.outbox_composer import STALE, OutboxComposer
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.runtime.tables import Tables
from app.store.outbox import NewOutbox

DRAFTED = frozenset({ReviewKind.REPLY, ReviewKind.TOOL_CALL})
UNWANTED = DRAFTED | {ReviewKind.NOTIFY, ReviewKind.QUESTION}
"""Kinds whose rejection teaches that such mail is not wanted."""
ANSWERED = DRAFTED | {ReviewKind.NOTIFY}


def memory_job(review: Review, command: Decide) -> str | None:
    """The job's payload, None if there is nothing to learn."""
    about = review.proposal
    match command.action:
        case Action.IGNORE:
            teaches = about.kind in UNWANTED
        case Action.RESPOND:
            teaches = about.kind in ANSWERED
        case _:
            draft = command.draft or about.draft
            edited = draft is not None and review.proposed is not None and draft.body != review.proposed.body
            asked = review.proposed_request
            edited = edited or (bool(asked) and edited_request(about.request_json, command.arguments) != asked)
            teaches = edited or (about.kind is ReviewKind.REPLY and about.decision not in ("", Decision.RESPOND))
    if not teaches or about.starts:
        return None
    payload: Mapping[str, object] = {
        "review_id": review.id,
        "action": command.action,
        "reason": command.reason,
        "text": command.text,
    }
    return json.dumps(payload, ensure_ascii=False)


_BY_ACTION = {
    Action.ACCEPT: ReviewStatus.APPROVED,
    Action.EDIT: ReviewStatus.APPROVED,
    Action.SAVE_DRAFT: ReviewStatus.SAVED_AS_DRAFT,
    Action.RESPOND: ReviewStatus.ANSWERED,
    Action.IGNORE: ReviewStatus.DISMISSED,
}
_REJECTABLE = DRAFTED | {ReviewKind.PLAN}
_SENDING = {Action.ACCEPT: OutboxKind.SEND, Action.EDIT: OutboxKind.SEND, Action.SAVE_DRAFT: OutboxKind.GMAIL_DRAFT}


class DecisionListener(Protocol):
    """Follows the user's decisions."""

    async def decided(self, run_id: RunId, review_id: ReviewId) -> None:
        """Called after a decision on a review of this run."""

    async def decision_undone(self) -> None:
        """Called after a decision was undone."""


class ReviewService:
    """Applies decisions on reviews. The settings have the undo delay and the cap of approvals by policy."""

    commands = (Decide, Undo, SendNow)

    def __init__(
        self,
        tables: Tables,
        announcer: EventBus,
        outgoing: OutboxComposer,
        settings: LiveSettings,
        steps: OutboxWriter,
        listener: DecisionListener,
    ) -> None:
        self._tables, self._announcer, self._outgoing = tables, announcer, outgoing
        self._settings, self._steps, self._listener = settings, steps, listener

    async def do(self, command: Decide | Undo | SendNow) -> None:
        """Handles one command. Raises as `decide`, `undo` and `send_now`."""
        match command:
            case Decide():
                await self.decide(command)
            case Undo(review_id):
                await self.undo(review_id)
            case SendNow(outbox_id):
                await self.send_now(outbox_id)

    async def decide(self, command: Decide) -> None:
        """Applies a decision once. Raises `StaleDecision`, `OpenSlots`, `NotAllowed` or `NotFound`; then nothing has changed."""
        review, (outbox_id, status, until) = await self._tables.run(self._carried_out, command)
        undo_ms = int(until.timestamp() * 1000) if outbox_id else 0
        if command.archive and outbox_id:
            await self._steps.archive(outbox_id, review.proposal.thread_id)
        self._announcer.tell(ReviewDecided(review.id, status, outbox_id, undo_ms))
        if outbox_id:
            self._announcer.tell(OutboxChanged((outbox_id,)))
            self._steps.wake_sender()
        await self._listener.decided(review.proposal.run_id, review.id)

    async def approve(self, review_id: ReviewId) -> bool:
        """Approves by policy: the pending revision becomes a Gmail draft. Returns whether the review is decided now.

        False when the day's cap is used up or the user has turned it off meanwhile. A review decided before stays as it is.
        """
        review = await self._tables.run(self._tables.reviews.review, review_id)
        if review.status is not ReviewStatus.PENDING:
            return True
        try:
            outbox_id, until = await self._tables.run(self._approve_alone, review)
        except CapReached:
            return False
        self._announcer.tell(ReviewDecided(review_id, ReviewStatus.SAVED_AS_DRAFT, outbox_id, int(until.timestamp() * 1000)))
        self._announcer.tell(OutboxChanged((outbox_id,)))
        self._steps.wake_sender()
        return True

    async def undo(self, review_id: ReviewId) -> None:
        """Undoes a decision while nothing was sent. Raises `NotAllowed` or `NotFound`."""
        outbox_id, _ = await self._tables.run(self._tables.reviews.undo, review_id)
        self._announcer.tell(ReviewDecided(review_id, ReviewStatus.PENDING, outbox_id, 0))
        await self._listener.decision_undone()
        if outbox_id:
            await self._steps.undo_archive(outbox_id)
            await self._discard_draft(outbox_id)
            self._announcer.tell(OutboxChanged((outbox_id,)))

    async def dismiss(self, review_id: ReviewId) -> None:
        """Dismisses a pending review. It says that no answer is wanted, which teaches as if the owner had rejected it."""
        review = await self._tables.run(self._tables.reviews.review, review_id)
        if review.status is ReviewStatus.PENDING:
            with suppress(NotAllowed):
                await self.decide(Decide(review_id, review.revision, Action.IGNORE, reason=RejectionReason.NO_ANSWER))

    async def cancel(self, outbox_id: OutboxId) -> None:
        """Cancels a queued or held item. Its review becomes pending again; messages that show a label change are read again. A
        label that was not created yet is removed, here and from the items that wait for it.

        Raises `NotAllowed` or `NotFound`.
        """
        item = await self._tables.run(self._tables.outbox.get, outbox_id)
        if item.review_id:
            current = await self._tables.run(self._tables.outbox.for_review, item.review_id)
            if current is None or current.id != item.id:
                raise NotAllowed(Cause.TOO_LATE)
            await self.undo(item.review_id)
            return
        if item.kind is OutboxKind.CREATE_LABEL:
            withdrawn = await self._tables.run(self._tables.local_labels.withdraw, item)
            self._announcer.tell(OutboxChanged(withdrawn.outbox_ids))
            self._announcer.mail(item.account_id, withdrawn.thread_ids, Initiator.USER)
            return
        if item.kind is OutboxKind.SEND and item.state is OutboxState.SENT:
            raise NotAllowed(Cause.TOO_LATE)
        await self._steps.move(item, OutboxState.CANCELLED)
        await self._discard_draft(outbox_id)
        if item.kind is OutboxKind.MODIFY:
            await reread(self._tables, item)

    async def send_now(self, outbox_id: OutboxId) -> None:
        """Ends the undo delay, or sends a held item whatever held it. Raises `NotAllowed` or `NotFound`."""
        item = await self._tables.run(self._tables.outbox.get, outbox_id)
        if item.state is OutboxState.HELD:
            # If newer mail held it, the newest stored message becomes the expected tip, since the user has seen it. Other newer
            # messages are checked again. A draft that still exists is used.
            if item.reason in STALE:
                tip = await self._tables.run(newest, self._tables, item.thread_id)
                await self._tables.run(self._tables.outbox.set_expected_tip, item.id, tip)
            stands = item.draft_id and item.reason not in (HoldReason.DRAFT_DELETED, HoldReason.DRAFT_EDITED)
            await self._steps.move(item, OutboxState.DRAFTED if stands else OutboxState.QUEUED)
        elif item.state is not OutboxState.QUEUED:
            raise NotAllowed(f"Outbox item {outbox_id} is {item.state}; it cannot be sent sooner.")
        await self._tables.run(self._tables.outbox.set_not_before, outbox_id, self._tables.clock())
        self._announcer.tell(OutboxChanged((outbox_id,)))
        self._steps.wake_sender()

    async def _discard_draft(self, outbox_id: OutboxId) -> None:
        """Deletes the draft that a held item may have left in Gmail."""
        await self._steps.sweep_cancelled(await self._tables.run(self._tables.outbox.get, outbox_id))

    def _carried_out(self, command: Decide) -> tuple[Review, tuple[OutboxId, ReviewStatus, datetime]]:
        """Composes, then writes the decision in one transaction.

        Returns the review as it was, the outbox id (0 if nothing is sent), the new status, and the end of the undo delay or the
        chosen time.
        """
        review = self._tables.reviews.review(command.review_id)
        as_letter = _SENDING.get(command.action) is OutboxKind.SEND and review.proposal.draft is not None
        if command.send_at_ms and not as_letter:
            raise NotAllowed("Only an approved letter can leave later.", "Decide without a time.")
        until = due_time(self._tables.clock(), self._settings.now.sending.undo_s, command.send_at_ms)
        status = _BY_ACTION[command.action]
        if command.action is Action.IGNORE and review.proposal.kind in _REJECTABLE:
            status = ReviewStatus.REJECTED
        decided = self._tables.reviews.decide(command, self._item(review, command, until), status, memory_job(review, command))
        return review, (OutboxId(decided.outbox_id), status, until)

    def _approve_alone(self, review: Review) -> tuple[OutboxId, datetime]:
        """Writes an approval by policy. Returns the outbox id and the end of the undo delay. Raises `CapReached`."""
        until = due_time(self._tables.clock(), self._settings.now.sending.undo_s, 0)
        command = Decide(review.id, review.revision, Action.SAVE_DRAFT)
        item = self._item(review, command, until)
        automation = self._settings.now.automation
        cap = automation.auto_approve_daily_cap if automation.auto_approve_categories else 0
        decided = self._tables.reviews.decide(command, item, ReviewStatus.SAVED_AS_DRAFT, None, cap)
        return OutboxId(decided.outbox_id), until

    def _item(self, review: Review, command: Decide, until: datetime) -> NewOutbox | None:
        """What is sent if this is approved. None when nothing is, or when the store will reject the decision with its own
        error.
        """
        kind = _SENDING.get(command.action)
        tool, arguments = request_of(edited_request(review.proposal.request_json, command.arguments))
        if tool == SCHEDULE_MEETING and kind is OutboxKind.SEND and review.status is ReviewStatus.PENDING:
            return self._outgoing.meeting(review, arguments, until)
        draft = command.draft or review.proposal.draft
        if kind is None or draft is None or review.status is not ReviewStatus.PENDING:
            return None
        if not draft.complete and kind is OutboxKind.SEND:
            return None
        return self._outgoing.item(review, draft, kind, until)
