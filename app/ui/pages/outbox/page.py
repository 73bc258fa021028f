"""The Outbox page: changes on their way to the server, with actions to cancel, send now, draft again or open the conversation."""

from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget

from app.domain.ids import OutboxId
from app.domain.mail.message import Message, SystemLabel
from app.domain.mail.outbox import UNDOABLE, OutboxItem, OutboxRow, OutboxState
from app.domain.protocol.changes import UndoChange
from app.domain.protocol.commands import CancelSend, DraftReply, SendNow
from app.domain.protocol.events import CommandFailed, ConnectionChanged, Event, OutboxChanged, ReviewDecided
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.i18n.formatting import when_long
from app.ui.lists.model import IdModel
from app.ui.lists.row_painter import RowPresentation
from app.ui.lists.view import RowList
from app.ui.pages.base import Page
from app.ui.pages.outbox.outbox_texts import (
    doubtful,
    explained,
    is_letter,
    item_look,
    kind_title,
    overtaken,
    send_words,
    state_chip,
    wrote_again,
)
from app.ui.services.notices import ErrorNotice
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.factory import action_button, button, chip, column, frame, label, put, row, say, set_title
from app.ui.widgets.labels import Title
from app.ui.widgets.notice_line import ConnectionStatus
from app.ui.widgets.split_view import ListAndDetail, Stack, listing

TICK_MS = 1000
AT_ONCE = 64
"""Rows read at once; the others are read when scrolled to."""
SENDABLE = frozenset({OutboxState.QUEUED, OutboxState.HELD})
"""Uncertain items are not offered: the sender first finds out whether they were sent."""


class OutboxPage(Page):
    """List of the newest outbox items (at most 500) and the details of one. With `changes` it is the log of label changes, which
    can be undone, instead of mail, meetings and answers.
    """

    def __init__(self, context: Context, changes: bool = False) -> None:
        super().__init__(
            context, "changes" if changes else "outbox", self.tr("Mailbox changes") if changes else self.tr("Outbox")
        )
        self._rows: dict[int, OutboxRow] = {}
        self._changes = changes
        words, other = (self.tr("Outbox"), "outbox") if changes else (self.tr("Mailbox changes"), "changes")
        self._switch: QPushButton = button(words, "link", partial(context.navigator.show_page, other))
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("Text of the message"))
        self._connections = ConnectionStatus(self)
        self.model: IdModel[OutboxRow] = IdModel(self._read, self._look, self)
        self.list = RowList(context.appearance, context.icons, self.title, self.model)
        self._keep_place(self.list)
        self.list.chosen.connect(lambda key: self._guard(partial(self._show, OutboxId(key))))
        self.list.clicked.connect(lambda _index: self._panes.show_detail())
        self.item: OutboxItem | None = None
        self._to = Title()
        self._subject = label("", wrap=True)
        self._state = chip()
        self.words = label("", wrap=True)
        self._facts = label("", Type.CAPTION, "soft", wrap=True)
        self._open = button(self.tr("Open the conversation"), "link", self._open_thread)
        self.state = EmptyState(context.icons)
        self._lists = Stack()
        self._lists.addWidget(self.list)
        self._lists.addWidget(self.state)
        detail = self._make_detail()
        made = listing(self.title, self._lists, [self._switch])
        self._panes: ListAndDetail = ListAndDetail(made, detail, context.state, "outbox")
        column(self).addWidget(self._panes)
        self._connect_actions()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._update_waiting)
        self._timer.start(TICK_MS)

    def refresh(self) -> None:
        ids = self.context.reader.outbox_ids(changes=self._changes)
        self._rows = dict(self.context.reader.outbox_of(ids[:AT_ONCE]))
        self.model.set_ids(array("q", ids))
        self._lists.setCurrentIndex(0 if ids else 1)
        self._panes.show_alone(not ids)
        if not ids:
            words = self.tr("What you approve passes through here on its way out.")
            if self._changes:
                words = self.tr("What you archive, label or move is listed here.")
            self.state.show_state("outbox", self.tr("Nothing is on its way"), words)
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

    def take_focus(self) -> None:
        self.list.setFocus()

    def go_back(self) -> bool:
        return self._panes.go_back(self.list)

    def _show(self, outbox_id: OutboxId) -> None:
        found = self._read((outbox_id,)).get(outbox_id)
        if found is None:
            return
        item = found.item
        self.item = item
        self._to.show_words(item.to or kind_title(item))
        set_title(self._subject, item.subject)
        say(self._state, *state_chip(item))
        newest = self._newest() if overtaken(item) else None
        seen = newest is None or newest.gmail_id == item.expected_tip
        self.words.setText(self._explained(item) if newest is None or seen else wrote_again(newest))
        facts = [kind_title(item), self.tr("approved %1").replace("%1", when_long(found.approved_at))]
        if item.attempts:
            facts.append(self.tr("%n attempt(s)", "", item.attempts))
        if self._changes and self.context.reader.change_key(item.id).startswith("rule:"):
            facts.append(self.tr("made by a rule"))
        self._facts.setText(" · ".join(facts))
        self._open.setVisible(bool(item.thread_id))
        text = self.context.reader.outbox_text(item.id)
        self.text.setVisible(bool(text))
        if text != self.text.toPlainText():
            self.text.setPlainText(text)
        self._set_actions(item)

    def _explained(self, item: OutboxItem) -> str:
        return explained(item, self.context.clock(), self._waiting_reason(item))

    def _waiting_reason(self, item: OutboxItem) -> str:
        """Why the item's server cannot be reached, empty if it can."""
        if is_letter(item):
            return self._connections.waiting(item.account_id)
        return self._connections.undone(item.account_id)

    def _look(self, row_: OutboxRow) -> RowPresentation:
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

    def _cancel_text(self, item: OutboxItem) -> str:
        if not is_letter(item):
            return self.tr("Cancelling…")
        if not item.review_id:
            return self.tr("Cancelling. The message goes back to Drafts.")
        return self.tr("Cancelling; the draft comes back to Review.")

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
            now = self.tr("On its way.") if is_letter(self.item) else self.tr("It is being done now.")
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
        card = frame("card")
        head = put(row(), (self._to, 1), self._state)
        names = ("outbox.send", "outbox.redraft", "outbox.cancel", "outbox.look", "outbox.undo")
        buttons = FlowRow([*(action_button(self.context.actions[name]) for name in names), self._open], Space.SMALL)
        put(column(card, Space.LARGE), head, self._subject, self.words, self._facts, Space.SMALL, buttons)
        put(column(detail, Space.LARGE, Space.SMALL), card, (self.text, 4), 1)
        return detail

    def _connect_actions(self) -> None:
        handlers: dict[str, Callable[[], object]] = {
            "outbox.cancel": self._cancel,
            "outbox.send": self._send,
            "outbox.redraft": self._redraft,
            "outbox.undo": self._undo_change,
            "outbox.look": lambda: self.context.navigator.show_page("sent"),
        }
        connect_actions(self, self.context, handlers)
