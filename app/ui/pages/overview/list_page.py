"""Base of pages with a list of messages on the left and the selected message on the right, with buttons below it."""

from abc import abstractmethod
from array import array
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from PySide6.QtWidgets import QWidget

from app.ui.context import Context
from app.ui.i18n.formatting import number_words
from app.ui.lists.model import IdModel
from app.ui.lists.row_painter import RowPresentation
from app.ui.lists.view import RowList
from app.ui.message.thread_view import ReadingPane
from app.ui.pages.base import Page
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import RoleFrame, action_button, column, label, row
from app.ui.widgets.split_view import EmptyState, ListAndDetail, Stack, listing

T = TypeVar("T")


class OverviewList(Page, Generic[T]):
    """Lists rows by id. A subclass fills it with `_list`, and says how a row looks, what it shows and what opening it does.

    `tools` stand above the list. `actions` are the buttons below the message: the first is filled, the last a link.
    """

    def __init__(self, context: Context, name: str, title: str, tools: Sequence[QWidget], actions: Sequence[str]) -> None:
        super().__init__(context, name, title)
        self._rows: dict[int, T] = {}
        self.model: IdModel[T] = IdModel(self._read, self._row, self)
        self.list = RowList(context.appearance, context.icons, self.title, self.model)
        self._keep_place(self.list)
        self.list.chosen.connect(self._show)
        self.list.opened.connect(lambda _key: self._open())
        self.list.clicked.connect(lambda _index: self._panes.show_detail())
        self._count = label("", Type.CAPTION, "soft")
        self.state = EmptyState(context.icons)
        self._lists = Stack(self.list, self.state)
        self.reading = ReadingPane(context)
        self.reading.back.connect(self.go_back)
        self.reading.put_below(self._make_bar(actions))
        made = listing(self.title, self._lists, tools, self._count)
        self._panes: ListAndDetail = ListAndDetail(made, self.reading, context.state, name)
        self._panes.folded.connect(self.reading.set_back_visible)
        column(self).addWidget(self._panes)

    @property
    def current(self) -> T | None:
        return self.model.record(self.list.current_row()) if self.list.current_row() >= 0 else None

    def take_focus(self) -> None:
        self.list.setFocus()

    def go_back(self) -> bool:
        return self._panes.go_back(self.list)

    def _list(self, rows: dict[int, T], icon: str, title: str, words: str) -> None:
        """Shows other rows; without any, an empty state of `icon`, `title` and `words`."""
        self._rows = rows
        was_blocked = self.list.blockSignals(True)  # removing a row makes another one current, which the user did not select
        self.model.set_ids(array("q", rows))
        self.list.blockSignals(was_blocked)
        self._count.setText(number_words(len(rows)) if rows else "")
        self._lists.setCurrentIndex(0 if rows else 1)
        self._panes.show_alone(not rows)
        if not rows:
            self.state.show_state(icon, title, words)
            self.reading.show_nothing()

    def _read(self, ids: Sequence[int]) -> Mapping[int, T]:
        return {key: self._rows[key] for key in ids if key in self._rows}

    def _make_bar(self, names: Sequence[str]) -> QWidget:
        bar, actions = RoleFrame("bar"), self.context.actions
        roles = ["primary", *[""] * (len(names) - 2), "link"]
        made = [action_button(actions[name], role) for name, role in zip(names, roles, strict=True)]
        row(bar, (Space.LARGE, Space.SMALL), Space.SMALL, FlowRow(made, Space.SMALL, Space.SMALL))
        return bar

    @abstractmethod
    def _row(self, one: T) -> RowPresentation:
        """The words of a row."""

    @abstractmethod
    def _show(self, key: int) -> None:
        """Shows a row beside the list."""

    @abstractmethod
    def _open(self) -> None:
        """Opens the chosen row."""
