"""Views of plain text. Ordinary mail is rich text with links, long text a view that lays out only what is visible.

As rich text a megabyte takes Qt a second to lay out, again with every change of width, and one word of a megabyte takes minutes.
So long lines are cut into pieces, which a copy joins again.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from html import escape

from PySide6.QtCore import QCoreApplication, QMimeData, Qt, QUrl, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextBrowser

from app.domain.ids import MessageId
from app.domain.mail.message import Message
from app.ui.editor.slots import Positions
from app.ui.i18n.formatting import when_short
from app.ui.message.rendering import links_in, newest_and_history, text_html
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


OPEN, QUOTE = "fold", "quote"
"""Schemes of the links within a conversation: fold or unfold a message, show its quoted text."""
MOST_WORDS = 120_000
"""Characters of a conversation that are laid out together, about 0.1 s."""


class ConversationText(MailText):
    """All messages of a conversation in one text, each unfolded or as one line. Emits `followed` for a link in a message."""

    followed = Signal(QUrl)

    def __init__(self, appearance: Appearance, clock: Callable[[], datetime]) -> None:
        super().__init__(appearance, QCoreApplication.translate("ConversationText", "Conversation"))
        self._clock = clock
        self._messages: dict[int, Message] = {}
        self._folded: set[int] = set()
        self._quoting: set[int] = set()
        self._warnings: Mapping[int, str] = {}
        self._current = 0
        self.anchorClicked.connect(self._follow)

    def show_messages(self, messages: Sequence[Message], current: MessageId, warnings: Mapping[int, str]) -> None:
        """Unfolds all, the newest first to have room, and goes to `current`. Those beyond the room stay folded. `warnings` are of
        suspected messages, by id.
        """
        self._warnings = warnings
        again = set(self._messages) <= {one.id for one in messages} and bool(self._messages)
        before, self._messages = set(self._messages), {one.id: one for one in messages}
        room = MOST_WORDS
        for one in reversed(messages):
            room -= len(one.body_text)
            if room < 0 and one.id not in before:
                self._folded.add(one.id)
        if again:
            self._current = current
            self._fill(self.verticalScrollBar().value())
        else:
            self.go_to(current)

    def forget(self) -> None:
        self._messages, self._folded, self._quoting = {}, set(), set()
        self.clear()

    def go_to(self, message_id: MessageId) -> None:
        """Goes to a message and unfolds it."""
        if message_id in self._messages:
            self._current = message_id
            self._folded.discard(message_id)
            self._fill(0)
            self.scrollToAnchor(f"m{message_id}")

    def _fill(self, at: int) -> None:
        self.setHtml("".join(self._part(one) for one in self._messages.values()))
        self.verticalScrollBar().setValue(at)

    def _part(self, message: Message) -> str:
        theme, key = self._appearance.theme, message.id
        folded = key in self._folded
        own, history = newest_and_history(message.body_text)
        first = escape(beginning(own)) if folded else ""
        who = escape(message.sender.name or message.sender.email)
        ground = theme.accent_soft if key == self._current else theme.neutral_soft
        head = (
            f'<a name="m{key}"></a><table width="100%" cellpadding="6" bgcolor="{ground}"><tr><td>'
            f'<a href="{OPEN}:{key}" style="color:{theme.text};text-decoration:none"><b>{who}</b></a>'
            f' <span style="color:{theme.text_soft}">{first}</span></td><td align="right" style="color:{theme.text_soft}">'
            f"{escape(when_short(message.date, self._clock()))}</td></tr></table>"
        )
        if folded:
            return head
        words = QCoreApplication.translate("ConversationText", "Show quoted text")
        quoted = bool(history) and key not in self._quoting
        link = f'<p><a href="{QUOTE}:{key}" style="color:{theme.accent}">{escape(words)}</a></p>' if quoted else ""
        names = file_names(message)
        files = f'<p style="color:{theme.text_soft}">{escape(names)}</p>' if names else ""
        warning = f'<p style="color:{theme.danger}"><b>{escape(self._warnings[key])}</b></p>' if key in self._warnings else ""
        shown = message.body_text if key in self._quoting else own
        return f"{head}{warning}{SPACER}{text_html(pieces(shown[:LONG]), theme)}{files}{link}{SPACER}"

    def _follow(self, address: QUrl) -> None:
        scheme, key = address.scheme(), address.path()
        if scheme not in (OPEN, QUOTE) or not key.isdecimal() or int(key) not in self._messages:
            self.followed.emit(address)
        else:
            changed = self._folded if scheme == OPEN else self._quoting
            changed ^= {int(key)}
            self._fill(self.verticalScrollBar().value())


def beginning(text: str) -> str:
    """The first words of a text on one line."""
    return " ".join(text.split())[:FIRST_WORDS]


def file_names(message: Message) -> str:
    return ", ".join(one.filename for one in message.attachments if not one.inline)


FIRST_WORDS = 80
SPACER = '<p style="font-size:5pt;margin:0">&nbsp;</p>'
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
