"""Dialog that picks a label by typing, or creates one, for given conversations. Labels belong to an account, so only the
conversations of one account are labelled.
"""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from app.domain.ids import AccountId, ThreadId
from app.domain.mail.message import Label
from app.domain.ports.window import MailboxReader
from app.ui.context import Context
from app.ui.pages.mail.thread_actions import ThreadActions
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import Dialog
from app.ui.widgets.factory import STRETCH, button, column, label, named, row


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
            item = QListWidgetItem(self._words(choice))
            item.setData(Qt.ItemDataRole.UserRole, choice)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self._choose_button.setEnabled(self.list.count() > 0)

    def _words(self, choice: Label | str) -> str:
        if isinstance(choice, str):
            return self.tr("New label “%1”").replace("%1", choice)
        return f"✓ {choice.name}" if choice.gmail_label_id in self._present else choice.name


SAMPLED = 200
"""Only the labels of the first selected conversations are read."""


def pick_label(
    context: Context, changing: ThreadActions, threads: Sequence[ThreadId], moving: bool, parent: QWidget
) -> LabelPicker | None:
    """Opens the dialog to label `threads`, or with `moving` to move them. None if they no longer exist."""
    reader = context.reader
    first = next(iter(reader.thread_rows(list(threads[:SAMPLED])).values()), None)
    if first is None:
        return None
    account_id = first.account_id
    own, email = of_account(reader, threads, account_id)
    labels = [frozenset(thread.labels) for thread in reader.thread_rows(list(own[:SAMPLED])).values()]
    present = frozenset.intersection(*labels)

    def chosen(picked: Label) -> None:
        if moving:
            changing.move(picked.gmail_label_id, picked.name, own)
        else:
            changing.put_label(picked.gmail_label_id, picked.name, picked.gmail_label_id in present, own)

    words = QCoreApplication.translate("MailPage", "Move to") if moving else QCoreApplication.translate("MailPage", "Label")
    made = partial(changing.new_label, account_id, moving=moving, threads=own)
    title = " · ".join(filter(None, (words, email)))
    picker = LabelPicker(title, reader.labels(account_id), present, chosen, made, parent)
    picker.open()
    return picker


def of_account(reader: MailboxReader, threads: Sequence[ThreadId], account_id: AccountId) -> tuple[list[ThreadId], str]:
    """Returns the conversations of one account and its address. With a single account the address is empty."""
    accounts = reader.accounts()
    if len(accounts) < 2:
        return list(threads), ""
    owners = reader.accounts_of(threads)
    email = next((account.email for account in accounts if account.id == account_id), "")
    return [thread_id for thread_id in threads if owners.get(thread_id) == account_id], email
