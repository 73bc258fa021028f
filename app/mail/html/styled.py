"""Converts between HTML and text with simple styles: bold, italic, links, lists, and quotes as marked lines.

Reading drops what a letter cannot hold and reports that with `lost`; hidden text is left out.
"""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from app.domain.mail.letter import Style, StyleKind, picture_id
from app.domain.record import replace
from app.mail.html.bounds import bounded
from app.mail.html.css import declarations_of
from app.mail.html.hiding import WHITE, alike
from app.mail.html.visible import BLOCKS, COLLAPSING, DEEPEST_QUOTE, QUOTE_MARK, TextWalk, with_plain_spaces
from app.mail.mime.text import visible_only


def lines_as_html(text: str) -> str:
    """Converts plain text to HTML that keeps its lines and runs of spaces."""
    escaped = html.escape(text, quote=False).replace("\t", "    ")
    lines = (re.sub(r"^ | (?= )", "&nbsp;", line) for line in escaped.split("\n"))
    return "<br>\r\n".join(lines)


LINK = re.compile(r"(?:https?://|mailto:)[^\s<>\"\x00-\x1f\x7f]{1,2000}", re.IGNORECASE)
NO_WIDTH = (StyleKind.SLOT, StyleKind.PICTURE)
LISTS = {StyleKind.BULLET: "ul", StyleKind.NUMBERED: "ol"}


def as_text(body: str, styles: Sequence[Style]) -> str:
    """Plain text with list marks, link addresses after their text, and slots in brackets."""
    lines: list[str] = []
    number = 0
    for start, end in _lines(body):
        kind = _list_kind(start, end, styles)
        number = number + 1 if kind is StyleKind.NUMBERED else 0
        mark = "- " if kind is StyleKind.BULLET else f"{number}. " if kind is StyleKind.NUMBERED else ""
        lines.append(mark + "".join(_text_piece(body, a, b, styles) for a, b in _pieces(start, end, styles)))
    return "\n".join(lines)


def as_html(body: str, styles: Sequence[Style]) -> str:
    """The same as HTML: line breaks as `<br>`, lists as lists."""
    out: list[str] = []
    open_list: StyleKind | None = None
    for start, end in _lines(body):
        kind = _list_kind(start, end, styles)
        words = "".join(_html_piece(body, a, b, styles) for a, b in _pieces(start, end, styles))
        if kind is not open_list:
            out.append((f"</{LISTS[open_list]}>" if open_list else "") + (f"<{LISTS[kind]}>" if kind else ""))
            open_list = kind
        out.append(f"<li>{words}</li>" if kind else f"{words}<br>")
    if open_list:
        out.append(f"</{LISTS[open_list]}>")
    return "\r\n".join(piece for piece in out if piece).removesuffix("<br>")


def _lines(body: str) -> list[tuple[int, int]]:
    found, at = [], 0
    for line in body.split("\n"):
        found.append((at, at + len(line)))
        at += len(line) + 1
    return found


def _list_kind(start: int, end: int, styles: Sequence[Style]) -> StyleKind | None:
    """The kind of list a line belongs to, None for no list."""
    return next((style.kind for style in styles if style.kind in LISTS and style.start <= start and end <= style.end), None)


def _pieces(start: int, end: int, styles: Sequence[Style]) -> list[tuple[int, int]]:
    """Splits a line wherever a style begins or ends. Slots and pictures are pieces of zero width."""
    cuts = sorted({start, end, *(at for style in styles for at in (style.start, style.end) if start < at < end)})
    slots = {style.start for style in styles if style.kind in NO_WIDTH and start <= style.start <= end}
    pieces: list[tuple[int, int]] = []
    for left, right in pairwise(cuts):
        pieces += [(left, left)] if left in slots else []
        pieces.append((left, right))
    return pieces + ([(end, end)] if end in slots else [])


def _objects(at: int, styles: Sequence[Style]) -> str:
    found = ""
    for style in styles:
        if style.start == at and style.kind is StyleKind.SLOT:
            found += html.escape(f"[{style.value}]", quote=False)
        elif style.start == at and style.kind is StyleKind.PICTURE:
            found += f'<img src="cid:{picture_id(style.value)}" alt="{html.escape(style.value)}" style="max-width:100%">'
    return found


def _link(start: int, end: int, styles: Sequence[Style]) -> Style | None:
    covering = (style for style in styles if style.kind is StyleKind.LINK and style.start <= start and end <= style.end)
    return next((style for style in covering if LINK.fullmatch(style.value)), None)


