"""Renders an answer: plain text with some Markdown (bold, headings, lists, links) as our own HTML."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from PySide6.QtCore import QEvent, QUrl
from PySide6.QtGui import QResizeEvent, QTextOption, QWheelEvent

from app.domain.drafting.draft import Source
from app.ui.message.plain_text import MailText
from app.ui.message.rendering import links_in
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Space

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
            parts.append(_numbered(list(lines), known, colour))
        elif kind == "h":
            parts += [f"<p><b>{_inline(_HEADING.sub('', line, 1), known, colour)}</b></p>" for line in lines]
        elif kind == "p":
            parts.append(f"<p>{'<br>'.join(_inline(line, known, colour) for line in lines)}</p>")
    return "".join(parts)


def _numbered(lines: list[str], known: frozenset[str], colour: str) -> str:
    first = _NUMBER.match(lines[0])
    start = first.group(1) if first is not None else "1"
    return f'<ol start="{start}">{_items(_NUMBER, lines, known, colour)}</ol>'


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
    return "".join(_pieces(line, known, colour))


def _pieces(line: str, known: frozenset[str], colour: str) -> Iterator[str]:
    """Escaped parts of a line. An image becomes its alternative text; a link's address is written out behind its text."""
    last = 0
    for mark in _MARKED.finditer(line):
        yield _linked(line[last : mark.start()], known, colour)
        picture, words, address, strong = mark.groups()
        if strong is not None:
            yield f"<b>{_linked(strong, known, colour)}</b>"
        elif picture or words == address:
            yield _linked(words, known, colour)
        else:
            yield f"{_linked(words, known, colour)} ({_linked(address, known, colour)})"
        last = mark.end()
    yield _linked(line[last:], known, colour)


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
