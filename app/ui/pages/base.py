"""Base class of the pages.

A page reads when it is shown and stale, and does nothing while hidden. When it cannot read, it shows an error over the whole page
instead of partial content.
"""

from abc import abstractmethod
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.domain.errors import ExpectedError
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.error_messages import sentence
from app.ui.lists.model import IdModel, RowNumbers
from app.ui.lists.row_painter import RowPresentation
from app.ui.lists.view import RowList
from app.ui.services.async_task import ThrottledCall
from app.ui.session.session_store import PageState
from app.ui.widgets.containers import make_native
from app.ui.widgets.split_view import EmptyState, ListAndDetail

REFRESH_MS = 150


class Page(QWidget):
    """Base class of all pages. Subclasses implement `refresh` and `concerned_by`.

    A page with one list sets `kept` through `_keep_place`, so that the list's position is restored.
    """

    moved = Signal()
    """What `save_state` returns may have changed."""
    alone = Signal(bool)
    """Whether the window hides the navigation and the search line for this page."""
    listed = Signal()
    """The places of the navigation changed."""
    covered = Signal()
    """The page cannot be read and shows `fault` instead."""

    def __init__(self, context: Context, name: str, title: str) -> None:
        super().__init__()
        self.context, self.name, self.title = context, name, title
        self.setObjectName(f"page_{name}")
        self.setAccessibleName(title)
        self._stale = True
        self._cover: EmptyState | None = None
        self.fault = ""
        """Why the page cannot be read, empty while it can."""
        self.kept: RowList | None = None
        self._back_to: PageState = {}
        self._throttle = ThrottledCall(self._refresh_now, REFRESH_MS, self)

    def refresh(self) -> None:
        """Reads again and updates the page. May raise `ExpectedError`, which the page then shows."""

    def fill(self) -> None:
        """Shows what `refresh` put off while the window does not paint the page yet."""

    def steps_ahead(self) -> tuple[Callable[[], object], ...]:
        """What the first visit would still build. The preloader takes these steps singly."""
        return ()

    def concerned_by(self, event: Event) -> bool:
        return False

    def says(self, event: Event) -> bool:
        """Whether the page shows this failure itself, so that no notice is needed."""
        return False

    def hear(self, event: Event) -> None:
        if self.concerned_by(event):
            self.touch()

    def save_state(self) -> PageState:
        """Returns the list's position for the next start; pages with input fields add the unsaved text.

        A state that is still to be restored is returned as it was loaded.
        """
        return self._back_to or (self.kept.position() if self.kept is not None else {})

    def restore_state(self, state: PageState) -> None:
        """Takes the state that `save_state` returned in the last session. The first refresh restores it."""
        self._back_to = dict(state)

    def forget_words(self) -> None:
        """Drops search text and saved positions, because an account was removed."""
        self._back_to = {}

    def touch(self) -> None:
        self._stale = True
        if self.isVisible():
            self._throttle.poke()

    def touch_now(self) -> None:
        self._stale = True
        self._refresh_now()

    def take_focus(self) -> None:
        self.setFocus()

    def go_back(self) -> bool:
        """Goes from the detail to the list in a narrow window. Returns whether it did."""
        return False

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._refresh_now()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._leave()

    def _leave(self) -> None:
        """Called when the page is hidden."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._cover is not None:
            self._cover.resize(event.size())

    def _refresh_now(self) -> None:
        if not self.isVisible():
            return
        self._stale = False
        if not self._guard(self.refresh):
            return
        self.fault = ""
        if self._cover is not None:
            self._cover.hide()
            self._paint_below(True)
        self._return()

    def _guard(self, read: Callable[[], object]) -> bool:
        """Calls `read` and returns whether it succeeded; an `ExpectedError` is shown over the page."""
        try:
            read()
        except ExpectedError as error:
            self._cover_with(error)
            return False
        return True

    def _return(self) -> None:
        """Restores the saved state once the page is read. Pages with input fields add the unsaved text."""
        wanted, self._back_to = self._back_to, {}
        if wanted and self.kept is not None:
            self.kept.restore(wanted)

    def _keep_place(self, kept: RowList) -> None:
        self.kept = kept
        kept.moved.connect(self.moved)

    def _cover_with(self, error: ExpectedError) -> None:
        if self._cover is None:
            self._cover = EmptyState(self.context.icons)
            self._cover.setParent(self)
            make_native(self._cover)
        again = QCoreApplication.translate("Page", "Try again")
        title = QCoreApplication.translate("Page", "This page couldn't be loaded")
        self.fault = sentence(error.code, error.text)
        self._cover.show_state("error", title, self.fault, again, self.touch)
        self._cover.resize(self.size())
        self._cover.show()
        self._cover.raise_()
        self._paint_below(False)
        self.covered.emit()

    def _paint_below(self, on: bool) -> None:
        """Switches painting under the cover on or off: lists read their rows while they paint, and reading fails now."""
        for child in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if child is not self._cover:
                child.setUpdatesEnabled(on)


T = TypeVar("T")


class RowsPage(Page, Generic[T]):
    """A page with one list, whose rows are `_rows` by id unless `_read` is overridden. `_split` puts a detail beside it.

    `rows` names the list for screen readers if it is not the title; `names` are the lasting names of its rows.
    """

    panes: ListAndDetail

    def __init__(
        self, context: Context, name: str, title: str, rows: str = "", names: RowNumbers | None = None, compact: bool = False
    ) -> None:
        super().__init__(context, name, title)
        self._rows: dict[int, T] = {}
        self.model: IdModel[T] = IdModel(self._read, self._row, self, names)
        self.list = RowList(context.appearance, context.icons, rows or title, self.model, compact)
        self._keep_place(self.list)
        self.list.chosen.connect(self._choose)
        self.list.opened.connect(self._open)
        self.state = EmptyState(context.icons)

    def take_focus(self) -> None:
        self.list.setFocus()

    def go_back(self) -> bool:
        return self.panes.go_back(self.list)

    def _split(self, listed: QWidget, detail: QWidget, key: str = "") -> ListAndDetail:
        """`key` names the width of the list in window.ini, if it is not the page's name."""
        self.panes = ListAndDetail(listed, detail, self.context.state, key or self.name)
        self.list.clicked.connect(lambda _index: self.panes.show_detail())
        return self.panes

    def _set_ids(self, ids: Iterable[int]) -> None:
        """Lists other rows. Removing the current one makes another one current, which the user did not choose."""
        was_blocked = self.list.blockSignals(True)
        self.model.set_ids(array("q", ids))
        self.list.blockSignals(was_blocked)

    def _read(self, ids: Sequence[int]) -> Mapping[int, T]:
        return {key: self._rows[key] for key in ids if key in self._rows}

    @abstractmethod
    def _row(self, one: T) -> RowPresentation:
        """How a row looks."""

    def _choose(self, key: int) -> None:
        """Shows a row beside the list."""

    def _open(self, key: int) -> None:
        """Opens a row, on Enter or a double click."""
