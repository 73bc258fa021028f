"""Sends the user's decisions on reviews, shows their notices and undoes them.

Also turns a proposed draft into a letter, to add files, styles, a signature or another sender. Its review stays open until the
owner's answer is in the conversation.
"""

from collections.abc import Callable, Sequence
from functools import partial
from uuid import uuid4

from PySide6.QtCore import QObject, Signal

from app.domain.drafting.draft import Draft, SpanKind
from app.domain.drafting.meeting import SCHEDULE_MEETING
from app.domain.drafting.review import Action, Proposal, Review, ReviewRow, ReviewStatus, request_of
from app.domain.ids import LetterId, ReviewId
from app.domain.mail.letter import Letter, LetterKind, Style, StyleKind
from app.domain.protocol.commands import Decide, Undo
from app.domain.protocol.events import CommandFailed, ConnectionChanged, ReviewDecided
from app.domain.wire import Event
from app.ui.context import Context, Words
from app.ui.i18n.formatting import from_ms, to_ms, when_long
from app.ui.services.corrections import mark_as_read
from app.ui.widgets.menus import LATER_FROM_MS
from app.ui.widgets.notice_line import ConnectionStatus

LEAST_SHOWN_MS = 4000
SHOWN_LATER_MS = 20_000


def waits(review: Review) -> bool:
    """Whether an approval waits in the outbox for the undo delay. Mail and meetings do; other tools run at once."""
    return review.proposal.draft is not None or request_of(review.proposal.request_json)[0] == SCHEDULE_MEETING


