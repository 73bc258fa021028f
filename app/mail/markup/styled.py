"""HTML as the words of a letter with its simple styles: bold, italic, links, lists, and quotes as marked lines.

The inverse of `mail.mime.styled`. What a letter cannot hold goes, and that something went is told. Hidden text is left out as
everywhere. Refuses links that a letter would not send.
"""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from app.domain.letter import Style, StyleKind
from app.mail.markup.colours import WHITE, alike
from app.mail.markup.css import declarations_of
from app.mail.markup.layout import COLLAPSING, DEEPEST_QUOTE, NO_BREAK, QUOTE_MARK
from app.mail.markup.nesting import shallow
from app.mail.markup.visible import BLOCKS, Walk
from app.mail.mime.invisible import visible_only
from app.mail.mime.styled import LINK

BOLD = frozenset({"b", "strong"})
ITALIC = frozenset({"i", "em"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LOST_NAMES = "u s strike del ins sub sup big small mark tt code kbd samp pre hr"
LOST = frozenset(_LOST_NAMES.split()) | HEADINGS
"""Elements that say more than their words, which alone are kept; of headings that they are bold."""
LOST_STYLES = frozenset({"font-size", "font-family", "text-align", "text-decoration", "text-decoration-line", "text-indent"})
HARMLESS = frozenset({"none", "normal", "inherit", "initial", "left", "start", "small", "medium", "0", "0px"})
"""Values of these that change nothing, or not more than a mail program's own setting."""

DARK = 0.27
"""The brightest channel of a colour that nobody tells from black: mail programs write many of them by themselves."""

Mark = tuple[StyleKind, str]
Marks = frozenset[Mark]


class Styled(NamedTuple):
    """`lost`: some of the looks, or a picture from elsewhere, is not in the words and their styles."""

    body: str
    styles: tuple[Style, ...]
    lost: bool


def styled_words(source: str) -> Styled:
    """The words of an HTML body as a reader sees them, with their styles."""
    walk = _StyledWalk()
    walk.through(shallow(source))
    body, styles = walk.lines.assembled()
    return Styled(body, styles, walk.lost)


@dataclass(slots=True)
class _Line:
    """A line's words in pieces, how deep it is quoted, and the list it is an item of."""

    quotes: int = 0
    item: StyleKind | None = None
    pieces: list[tuple[str, Marks]] = field(default_factory=list)


class _Lines:
    """Words put into lines."""

    def __init__(self) -> None:
        self.quotes = 0
        self._done: list[_Line] = []
        self._line = _Line()
        self._pending: list[str] = []

    def write(self, text: str, marks: Marks) -> None:
        """Running text."""
        text = COLLAPSING.sub(" ", visible_only(text)).translate(NO_BREAK)
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
        """What stands between the words before and those that follow on the same line."""
        if self._line.pieces:
            self._pending = [words]

    def end(self, *, always: bool) -> None:
        """The line ends; an empty one only where that is wanted `always`."""
        self._pending.clear()
        if self._line.pieces or always:
            self._done.append(replace(self._line, quotes=self.quotes))
        self._line = _Line()

    def gap(self) -> None:
        """One empty line, unless there is one, or nothing above."""
        if self._done and self._done[-1].pieces:
            self._done.append(_Line(self.quotes))

    def item(self, kind: StyleKind | None) -> None:
        """The line that begins is an item of a list, or is not (None)."""
        self._line.item = kind

    @property
    def begun(self) -> bool:
        """Whether the line at hand has words."""
        return bool(self._line.pieces)

    @property
    def in_item(self) -> bool:
        """Whether the line at hand is an item."""
        return self._line.item is not None

    def assembled(self) -> tuple[str, tuple[Style, ...]]:
        """All of it, without empty lines at both ends."""
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
    """Text that grows, and the styles over it."""

    text: list[str] = field(default_factory=list)
    styles: list[Style] = field(default_factory=list)
    _at: int = 0

    def add(self, line: _Line, *, first: bool) -> None:
        """One more line."""
        self._put("" if first else "\n")
        begin = self._at
        self._put((QUOTE_MARK * min(line.quotes, DEEPEST_QUOTE)).removesuffix("" if line.pieces else " "))
        open_ones: dict[Mark, int] = {}
        pieces = _trimmed(line.pieces)
        for text, marks in pieces:
            self._close(open_ones, marks)
            open_ones |= {mark: self._at for mark in marks if mark not in open_ones}
            self._put(text)
        self._close(open_ones, frozenset())
        if line.item is not None and pieces:
            self.styles.append(Style(begin, self._at, line.item))

    def _close(self, open_ones: dict[Mark, int], marks: Marks) -> None:
        for mark in [one for one in open_ones if one not in marks]:
            self.styles.append(Style(open_ones.pop(mark), self._at, *mark))

    def _put(self, text: str) -> None:
        self.text.append(text)
        self._at += len(text)


def _trimmed(pieces: list[tuple[str, Marks]]) -> list[tuple[str, Marks]]:
    """Without the space at the end, which nobody sees."""
    while pieces and not pieces[-1][0].rstrip(" "):
        pieces = pieces[:-1]
    if not pieces:
        return []
    text, marks = pieces[-1]
    return [*pieces[:-1], (text.rstrip(" "), marks)]


class _StyledWalk(Walk):
    """Writes lines with marks instead of a layout."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = _Lines()
        self.lost = False
        self._marks: list[Marks] = [frozenset()]
        self._lists: list[StyleKind] = []

    def _write(self, text: str) -> None:
        if text.strip():
            looks = self._looks[-1]
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
        elif tag == "br":
            self._break()
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
        """A block begins or ends; within an item of a list all stays on its line."""
        if self.lines.in_item:
            self.lines.between(" ")
            return
        self.lines.end(always=False)
        if spaced:
            self.lines.gap()

    def _break(self) -> None:
        if self.lines.in_item:
            self.lines.between(" ")
        else:
            self.lines.end(always=True)

    def _link(self, href: str) -> Marks:
        if LINK.fullmatch(href):
            return frozenset({(StyleKind.LINK, href)})
        self.lost |= bool(href)
        return frozenset()

    def _restyled(self, marks: Marks, style: str) -> Marks:
        """What an element's own style says of its words."""
        for one in declarations_of(style):
            value = "".join(token.serialize() for token in one.value).strip().lower()
            if one.lower_name == "font-weight":
                heavy = value in {"bold", "bolder"} or (value.isdecimal() and int(value) >= 600)
                marks = marks | {(StyleKind.BOLD, "")} if heavy else marks - {(StyleKind.BOLD, "")}
            elif one.lower_name == "font-style":
                leans = value.startswith(("italic", "oblique"))
                marks = marks | {(StyleKind.ITALIC, "")} if leans else marks - {(StyleKind.ITALIC, "")}
            elif one.lower_name in LOST_STYLES:
                self.lost |= value not in HARMLESS
        return marks
