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
_LOOK_IN_SENT = frozenset({HoldReason.NOT_CONFIRMED, HoldReason.FROM_COPY})


def outbox_chip(item: OutboxItem) -> Chip:
    if item.state is OutboxState.SENT:
        done = {
            OutboxKind.SEND: QCoreApplication.translate("Outbox", "sent"),
            OutboxKind.GMAIL_DRAFT: QCoreApplication.translate("Outbox", "saved in Gmail"),
            OutboxKind.MODIFY: QCoreApplication.translate("Outbox", "done"),
            OutboxKind.CALENDAR: QCoreApplication.translate("Outbox", "in the calendar"),
            OutboxKind.CREATE_LABEL: QCoreApplication.translate("Outbox", "created"),
            OutboxKind.RSVP: QCoreApplication.translate("Outbox", "answered"),
        }
        return Chip(done[item.kind], "positive")
    return {
        OutboxState.QUEUED: Chip(QCoreApplication.translate("Outbox", "waiting"), "accent"),
        OutboxState.DRAFTING: Chip(QCoreApplication.translate("Outbox", "preparing"), "accent"),
        OutboxState.DRAFTED: Chip(QCoreApplication.translate("Outbox", "prepared"), "accent"),
        OutboxState.SENDING: Chip(QCoreApplication.translate("Outbox", "sending"), "accent"),
        OutboxState.UNCERTAIN: Chip(QCoreApplication.translate("Outbox", "not confirmed"), "danger"),
        OutboxState.HELD: Chip(QCoreApplication.translate("Outbox", "on hold"), "warning"),
        OutboxState.CANCELLED: Chip(QCoreApplication.translate("Outbox", "canceled")),
    }[item.state]


def kind_title(item: OutboxItem) -> str:
    titles = {
        OutboxKind.SEND: QCoreApplication.translate("Outbox", "Mail"),
        OutboxKind.GMAIL_DRAFT: QCoreApplication.translate("Outbox", "Gmail draft"),
        OutboxKind.MODIFY: QCoreApplication.translate("Outbox", "Label change"),
        OutboxKind.CALENDAR: QCoreApplication.translate("Outbox", "Meeting"),
        OutboxKind.CREATE_LABEL: QCoreApplication.translate("Outbox", "New label"),
        OutboxKind.RSVP: QCoreApplication.translate("Outbox", "Invitation"),
    }
    return titles[item.kind]


def explained(item: OutboxItem, now: datetime, waiting: str = "") -> str:
    """Explains what happens next with an item, or why it stopped.

    `waiting` says why its account's server cannot be reached: `ConnectionStatus.waiting` for mail, `ConnectionStatus.undone` for
    other changes.
    """
    if item.state is OutboxState.QUEUED:
        if item.not_before > now:
            return _not_due_text(item, now, waiting)
        soon = QCoreApplication.translate("Outbox", "Will send when back online.")
        done = QCoreApplication.translate("Outbox", "Will be done when back online.")
        return waiting or (soon if is_letter(item) else done)
    if item.state is OutboxState.UNCERTAIN and item.reason == HoldReason.FROM_COPY:
        return QCoreApplication.translate(
            "Outbox",
            "It comes from a copy of the mailbox file. Replyroom first checks what happened to it; it is not sent in "
            "the meantime.",
        )
    if item.state is OutboxState.UNCERTAIN and waiting:
        return QCoreApplication.translate(
            "Outbox",
            "The connection broke while sending. Gmail is checked as soon as the account is back; it isn't sent "
            "again in the meantime.",
        )
    sentences = _letter_sentences() if is_letter(item) else _other_sentences(item.kind)
    return sentences.get(item.state) or reason_words(item.reason, item.kind)


def is_letter(item: OutboxItem) -> bool:
    """Whether the item sends mail; other kinds only change data at Google."""
    return item.kind is OutboxKind.SEND


def _letter_sentences() -> dict[OutboxState, str]:
    return {
        OutboxState.DRAFTING: QCoreApplication.translate("Outbox", "Preparing to send. It can't be sent twice."),
        OutboxState.DRAFTED: QCoreApplication.translate("Outbox", "The draft is in Gmail and will be sent next."),
        OutboxState.SENDING: QCoreApplication.translate("Outbox", "Sending now."),
        OutboxState.UNCERTAIN: QCoreApplication.translate(
            "Outbox", "The connection broke while sending. Checking Gmail now; it isn't sent again in the meantime."
        ),
        OutboxState.SENT: QCoreApplication.translate("Outbox", "Sent."),
        OutboxState.CANCELLED: QCoreApplication.translate("Outbox", "Canceled. Nothing was sent."),
    }