def _text_piece(body: str, start: int, end: int, styles: Sequence[Style]) -> str:
    if start == end:
        return "".join(f"[{style.value}]" for style in styles if style.kind in NO_WIDTH and style.start == start)
    link = _link(start, end, styles)
    if link is None or link.end != end:
        return body[start:end]
    words = body[link.start : link.end]
    return body[start:end] + ("" if words in link.value else f" <{link.value}>")


def _html_piece(body: str, start: int, end: int, styles: Sequence[Style]) -> str:
    if start == end:
        return _objects(start, styles)
    words = lines_as_html(body[start:end])
    for kind, tag in ((StyleKind.ITALIC, "i"), (StyleKind.BOLD, "b")):
        if any(style.kind is kind and style.start <= start and end <= style.end for style in styles):
            words = f"<{tag}>{words}</{tag}>"
    link = _link(start, end, styles)
    return f'<a href="{html.escape(link.value)}">{words}</a>' if link else words


BOLD = frozenset({"b", "strong"})
ITALIC = frozenset({"i", "em"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LOST_NAMES = "u s strike del ins sub sup big small mark tt code kbd samp pre hr"
LOST = frozenset(_LOST_NAMES.split()) | HEADINGS
"""Elements with more meaning than their text. Only the text is kept; headings also become bold."""
LOST_STYLES = frozenset({"font-size", "font-family", "text-align", "text-decoration", "text-decoration-line", "text-indent"})
HARMLESS = frozenset({"none", "normal", "inherit", "initial", "left", "start", "small", "medium", "0", "0px"})
"""Values of these properties that change nothing, or no more than a mail program's default."""

DARK = 0.27
"""The brightest channel of a colour that looks black; mail programs write many such colours by default."""

Mark = tuple[StyleKind, str]
Marks = frozenset[Mark]


class StyledText(NamedTuple):
    """Text with styles. `lost` means that some style or a remote picture was left out."""

    body: str
    styles: tuple[Style, ...]
    lost: bool


def styled_words(source: str) -> StyledText:
    """Returns the visible text of an HTML body with its styles."""
    walk = _StyledWalk()
    walk.through(bounded(source))
    body, styles = walk.lines.assembled()
    return StyledText(body, styles, walk.lost)


@dataclass(slots=True)
class _Line:
    """The text of a line, its quote depth and its kind of list."""

    quotes: int = 0
    item: StyleKind | None = None
    pieces: list[tuple[str, Marks]] = field(default_factory=list)


class _Lines:
    def __init__(self) -> None:
        self.quotes = 0
        self._done: list[_Line] = []
        self._line = _Line()
        self._pending: list[str] = []

    def write(self, text: str, marks: Marks) -> None:
        text = with_plain_spaces(COLLAPSING.sub(" ", visible_only(text)))
        pieces = self._line.pieces
        if not pieces or (pieces[-1][0].endswith(" ") and not self._pending):
            text = text.removeprefix(" ")
        if not text:
            return
        if text.strip() and self._pending:
            pieces.append((self._pending.pop(), frozenset()))
            self._pending.clear()
            text = text.removeprefix(" ")
        self._line.quotes = self.quotes
        pieces.append((text, marks))

    def between(self, words: str) -> None:
        """Sets a separator to write before the next text of the same line."""
        if self._line.pieces:
            self._pending = [words]

    def end(self, *, always: bool) -> None:
        """Ends the line. An empty one is kept only if `always`."""
        self._pending.clear()
        if self._line.pieces or always:
            self._done.append(replace(self._line, quotes=self.quotes))
        self._line = _Line()

    def gap(self) -> None:
        """Adds one empty line, unless there is one already or nothing above."""
        if self._done and self._done[-1].pieces:
            self._done.append(_Line(self.quotes))

    def item(self, kind: StyleKind | None) -> None:
        """Makes the new line an item of a list, or none (None)."""
        self._line.item = kind

    @property
    def begun(self) -> bool:
        return bool(self._line.pieces)

    @property
    def in_item(self) -> bool:
        return self._line.item is not None

    def assembled(self) -> tuple[str, tuple[Style, ...]]:
        """The text and its styles, without empty lines at both ends."""
        self.end(always=False)
        lines = self._done
        while lines and not lines[-1].pieces:
            lines.pop()
        while lines and not lines[0].pieces:
            lines.pop(0)
        words = _Words()
        for number, line in enumerate(lines):
            words.add(line, first=number == 0)
        return "".join(words.text), tuple(sorted(words.styles, key=lambda one: (one.start, one.end)))


@dataclass(slots=True)
class _Words:
    text: list[str] = field(default_factory=list)
    styles: list[Style] = field(default_factory=list)
    _at: int = 0

    def add(self, line: _Line, *, first: bool) -> None:
        self._put("" if first else "\n")
        begin = self._at
        self._put((QUOTE_MARK * min(line.quotes, DEEPEST_QUOTE)).removesuffix("" if line.pieces else " "))
        open_marks: dict[Mark, int] = {}
        pieces = line.pieces
        while pieces and not pieces[-1][0].rstrip(" "):
            pieces = pieces[:-1]
        if pieces:
            pieces = [*pieces[:-1], (pieces[-1][0].rstrip(" "), pieces[-1][1])]
        for text, marks in pieces:
            self._close(open_marks, marks)
            open_marks |= {mark: self._at for mark in marks if mark not in open_marks}
            self._put(text)
        self._close(open_marks, frozenset())
        if line.item is not None and pieces:
            self.styles.append(Style(begin, self._at, line.item))

    def _close(self, open_marks: dict[Mark, int], marks: Marks) -> None:
        for mark in [mark for mark in open_marks if mark not in marks]:
            self.styles.append(Style(open_marks.pop(mark), self._at, *mark))

    def _put(self, text: str) -> None:
        self.text.append(text)
        self._at += len(text)


class _StyledWalk(TextWalk):
    """Writes lines with styles instead of a layout."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = _Lines()
        self.lost = False
        self._marks: list[Marks] = [frozenset()]
        self._lists: list[StyleKind] = []

    def _write(self, text: str) -> None:
        if text.strip():
            looks = self._style[0]
            self.lost |= max(looks.colour) > DARK or looks.behind is None or not alike(looks.behind, WHITE)
        self.lines.write(text, self._marks[-1])

    def _begin(self, tag: str, attributes: dict[str, str | None]) -> None:
        marks = self._marks[-1]
        if tag in BOLD or tag in HEADINGS:
            marks |= {(StyleKind.BOLD, "")}
        elif tag in ITALIC:
            marks |= {(StyleKind.ITALIC, "")}
        elif tag == "a":
            marks |= self._link((attributes.get("href") or "").strip())
        if attributes.get("style"):
            marks = self._restyled(marks, attributes["style"] or "")
        self._marks.append(marks)
        self._begin_block(tag, attributes)

    def _begin_block(self, tag: str, attributes: dict[str, str | None]) -> None:
        lines = self.lines
        self.lost |= tag in LOST
        if tag == "li":
            lines.end(always=False)
            lines.item(self._lists[-1] if self._lists else StyleKind.BULLET)
        elif tag in {"ul", "ol"}:
            lines.end(always=False)
            self.lost |= bool(self._lists)
            self._lists.append(StyleKind.NUMBERED if tag == "ol" else StyleKind.BULLET)
        elif tag == "br" and lines.in_item:
            lines.between(" ")
        elif tag == "br":
            lines.end(always=True)
        elif tag in {"td", "th"}:
            self.lost |= lines.begun
            lines.between(" | ")
        elif tag == "img":
            self.lost |= not (attributes.get("src") or "").lower().startswith("cid:")
        elif tag in BLOCKS:
            self._edge(spaced=tag == "p" or tag in HEADINGS)
            lines.quotes += tag == "blockquote"

    def _end(self, tag: str) -> None:
        if len(self._marks) > 1:
            self._marks.pop()
        lines = self.lines
        if tag in {"li", "ul", "ol"}:
            lines.end(always=False)
            if tag != "li" and self._lists:
                self._lists.pop()
        elif tag in BLOCKS and tag not in {"td", "th"}:
            self._edge(spaced=tag == "p" or tag in HEADINGS)
            lines.quotes = max(lines.quotes - (tag == "blockquote"), 0)

    def _edge(self, *, spaced: bool) -> None:
        """Starts or ends a block; within a list item everything stays on its line."""
        if self.lines.in_item:
            self.lines.between(" ")
            return
        self.lines.end(always=False)
        if spaced:
            self.lines.gap()

    def _link(self, href: str) -> Marks:
        if LINK.fullmatch(href):
            return frozenset({(StyleKind.LINK, href)})
        self.lost |= bool(href)
        return frozenset()

    def _restyled(self, marks: Marks, style: str) -> Marks:
        """The styles changed by an element's `style` attribute."""
        for declaration in declarations_of(style):
            value = "".join(token.serialize() for token in declaration.value).strip().lower()
            if declaration.lower_name == "font-weight":
                heavy = value in {"bold", "bolder"} or (value.isdecimal() and int(value) >= 600)
                marks = marks | {(StyleKind.BOLD, "")} if heavy else marks - {(StyleKind.BOLD, "")}
            elif declaration.lower_name == "font-style":
                leans = value.startswith(("italic", "oblique"))
                marks = marks | {(StyleKind.ITALIC, "")} if leans else marks - {(StyleKind.ITALIC, "")}
            elif declaration.lower_name in LOST_STYLES:
                self.lost |= value not in HARMLESS
        return marks
