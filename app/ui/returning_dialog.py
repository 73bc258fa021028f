"""A dialog that comes back with its page after a crash: what it is for, and what is typed into it.

Refuses more conversations than `MOST`: what is for thousands is asked again.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QWidget

from app.domain.ids import ThreadId
from app.ui.page import Page
from app.ui.whereabouts import Spot, long_numbers

MOST = 500


class ReturningDialog(QDialog):
    """Subclasses say what is `typed` and put it back. `again` says what it is for, empty if it is not to come back."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.again: Spot = {}

    def typed(self) -> Spot:
        """What stands in it."""
        return {}

    def type_again(self, typed: Spot) -> None:
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


def for_threads(kind: str, threads: Sequence[ThreadId]) -> Spot:
    """What a dialog is for: conversations."""
    return {"kind": kind, "threads": " ".join(map(str, threads))} if len(threads) <= MOST else {}


def threads_of(place: Spot) -> list[ThreadId]:
    """The conversations of a dialog that comes back."""
    return [ThreadId(one) for one in long_numbers(place, "threads")]


def keep_dialogs(page: Page, reopen: Callable[[Spot], ReturningDialog | None]) -> None:
    """Let the dialogs of a page come back; `reopen` opens one for what it was for, None where that is gone."""

    def read() -> Spot:
        open_ones = [one for one in page.findChildren(ReturningDialog) if one.again and not one.isHidden()]
        return {**open_ones[0].again, **open_ones[0].typed()} if open_ones else {}

    def put_back(place: Spot) -> bool:
        if not page.isVisible():
            return False
        dialog = reopen(place)
        if dialog is not None:
            dialog.type_again(place)
        return True

    page.parts.add("dialog", read, put_back, fleeting=True)
