"""Base of pages with a list of messages on the left and the selected message on the right, with buttons below it."""

from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtWidgets import QWidget

from app.ui.context import Context
from app.ui.i18n.formatting import number_words
from app.ui.message.thread_view import ReadingPane
from app.ui.pages.base import RowsPage
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import RoleFrame, action_button, column, label, row
from app.ui.widgets.split_view import Stack, listing

T = TypeVar("T")


class OverviewList(RowsPage[T]):
    """Lists rows by id. A subclass fills it with `_list`.

    `tools` stand above the list. `actions` are the buttons below the message: the first is filled, the last a link.
    """

    def __init__(self, context: Context, name: str, title: str, tools: Sequence[QWidget], actions: Sequence[str]) -> None:
        super().__init__(context, name, title)
        self._count = label("", Type.CAPTION, "soft")
        self._lists = Stack(self.list, self.state)
        self.reading = ReadingPane(context)
        self.reading.back.connect(self.go_back)
        self.reading.put_below(self._make_bar(actions))
        column(self).addWidget(self._split(listing(self.title, self._lists, tools, self._count), self.reading))
        self.panes.folded.connect(self.reading.set_back_visible)

    @property
    def current(self) -> T | None:
        return self.model.record(self.list.current_row()) if self.list.current_row() >= 0 else None

    def _list(self, rows: dict[int, T], icon: str, title: str, words: str) -> None:
        """Shows other rows; without any, an empty state of `icon`, `title` and `words`."""
        self._rows = rows
        self._set_ids(rows)
        self._count.setText(number_words(len(rows)) if rows else "")
        self._lists.setCurrentIndex(0 if rows else 1)
        self.panes.show_alone(not rows)
        if not rows:
            self.state.show_state(icon, title, words)
            self.reading.show_nothing()

    def _make_bar(self, names: Sequence[str]) -> QWidget:
        bar, actions = RoleFrame("bar"), self.context.actions
        roles = ["primary", *[""] * (len(names) - 2), "link"]
        made = [action_button(actions[name], role) for name, role in zip(names, roles, strict=True)]
        row(bar, (Space.LARGE, Space.SMALL), Space.SMALL, FlowRow(made, Space.SMALL, Space.SMALL))
        return bar
