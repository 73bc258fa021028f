"""The words of a long plain mail, whole: laid out only where they are looked at, and put in over many turns of the event loop.

A rich text of a megabyte takes a second to lay out, again with every change of width. Refuses to follow a link by itself: a click
is announced.
"""

from bisect import bisect_left, bisect_right

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QTextCharFormat, QTextCursor

from app.ui.appearance import Appearance
from app.ui.ground import cover_itself, lay_ground
from app.ui.mail.pieced_text import PiecedText
from app.ui.mail.rendering import links_in
from app.ui.ring import Ring
from app.ui.scale import Space

LONG = 30_000
MANY_LINES = 800
LONG_LINE = 4_000
"""Characters, lines, and characters in one line: up to all three a mail is no long one."""


def is_long(text: str) -> bool:
    """Whether a rich text of these words would hold up the window."""
    return len(text) > LONG or text.count("\n") > MANY_LINES or max(map(len, text.split("\n"))) > LONG_LINE


class LongText(PiecedText):
    """`anchorClicked` with the address of a link, by a click or by Tab and Return; ringed while it has the keyboard by a key."""

    anchorClicked = Signal(QUrl)  # as in QTextBrowser, which shows shorter mails

    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__()
        self._appearance = appearance
        self._ring = Ring(self, appearance)
        self._links: list[tuple[int, int, str]] = []
        self.setProperty("role", "body")
        self.setAccessibleName(name)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.document().setDocumentMargin(Space.LARGE)
        self.viewport().setMouseTracking(True)
        cover_itself(self)

    def clear(self) -> None:
        """Nothing is shown."""
        self._links = []
        super().clear()

    def _put(self, cursor: QTextCursor, text: str, cut: bool = False) -> None:
        """Words with their links; half an address is none."""
        plain, last = QTextCharFormat(), 0
        for link in links_in(text):
            if cut and link.end() == len(text) - 1:
                break
            cursor.insertText(text[last : link.start()], plain)
            form, start = QTextCharFormat(), cursor.position()
            form.setAnchor(True)
            form.setAnchorHref(link.group())
            form.setForeground(self._appearance.colour("accent"))
            form.setFontUnderline(True)
            cursor.insertText(link.group(), form)
            self._links.append((start, cursor.position(), link.group()))
            last = link.end()
        cursor.insertText(text[last:], plain)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return follows the link that Tab came to."""
        address = self._chosen() if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) else ""
        if address:
            self.anchorClicked.emit(QUrl(address))
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next_: bool) -> bool:
        """From link to link, then on."""
        cursor = self.textCursor()
        starts = [start for start, _end, _address in self._links]
        here = cursor.selectionEnd() if cursor.hasSelection() else -1
        at = bisect_left(starts, max(here, 0)) if next_ else bisect_right(starts, cursor.selectionStart() - 1) - 1
        if (next_ or cursor.hasSelection()) and 0 <= at < len(starts):
            cursor.setPosition(self._links[at][0])
            cursor.setPosition(self._links[at][1], QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)
            return True
        return super().focusNextPrevChild(next_)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A hand over a link."""
        super().mouseMoveEvent(event)
        over = bool(self.anchorAt(event.position().toPoint()))
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A link that was clicked, not one over which words were selected."""
        selected = self.textCursor().hasSelection()
        super().mouseReleaseEvent(event)
        address = self.anchorAt(event.position().toPoint())
        if address and event.button() is Qt.MouseButton.LeftButton and not selected:
            self.anchorClicked.emit(QUrl(address))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, words and the ring."""
        lay_ground(self, event, self._appearance.colour("surface"))
        super().paintEvent(event)
        self._ring.draw()

    def _chosen(self) -> str:
        """The address of the link that is selected, empty if none is."""
        cursor = self.textCursor()
        chosen = (cursor.selectionStart(), cursor.selectionEnd())
        return (
            next((address for start, end, address in self._links if (start, end) == chosen), "") if cursor.hasSelection() else ""
        )