def _other_sentences(kind: OutboxKind) -> dict[OutboxState, str]:
    """Sentences for label changes, drafts and meetings."""
    under_way = {
        OutboxKind.CALENDAR: QCoreApplication.translate("Outbox", "Adding it to your calendar now."),
        OutboxKind.GMAIL_DRAFT: QCoreApplication.translate("Outbox", "Saving to Gmail now."),
    }
    return {
        OutboxState.DRAFTING: under_way.get(kind) or QCoreApplication.translate("Outbox", "Doing it now."),
        OutboxState.UNCERTAIN: QCoreApplication.translate(
            "Outbox", "The connection broke. Replyroom checks what happened as soon as the server answers."
        ),
        OutboxState.SENT: QCoreApplication.translate("Outbox", "Done."),
        OutboxState.CANCELLED: QCoreApplication.translate("Outbox", "Canceled. Nothing was changed."),
    }


def _not_due_text(item: OutboxItem, now: datetime, waiting: str) -> str:
    """Explains a queued item that is not due yet. A time without a date means today. The last minute is counted down."""
    at = item.not_before
    left = ceil((at - now).total_seconds())
    if not waiting and left <= COUNTED_S:
        sending = QCoreApplication.translate("Outbox", "Sending in %1 s. You can cancel until then.")
        doing = QCoreApplication.translate("Outbox", "Will be done in %1 s. You can cancel until then.")
        return (sending if is_letter(item) else doing).replace("%1", number_words(left))
    today = at.astimezone().date() == now.astimezone().date()
    when = clock_words(at) if today else when_long(at)
    if waiting:
        words = QCoreApplication.translate("Outbox", "%1 Not before %2. You can still cancel it.")
        return words.replace("%1", waiting).replace("%2", when)
    if is_letter(item):
        at_time = QCoreApplication.translate("Outbox", "Will send at %1. You can cancel until then.")
        on_day = QCoreApplication.translate("Outbox", "Will send on %1. You can cancel until then.")
    else:
        at_time = QCoreApplication.translate("Outbox", "Will be done at %1. You can cancel until then.")
        on_day = QCoreApplication.translate("Outbox", "Will be done on %1. You can cancel until then.")
    return (at_time if today else on_day).replace("%1", when)


def send_words(item: OutboxItem | None, kept_back: bool) -> str:
    """Text of the button that sends an item now; `kept_back` if its server cannot be reached now."""
    mail = item is None or is_letter(item)
    if item is not None and item.state is OutboxState.HELD:
        anyway = QCoreApplication.translate("OutboxPage", "Send anyway"), QCoreApplication.translate("OutboxPage", "Do it anyway")
        return anyway[0 if mail else 1]
    if kept_back:
        if mail:
            return QCoreApplication.translate("OutboxPage", "Send as soon as possible")
        return QCoreApplication.translate("OutboxPage", "Do it as soon as possible")
    return QCoreApplication.translate("OutboxPage", "Send now") if mail else QCoreApplication.translate("OutboxPage", "Do it now")


def overtaken(item: OutboxItem) -> bool:
    """Whether the item is held because newer mail came into the conversation."""
    return item.state is OutboxState.HELD and item.reason == HoldReason.NEWER_MAIL


def doubtful(item: OutboxItem) -> bool:
    """Whether the mail may have been sent, so that the user should look in Sent."""
    if not is_letter(item):
        return False
    return item.state is OutboxState.UNCERTAIN or (item.state is OutboxState.HELD and item.reason in _LOOK_IN_SENT)


def wrote_again(newest: Message) -> str:
    """Says who sent newer mail after the approval, and when."""
    words = QCoreApplication.translate("Outbox", "%1 wrote again after you approved: %2. Check it, then send or cancel.")
    return words.replace("%1", newest.sender.name or newest.sender.email).replace("%2", when_long(newest.date))


def _other_reasons(kind: OutboxKind) -> dict[HoldReason, str]:
    """Hold reasons of items other than mail that need a text of their own."""
    meeting = QCoreApplication.translate(
        "Outbox", "The connection broke while adding it. Check your calendar before you do it again."
    )
    draft = QCoreApplication.translate("Outbox", "The connection broke while saving. Check Drafts before you save it again.")
    return {
        HoldReason.REJECTED_BY_SERVER: QCoreApplication.translate("Outbox", "The server rejected this. Nothing was changed."),
        HoldReason.PERMISSION_MISSING: QCoreApplication.translate(
            "Outbox", "Google does not allow this for your account. Sign in again and grant every permission."
        ),
        HoldReason.NOT_CONFIRMED: meeting if kind is OutboxKind.CALENDAR else draft,
        HoldReason.FROM_COPY: QCoreApplication.translate(
            "Outbox", "It comes from a copy of the mailbox file and may have been undone since. Do it or cancel it."
        ),
    }


