"""Renders an answer: plain text with some Markdown (bold, headings, lists, links) as our own HTML.

Also the bar for its documents.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from PySide6.QtCore import QEvent, QUrl
from PySide6.QtGui import QDesktopServices, QResizeEvent, QTextOption, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.domain.drafting.draft import Source
from app.domain.mail.files import ArtifactHandle, runs_when_opened
from app.domain.protocol.assistant_commands import DocumentPreview, PreviewDocument
from app.ui.context import Context
from app.ui.message.plain_text import MailText
from app.ui.message.rendering import links_in
from app.ui.services import files
from app.ui.services.async_task import EngineQuestion
from app.ui.services.notices import ErrorNotice, said_of
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Space
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import RoleFrame, button, clear, column, label, put

_MARKED = re.compile(r"(!?)\[([^\[\]\n]{0,400})\]\(([^()\s]{1,2000})\)|\*\*([^*\n]{1,1000})\*\*")
_HEADING = re.compile(r"#{1,6}\s+")
_BULLET = re.compile(r"\s{0,12}[-*•]\s+")
_NUMBER = re.compile(r"\s{0,12}(\d{1,4})[.)]\s+")


def addresses_in(sources: Sequence[Source]) -> frozenset[str]:
    """The web addresses that occur in the sources of an answer."""
    return frozenset(link.group() for source in sources for text in (source.title, source.excerpt) for link in links_in(text))


def answer_html(text: str, known: frozenset[str], colour: str) -> str:
    """HTML of an answer. Only addresses in `known` become links, so a model cannot invent one."""
    parts = []
    for kind, lines in groupby(text.strip().splitlines(), _kind):
        if kind == "ul":
            parts.append(f"<ul>{_items(_BULLET, lines, known, colour)}</ul>")
        elif kind == "ol":
            first, *others = lines
            number = _NUMBER.match(first)
            start = number.group(1) if number is not None else "1"
            parts.append(f'<ol start="{start}">{_items(_NUMBER, (first, *others), known, colour)}</ol>')
        elif kind == "h":
            parts += [f"<p><b>{_inline(_HEADING.sub('', line, 1), known, colour)}</b></p>" for line in lines]
        elif kind == "p":
            parts.append(f"<p>{'<br>'.join(_inline(line, known, colour) for line in lines)}</p>")
    return "".join(parts)


def _items(mark: re.Pattern[str], lines: Iterable[str], known: frozenset[str], colour: str) -> str:
    return "".join(f"<li>{_inline(mark.sub('', line, 1), known, colour)}</li>" for line in lines)


def _kind(line: str) -> str:
    if not line.strip():
        return ""
    for kind, pattern in (("h", _HEADING), ("ul", _BULLET), ("ol", _NUMBER)):
        if pattern.match(line):
            return kind
    return "p"


def _inline(line: str, known: frozenset[str], colour: str) -> str:
    """An escaped line. An image becomes its alternative text; a link's address is written out behind its text."""
    parts, last = [], 0
    for mark in _MARKED.finditer(line):
        parts.append(_linked(line[last : mark.start()], known, colour))
        picture, words, address, strong = mark.groups()
        if strong is not None:
            parts.append(f"<b>{_linked(strong, known, colour)}</b>")
        elif picture or words == address:
            parts.append(_linked(words, known, colour))
        else:
            parts.append(f"{_linked(words, known, colour)} ({_linked(address, known, colour)})")
        last = mark.end()
    return "".join((*parts, _linked(line[last:], known, colour)))


def _linked(text: str, known: frozenset[str], colour: str) -> str:
    pieces, last = [], 0
    for link in links_in(text):
        pieces.append(escape(text[last : link.start()]))
        shown = escape(link.group())
        pieces.append(f'<a href="{shown}" style="color:{colour}">{shown}</a>' if link.group() in known else shown)
        last = link.end()
    pieces.append(escape(text[last:]))
    return "".join(pieces)


