"""The splits of the inbox: a row of links with counts, keys that go from one to the next, and a dialog for the owner's own.

An own split is a search within the inbox. Its place is named by that search.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.domain.errors import ExpectedError
from app.domain.protocol.commands import ChangeSettings
from app.domain.protocol.events import SettingsChanged
from app.domain.protocol.queries import CountMail, MailCounts
from app.domain.protocol.views import SPLITS, MailView
from app.domain.wire import Event
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.i18n.formatting import number_words
from app.ui.navigation.places import PART_OF_INBOX, view_title
from app.ui.services.async_task import EngineQuestion, ThrottledCall, loop_runs
from app.ui.theme.metrics import Space, Type, at_text_size, is_large_text
from app.ui.widgets.containers import Dialog, FlowRow, ScrolledLine
from app.ui.widgets.factory import STRETCH, action_button, action_tool, button, column, label, put, row

BUILT_IN = tuple(map(str, (MailView.INBOX, *SPLITS)))
NEWSLETTER_TOOLS = ("mail.select_read", "window.subscriptions")
KEY = "reading.splits"
READ_EVERY_MS, COUNT_EVERY_MS = 500, 3000
"""How often the counts of the inbox's own splits are read at most (4 ms), and those of the owner's are asked for."""
MOST = 12


def own_splits(context: Context) -> dict[str, str]:
    """The names of the owner's splits by their place."""
    parts = (one.partition(":") for one in context.settings().reading.splits)
    return {f"{PART_OF_INBOX}{query.strip()}": name.strip() for name, _, query in parts}


class SplitBar(QWidget):
    """Opens a split of the inbox. `page` gets the keys, `place` names the list on screen."""

    def __init__(self, context: Context, page: QWidget, place: Callable[[], str]) -> None:
        super().__init__()
        self._context, self._place, self._page = context, place, page
        self.names: Mapping[str, str] = {}
        self.buttons: dict[str, QPushButton] = {}
        self._layout = column(self, (Space.LARGE, Space.TIGHT, Space.LARGE, Space.TIGHT), 0)
        self._flow = QWidget()
        self._counts: dict[str, int] = {}
        self._question = EngineQuestion(context.link, self)
        self._counting = ThrottledCall(self._count_own, COUNT_EVERY_MS, self)
        self._reading = ThrottledCall(self._read, READ_EVERY_MS, self)
        self._edit = action_tool(context.actions["mail.splits"])
        self._bulk = FlowRow([action_button(context.actions[name], "link") for name in NEWSLETTER_TOOLS], Space.MEDIUM)
        self._build()
        self._layout.addWidget(self._bulk)
        connect_actions(
            page,
            context,
            {"mail.next_split": partial(self._go, 1), "mail.previous_split": partial(self._go, -1), "mail.splits": self.edit},
        )

    def _build(self) -> None:
        self.names = own_splits(self._context)
        self.buttons = {}
        for one in (*BUILT_IN, *self.names):
            made = button(self.names.get(one, ""), "link", partial(self._context.navigator.show_page, one))
            made.setCheckable(True)
            self.buttons[one] = made
        self._edit.setParent(None)
        self._layout.removeWidget(self._flow)
        self._flow.deleteLater()
        links = [*self.buttons.values(), self._edit]
        self._flow = ScrolledLine(links) if is_large_text() else FlowRow(links, Space.MEDIUM, Space.TIGHT)
        self._edit.show()
        self._layout.insertWidget(0, self._flow)

    def hear(self, event: Event) -> None:
        if isinstance(event, SettingsChanged) and own_splits(self._context) != self.names:
            self._build()
            self.show_counts()

    def show_counts(self) -> None:
        """Shows the bar over the inbox and its splits. New counts follow in a later turn, those of own splits from the engine."""
        here = self._place()
        self.setVisible(here in self.buttons)
        self._bulk.setVisible(here == MailView.NEWSLETTERS)
        if self.isHidden():
            return
        if self.names:
            self._counting.poke()
        self._reading.poke()
        self._show()

    def _read(self) -> None:
        with suppress(ExpectedError):  # the page reports an unreadable store
            counts = {str(view): count for view, count in self._context.reader.split_counts().items()}
            self._show({**dict.fromkeys(BUILT_IN, 0), **counts})

    def _count_own(self) -> None:
        places = tuple(self.names)

        def counted(answer: MailCounts) -> None:
            self._show(dict(zip(places, answer.counts, strict=True)))

        if places and loop_runs():
            self._question.ask(CountMail(places), counted, lambda _error: None)

    def _show(self, counts: Mapping[str, int] | None = None) -> None:
        """Shows the splits with new counts."""
        self._counts |= counts or {}
        here = self._place()
        for place, made in self.buttons.items():
            count, title = self._counts.get(place, 0), self.names.get(place, "")
            if place in BUILT_IN:
                view = MailView(place)
                title = QCoreApplication.translate("Views", "All") if view is MailView.INBOX else view_title(view)
            made.setText(f"{title} {number_words(count)}" if count else title)
            made.setChecked(place == here)
            font = made.font()
            font.setBold(place == here)
            made.setFont(font)
        if isinstance(self._flow, ScrolledLine) and here in self.buttons:
            self._flow.ensureWidgetVisible(self.buttons[here])

    def edit(self) -> None:
        """Opens the dialog for the owner's splits."""

        def save(splits: list[tuple[str, str]]) -> None:
            values = [f"{name}: {query}" for name, query in splits]
            self._context.link.send(ChangeSettings(((KEY, json.dumps(values)),)))

        SplitDialog(self.names, save, self._page).open()

    def _go(self, by: int) -> None:
        here, places = self._place(), list(self.buttons)
        at = places.index(here) if here in places else 0
        self._context.navigator.show_page(places[(at + by) % len(places)])