class Decisions(QObject):
    """Sends decisions and tracks the unconfirmed ones, so that the queue moves on at once.

    `confirmed` is emitted with the id of a review whose decision the engine has stored; from then on it keeps the text.
    """

    confirmed = Signal(object)

    def __init__(self, context: Context, changed: Callable[[], None], reopened: Callable[[ReviewId], None]) -> None:
        super().__init__()
        self._context, self._changed, self._reopened = context, changed, reopened
        self._connections = ConnectionStatus(self)
        self._last: Review | None = None
        """The item decided last, unless it was taken back: its notice may be shown again."""
        self._way_back: Callable[[], object] = lambda: None
        """How its decision is undone: one step, also for a notice told again."""
        self._first_back = ReviewId(0)
        self._undoing: set[ReviewId] = set()
        self.unconfirmed: set[ReviewId] = set()

    def decide(self, review: Review, decision: Decide) -> None:
        """Sends the decision and shows its notice."""
        action, send_at_ms = decision.action, decision.send_at_ms
        self._context.link.send(decision)
        if action in (Action.ACCEPT, Action.EDIT, Action.SAVE_DRAFT):
            mark_as_read(self._context, review.proposal.thread_id)
        self.unconfirmed.add(review.id)
        self._last, self._way_back = review, partial(self._undo, (review.id,))
        delay_ms = self._context.settings().sending.undo_s * 1000
        if send_at_ms:
            self._offer_undo(self._later_words(send_at_ms), SHOWN_LATER_MS)
        elif action in (Action.ACCEPT, Action.EDIT) and waits(review) and delay_ms:
            self._offer_undo(self._sent_words(review, ReviewStatus.APPROVED), delay_ms)
        elif action is Action.SAVE_DRAFT:
            self._offer_undo(self._sent_words(review, ReviewStatus.SAVED_AS_DRAFT), max(delay_ms, LEAST_SHOWN_MS))
        else:
            self._offer_undo(self._words(action, review, decision.text), LEAST_SHOWN_MS)
        self._changed()

    def _undo(self, ids: tuple[ReviewId, ...]) -> None:
        """Undoes decisions made together. The engine rejects it for items already sent."""
        if self._last is not None and self._last.id in ids:
            self._last = None
        for review_id in ids:
            self._context.link.send(Undo(review_id))
        self._undoing.update(ids)
        self._first_back = ids[0]
        self._context.notices.tell(self.tr("Undoing…"))

    def dismiss(self, rows: Sequence[ReviewRow]) -> None:
        """Dismisses or rejects several items, with one undo."""
        for row in rows:
            self._context.link.send(Decide(row.id, row.revision, Action.IGNORE))
        ids = tuple(row.id for row in rows)
        self.unconfirmed.update(ids)
        self._last, self._way_back = None, partial(self._undo, ids)
        self._offer_undo(self.tr("%n item(s) dismissed.", "", len(ids)), LEAST_SHOWN_MS)
        self._changed()

    def note(self, review: Review) -> tuple[str, str]:
        """Returns why an approved item would not go out now, and an icon. The text is empty if it would."""
        account_id = review.proposal.account_id
        goes = Action.ACCEPT in review.allowed and waits(review)
        return self._connections.once_approved(account_id) if goes else "", self._connections.icon(account_id)

    def hear(self, event: Event) -> None:
        if isinstance(event, ReviewDecided):
            self._decided(event)
        elif isinstance(event, ConnectionChanged):
            self._connections.hear(event)
        elif isinstance(event, CommandFailed) and event.command in ("Decide", "Undo"):
            self.unconfirmed.clear()
            self._undoing.clear()
            self._changed()

    def _decided(self, event: ReviewDecided) -> None:
        if event.status != ReviewStatus.PENDING and event.review_id in self.unconfirmed:
            self.confirmed.emit(event.review_id)
        self.unconfirmed.discard(event.review_id)
        if event.status == ReviewStatus.PENDING:
            if event.review_id in self._undoing:
                self._undoing.discard(event.review_id)
                if not self._undoing:
                    self._context.notices.tell(self.tr("Back in Review."))
                    self._reopened(self._first_back)
        elif self._last is not None and event.review_id == self._last.id and event.undo_until_ms and event.outbox_id:
            left_ms = event.undo_until_ms - to_ms(self._context.clock())
            if left_ms > LATER_FROM_MS:
                self._offer_undo(self._later_words(event.undo_until_ms), SHOWN_LATER_MS)
            elif left_ms > 0:
                self._offer_undo(self._sent_words(self._last, event.status), left_ms)
        self._changed()

    def _sent_words(self, review: Review, status: str) -> Words:
        if status != ReviewStatus.APPROVED:
            return self.tr("Saving as a Gmail draft.") if status == ReviewStatus.SAVED_AS_DRAFT else self.tr("Done.")
        waiting = self._connections.waiting(review.proposal.account_id)
        if waiting:
            return self.tr("Approved. %1").replace("%1", waiting)
        if review.proposal.draft is None:
            return lambda left: self.tr("Approved. Adding the meeting in %n second(s).", "", max(left, 1))
        return lambda left: self.tr("Approved. Sending in %n second(s).", "", max(left, 1))

    def _later_words(self, at_ms: int) -> str:
        return self.tr("Approved. Sending at %1.").replace("%1", when_long(from_ms(at_ms)))

    def _offer_undo(self, words: Words, for_ms: int) -> None:
        self._context.notices.tell(words, self.tr("Undo"), self._way_back, max(for_ms, 1000))

    def _words(self, action: Action, review: Review, text: str) -> str:
        draft = review.proposal.draft
        if action in (Action.ACCEPT, Action.EDIT):
            if not waits(review):
                return self.tr("Approved. Doing it now.")
            return self.tr("Approved. Adding the meeting now.") if draft is None else self.tr("Approved. Sending now.")
        if action is Action.RESPOND:
            return self.tr("Working on it. The result will appear here.")
        if draft is None:
            return self.tr("Dismissed.")
        return self.tr("Rejected: %1").replace("%1", text) if text else self.tr("Rejected.")


def may_go_on(review: Review, draft: Draft | None) -> bool:
    """Whether the draft may become a letter. New mail may not: no answer would close its review, so it could be sent twice."""
    return bool(review.allowed) and draft is not None and not review.proposal.starts


def as_letter(proposal: Proposal, draft: Draft) -> Letter:
    slots = tuple(
        Style(span.start, span.start, StyleKind.SLOT, span.note) for span in draft.spans if span.kind is SpanKind.OPEN_SLOT
    )
    kind = LetterKind.REPLY_ALL if draft.cc else LetterKind.REPLY
    return Letter(
        LetterId(str(uuid4())),
        proposal.account_id,
        kind,
        to=draft.to,
        cc=draft.cc,
        bcc=draft.bcc,
        subject=draft.subject,
        body=draft.body,
        styles=slots,
        about=draft.reply_to or proposal.message_id,
    )