def _mail_reasons() -> dict[HoldReason, str]:
    """Hold reasons with a text only for mail: from a copy of the mailbox file, late, sender address gone."""
    return {
        HoldReason.FROM_COPY: QCoreApplication.translate(
            "Outbox",
            "It comes from a copy of the mailbox file and wasn't found in Sent. It may have been undone since. Send "
            "it or cancel it.",
        ),
        HoldReason.LATE: QCoreApplication.translate(
            "Outbox", "The time you chose passed more than a day ago, and it couldn't be sent before. Send it now, or cancel it."
        ),
        HoldReason.SENDER_GONE: QCoreApplication.translate(
            "Outbox",
            "The From address is no longer yours in Gmail, so it would be sent from your main address. Send it "
            "anyway, or cancel it.",
        ),
    }


def reason_words(reason: str, kind: OutboxKind = OutboxKind.SEND) -> str:
    """Explains a hold reason; a general sentence for an unknown one."""
    words = {
        HoldReason.NEWER_MAIL: QCoreApplication.translate(
            "Outbox", "A newer email arrived in this conversation after you approved. Check it, then send or cancel."
        ),
        HoldReason.ANSWERED_ELSEWHERE: QCoreApplication.translate("Outbox", "You already replied from another app."),
        HoldReason.DRAFT_DELETED: QCoreApplication.translate("Outbox", "The draft was deleted in Gmail before it was sent."),
        HoldReason.DRAFT_EDITED: QCoreApplication.translate(
            "Outbox", "The draft was edited in Gmail and is no longer what you approved."
        ),
        HoldReason.REJECTED_BY_SERVER: QCoreApplication.translate(
            "Outbox", "The server rejected this email. Check the recipients."
        ),
        HoldReason.PERMISSION_MISSING: QCoreApplication.translate(
            "Outbox", "Google does not allow sending for this account. Sign in again and grant every permission."
        ),
        HoldReason.NOT_CONFIRMED: QCoreApplication.translate(
            "Outbox", "The connection broke while sending. Check Sent before you send it again."
        ),
        HoldReason.SLOT_TAKEN: QCoreApplication.translate(
            "Outbox",
            "Something else was added to your calendar at that time after you approved. Check it, then continue "
            "anyway or cancel.",
        ),
        HoldReason.SLOT_PAST: QCoreApplication.translate("Outbox", "The time of this meeting has passed."),
        HoldReason.NO_CALENDAR: QCoreApplication.translate(
            "Outbox", "This account's calendar is no longer connected. Connect it in Settings, then do it anyway."
        ),
        HoldReason.NO_EVENT: QCoreApplication.translate(
            "Outbox", "Your calendar no longer has this event with you as a guest. Cancel this, or answer by email."
        ),
        HoldReason.THREAD_GONE: QCoreApplication.translate("Outbox", "The conversation no longer exists on the server."),
    }
    words |= _mail_reasons() if kind is OutboxKind.SEND else _other_reasons(kind)
    known = words.get(HoldReason(reason)) if reason in set(HoldReason) else None
    return known or QCoreApplication.translate("Outbox", "On hold. It needs your decision.")


def mail_facts(mail: OutboxMail) -> str:
    """Recipients and files of a mail, one line each; To is left out where nobody else gets it."""
    lines = (
        (QCoreApplication.translate("Outbox", "To: %1"), mail.to if mail.cc or mail.bcc else ""),
        (QCoreApplication.translate("Outbox", "Cc: %1"), mail.cc),
        (QCoreApplication.translate("Outbox", "Bcc: %1"), mail.bcc),
        (QCoreApplication.translate("Outbox", "Files: %1"), ", ".join(mail.files)),
    )
    return "\n".join(words.replace("%1", value) for words, value in lines if value)


