"""Base classes of pages and of the dialogs that a page restores after a crash.

A page reads when it is shown and stale, and does nothing while hidden. When it cannot read, it shows an error over the whole page
instead of partial content.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QCoreApplication, Qt, Signal, SignalInstance
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QWidget

from app.domain.errors import ExpectedError
from app.domain.ids import ThreadId
from app.domain.protocol.events import Event
from app.ui.context import Context
from app.ui.i18n.error_messages import sentence
from app.ui.services.async_task import ThrottledCall
from app.ui.session.restorable_parts import RestorableParts
from app.ui.session.session_store import SavedPosition, long_numbers
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.native_window import give_own_window

REFRESH_MS = 150


class RestorableList(Protocol):
    """List whose selection and scroll position are restored (`app.ui.lists.list_position`)."""

    def read(self) -> SavedPosition:
        """Returns the selected row and the scroll position."""

    def return_to(self, place: SavedPosition) -> None:
        """Selects the saved row as a user would, and scrolls to where it was."""


class Page(QWidget):
    """Base class of all pages. Subclasses implement `refresh` and `concerned_by`.

    A page with one list sets `kept` through `_keep_place`, so that the list's position is restored.
    """

    moved = Signal()
    """The position returned by `place` may have changed."""
    alone = Signal(bool)
    """Whether the window hides the navigation and the search line for this page."""
    covered = Signal()
    """The page cannot be read and shows `fault` instead."""

    def __init__(self, context: Context, name: str, title: str) -> None:
        super().__init__()
        self.context = context
        self.name = name
        self.title = title
        self.setObjectName(f"page_{name}")
        self.setAccessibleName(title)
        self._stale = True
        self._cover: EmptyState | None = None
        self.fault = ""
        """Why the page cannot be read, empty while it can."""
        self.kept: RestorableList | None = None
        self._back_to: SavedPosition = {}
        self.parts = RestorableParts(self)
        self._throttle = ThrottledCall(self._refresh_now, REFRESH_MS, self)

    def refresh(self) -> None:
        """Reads again and updates the page. May raise `ExpectedError`, which the page then shows."""

    def concerned_by(self, event: Event) -> bool:
        """Whether an event makes this page stale."""
        return False

    def says(self, event: Event) -> bool:
        """Whether the page shows this failure itself, so that no notice is needed."""
        return False

    def hear(self, event: Event) -> None:
        """Handles an event: refreshes soon if the page is visible, else when it is shown."""
        if self.concerned_by(event):
            self.touch()

    def place(self) -> SavedPosition:
        """Returns the position to save for the next start. A position still to be restored is returned unchanged."""
        if self._back_to:
            return self._back_to
        return {**(self.kept.read() if self.kept is not None else {}), **self._also()}

    def _also(self) -> SavedPosition:
        """Extra values of the saved position, besides the list's."""
        return {}

    def begin_at(self, place: SavedPosition) -> None:
        """Sets the position that the first refresh restores."""
        self._back_to = dict(place)

    def forget_words(self) -> None:
        """Drops search text and saved positions, because an account was removed."""
        self._back_to = {}

    def touch(self) -> None:
        """Marks the page stale; a visible page refreshes soon."""
        self._stale = True
        if self.isVisible():
            self._throttle.poke()

    def touch_now(self) -> None:
        """Marks the page stale; a visible page refreshes at once."""
        self.touch()
        self._refresh_now()

    def take_focus(self) -> None:
        """Gives the keyboard focus to the page; subclasses choose the widget."""
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
        self.parts.retry()

    def _guard(self, read: Callable[[], object]) -> bool:
        """Calls `read` and returns whether it succeeded; an `ExpectedError` is shown over the page."""
        try:
            read()
        except ExpectedError as error:
            self._cover_with(error)
            return False
        return True

    def _return(self) -> None:
        """Restores the list's position once its rows are read."""
        wanted, self._back_to = self._back_to, {}
        if wanted and self.kept is not None:
            self.kept.return_to(wanted)

    def _keep_place(self, kept: RestorableList, moved: SignalInstance) -> None:
        """Registers the list whose position is saved and restored."""
        self.kept = kept
        moved.connect(self.moved)

    def _cover_with(self, error: ExpectedError) -> None:
        """Covers the whole page with the error and a "Try again" button."""
        if self._cover is None:
            self._cover = EmptyState(self.context.icons)
            self._cover.setParent(self)
            give_own_window(self._cover)
        again = QCoreApplication.translate("Page", "Try again")
        title = QCoreApplication.translate("Page", "This page cannot be read now")
        self.fault = sentence(error.code, error.detail, error.remedy)
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


MOST = 500


class RestorableDialog(QDialog):
    """Dialog that a page reopens after a crash of the window.

    Subclasses return their input in `typed` and fill it back in `type_again`. `again` identifies what the dialog is about; empty
    if it is not to be reopened.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.again: SavedPosition = {}

    def typed(self) -> SavedPosition:
        """Returns the input in the dialog."""
        return {}

    def type_again(self, typed: SavedPosition) -> None:
        """Fills in the input saved by `typed`."""

    def tell(self) -> None:
        """Tells the page that its saved state changed: the dialog was shown, edited or hidden."""
        page = self.parentWidget()
        if isinstance(page, Page):
            page.parts.moved.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.tell()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.tell()


def for_threads(kind: str, threads: Sequence[ThreadId]) -> SavedPosition:
    """Returns the `again` value of a dialog about conversations; empty for more than `MOST`."""
    return {"kind": kind, "threads": " ".join(map(str, threads))} if len(threads) <= MOST else {}


def threads_of(place: SavedPosition) -> list[ThreadId]:
    """Returns the conversations from the saved state of a dialog."""
    return [ThreadId(thread_id) for thread_id in long_numbers(place, "threads")]


def keep_dialogs(page: Page, reopen: Callable[[SavedPosition], RestorableDialog | None]) -> None:
    """Saves and restores the open dialog of a page. `reopen` opens one from its saved state; None if its subject is gone."""

    def read() -> SavedPosition:
        dialogs = [dialog for dialog in page.findChildren(RestorableDialog) if dialog.again and not dialog.isHidden()]
        return {**dialogs[0].again, **dialogs[0].typed()} if dialogs else {}

    def put_back(place: SavedPosition) -> bool:
        if not page.isVisible():
            return False
        dialog = reopen(place)
        if dialog is not None:
            dialog.type_again(place)
        return True

    page.parts.add("dialog", read, put_back, fleeting=True)
