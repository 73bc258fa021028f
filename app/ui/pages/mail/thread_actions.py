"""The user's changes to conversations, each with undo: by key, in their menu, in the dialog of labels, by dragging to a place.

Labels belong to an account: one chosen for conversations of several is found by its name in each.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from operator import itemgetter
from urllib.parse import quote
from uuid import uuid4

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QPushButton, QWidget

from app.domain.ids import AccountId, ThreadId
from app.domain.mail.message import Label, Message, SystemLabel, ThreadRow
from app.domain.mail.triage import OwnerVerdict
from app.domain.ports.window import MailboxReader
from app.domain.protocol.changes import (
    ChangeLabels,
    CorrectVerdict,
    CreateLabel,
    Filing,
    Mute,
    Snooze,
    UndoChange,
    UndoCorrection,
    Unmute,
)
from app.domain.protocol.views import MailView
from app.ui.context import Context
from app.ui.editor.recipient_field import CROSS
from app.ui.i18n.formatting import when_long
from app.ui.navigation.painter import Place
from app.ui.navigation.places import INBOX_OF, LABEL
from app.ui.services.corrections import corrected_words, correction
from app.ui.services.notices import ErrorNotice
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import Dialog, FlowRow
from app.ui.widgets.factory import STRETCH, button, clear, column, label, named, plain_tip, row

ELSEWHERE = (SystemLabel.TRASH.value, SystemLabel.SPAM.value)
FILED: dict[MailView, tuple[Sequence[str], Sequence[str]]] = {
    MailView.INBOX: ((SystemLabel.INBOX,), ELSEWHERE),
    MailView.ALL: ((), (SystemLabel.INBOX, *ELSEWHERE)),
    MailView.TRASH: ((SystemLabel.TRASH,), (SystemLabel.INBOX, SystemLabel.SPAM)),
    MailView.SPAM: ((SystemLabel.SPAM,), (SystemLabel.INBOX, SystemLabel.TRASH)),
    MailView.STARRED: ((SystemLabel.STARRED,), ()),
}
"""Labels to add and to remove, so that a conversation appears in a view."""


class ThreadActions(QObject):
    """Sends changes of conversations and offers Undo for each. Emits `changed(changes)` and `undone(threads)`.

    `targets` returns the conversations to change. Methods with a `threads` parameter follow a menu or dialog: the open
    conversation may have changed since.
    """

    changed = Signal(object)
    undone = Signal(object)

    def __init__(self, context: Context, targets: Callable[[], Sequence[ThreadId]], parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._targets = context, targets
        self._starred = False

    def archive(self) -> None:
        self._change((), (SystemLabel.INBOX,), self._filed_words(MailView.ALL, self._targets()))

    def file(
        self, view: MailView, threads: Sequence[ThreadId], words: str = "", undo_too: Callable[[], object] | None = None
    ) -> None:
        """Changes labels so that `threads` appear in `view`. Views without a label of their own change nothing.

        `undo_too` is called with the Undo.
        """
        if view in FILED:
            add, remove = FILED[view]
            change = ChangeLabels(_key(), tuple(threads), tuple(map(str, add)), tuple(map(str, remove)))
            self._send([change], words or self._filed_words(view, threads), undo_too)

    def spam(self) -> None:
        """Marks as spam; if all are spam already, moves them to the inbox. Triage learns from it."""
        spam = all(SystemLabel.SPAM in row.labels for row in self._rows())
        self.correct(OwnerVerdict.NOT_SPAM if spam else OwnerVerdict.SPAM, self._targets())

    def correct(self, verdict: OwnerVerdict, threads: Sequence[ThreadId]) -> None:
        """Says what these conversations should have been."""
        single = {OwnerVerdict.SPAM: MailView.SPAM, OwnerVerdict.NOT_SPAM: MailView.INBOX}
        filed = verdict in single and len(threads) > 1
        words = self._filed_words(single[verdict], threads) if filed else corrected_words(verdict)
        self._send([correction(verdict, threads)], words)

    def _filed_words(self, view: MailView, threads: Sequence[ThreadId]) -> str:
        count = len(threads)
        words = {
            MailView.INBOX: self.tr("%n conversation(s) moved to the inbox", "", count),
            MailView.ALL: self.tr("%n conversation(s) archived", "", count),
            MailView.TRASH: self.tr("%n conversation(s) moved to trash", "", count),
            MailView.SPAM: self.tr("%n conversation(s) marked as spam", "", count),
            MailView.STARRED: self.tr("Starred"),
        }
        return words[view]

    def star(self) -> None:
        """Stars all conversations, or removes the stars if all have one."""
        starred = all(SystemLabel.STARRED in row.labels for row in self._rows())
        self._toggle(SystemLabel.STARRED, starred, self.tr("Starred"), self.tr("Star removed"))

    def show_state(self, message: Message | None, unread: bool, muted: bool) -> None:
        """Names what the keys do now to the open conversation."""
        actions = self._context.actions
        spam = message is not None and SystemLabel.SPAM in message.labels
        actions["mail.unread"].setText(self.tr("Mark as read") if unread else self.tr("Mark as unread"))
        actions["mail.mute"].setText(self.tr("Unmute") if muted else self.tr("Mute"))
        actions["mail.spam"].setText(self.tr("Not spam") if spam else self.tr("Report spam"))

    def show_star(self, starred: bool) -> None:
        if starred != self._starred:
            self._starred = starred
            icon = ("starred_on", "warning") if starred else ("starred", "text_soft")
            self._context.actions["mail.star"].setIcon(self._context.icons.icon(*icon))

    def unread(self) -> None:
        """Marks as read if anything is unread, else as unread."""
        unread = any(row.unread for row in self._rows())
        self._toggle(SystemLabel.UNREAD, unread, self.tr("Marked as unread"), self.tr("Marked as read"))

    def remove_label(self, label: str, name: str, threads: Sequence[ThreadId]) -> None:
        self._change((), (label,), self.tr("Label “%1” removed").replace("%1", name), threads)

    def put_on_label(self, name: str, threads: Sequence[ThreadId], keep: bool, create: bool = False) -> None:
        """Files conversations under the label of that name in each account; with `keep` they stay in the inbox.

        With `create` the label is made there. Else nothing changes if an account has none, which is told.
        """
        reader, parts = self._context.reader, self._by_account(threads)
        words = (self.tr("Label “%1” added") if keep else self.tr("Moved to “%1”")).replace("%1", name)
        remove = () if keep else (SystemLabel.INBOX.value, *ELSEWHERE)
        if create:
            self._send([CreateLabel(_key(), account_id, name, tuple(own), remove) for account_id, own in parts.items()], words)
            return
        labels = {
            account_id: next((key for key, one in own_labels(reader, account_id).items() if one == name), "")
            for account_id in parts
        }
        without = [account.email for account in reader.accounts() if not labels.get(account.id, name)]
        if without:
            words = self.tr("%2 has no label “%1”. Nothing was moved.")
            self._context.notices.tell(words.replace("%1", name).replace("%2", ", ".join(without)))
            return
        self._send([ChangeLabels(_key(), tuple(own), (labels[key],), remove) for key, own in parts.items()], words)

    def drop(self, place: Place, threads: Sequence[ThreadId], keep: bool) -> None:
        """Files `threads` dropped on `place`. With `keep` a label is added and the conversation stays in the inbox."""
        with ErrorNotice(self._context.notices):
            if place.name.startswith(LABEL) and not place.name.startswith(INBOX_OF):
                self.put_on_label(place.title, threads, keep)
                return
            parts = self._by_account(threads)
            accounts = self._context.reader.accounts() if place.name.startswith(INBOX_OF) else ()
            others = [account.email for account in accounts if account.id in parts and account.email != place.title]
            if others:
                words = self.tr("Mail of %2 can't go into the inbox of %1. Nothing was moved.")
                self._context.notices.tell(words.replace("%1", place.title).replace("%2", ", ".join(others)))
                return
            self.file(MailView.INBOX if accounts else MailView(place.name), [one for own in parts.values() for one in own])

    def pick_label(self, threads: Sequence[ThreadId], moving: bool, parent: QWidget) -> None:
        """Opens the dialog to label `threads`, or with `moving` to move them, unless they no longer exist."""
        reader, parts = self._context.reader, self._by_account(threads)
        first = next(iter(reader.thread_rows(list(threads[:SAMPLED])).values()), None)
        if first is None:
            return
        own = parts[first.account_id]
        rows = reader.thread_rows(own[:SAMPLED]).values()
        present = frozenset[str].intersection(*(frozenset(thread.labels) for thread in rows))

        def chosen(picked: Label) -> None:
            if len(parts) == 1 and not moving and picked.gmail_label_id in present:
                self.remove_label(picked.gmail_label_id, picked.name, own)
            else:
                self.put_on_label(picked.name, threads, keep=not moving)

        title = QCoreApplication.translate("MailPage", "Move to") if moving else QCoreApplication.translate("MailPage", "Label")
        accounts = reader.accounts()
        if len(parts) == 1 < len(accounts):
            title = f"{title} · {next(account.email for account in accounts if account.id == first.account_id)}"
        made = partial(self.put_on_label, threads=threads, keep=not moving, create=True)
        LabelPicker(title, reader.labels(first.account_id), present, chosen, made, parent).open()

    def _by_account(self, threads: Sequence[ThreadId]) -> dict[AccountId, list[ThreadId]]:
        """Groups the conversations by account; those that no longer exist are left out."""
        owners, parts = self._context.reader.accounts_of(threads), defaultdict[AccountId, list[ThreadId]](list)
        for thread_id in threads:
            if thread_id in owners:
                parts[owners[thread_id]].append(thread_id)
        return parts

    def snooze(self, until: datetime, threads: Sequence[ThreadId]) -> None:
        words = self.tr("Snoozed until %1").replace("%1", when_long(until))
        self._send([Snooze(_key(), tuple(threads), int(until.timestamp() * 1000))], words)

    def mute(self) -> None:
        """Mutes the conversations, or unmutes them if all are muted."""
        threads = tuple(self._targets())
        if not threads or not all(row.muted for row in self._rows()):
            self._send([Mute(_key(), threads)], self.tr("Muted and archived. New replies skip the inbox."))
            return
        self._context.link.send(Unmute(threads))
        words = self.tr("New messages reach the inbox again.")
        self._context.notices.tell(words, self.tr("Undo"), lambda: self._context.link.send(Mute(_key(), threads)))

    def _toggle(self, label: SystemLabel, present: bool, added: str, removed: str) -> None:
        add, remove = ((), (label,)) if present else ((label,), ())
        self._change(add, remove, removed if present else added)

    def _change(self, add: Sequence[str], remove: Sequence[str], words: str, threads: Sequence[ThreadId] | None = None) -> None:
        threads = tuple(self._targets() if threads is None else threads)
        if threads:
            self._send([ChangeLabels(_key(), threads, tuple(map(str, add)), tuple(map(str, remove)))], words)

    def _send(self, changes: Sequence[Filing], words: str, undo_too: Callable[[], object] | None = None) -> None:
        changes = [change for change in changes if change.thread_ids]

        def undo() -> None:
            if undo_too is not None:
                undo_too()
            for change in changes:
                back = UndoCorrection if isinstance(change, CorrectVerdict) else UndoChange
                self._context.link.send(back(change.key))
            self._context.notices.tell(self.tr("Undone."))
            self.undone.emit([thread_id for change in changes for thread_id in change.thread_ids])

        for change in changes:
            self._context.link.send(change)
        if changes:
            self._context.notices.tell(words, self.tr("Undo"), undo)
            self.changed.emit(changes)

    def _rows(self) -> list[ThreadRow]:
        return list(self._context.reader.thread_rows(list(self._targets())).values())


def _key() -> str:
    return uuid4().hex


PARTS: tuple[tuple[str, ...], ...] = (
    ("mail.draft", "mail.reply", "mail.reply_all", "mail.forward"),
    ("mail.archive", "mail.inbox", "mail.trash", "mail.spam", "mail.snooze", "mail.mute"),
    ("mail.should",),
    ("mail.label", "mail.move", "mail.unread", "mail.star"),
    ("mail.rule", "mail.block", "mail.copy_address", "mail.gmail", "mail.source", "mail.print"),
)
"""The actions of the menu, by section."""


def gmail_page(email: str, thread: str) -> str:
    """Returns the URL of a conversation at Gmail, for any order of signed-in accounts. `thread` is Gmail's thread id."""
    return f"https://mail.google.com/mail/u/?authuser={quote(email)}#all/{quote(thread)}"


