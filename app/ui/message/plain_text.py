"""Views of plain text. Ordinary mail is rich text with links, long text a view that lays out only what is visible.

As rich text a megabyte takes Qt a second to lay out, again with every change of width, and one word of a megabyte takes minutes.
So long lines are cut into pieces, which a copy joins again.
"""

import re
from bisect import bisect_left, bisect_right

from PySide6.QtCore import QMimeData, Qt, QUrl, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextBrowser

from app.domain.mail.message import Message
from app.ui.editor.slots import Positions
from app.ui.message.rendering import links_in
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Space
from app.ui.theme.painting import FocusRing, fill_background, make_opaque


class MailText(QTextBrowser):
    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__()
        self._appearance = appearance
        self._ring = _dressed(self, appearance, name)
        self.setOpenLinks(False)

    def setHtml(self, text: str) -> None:
        """Shows the text from its beginning. In a low view Qt would scroll down to its cursor."""
        super().setHtml(text)
        self.verticalScrollBar().setValue(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        fill_background(self, event, self._appearance.colour("surface"))
        super().paintEvent(event)
        self._ring.draw()


def _dressed(view: QTextBrowser | QPlainTextEdit, appearance: Appearance, name: str) -> FocusRing:
    view.setProperty("role", "body")
    view.setAccessibleName(name)
    view.document().setDocumentMargin(Space.LARGE)
    make_opaque(view)
    return FocusRing(view, appearance)


def beginning(text: str) -> str:
    """The first words of a text on one line."""
    return " ".join(text.split())[:FIRST_WORDS]


def file_names(message: Message) -> str:
    return ", ".join(one.filename for one in message.attachments if not one.inline)


FIRST_WORDS = 80
PIECE = 2_000
"""Most characters of a line that are laid out together."""
CUT = "\u2060\u200b"
"""Invisible characters at the end of a piece whose line continues."""


_PIECE = re.compile(rf".{{1,{PIECE}}}\Z|.{{1,{PIECE - 1}}} |.{{1,{PIECE}}}")


def pieces(text: str) -> str:
    """Cuts long lines of a text, between words where possible."""
    return "\n".join(line if len(line) <= PIECE else f"{CUT}\n".join(_PIECE.findall(line)) for line in text.split("\n"))


class LongPlainText(QPlainTextEdit):
    """A read-only view of text of any length. A megabyte takes 30 ms."""

    def __init__(self) -> None:
        super().__init__()
        self.words = ""
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)

    def show_words(self, text: str) -> None:
        self.words = text
        self.setPlainText(pieces(text))

    def createMimeDataFromSelection(self) -> QMimeData:
        """Selected text without the line ends that cut long lines."""
        data = QMimeData()
        data.setText(self.textCursor().selectedText().replace(f"{CUT}\u2029", "").replace("\u2029", "\n"))
        return data


LONG = 30_000
MANY_LINES = 800
LONG_LINE = 4_000
"""Limits of characters (`LONG`), lines (`MANY_LINES`) and characters in one line, above which a mail is long."""


def is_long(text: str) -> bool:
    return len(text) > LONG or text.count("\n") > MANY_LINES or max(map(len, text.split("\n"))) > LONG_LINE


class LongText(LongPlainText):
    """A `LongPlainText` with links. Emits `anchorClicked` for a click, or for Return on a link reached by Tab."""

    anchorClicked = Signal(QUrl)  # named as in QTextBrowser

    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__()
        self._appearance = appearance
        self._ring = _dressed(self, appearance, name)
        self._links: list[tuple[int, int, str]] = []
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.viewport().setMouseTracking(True)

    def show_words(self, text: str) -> None:
        """Shows a text with its links. An address that is cut is not made a link."""
        super().show_words(text)
        self._links = []
        shown, form, cursor = self.document().toRawText(), QTextCharFormat(), QTextCursor(self.document())
        places = Positions(shown)
        form.setAnchor(True)
        form.setForeground(self._appearance.colour("accent"))
        form.setFontUnderline(True)
        cursor.beginEditBlock()
        for link in links_in(shown):
            if CUT in link.group():
                continue
            start, end = places.position(link.start()), places.position(link.end())
            form.setAnchorHref(link.group())
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(form)
            self._links.append((start, end, link.group()))
        cursor.endEditBlock()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        cursor = self.textCursor()
        chosen = (cursor.selectionStart(), cursor.selectionEnd())
        address = next((address for start, end, address in self._links if (start, end) == chosen), "")
        if address and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.anchorClicked.emit(QUrl(address))
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next_: bool) -> bool:
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
        super().mouseMoveEvent(event)
        over = bool(self.anchorAt(event.position().toPoint()))
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        selected = self.textCursor().hasSelection()
        super().mouseReleaseEvent(event)
        address = self.anchorAt(event.position().toPoint())
        if address and event.button() is Qt.MouseButton.LeftButton and not selected:
            self.anchorClicked.emit(QUrl(address))

    def paintEvent(self, event: QPaintEvent) -> None:
        fill_background(self, event, self._appearance.colour("surface"))
        super().paintEvent(event)
        self._ring.draw()