class AnswerText(MailText):
    """Read-only text as high as its content, so that the surrounding area scrolls.

    Text can be selected and copied. Links are announced.
    """

    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__(appearance, name)
        self._shown: tuple[str, frozenset[str]] = ("", frozenset())
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(Space.LARGE)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        for bar in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            bar(self.horizontalScrollBarPolicy().ScrollBarAlwaysOff)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())
        appearance.changed.connect(self._render)

    def show_answer(self, text: str, sources: Sequence[Source]) -> None:
        """Shows an answer. An unchanged one is not written again, so that its selection stays."""
        wanted = (text, addresses_in(sources))
        if wanted != self._shown:
            self._shown = wanted
            self._render()

    def loadResource(self, _kind: int, _name: QUrl | str) -> object:
        """Loads nothing: an answer must not fetch images."""
        return None

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leaves the wheel to the surrounding scroll area."""
        event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _render(self) -> None:
        text, known = self._shown
        self.setHtml(answer_html(text, known, self._appearance.theme.accent))

    def _fit(self) -> None:
        height = round(self.document().size().height()) + 2 * self.frameWidth()
        if height != self.height():
            self.setFixedHeight(height)


class ChipRow(QWidget):
    """Chips on as many lines as they need. Hidden without any."""

    def __init__(self) -> None:
        super().__init__()
        self._rows = column(self, 0, 0)
        self.hide()

    def show_chips(self, chips: Sequence[QWidget]) -> None:
        clear(self._rows)
        if chips:
            self._rows.addWidget(FlowRow(chips, Space.SMALL, Space.TIGHT))
        self.setVisible(bool(chips))


def show_file(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


class DocumentBar(RoleFrame):
    """Shown above the steps after a click on a document; hidden otherwise."""

    def __init__(self, context: Context, show_it: Callable[[Path], object] = show_file) -> None:
        super().__init__("notice")
        self._context, self._open_file = context, show_it
        self._handle: ArtifactHandle | None = None
        self.words = label("", wrap=True)
        self.preview = button(self.tr("Preview"), "", self._ask_text)
        self.open = button(self.tr("Open"), "", self._open)
        self.save = button(self.tr("Save as…"), "", self._ask_where)
        self.close_it = button(self.tr("Dismiss"), "link", self.hide)
        self.text = AnswerText(context.appearance, self.tr("Preview"))
        self._question = EngineQuestion(context.link, self)
        buttons = FlowRow((self.preview, self.open, self.save, self.close_it), Space.SMALL)
        put(column(self, Space.SMALL, Space.TIGHT), self.words, buttons, self.text)
        self.hide()

    def offer(self, handle: ArtifactHandle) -> None:
        """Asks what to do with a document. A file that would run as a program can only be saved."""
        self._handle = handle
        self._question.cancel()
        self.text.hide()
        runs = runs_when_opened(handle.name)
        asked = self.tr("The assistant made “%1” from what it read. Open it?")
        only = self.tr("“%1” is a program. You can save it but not open it here.")
        self.words.setText((only if runs else asked).replace("%1", handle.name))
        self.open.setVisible(not runs)
        self.preview.setVisible(not runs)
        self.show()
        (self.save if runs else self.open).setFocus()

    def put(self, target: Path) -> None:
        source = self._file()
        if source is not None and files.put(self._context.notices, target, source):
            self.hide()

    def _ask_text(self) -> None:
        if self._handle is not None:
            why = self._context.reader
            self._question.ask(
                PreviewDocument(self._handle.id), self._show_preview, lambda error: self._show_text(said_of(error, why))
            )

    def _show_preview(self, answer: DocumentPreview) -> None:
        more = self.tr("Only the beginning is shown.")
        self._show_text(f"{answer.text}\n\n{more}" if answer.cut else answer.text)

    def _show_text(self, words: str) -> None:
        self.text.show_answer(words, ())
        self.text.show()

    def _open(self) -> None:
        path = self._file()
        if path is not None:
            self.hide()
            self._open_file(path)

    def _ask_where(self) -> None:
        if self._handle is not None:
            files.ask_where(self._context, self, self._handle.name, self.put)

    def _file(self) -> Path | None:
        """Path of the document. If it is missing or was changed, a notice says so and None is returned."""
        found = None
        with ErrorNotice(self._context.notices) as told:
            found = self._context.reader.document(self._handle) if self._handle is not None else None
        if found is None and not told.failed:
            self._context.notices.tell(self.tr("The document is no longer available."))
        return found