class SplitDialog(Dialog):
    """Edits names and searches of splits. `save` gets those with both."""

    def __init__(self, splits: Mapping[str, str], save: Callable[[list[tuple[str, str]]], object], parent: QWidget) -> None:
        super().__init__(parent, self.tr("Inbox splits"))
        self._save = save
        self.fields: list[tuple[QLineEdit, QLineEdit]] = []
        self._rows: QVBoxLayout = column(None, 0, Space.SMALL)
        self._add = button(self.tr("Add a split"), "link", self.add)
        title = label(self.windowTitle(), Type.STRONG)
        words = self.tr("A split lists part of the inbox: a sender, a label, or any search.")
        about = label(words, Type.CAPTION, "soft", wrap=True)
        cancel, save_ = button(self.tr("Cancel"), "", self.reject), button(self.tr("Save"), "primary", self.take)
        buttons = row(None, 0, Space.SMALL, self._add, STRETCH, cancel, save_)
        column(self, Space.LARGE, Space.MEDIUM, title, about, self._rows, buttons)
        for place, name in splits.items():
            self.add(name, place.removeprefix(PART_OF_INBOX))
        if not splits:
            self.add()
        self.resize(at_text_size(460), self.sizeHint().height())

    def add(self, name: str = "", query: str = "") -> None:
        """Adds a line, at most `MOST`."""
        named, searched = QLineEdit(name), QLineEdit(query)
        named.setPlaceholderText(self.tr("Name"))
        named.setMaxLength(60)
        searched.setPlaceholderText("from:ana@example.org")
        named.setAccessibleName(self.tr("Split name"))
        searched.setAccessibleName(self.tr("What it lists"))
        searched.setCursorPosition(0)
        holder = QWidget()
        remove = button(self.tr("Remove"), "link", partial(self._remove, holder, (named, searched)))
        put(row(holder, 0, Space.SMALL), (named, 1), (searched, 2), remove)
        self._rows.addWidget(holder)
        self.fields.append((named, searched))
        self._add.setEnabled(len(self.fields) < MOST)
        named.setFocus()

    def take(self) -> None:
        """Saves and closes. A line without a name or a search is marked instead."""
        given = [(named.text().replace(":", " ").strip(), searched.text().strip()) for named, searched in self.fields]
        for (named, searched), (name, query) in zip(self.fields, given, strict=True):
            if bool(name) != bool(query):
                (searched if name else named).setFocus()
                return
        self.accept()
        self._save([pair for pair in given if all(pair)])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.take()
        else:
            super().keyPressEvent(event)

    def _remove(self, holder: QWidget, fields: tuple[QLineEdit, QLineEdit]) -> None:
        self.fields.remove(fields)
        holder.hide()
        holder.deleteLater()
        self._add.setEnabled(True)
