"""The Outbox page: changes on their way to the server, with actions to cancel, send now, draft again or open the conversation.

The texts of kinds, states and hold reasons come first, then the page.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from math import ceil

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget

from app.domain.ids import OutboxId
from app.domain.mail.message import Message, SystemLabel
from app.domain.mail.outbox import UNDOABLE, HoldReason, OutboxItem, OutboxKind, OutboxMail, OutboxRow, OutboxState
from app.domain.protocol.changes import UndoChange
from app.domain.protocol.commands import CancelSend, DraftReply, SendNow
from app.domain.protocol.events import CommandFailed, ConnectionChanged, OutboxChanged, ReviewDecided
from app.domain.wire import Event
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.i18n.formatting import clock_words, number_words, when_long, when_short
from app.ui.i18n.translation import QT_TRANSLATE_NOOP
from app.ui.lists.row_painter import Chip, RowPresentation
from app.ui.pages.base import RowsPage
from app.ui.services.notices import ErrorNotice
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import (
    RoleFrame,
    action_button,
    button,
    chip,
    column,
    label,
    named,
    put,
    row,
    say,
    say_or_hide,
    set_title,
)
from app.ui.widgets.labels import Title
from app.ui.widgets.notice_line import ConnectionStatus
from app.ui.widgets.split_view import Stack, listing

COUNTED_S = 60

KINDS = {
    OutboxKind.SEND: QT_TRANSLATE_NOOP("Outbox", "Mail"),
    OutboxKind.GMAIL_DRAFT: QT_TRANSLATE_NOOP("Outbox", "Gmail draft"),
    OutboxKind.MODIFY: QT_TRANSLATE_NOOP("Outbox", "Label change"),
    OutboxKind.CALENDAR: QT_TRANSLATE_NOOP("Outbox", "Meeting"),
    OutboxKind.CREATE_LABEL: QT_TRANSLATE_NOOP("Outbox", "New label"),
    OutboxKind.RSVP: QT_TRANSLATE_NOOP("Outbox", "Invitation"),
}
SENT = {
    OutboxKind.SEND: QT_TRANSLATE_NOOP("Outbox", "sent"),
    OutboxKind.GMAIL_DRAFT: QT_TRANSLATE_NOOP("Outbox", "saved in Gmail"),
    OutboxKind.MODIFY: QT_TRANSLATE_NOOP("Outbox", "done"),
    OutboxKind.CALENDAR: QT_TRANSLATE_NOOP("Outbox", "in the calendar"),
    OutboxKind.CREATE_LABEL: QT_TRANSLATE_NOOP("Outbox", "created"),
    OutboxKind.RSVP: QT_TRANSLATE_NOOP("Outbox", "answered"),
}
CHIPS = {
    OutboxState.QUEUED: (QT_TRANSLATE_NOOP("Outbox", "waiting"), "accent"),
    OutboxState.DRAFTING: (QT_TRANSLATE_NOOP("Outbox", "preparing"), "accent"),
    OutboxState.DRAFTED: (QT_TRANSLATE_NOOP("Outbox", "prepared"), "accent"),
    OutboxState.SENDING: (QT_TRANSLATE_NOOP("Outbox", "sending"), "accent"),
    OutboxState.UNCERTAIN: (QT_TRANSLATE_NOOP("Outbox", "not confirmed"), "danger"),
    OutboxState.HELD: (QT_TRANSLATE_NOOP("Outbox", "on hold"), "warning"),
    OutboxState.CANCELLED: (QT_TRANSLATE_NOOP("Outbox", "canceled"), ""),
}
"""Text and tone."""
DUE = (
    QT_TRANSLATE_NOOP("Outbox", "Sending in %1 s. You can cancel until then."),
    QT_TRANSLATE_NOOP("Outbox", "Will send at %1. You can cancel until then."),
    QT_TRANSLATE_NOOP("Outbox", "Will send on %1. You can cancel until then."),
    QT_TRANSLATE_NOOP("Outbox", "Will send when back online."),
)
"""Mail that waits: for its last minute, for a time of today or of another day, and for the connection."""
OTHER_DUE = (
    QT_TRANSLATE_NOOP("Outbox", "Will be done in %1 s. You can cancel until then."),
    QT_TRANSLATE_NOOP("Outbox", "Will be done at %1. You can cancel until then."),
    QT_TRANSLATE_NOOP("Outbox", "Will be done on %1. You can cancel until then."),
    QT_TRANSLATE_NOOP("Outbox", "Will be done when back online."),
)
STATES = {
    OutboxState.DRAFTING: QT_TRANSLATE_NOOP("Outbox", "Preparing to send. It can't be sent twice."),
    OutboxState.DRAFTED: QT_TRANSLATE_NOOP("Outbox", "The draft is in Gmail and will be sent next."),
    OutboxState.SENDING: QT_TRANSLATE_NOOP("Outbox", "Sending now."),
    OutboxState.UNCERTAIN: QT_TRANSLATE_NOOP(
        "Outbox", "The connection broke while sending. Checking Gmail now; it isn't sent again in the meantime."
    ),
    OutboxState.SENT: QT_TRANSLATE_NOOP("Outbox", "Sent."),
    OutboxState.CANCELLED: QT_TRANSLATE_NOOP("Outbox", "Canceled. Nothing was sent."),
}
"""What happens with mail in a state."""
OTHER_STATES = {
    OutboxState.DRAFTING: QT_TRANSLATE_NOOP("Outbox", "Doing it now."),
    OutboxState.UNCERTAIN: QT_TRANSLATE_NOOP(
        "Outbox", "The connection broke. Replyroom checks what happened as soon as the server answers."
    ),
    OutboxState.SENT: QT_TRANSLATE_NOOP("Outbox", "Done."),
    OutboxState.CANCELLED: QT_TRANSLATE_NOOP("Outbox", "Canceled. Nothing was changed."),
}
UNDER_WAY = {
    OutboxKind.CALENDAR: QT_TRANSLATE_NOOP("Outbox", "Adding it to your calendar now."),
    OutboxKind.GMAIL_DRAFT: QT_TRANSLATE_NOOP("Outbox", "Saving to Gmail now."),
}
FROM_COPY = QT_TRANSLATE_NOOP(
    "Outbox",
    "It comes from a copy of the mailbox file. Replyroom first checks what happened to it; it is not sent in the meantime.",
)
UNCERTAIN_OFFLINE = QT_TRANSLATE_NOOP(
    "Outbox",
    "The connection broke while sending. Gmail is checked as soon as the account is back; it isn't sent again in the meantime.",
)
REASONS = {
    HoldReason.NEWER_MAIL: QT_TRANSLATE_NOOP(
        "Outbox", "A newer email arrived in this conversation after you approved. Check it, then send or cancel."
    ),
    HoldReason.ANSWERED_ELSEWHERE: QT_TRANSLATE_NOOP("Outbox", "You already replied from another app."),
    HoldReason.DRAFT_DELETED: QT_TRANSLATE_NOOP("Outbox", "The draft was deleted in Gmail before it was sent."),
    HoldReason.DRAFT_EDITED: QT_TRANSLATE_NOOP("Outbox", "The draft was edited in Gmail and is no longer what you approved."),
    HoldReason.REJECTED_BY_SERVER: QT_TRANSLATE_NOOP("Outbox", "The server rejected this email. Check the recipients."),
    HoldReason.PERMISSION_MISSING: QT_TRANSLATE_NOOP(
        "Outbox", "Google does not allow sending for this account. Sign in again and grant every permission."
    ),
    HoldReason.NOT_CONFIRMED: QT_TRANSLATE_NOOP(
        "Outbox", "The connection broke while sending. Check Sent before you send it again."
    ),
    HoldReason.SLOT_TAKEN: QT_TRANSLATE_NOOP(
        "Outbox",
        "Something else was added to your calendar at that time after you approved. Check it, then continue anyway or cancel.",
    ),
    HoldReason.SLOT_PAST: QT_TRANSLATE_NOOP("Outbox", "The time of this meeting has passed."),
    HoldReason.NO_CALENDAR: QT_TRANSLATE_NOOP(
        "Outbox", "This account's calendar is no longer connected. Connect it in Settings, then do it anyway."
    ),
    HoldReason.NO_EVENT: QT_TRANSLATE_NOOP(
        "Outbox", "Your calendar no longer has this event with you as a guest. Cancel this, or answer by email."
    ),
    HoldReason.THREAD_GONE: QT_TRANSLATE_NOOP("Outbox", "The conversation no longer exists on the server."),
    HoldReason.FROM_COPY: QT_TRANSLATE_NOOP(
        "Outbox",
        "It comes from a copy of the mailbox file and wasn't found in Sent. It may have been undone since. Send it or cancel it.",
    ),
    HoldReason.LATE: QT_TRANSLATE_NOOP(
        "Outbox", "The time you chose passed more than a day ago, and it couldn't be sent before. Send it now, or cancel it."
    ),
    HoldReason.SENDER_GONE: QT_TRANSLATE_NOOP(
        "Outbox",
        "The From address is no longer yours in Gmail, so it would be sent from your main address. Send it anyway, or cancel it.",
    ),
}
OTHER_REASONS = {
    HoldReason.REJECTED_BY_SERVER: QT_TRANSLATE_NOOP("Outbox", "The server rejected this. Nothing was changed."),
    HoldReason.PERMISSION_MISSING: QT_TRANSLATE_NOOP(
        "Outbox", "Google does not allow this for your account. Sign in again and grant every permission."
    ),
    HoldReason.NOT_CONFIRMED: QT_TRANSLATE_NOOP(
        "Outbox", "The connection broke while saving. Check Drafts before you save it again."
    ),
    HoldReason.FROM_COPY: QT_TRANSLATE_NOOP(
        "Outbox", "It comes from a copy of the mailbox file and may have been undone since. Do it or cancel it."
    ),
}
"""Hold reasons in the words for what is not mail."""
MEETING_NOT_CONFIRMED = QT_TRANSLATE_NOOP(
    "Outbox", "The connection broke while adding it. Check your calendar before you do it again."
)
translated = partial(QCoreApplication.translate, "Outbox")


def outbox_chip(item: OutboxItem) -> Chip:
    words, tone = (SENT[item.kind], "positive") if item.state is OutboxState.SENT else CHIPS[item.state]
    return Chip(translated(words), tone)


def is_letter(item: OutboxItem) -> bool:
    """Whether the item sends mail; other kinds only change data at Google."""
    return item.kind is OutboxKind.SEND


def explained(item: OutboxItem, now: datetime, waiting: str = "") -> str:
    """Explains what happens next with an item, or why it stopped.

    `waiting` says why its account's server cannot be reached: `ConnectionStatus.waiting` for mail, `ConnectionStatus.undone` for
    other changes.
    """
    if item.state is OutboxState.QUEUED:
        return _queued_text(item, now, waiting)
    if item.state is OutboxState.UNCERTAIN and item.reason == HoldReason.FROM_COPY:
        return translated(FROM_COPY)
    if item.state is OutboxState.UNCERTAIN and waiting:
        return translated(UNCERTAIN_OFFLINE)
    words = (STATES if is_letter(item) else OTHER_STATES).get(item.state, "")
    if item.state is OutboxState.DRAFTING:
        words = UNDER_WAY.get(item.kind, words)
    return translated(words) if words else reason_words(item.reason, item.kind)


def _queued_text(item: OutboxItem, now: datetime, waiting: str) -> str:
    """A time without a date means today. The last minute is counted down."""
    soon, at_time, on_day, online = DUE if is_letter(item) else OTHER_DUE
    at = item.not_before
    left = ceil((at - now).total_seconds())
    if at <= now:
        return waiting or translated(online)
    if not waiting and left <= COUNTED_S:
        return translated(soon).replace("%1", number_words(left))
    today = at.astimezone().date() == now.astimezone().date()
    when = clock_words(at) if today else when_long(at)
    if waiting:
        words = QCoreApplication.translate("Outbox", "%1 Not before %2. You can still cancel it.")
        return words.replace("%1", waiting).replace("%2", when)
    return translated(at_time if today else on_day).replace("%1", when)


def send_words(item: OutboxItem | None, kept_back: bool) -> str:
    """Text of the button that sends an item now; `kept_back` if its server cannot be reached now."""
    mail = QT_TRANSLATE_NOOP("OutboxPage", "Send now")
    other = QT_TRANSLATE_NOOP("OutboxPage", "Do it now")
    if item is not None and item.state is OutboxState.HELD:
        mail, other = QT_TRANSLATE_NOOP("OutboxPage", "Send anyway"), QT_TRANSLATE_NOOP("OutboxPage", "Do it anyway")
    elif kept_back:
        mail = QT_TRANSLATE_NOOP("OutboxPage", "Send as soon as possible")
        other = QT_TRANSLATE_NOOP("OutboxPage", "Do it as soon as possible")
    return QCoreApplication.translate("OutboxPage", mail if item is None or is_letter(item) else other)


def overtaken(item: OutboxItem) -> bool:
    """Whether the item is held because newer mail came into the conversation."""
    return item.state is OutboxState.HELD and item.reason == HoldReason.NEWER_MAIL


def reason_words(reason: str, kind: OutboxKind = OutboxKind.SEND) -> str:
    """Explains a hold reason; a general sentence for an unknown one."""
    known = HoldReason(reason) if reason in set(HoldReason) else None
    if known is None:
        return QCoreApplication.translate("Outbox", "On hold. It needs your decision.")
    if kind is OutboxKind.CALENDAR and known is HoldReason.NOT_CONFIRMED:
        return translated(MEETING_NOT_CONFIRMED)
    return translated((REASONS if kind is OutboxKind.SEND else REASONS | OTHER_REASONS)[known])


def mail_facts(mail: OutboxMail) -> str:
    """Recipients and files of a mail, one line each; To is left out where nobody else gets it."""
    lines = (
        (QT_TRANSLATE_NOOP("Outbox", "To: %1"), mail.to if mail.cc or mail.bcc else ""),
        (QT_TRANSLATE_NOOP("Outbox", "Cc: %1"), mail.cc),
        (QT_TRANSLATE_NOOP("Outbox", "Bcc: %1"), mail.bcc),
        (QT_TRANSLATE_NOOP("Outbox", "Files: %1"), ", ".join(mail.files)),
    )
    return "\n".join(translated(words).replace("%1", value) for words, value in lines if value)


TICK_MS = 1000
AT_ONCE = 64
"""Rows read at once; the others are read when scrolled to."""
SENDABLE = frozenset({OutboxState.QUEUED, OutboxState.HELD})
"""Uncertain items are not offered: the sender first finds out whether they were sent."""


class OutboxPage(RowsPage[OutboxRow]):
    """List of the newest outbox items (at most 500) and the details of one. With `changes` it is the log of label changes, which
    can be undone, instead of mail, meetings and answers.
    """

    def __init__(self, context: Context, changes: bool = False) -> None:
        title, other = (
            (self.tr("Mailbox changes"), self.tr("Outbox")) if changes else (self.tr("Outbox"), self.tr("Mailbox changes"))
        )
        super().__init__(context, "changes" if changes else "outbox", title)
        self._changes = changes
        self._connections = ConnectionStatus(self)
        self.item: OutboxItem | None = None
        self._editing: OutboxId | None = None
        """The item that was taken back to be edited."""
        self._to, self._state = Title(), chip()
        self._subject = label("", wrap=True)
        self.people = label("", tone="soft", wrap=True)
        self.words = label("", wrap=True)
        self._facts = label("", Type.CAPTION, "soft", wrap=True)
        self.text = named(QPlainTextEdit(), self.tr("Text of the message"))
        self.text.setReadOnly(True)
        self.to_thread = button(self.tr("Open the conversation"), "link", self._open_thread)
        acts: dict[str, Callable[[], object]] = {
            "outbox.send": self._send,
            "outbox.edit": self._edit,
            "outbox.redraft": self._redraft,
            "outbox.cancel": self._cancel,
            "outbox.look": partial(context.navigator.show_page, "sent"),
            "outbox.undo": self._undo_change,
        }
        connect_actions(self, context, acts)
        buttons = FlowRow([*(action_button(context.actions[name]) for name in acts), self.to_thread], Space.SMALL)
        card, detail, head = RoleFrame("card"), QWidget(), put(row(), (self._to, 1), self._state)
        put(column(card, Space.LARGE), head, self._subject, self.people, self.words, self._facts, Space.SMALL, buttons)
        put(column(detail, Space.LARGE, Space.SMALL), card, (self.text, 1), 0)
        switch: QPushButton = button(other, "link", partial(context.navigator.show_page, "outbox" if changes else "changes"))
        self._lists = Stack(self.list, self.state)
        column(self).addWidget(self._split(listing(title, self._lists, [switch]), detail, "outbox"))
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._update_waiting)
        self._timer.start(TICK_MS)

    def refresh(self) -> None:
        ids = self.context.reader.outbox_ids(changes=self._changes)
        self._rows = dict(self.context.reader.outbox_of(ids[:AT_ONCE]))
        self.model.set_ids(array("q", ids))
        self._lists.setCurrentIndex(0 if ids else 1)
        self.panes.show_alone(not ids)
        if not ids:
            words = self.tr("Outgoing email appears here.")
            if self._changes:
                words = self.tr("What you archive, label or move is listed here.")
            self.state.show_state("outbox", self.tr("Nothing to send"), words)
            self._set_actions(None)
            return
        wanted = self.item.id if self.item is not None and self.item.id in ids else ids[0]
        self.list.select_row(self.model.row_of(wanted), quiet=True)
        self._show(wanted)

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, OutboxChanged | ReviewDecided | CommandFailed | ConnectionChanged)

    def hear(self, event: Event) -> None:
        """Also follows the connection state of the accounts, even while hidden."""
        if isinstance(event, ConnectionChanged):
            self._connections.hear(event)
            self.model.reread(self._rows)
        super().hear(event)

    def _choose(self, key: int) -> None:
        self._guard(partial(self._show, OutboxId(key)))

    def _show(self, outbox_id: OutboxId) -> None:
        found = self._read((outbox_id,)).get(outbox_id)
        if found is None:
            return
        item = found.item
        self.item = item
        mail = self.context.reader.outbox_mail(item.id)
        self._to.show_words(item.to or translated(KINDS[item.kind]))
        set_title(self._subject, item.subject or (self.tr("(no subject)") if is_letter(item) else ""))
        say_or_hide(self.people, mail_facts(mail))
        say(self._state, *outbox_chip(item))
        newest = self._newest() if overtaken(item) else None
        words = self._explained(item)
        if newest is not None and newest.gmail_id != item.expected_tip:
            words = translated(
                QT_TRANSLATE_NOOP("Outbox", "%1 wrote again after you approved: %2. Check it, then send or cancel.")
            )
            words = words.replace("%1", newest.sender.name or newest.sender.email).replace("%2", when_long(newest.date))
        self.words.setText(words)
        own = is_letter(item) and not item.review_id
        written = self.tr("written by you, %1") if own else self.tr("approved %1")
        facts = [translated(KINDS[item.kind]), written.replace("%1", when_long(found.approved_at))]
        if item.attempts:
            facts.append(self.tr("%n attempt(s)", "", item.attempts))
        if self._changes and self.context.reader.change_key(item.id).startswith("rule:"):
            facts.append(self.tr("made by a rule"))
        self._facts.setText(" · ".join(facts))
        self.to_thread.setVisible(bool(item.thread_id))
        self.text.setVisible(bool(mail.text))
        if mail.text != self.text.toPlainText():
            self.text.setPlainText(mail.text)
        self._set_actions(item)
        if self._editing == item.id and item.state is OutboxState.CANCELLED:
            self._editing = None
            if item.review_id:
                self.context.navigator.show_review(item.review_id)
            elif self.isVisible():  # the editor takes up a letter of this session by itself
                self.context.navigator.show_page("drafts")

    def _explained(self, item: OutboxItem) -> str:
        return explained(item, self.context.clock(), self._waiting_reason(item))

    def _waiting_reason(self, item: OutboxItem) -> str:
        """Why the item's server cannot be reached, empty if it can."""
        if is_letter(item):
            return self._connections.waiting(item.account_id)
        return self._connections.undone(item.account_id)

    def _row(self, row_: OutboxRow) -> RowPresentation:
        item, state, words = row_.item, outbox_chip(row_.item), self._explained(row_.item)
        kind = translated(KINDS[item.kind])
        subject = item.subject or (translated(QT_TRANSLATE_NOOP("Outbox", "(no subject)")) if is_letter(item) else kind)
        who, when = item.to or kind, when_short(row_.approved_at, self.context.clock())
        spoken = f"{who}, {subject}, {state.text}, {words}"
        return RowPresentation(who, subject, words, when, spoken, chips=(state,), icon="" if item.to else "label")

    def _set_actions(self, item: OutboxItem | None) -> None:
        """Updates the actions. "Send now" is disabled for a due item whose server cannot be reached."""
        waiting = self._waiting_reason(item) if item is not None else ""
        queued = item is not None and item.state is OutboxState.QUEUED
        stuck = item is not None and queued and bool(waiting) and item.not_before <= self.context.clock()
        cancel, send = self.context.actions["outbox.cancel"], self.context.actions["outbox.send"]
        doubts = (HoldReason.NOT_CONFIRMED, HoldReason.FROM_COPY)  # the mail may have been sent: the user should look in Sent
        held = item is not None and item.state is OutboxState.HELD and item.reason in doubts
        doubtful = item is not None and is_letter(item) and (held or item.state is OutboxState.UNCERTAIN)
        possible = {
            "outbox.cancel": item is not None and item.state in UNDOABLE,
            "outbox.send": item is not None and item.state in SENDABLE,
            "outbox.edit": item is not None and is_letter(item) and item.state in UNDOABLE,
            "outbox.redraft": item is not None and overtaken(item) and bool(item.review_id),
            "outbox.look": doubtful,
            "outbox.undo": self._changes and item is not None and bool(self.context.reader.change_key(item.id)),
        }
        for name, on in possible.items():
            self.context.actions[name].setVisible(on)
            self.context.actions[name].setEnabled(on and not (name == "outbox.send" and stuck))
        mail = item is None or is_letter(item)
        cancel.setText(self.tr("Cancel sending") if mail else self.tr("Cancel it"))
        send.setText(send_words(item, bool(waiting) and not stuck))
        send.setStatusTip(waiting if stuck else "")

    def _update_waiting(self) -> None:
        """Updates the queued items every second: their times pass while the page is open."""
        waiting = [key for key, found in self._rows.items() if found.item.state is OutboxState.QUEUED]
        if waiting and self.isVisible():
            self.model.reread(waiting)
            if self.item is not None and self.item.id in waiting:
                self.words.setText(self._explained(self.item))
                self._set_actions(self.item)

    def _cancel(self) -> None:
        if self.item is None:
            return
        words = self.tr("Canceling. The draft goes back to Review.")
        if not is_letter(self.item):
            words = self.tr("Canceling…")
        elif not self.item.review_id:
            words = self.tr("Canceling. The message goes back to Drafts.")
        self.context.link.send(CancelSend(self.item.id))
        self.context.notices.tell(words)

    def _edit(self) -> None:
        """Takes the message back and opens it, once the engine says that it won't be sent."""
        if self.item is not None:
            self._editing = self.item.id
            self._cancel()

    def _undo_change(self) -> None:
        """Undoes the whole change that the row belongs to, also one that a rule made."""
        key = self.context.reader.change_key(self.item.id) if self.item is not None else ""
        if key:
            self.context.link.send(UndoChange(key))
            self.context.notices.tell(self.tr("Undone."))

    def _redraft(self) -> None:
        """Cancels the item and drafts a reply to the newest mail."""
        newest = self._newest()
        if self.item is not None and newest is not None:
            self.context.link.send(CancelSend(self.item.id))
            self.context.link.send(DraftReply(newest.id))
            words = self.tr("Redrafting with the latest messages. It will appear in Review.")
            show = partial(self.context.navigator.show_page, "review")
            self.context.notices.tell(words, self.tr("Open Review"), show, leads=True)

    def _newest(self) -> Message | None:
        """Returns the newest message of the conversation that is not the owner's."""
        if self.item is None or not self.item.thread_id:
            return None
        left_out, reader = {SystemLabel.SENT, SystemLabel.DRAFT}, self.context.reader
        newest_first = (reader.message(message.id) for message in reversed(reader.thread_lines(self.item.thread_id)))
        return next((message for message in newest_first if message is not None and not left_out & set(message.labels)), None)

    def _send(self) -> None:
        if self.item is not None:
            self.context.link.send(SendNow(self.item.id))
            now = self.tr("On its way.") if is_letter(self.item) else self.tr("Doing it now.")
            self.context.notices.tell(self._waiting_reason(self.item) or now)

    def _open_thread(self) -> None:
        if self.item is None:
            return
        with ErrorNotice(self.context.notices):
            lines = self.context.reader.thread_lines(self.item.thread_id)
            if lines:
                self.context.navigator.show_message(lines[-1].id)

    def _read(self, ids: Sequence[int]) -> Mapping[int, OutboxRow]:
        missing = [key for key in ids if key not in self._rows]
        if missing:
            self._rows.update(self.context.reader.outbox_of(missing))
        return {key: self._rows[key] for key in ids if key in self._rows}


class ChangesPage(OutboxPage):
    def __init__(self, context: Context) -> None:
        super().__init__(context, changes=True)
