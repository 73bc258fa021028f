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
from app.domain.ids import AccountId, LetterId, ReviewId
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
        self._ways_back: dict[ReviewId, Callable[[], object]] = {}
        """One step for each decision, so that a notice told again is the same step."""
        self._last = ReviewId(0)
        self._connections = ConnectionStatus(self)
        self._accounts: dict[ReviewId, AccountId] = {}
        self._meetings: set[ReviewId] = set()
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
        self._last = review.id
        self._ways_back[review.id] = partial(self._undo, (review.id,))
        self._accounts[review.id] = review.proposal.account_id
        if review.proposal.draft is None:
            self._meetings.add(review.id)
        delay_s = self._context.settings().sending.undo_s
        sends = action in (Action.ACCEPT, Action.EDIT) and waits(review)
        if send_at_ms:
            self._offer_undo(review.id, self._later_words(send_at_ms), SHOWN_LATER_MS)
        elif sends and delay_s:
            self._offer_undo(review.id, self._sent_words(review.id, ReviewStatus.APPROVED), delay_s * 1000)
        elif action is Action.SAVE_DRAFT:
            words = self._sent_words(review.id, ReviewStatus.SAVED_AS_DRAFT)
            self._offer_undo(review.id, words, max(delay_s * 1000, LEAST_SHOWN_MS))
        else:
            self._offer_undo(review.id, self._words(action, review, decision.text), LEAST_SHOWN_MS)
        self._changed()

    def _undo(self, ids: tuple[ReviewId, ...]) -> None:
        """Undoes decisions made together. The engine rejects it for items already sent."""
        for review_id in ids:
            self._ways_back.pop(review_id, None)
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
        self._last = ids[0]
        self._ways_back[ids[0]] = partial(self._undo, ids)
        self._offer_undo(ids[0], self.tr("%n item(s) dismissed.", "", len(ids)), LEAST_SHOWN_MS)
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
        elif self._may_retell(event.review_id) and event.undo_until_ms and event.outbox_id:
            left_ms = event.undo_until_ms - to_ms(self._context.clock())
            if left_ms > LATER_FROM_MS:
                self._offer_undo(event.review_id, self._later_words(event.undo_until_ms), SHOWN_LATER_MS)
            elif left_ms > 0:
                self._offer_undo(event.review_id, self._sent_words(event.review_id, event.status), left_ms)
        self._changed()

    def _sent_words(self, review_id: ReviewId, status: str) -> Words:
        waiting = self._connections.waiting(self._accounts[review_id]) if review_id in self._accounts else ""
        if status == ReviewStatus.APPROVED and waiting:
            return self.tr("Approved. %1").replace("%1", waiting)
        if status == ReviewStatus.APPROVED:
            if review_id in self._meetings:
                return lambda left: self.tr("Approved. Adding the meeting in %n second(s).", "", max(left, 1))
            return lambda left: self.tr("Approved. Sending in %n second(s).", "", max(left, 1))
        if status == ReviewStatus.SAVED_AS_DRAFT:
            return self.tr("Saving as a Gmail draft.")
        return self.tr("Done.")

    def _later_words(self, at_ms: int) -> str:
        return self.tr("Approved. Sending at %1.").replace("%1", when_long(from_ms(at_ms)))

    def _may_retell(self, review_id: ReviewId) -> bool:
        """Whether the notice of this decision may be shown again: it is the last one and not undone."""
        return review_id == self._last and review_id in self._ways_back

    def _offer_undo(self, review_id: ReviewId, words: Words, for_ms: int) -> None:
        self._context.notices.tell(words, self.tr("Undo"), self._ways_back[review_id], max(for_ms, 1000))

    def _words(self, action: Action, review: Review, text: str) -> str:
        if action in (Action.ACCEPT, Action.EDIT):
            if waits(review) and review.id in self._meetings:
                return self.tr("Approved. Adding the meeting now.")
            return self.tr("Approved. Sending now.") if waits(review) else self.tr("Approved. Doing it now.")
        if action is Action.RESPOND:
            return self.tr("Working on it. The result will appear here.")
        if review.proposal.draft is not None and text:
            return self.tr("Rejected: %1").replace("%1", text)
        return self.tr("Rejected.") if review.proposal.draft is not None else self.tr("Dismissed.")


def go_on_by_hand(context: Context, review: Review | None, draft: Draft | None) -> None:
    if review is not None and draft is not None and may_go_on(review, draft):
        context.navigator.show_letter(as_letter(review.proposal, draft))


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
