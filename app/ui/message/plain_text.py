"""Views of plain text. Ordinary mail is rich text with links, long text a chunked view.

As rich text a megabyte takes Qt a second to lay out, again with every change of width, and one word of a megabyte takes minutes.
The chunked view is filled over many turns of the event loop, lays out only what is visible, and cuts long lines into pieces that
a copy joins again.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from PySide6.QtCore import QMimeData, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextBrowser

from app.ui.message.rendering import links_in
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Space
from app.ui.widgets.painting import FocusRing, fill_background, make_opaque


class MailText(QTextBrowser):
    """Rich text made from plain text, with a focus ring."""

    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__()
        self._appearance = appearance
        self._ring = FocusRing(self, appearance)
        self.setProperty("role", "body")
        self.setAccessibleName(name)
        self.setOpenLinks(False)
        self.document().setDocumentMargin(Space.LARGE)
        make_opaque(self)

    def setHtml(self, text: str) -> None:
        """Shows the text from its beginning. In a low view Qt would scroll down to its cursor."""
        super().setHtml(text)
        self.verticalScrollBar().setValue(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        fill_background(self, event, self._appearance.colour("surface"))
        super().paintEvent(event)
        self._ring.draw()


AT_ONCE = 20_000
LINES_AT_ONCE = 500
"""Most characters (`AT_ONCE`) and lines inserted in one turn of the event loop."""
PIECE = 2_000
"""Most characters of a line that are laid out together."""

Piece = tuple[str, bool]
"""Text without a line end, and whether the line continues after it."""


def pieces(text: str) -> Iterator[Piece]:
    """Splits a text into lines, long ones between words where possible."""
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        while end - start > PIECE:
            space = text.rfind(" ", start, start + PIECE)
            cut = space + 1 if space >= 0 else start + PIECE
            yield text[start:cut], True
            start = cut
        yield text[start:end], False
        start = end + 1


class ChunkedText(QPlainTextEdit):
    """A read-only view of text of any length."""

    def __init__(self) -> None:
        super().__init__()
        self._words = ""
        self._rest: Iterator[Piece] = iter(())
        self._cuts: list[int] = []
        self._more = QTimer(self)
        self._more.timeout.connect(self._put_more)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)

    @property
    def words(self) -> str:
        """The whole text, even while it is still being inserted."""
        return self._words

    @property
    def complete(self) -> bool:
        """Whether the whole text has been inserted."""
        return not self._more.isActive()

    def show_words(self, text: str) -> None:
        """Shows the beginning of a text; the rest follows in later turns."""
        self.clear()
        self._words, self._rest = text, pieces(text)
        self._more.start(0)
        self._put_more()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(0)

    def clear(self) -> None:
        self._more.stop()
        self._words, self._rest, self._cuts = "", iter(()), []
        super().clear()

    def _put_more(self) -> None:
        """Inserts as much as one turn allows."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        signs = lines = 0
        waiting: list[str] = []
        while signs < AT_ONCE and lines < LINES_AT_ONCE:
            piece = next(self._rest, None)
            if piece is None:
                self._more.stop()
                break
            words, goes_on = piece
            signs, lines = signs + len(words) + 1, lines + 1
            waiting.append(f"{words}\u2029")
            if goes_on:
                self._put(cursor, "".join(waiting), cut=True)
                waiting.clear()
                self._cuts.append(cursor.position() - 1)
        self._put(cursor, "".join(waiting))
        if not self._more.isActive():
            cursor.deletePreviousChar()  # no empty line at the end
        cursor.endEditBlock()

    def _put(self, cursor: QTextCursor, text: str, cut: bool = False) -> None:
        """Inserts text with its line ends. `cut` means that the last line continues."""
        cursor.insertText(text, QTextCharFormat())

    def createMimeDataFromSelection(self) -> QMimeData:
        """Selected text without the line ends that cut long lines."""
        cursor, found = self.textCursor(), []
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        for cut in self._cuts[bisect_left(self._cuts, start) : bisect_left(self._cuts, end)]:
            found.append(self._between(start, cut))
            start = cut + 1
        found.append(self._between(start, end))
        data = QMimeData()
        data.setText("".join(found).replace("\u2029", "\n"))
        return data

    def _between(self, start: int, end: int) -> str:
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        return cursor.selectedText()


LONG = 30_000
MANY_LINES = 800
LONG_LINE = 4_000
"""Limits of characters (`LONG`), lines (`MANY_LINES`) and characters in one line, above which a mail is long."""


def is_long(text: str) -> bool:
    """Whether the text would block the window as rich text."""
    return len(text) > LONG or text.count("\n") > MANY_LINES or max(map(len, text.split("\n"))) > LONG_LINE


class LongText(ChunkedText):
    """A `ChunkedText` with links. Emits `anchorClicked` for a click, or for Return on a link reached by Tab."""

    anchorClicked = Signal(QUrl)  # named as in QTextBrowser

    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__()
        self._appearance = appearance
        self._ring = FocusRing(self, appearance)
        self._links: list[tuple[int, int, str]] = []
        self.setProperty("role", "body")
        self.setAccessibleName(name)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.document().setDocumentMargin(Space.LARGE)
        self.viewport().setMouseTracking(True)
        make_opaque(self)

    def clear(self) -> None:
        self._links = []
        super().clear()

    def _put(self, cursor: QTextCursor, text: str, cut: bool = False) -> None:
        """Inserts text with its links. An address cut at the end is not made a link."""
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
        """Return follows the selected link."""
        address = self._chosen() if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) else ""
        if address:
            self.anchorClicked.emit(QUrl(address))
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next_: bool) -> bool:
        """Tab goes from link to link, then to the next widget."""
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
        """Shows the pointing cursor over links."""
        super().mouseMoveEvent(event)
        over = bool(self.anchorAt(event.position().toPoint()))
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Follows a clicked link, unless text was selected."""
        selected = self.textCursor().hasSelection()
        super().mouseReleaseEvent(event)
        address = self.anchorAt(event.position().toPoint())
        if address and event.button() is Qt.MouseButton.LeftButton and not selected:
            self.anchorClicked.emit(QUrl(address))

    def paintEvent(self, event: QPaintEvent) -> None:
        fill_background(self, event, self._appearance.colour("surface"))
        super().paintEvent(event)
        self._ring.draw()

    def _chosen(self) -> str:
        """Address of the selected link, empty if none is selected."""
        cursor = self.textCursor()
        chosen = (cursor.selectionStart(), cursor.selectionEnd())
        return (
            next((address for start, end, address in self._links if (start, end) == chosen), "") if cursor.hasSelection() else ""
        )