class LabelPicker(Dialog):
    """Label dialog. Calls `chosen(label)` or `made(name)` once and closes.

    `present` are the ids of labels that all conversations have.
    """

    def __init__(
        self,
        title: str,
        labels: Sequence[Label],
        present: frozenset[str],
        chosen: Callable[[Label], None],
        made: Callable[[str], None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent, title)
        self._labels = sorted((item for item in labels if item.kind == "user"), key=lambda item: item.name.casefold())
        self._present, self._chosen, self._made = present, chosen, made
        self.field = named(QLineEdit(), self.tr("Label"))
        self.field.setPlaceholderText(self.tr("Find or create a label"))
        self.list = named(QListWidget(), self.tr("Labels"))
        self.list.setProperty("role", "choices")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._choose_button = button(self.tr("Apply"), "primary", self.take)
        buttons = row(None, 0, Space.SMALL, STRETCH, button(self.tr("Cancel"), "", self.reject), self._choose_button)
        column(self, Space.LARGE, Space.SMALL, label(title, Type.STRONG), self.field, self.list, buttons)
        self.field.textChanged.connect(self._fill)
        self.list.itemClicked.connect(lambda _item: self.take())
        self.resize(360, 380)
        self._fill()

    def take(self) -> None:
        if self.list.currentRow() < 0:
            return
        found = self.list.currentItem().data(Qt.ItemDataRole.UserRole)
        self.accept()
        if isinstance(found, Label):
            self._chosen(found)
        else:
            self._made(str(found))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {int(Qt.Key.Key_Down): 1, int(Qt.Key.Key_Up): -1}.get(event.key(), 0)
        if step and self.list.count():
            at = self.list.currentRow() + step
            self.list.setCurrentRow(min(max(at, 0), self.list.count() - 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.take()
        else:
            super().keyPressEvent(event)

    def _fill(self) -> None:
        wanted = " ".join(self.field.text().split())
        folded = wanted.casefold()
        self.list.clear()
        choices: list[Label | str] = [item for item in self._labels if folded in item.name.casefold()]
        if wanted and all(item.name.casefold() != folded for item in self._labels):
            choices.append(wanted)
        for choice in choices:
            words = self.tr("New label “%1”").replace("%1", choice) if isinstance(choice, str) else choice.name
            had = isinstance(choice, Label) and choice.gmail_label_id in self._present
            item = QListWidgetItem(f"✓ {words}" if had else words)
            item.setData(Qt.ItemDataRole.UserRole, choice)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self._choose_button.setEnabled(self.list.count() > 0)


def own_labels(reader: MailboxReader, account_id: AccountId) -> dict[str, str]:
    """The names of the owner's own labels in an account, by id."""
    return {one.gmail_label_id: one.name for one in reader.labels(account_id) if one.kind == "user"}


class LabelChips(QWidget):
    """The owner's own labels of the open conversation, above its messages. A click takes one off."""

    def __init__(self, context: Context, changing: ThreadActions, leave: Callable[[], object]) -> None:
        super().__init__()
        self._context, self._changing, self._leave = context, changing, leave
        self._lines = column(self, (Space.LARGE, 0, Space.LARGE, Space.SMALL), 0)
        self._shown: tuple[ThreadId, Mapping[str, str]] | None = None
        self.hide()

    def show_row(self, thread: ThreadRow | None) -> None:
        mine: dict[str, str] = {}
        if thread is not None:
            names = own_labels(self._context.reader, thread.account_id) if set(thread.labels).difference(SystemLabel) else {}
            mine = {key: name for key, name in names.items() if key in thread.labels}
        shown = None if thread is None else (thread.id, mine)
        if shown != self._shown:
            self._shown = shown
            clear(self._lines)
            if thread is not None and mine:
                chips = [self._chip(thread.id, *one) for one in sorted(mine.items(), key=itemgetter(1))]
                self._lines.addWidget(FlowRow(chips, Space.TIGHT))
        self.setVisible(bool(mine))

    def _chip(self, thread_id: ThreadId, key: str, name: str) -> QPushButton:
        def take_off() -> None:
            self._leave()
            self._changing.remove_label(key, name, [thread_id])

        words = self.tr("Remove label “%1”").replace("%1", name)
        made = named(button(f"{name}  {CROSS}", "chip", take_off), words)
        made.setToolTip(plain_tip(words))
        return made


SAMPLED = 200
"""Only the labels of the first selected conversations are read."""
