"""Finding in the open message: a bar with the number of matches and the way to the next, and marks on the words of a search.

Case and accents do not matter in plain text. Chromium marks HTML itself.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from app.domain.language.search_text import folded
from app.domain.language.words import is_stop_word
from app.ui.context import Context
from app.ui.editor.slots import Positions
from app.ui.i18n.formatting import number_words
from app.ui.services.async_task import single_shot
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.factory import STRETCH, RoleFrame, label, named, row, tool_button

MOST = 1000
LONGEST = 500_000
"""Characters of a text that are searched."""
PAUSE_MS = 120
_WORD = re.compile(r'-?(?:(\w+):)?("[^"]*"|[^\s()"]+)')
_TAGS = re.compile(r"(<[^>]*>)")


@lru_cache(maxsize=4096)
def _plain(letter: str) -> str:
    """A letter without case and accents, always one character."""
    return unicodedata.normalize("NFD", letter)[:1].lower()[:1] or letter


def spots(text: str, words: Sequence[str], from_start: bool = False) -> Iterator[tuple[int, int]]:
    """Where words are in a text, at most `MOST` times. With `from_start` only where they begin a word of it."""
    wanted = [re.escape("".join(map(_plain, word))) for word in words if word]
    if not wanted:
        return
    begin = r"(?<!\w)" if from_start else ""
    pattern = re.compile(f"{begin}(?:{'|'.join(sorted(wanted, key=len, reverse=True))})")
    for number, found in enumerate(pattern.finditer("".join(map(_plain, text[:LONGEST])))):
        if number >= MOST:
            return
        yield found.start(), found.end()


def searched_words(query: str) -> tuple[str, ...]:
    """The words of a search that a message's text may contain: not those of other operators, nor those it must not contain.
    Words such as "the" only where there are no others.
    """
    found = []
    for match in _WORD.finditer(query):
        word = match[2].strip('"*')
        if not match[1] and not match[0].startswith("-") and word not in ("OR", "AND", "AROUND") and len(word) > 1:
            found.append(word)
    telling = [word for word in found if not is_stop_word(folded(word))]
    return tuple(dict.fromkeys(telling or found))


def marked_html(html: str, words: Sequence[str]) -> str:
    """Puts `mark` around the words in the text of cleaned HTML."""
    if not words or len(html) > LONGEST:
        return html
    pieces = _TAGS.split(html)
    for at in range(0, len(pieces), 2):  # the odd ones are tags
        for start, end in reversed(list(spots(pieces[at], words, from_start=True))):
            pieces[at] = f"{pieces[at][:start]}<mark>{pieces[at][start:end]}</mark>{pieces[at][end:]}"
    return "".join(pieces)


TextView = QTextEdit | QPlainTextEdit


class FindBar(RoleFrame):
    """Finds in what `view` returns: a text view, or the web view. `leave` moves the focus back to the message."""

    def __init__(self, context: Context, view: Callable[[], QWidget], leave: Callable[[], object]) -> None:
        super().__init__("bar")
        self._context, self._view, self._leave = context, view, leave
        self.words: tuple[str, ...] = ()
        """The words of a search, which are marked in each message shown from now on."""
        self._found: list[tuple[int, int]] = []
        self._at = 0
        self.line = named(QLineEdit(), self.tr("Find in this message"))
        self.line.setPlaceholderText(self.tr("Find in this message"))
        self.line.setMaximumWidth(at_text_size(280))
        self.count = label("", Type.CAPTION, "soft")
        icon = context.icons.icon
        back = tool_button(icon("collapse_up"), self.tr("Previous match (Shift+Enter)"), lambda: self.step(-1))
        on = tool_button(icon("expand"), self.tr("Next match (Enter)"), lambda: self.step(1))
        close = tool_button(icon("close"), self.tr("Close (Esc)"), self.close_bar)
        parts = ((self.line, 1), self.count, back, on, STRETCH, close)
        row(self, (Space.LARGE, Space.TIGHT), Space.SMALL, *parts)
        self._timer = single_shot(self, lambda: self.step(0), PAUSE_MS)
        self.line.textChanged.connect(lambda _text: self._timer.start())
        self.line.installEventFilter(self)
        self.hide()

    def open(self) -> None:
        self.show()
        self.line.setFocus()
        self.line.selectAll()
        self.step(0)

    def close_bar(self) -> None:
        """Closes the bar and removes its marks. The words of a search stay marked."""
        self.hide()
        self.again()
        self._leave()

    def again(self) -> None:
        """Marks what is shown now. Called after the message or its view changed."""
        self._at = 0
        self.step(0)

    def step(self, by: int) -> None:
        """Goes to the next or previous match, or with 0 to the first one."""
        self._timer.stop()
        text = self.line.text() if not self.isHidden() else ""
        view = self._view()
        if isinstance(view, TextView):
            self._find_in_text(view, text, by)
            return
        from app.ui.message.web_view import WebBody  # imports Chromium, which is loaded by now

        if isinstance(view, WebBody):
            view.find_next(text, by < 0, lambda at, count: self._tell(text, at, count))

    def _find_in_text(self, view: TextView, text: str, by: int) -> None:
        raw = view.document().toRawText()
        self._found = list(spots(raw, (text,)))
        self._at = (self._at + by) % len(self._found) if self._found and by else 0
        places = Positions(raw)
        colour, marks = self._context.appearance.colour, []
        toned = [(spot, "warning_soft") for spot in spots(raw, self.words, from_start=True)]
        toned += [(spot, "accent" if at == self._at else "accent_soft") for at, spot in enumerate(self._found)]
        for (start, end), tone in toned:
            mark, form = QTextEdit.ExtraSelection(), QTextCharFormat()
            form.setBackground(colour(tone))
            if tone == "accent":
                form.setForeground(colour("on_accent"))
            cursor = QTextCursor(view.document())
            cursor.setPosition(places.position(start))
            cursor.setPosition(places.position(end), QTextCursor.MoveMode.KeepAnchor)
            mark.cursor, mark.format = cursor, form
            marks.append(mark)
        view.setExtraSelections(marks)
        if self._found:
            cursor = view.textCursor()
            cursor.setPosition(places.position(self._found[self._at][0]))
            view.setTextCursor(cursor)
            view.ensureCursorVisible()
        self._tell(text, self._at + 1, len(self._found))

    def _tell(self, text: str, at: int, count: int) -> None:
        words = self.tr("%1 of %2").replace("%1", number_words(at)).replace("%2", number_words(count))
        self.count.setText("" if not text else words if count else self.tr("Not found"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Takes Enter and Escape before the page's shortcuts do."""
        if not isinstance(event, QKeyEvent) or event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            return super().eventFilter(watched, event)
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
        elif event.type() is QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar()
            else:
                self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        return True