def item_look(row: OutboxRow, now: datetime, words: str) -> RowPresentation:
    """Returns the row of an item; `words` is the text from `explained`."""
    item = row.item
    subject = item.subject or (QCoreApplication.translate("Outbox", "(no subject)") if is_letter(item) else kind_title(item))
    state = outbox_chip(item)
    when = when_short(row.approved_at, now)
    who, icon = item.to or kind_title(item), "" if item.to else "label"
    return RowPresentation(who, subject, words, when, f"{who}, {subject}, {state.text}, {words}", chips=(state,), icon=icon)


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
        super().__init__(
            context, "changes" if changes else "outbox", self.tr("Mailbox changes") if changes else self.tr("Outbox")
        )
        self._changes = changes
        words, other = (self.tr("Outbox"), "outbox") if changes else (self.tr("Mailbox changes"), "changes")
        self._switch: QPushButton = button(words, "link", partial(context.navigator.show_page, other))
        self.text = named(QPlainTextEdit(), self.tr("Text of the message"))
        self.text.setReadOnly(True)
        self._connections = ConnectionStatus(self)
        self.item: OutboxItem | None = None
        self._editing: OutboxId | None = None
        """The item that was taken back to be edited."""
        self._to = Title()
        self._subject = label("", wrap=True)
        self.people = label("", tone="soft", wrap=True)
        self._state = chip()
        self.words = label("", wrap=True)
        self._facts = label("", Type.CAPTION, "soft", wrap=True)
        self.to_thread = button(self.tr("Open the conversation"), "link", self._open_thread)
        self._lists = Stack(self.list, self.state)
        listed = listing(self.title, self._lists, [self._switch])
        column(self).addWidget(self._split(listed, self._make_detail(), "outbox"))
        self._connect_actions()
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
        self._to.show_words(item.to or kind_title(item))
        set_title(self._subject, item.subject or (self.tr("(no subject)") if is_letter(item) else ""))
        say_or_hide(self.people, mail_facts(mail))
        say(self._state, *outbox_chip(item))
        newest = self._newest() if overtaken(item) else None
        seen = newest is None or newest.gmail_id == item.expected_tip
        self.words.setText(self._explained(item) if newest is None or seen else wrote_again(newest))
        own = is_letter(item) and not item.review_id
        written = self.tr("written by you, %1") if own else self.tr("approved %1")
        facts = [kind_title(item), written.replace("%1", when_long(found.approved_at))]
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
            self._open_cancelled(item)

    def _explained(self, item: OutboxItem) -> str:
        return explained(item, self.context.clock(), self._waiting_reason(item))

    def _waiting_reason(self, item: OutboxItem) -> str:
        """Why the item's server cannot be reached, empty if it can."""
        if is_letter(item):
            return self._connections.waiting(item.account_id)
        return self._connections.undone(item.account_id)

    def _row(self, row_: OutboxRow) -> RowPresentation:
        return item_look(row_, self.context.clock(), self._explained(row_.item))

    def _set_actions(self, item: OutboxItem | None) -> None:
        """Updates the actions. "Send now" is disabled for a due item whose server cannot be reached."""
        waiting = self._waiting_reason(item) if item is not None else ""
        queued = item is not None and item.state is OutboxState.QUEUED
        stuck = item is not None and queued and bool(waiting) and item.not_before <= self.context.clock()
        cancel, send = self.context.actions["outbox.cancel"], self.context.actions["outbox.send"]
        possible = {
            "outbox.cancel": item is not None and item.state in UNDOABLE,
            "outbox.send": item is not None and item.state in SENDABLE,
            "outbox.edit": item is not None and is_letter(item) and item.state in UNDOABLE,
            "outbox.redraft": item is not None and overtaken(item) and bool(item.review_id),
            "outbox.look": item is not None and doubtful(item),
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
        if self.item is not None:
            self.context.link.send(CancelSend(self.item.id))
            self.context.notices.tell(self._cancel_text(self.item))

    def _edit(self) -> None:
        """Takes the message back and opens it, once the engine says that it won't be sent."""
        if self.item is not None:
            self._editing = self.item.id
            self._cancel()

    def _open_cancelled(self, item: OutboxItem) -> None:
        """Opens what was taken back; the editor takes up a letter of this session by itself."""
        self._editing = None
        if item.review_id:
            self.context.navigator.show_review(item.review_id)
        elif self.isVisible():
            self.context.navigator.show_page("drafts")

    def _cancel_text(self, item: OutboxItem) -> str:
        if not is_letter(item):
            return self.tr("Canceling…")
        if not item.review_id:
            return self.tr("Canceling. The message goes back to Drafts.")
        return self.tr("Canceling. The draft goes back to Review.")

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

    def _make_detail(self) -> QWidget:
        detail = QWidget()
        card = RoleFrame("card")
        head = put(row(), (self._to, 1), self._state)
        names = ("outbox.send", "outbox.edit", "outbox.redraft", "outbox.cancel", "outbox.look", "outbox.undo")
        buttons = FlowRow([*(action_button(self.context.actions[name]) for name in names), self.to_thread], Space.SMALL)
        put(column(card, Space.LARGE), head, self._subject, self.people, self.words, self._facts, Space.SMALL, buttons)
        put(column(detail, Space.LARGE, Space.SMALL), card, (self.text, 1), 0)
        return detail

    def _connect_actions(self) -> None:
        handlers: dict[str, Callable[[], object]] = {
            "outbox.cancel": self._cancel,
            "outbox.send": self._send,
            "outbox.edit": self._edit,
            "outbox.redraft": self._redraft,
            "outbox.undo": self._undo_change,
            "outbox.look": lambda: self.context.navigator.show_page("sent"),
        }
        connect_actions(self, self.context, handlers)


class ChangesPage(OutboxPage):
    def __init__(self, context: Context) -> None:
        super().__init__(context, changes=True)
