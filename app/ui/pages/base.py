"""What a page is: it reads when it is shown and stale, it hears events, and it does nothing while hidden. What it cannot read it
says, instead of a page that is half filled.

A dialog that comes back with its page after a crash: what it is for, and what is typed into it.
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
    """A list whose place outlives the window (`app.ui.lists.list_position`)."""

    def read(self) -> SavedPosition:
        """Where it stands."""

    def return_to(self, place: SavedPosition) -> None:
        """Choose what was chosen, as the user would, and scroll to where it was."""


class Page(QWidget):
    """Subclasses fill `refresh` (read and show again) and `concerned_by` (whether an event makes them stale). A page with one
    list gives it as `kept`: it comes back where it was."""

    moved = Signal()
    """Where the user is on this page may have changed."""
    alone = Signal(bool)
    """Whether the page wants the window without the places and the search."""
    covered = Signal()
    """It cannot be read: `fault` says why, and stands over the page."""

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
        """Why it cannot be read, empty while it can."""
        self.kept: RestorableList | None = None
        self._back_to: SavedPosition = {}
        self.parts = RestorableParts(self)
        self._throttle = ThrottledCall(self._refresh_now, REFRESH_MS, self)

    def refresh(self) -> None:
        """Read again and show what changed."""

    def concerned_by(self, event: Event) -> bool:
        """Whether an event makes this page stale."""
        return False

    def says(self, event: Event) -> bool:
        """Whether this page itself shows what went wrong, so that no notice has to."""
        return False

    def hear(self, event: Event) -> None:
        """An event came: refresh soon if visible, else when shown."""
        if self.concerned_by(event):
            self.touch()

    def place(self) -> SavedPosition:
        """Where the user is, for the next start; a place that is still to be reached is the place."""
        if self._back_to:
            return self._back_to
        return {**(self.kept.read() if self.kept is not None else {}), **self._also()}

    def _also(self) -> SavedPosition:
        """What belongs to the place besides the list's own."""
        return {}

    def begin_at(self, place: SavedPosition) -> None:
        """Where the user was before; taken up with the first reading."""
        self._back_to = dict(place)

    def forget_words(self) -> None:
        """Nothing that was typed to find something stays: an account is forgotten."""
        self._back_to = {}

    def touch(self) -> None:
        """Make stale."""
        self._stale = True
        if self.isVisible():
            self._throttle.poke()

    def touch_now(self) -> None:
        """Refresh at once if on screen."""
        self.touch()
        self._refresh_now()

    def take_focus(self) -> None:
        """Put the keyboard where work starts; subclasses say where."""
        self.setFocus()

    def go_back(self) -> bool:
        """In a narrow window: from the detail to the list. Whether there was a way back."""
        return False

    def showEvent(self, event: QShowEvent) -> None:
        """Shown: read if stale."""
        super().showEvent(event)
        if self._stale:
            self._refresh_now()

    def hideEvent(self, event: QHideEvent) -> None:
        """Another page, or the end of the window."""
        super().hideEvent(event)
        self._leave()

    def _leave(self) -> None:
        """What a page does when it is left."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What covers the page goes on covering it."""
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
        """Do what reads; where that cannot be done the page says so, and does not go on showing what was there before."""
        try:
            read()
        except ExpectedError as error:
            self._cover_with(error)
            return False
        return True

    def _return(self) -> None:
        """Where the user was, once what stands there has been read."""
        wanted, self._back_to = self._back_to, {}
        if wanted and self.kept is not None:
            self.kept.return_to(wanted)

    def _keep_place(self, kept: RestorableList, moved: SignalInstance) -> None:
        """The list whose place is kept."""
        self.kept = kept
        moved.connect(self.moved)

    def _cover_with(self, error: ExpectedError) -> None:
        """What cannot be read is not shown half: one sentence and the way to try again stand over the whole page."""
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
        """What is under the cover is not painted: lists read their rows to be painted, and nothing can be read."""
        for one in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if one is not self._cover:
                one.setUpdatesEnabled(on)


MOST = 500


class RestorableDialog(QDialog):
    """Subclasses say what is `typed` and put it back. `again` says what it is for, empty if it is not to come back."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.again: SavedPosition = {}

    def typed(self) -> SavedPosition:
        """What stands in it."""
        return {}

    def type_again(self, typed: SavedPosition) -> None:
        """What stood in it before."""

    def tell(self) -> None:
        """It was shown, typed into or put away."""
        page = self.parentWidget()
        if isinstance(page, Page):
            page.parts.moved.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """It asks."""
        super().showEvent(event)
        self.tell()

    def hideEvent(self, event: QHideEvent) -> None:
        """It asks no longer."""
        super().hideEvent(event)
        self.tell()


def for_threads(kind: str, threads: Sequence[ThreadId]) -> SavedPosition:
    """What a dialog is for: conversations."""
    return {"kind": kind, "threads": " ".join(map(str, threads))} if len(threads) <= MOST else {}


def threads_of(place: SavedPosition) -> list[ThreadId]:
    """The conversations of a dialog that comes back."""
    return [ThreadId(one) for one in long_numbers(place, "threads")]


def keep_dialogs(page: Page, reopen: Callable[[SavedPosition], RestorableDialog | None]) -> None:
    """Let the dialogs of a page come back; `reopen` opens one for what it was for, None where that is gone."""

    def read() -> SavedPosition:
        open_ones = [one for one in page.findChildren(RestorableDialog) if one.again and not one.isHidden()]
        return {**open_ones[0].again, **open_ones[0].typed()} if open_ones else {}

    def put_back(place: SavedPosition) -> bool:
        if not page.isVisible():
            return False
        dialog = reopen(place)
        if dialog is not None:
            dialog.type_again(place)
        return True

    page.parts.add("dialog", read, put_back, fleeting=True)
