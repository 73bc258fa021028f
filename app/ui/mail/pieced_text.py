"""Plain words of any length, put in over many turns of the event loop: a line that is longer than many screens is laid out in
pieces, which nobody sees and no copy holds. As a whole one word of a megabyte takes Qt minutes.

Refuses to be edited.
"""

from bisect import bisect_left
from collections.abc import Iterator

from PySide6.QtCore import QMimeData, QTimer
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

AT_ONCE = 20_000
LINES_AT_ONCE = 500
"""What is put in within one turn."""
PIECE = 2_000
"""Characters of a line that are laid out together."""

Piece = tuple[str, bool]
"""Words without a line end, and whether the line goes on after them."""


def pieces(text: str) -> Iterator[Piece]:
    """The lines of a text, long ones cut, between words where there are any."""
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


class PiecedText(QPlainTextEdit):
    """Read only; laid out only where it is looked at."""

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
        """All of it, whether it stands there yet or not."""
        return self._words

    @property
    def complete(self) -> bool:
        """Whether all of it stands there."""
        return not self._more.isActive()

    def show_words(self, text: str) -> None:
        """Show a text from its beginning; the rest follows."""
        self.clear()
        self._words, self._rest = text, pieces(text)
        self._more.start(0)
        self._put_more()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(0)

    def clear(self) -> None:
        """Nothing is shown."""
        self._more.stop()
        self._words, self._rest, self._cuts = "", iter(()), []
        super().clear()

    def _put_more(self) -> None:
        """As much as one turn has time for."""
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
            cursor.deletePreviousChar()  # no line begins after the last
        cursor.endEditBlock()

    def _put(self, cursor: QTextCursor, text: str, cut: bool = False) -> None:
        """Words with their line ends; `cut` where the line goes on after them."""
        cursor.insertText(text, QTextCharFormat())

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is selected as it came: where a line was cut there is no line end."""
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
