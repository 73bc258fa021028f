"""Extracts the visible text of HTML: hidden text dropped, tables and lists readable, links with their host.

One walk over the parsed tree without recursion.
"""

import itertools
import re
from contextlib import suppress

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from app.mail.html.bounds import TimeBudget
from app.mail.html.hiding import TextStyle, hiding_selectors, looks_of
from app.mail.html.links import target_of
from app.mail.mime.text import visible_only

COLLAPSING = re.compile(r"[ \t\n\r\f\v]+")
QUOTE_MARK = "> "
DEEPEST_QUOTE = 20


def with_plain_spaces(text: str) -> str:
    """The text with ordinary spaces for those that do not break."""
    return text if text.isascii() else text.replace("\u00a0", " ").replace("\u2007", " ").replace("\u202f", " ")


def _quote_marks(depth: int) -> str:
    return QUOTE_MARK * min(depth, DEEPEST_QUOTE)


class Layout:
    """Collects lines. Spaces collapse except in preformatted text; blocks begin on their own lines."""

    def __init__(self) -> None:
        self.line: list[str] = []
        """The pieces of the line so far. As long as it is empty, a further block without space changes nothing."""
        self._lines: list[str] = []
        self._empty_before = True
        self._quotes, self._marks = 0, ""
        self._pre = 0
        self._lists: list[int] = []
        """The next item's number of each open list, 0 for bullets."""
        self._bullet = ""
        self._cell_pending = False
        self._gap_quotes: int | None = None

    def write(self, text: str) -> None:
        if self._pre:
            first, *rest = text.split("\n")
            self._put(first)
            for line in rest:
                self.line_break()
                self._put(line)
            return
        if "  " in text or "\n" in text or "\t" in text or "\r" in text or "\f" in text or "\v" in text:
            text = COLLAPSING.sub(" ", text)
        if text[:1] == " " and (not self.line or self.line[-1][-1] == " "):
            if text == " ":
                return
            text = text[1:]
        self._put(text)

    def line_break(self) -> None:
        self._cell_pending = False
        if not self.line or not self._end_line():
            self._add_empty(self._marks)

    def block(self, *, spaced: bool) -> None:
        """Starts or ends a block: a new line, and an empty one if `spaced`."""
        self._cell_pending = False
        if self.line:
            self._end_line()
        if spaced:
            self._gap_quotes = self._quotes if self._gap_quotes is None else min(self._gap_quotes, self._quotes)

    def cell(self) -> None:
        self._cell_pending = bool(self.line)

    def open_list(self, *, numbered: bool, first: str) -> None:
        """Starts a list; `first` is its `start` attribute."""
        number = int(first) if first.isdecimal() and len(first) < 7 else 1
        self._lists.append(number if numbered else 0)

    def close_list(self) -> None:
        if self._lists:
            self._lists.pop()

    def item(self) -> None:
        indent = "  " * max(min(len(self._lists), 10) - 1, 0)
        if self._lists and self._lists[-1]:
            self._bullet = f"{indent}{self._lists[-1]}. "
            self._lists[-1] += 1
        else:
            self._bullet = f"{indent}- "

    def quote(self, change: int) -> None:
        """Starts a quote (1), or ends one (-1) with its line."""
        if change < 0:
            self.block(spaced=False)
        self._quotes = max(self._quotes + change, 0)
        self._marks = _quote_marks(self._quotes)

    def preformat(self, change: int) -> None:
        """Starts (1) or ends (-1) preformatted text."""
        self._pre = max(self._pre + change, 0)

    def text(self) -> str:
        """All lines, with at most one empty line in a row."""
        self.block(spaced=False)
        return with_plain_spaces("\n".join(self._lines[:-1] if self._empty_before else self._lines))

    def _put(self, text: str) -> None:
        if not text:
            return
        if text.strip(" "):
            if self._gap_quotes is not None:  # the pending empty line is as deep in quotes as both neighbours are
                if not self.line and self._lines:
                    self._add_empty(_quote_marks(min(self._gap_quotes, self._quotes)))
                self._gap_quotes = None
            if self._cell_pending:
                self.line.append(" | ")
                self._cell_pending = False
            if self._bullet:
                self.line.append(self._bullet)
                self._bullet = ""
        self.line.append(text)

    def _end_line(self) -> bool:
        """Adds the line unless it is empty. Returns whether it was added."""
        line = "".join(self.line).rstrip()
        self.line.clear()
        if line:
            self._lines.append(self._marks + line)
            self._empty_before = False
        return bool(line)

    def _add_empty(self, marks: str) -> None:
        if not self._empty_before:
            self._lines.append(marks.rstrip())
        self._empty_before = True


_UNSHOWN_NAMES = (
    "script style head title meta link noscript template object embed applet svg math iframe canvas audio video textarea "
    "select datalist noembed noframes map area param source track input -comment -doctype"
)
UNSHOWN = frozenset(_UNSHOWN_NAMES.split())
_LINES = (
    "div tr dt dd address article aside section header footer nav main figure figcaption center form fieldset hr caption tbody "
    "thead tfoot blockquote li body"
)
_SPACED = "p h1 h2 h3 h4 h5 h6 ul ol dl pre table"
BLOCKS = dict.fromkeys(_LINES.split(), False) | dict.fromkeys(_SPACED.split(), True)
"""Elements on lines of their own, and whether an empty line is around them."""
BEGUN = frozenset({"td", "th", "li", "ul", "ol", "blockquote", "pre", "img", "a"})
"""Elements that start with more than a new block."""
ENDED = frozenset({"ul", "ol", "blockquote", "pre", "a"})
"""Elements that end with more than a new block."""
_TEXT = "-text"
LONGEST_SHEET = 100_000
"""Characters of one style element that are read for rules that hide text."""
SLOW_PART = re.compile(r"[~:]")
MOST_STEPS = 50_000_000
"""Steps of one selector. Each `~` and `:nth-child` looks at all siblings once more: a mail with 15,000 of them took minutes.
Rules beyond the limits hide nothing.
"""
CHECKED_NODES = 200
"""Nodes between two looks at the time."""


def visible_text(source: str, budget: TimeBudget | None = None) -> str:
    """Returns the visible text of an HTML body. Raises `TooSlow` with a budget that ends."""
    walk = TextWalk()
    walk.through(source, budget)
    return visible_only(walk.layout.text())


def _styled_nodes(tree: LexborHTMLParser, budget: TimeBudget) -> dict[int, str]:
    """What style elements add to single elements, by the node's address."""
    found: dict[int, str] = {}
    nodes = 0
    sheets = itertools.takewhile(lambda _: not budget.over, tree.tags("style"))
    for selector, body in (rule for sheet in sheets for rule in hiding_selectors((sheet.text() or "")[:LONGEST_SHEET])):
        if budget.over:
            break
        nodes = nodes or len(tree.css("*"))
        if nodes ** (1 + len(SLOW_PART.findall(selector))) > MOST_STEPS:
            continue
        with suppress(ValueError, SelectolaxError):  # a selector that the parser does not support, such as ::-webkit-...
            for node in tree.css(selector):
                found[node.mem_id] = f"{found.get(node.mem_id, '')};{body}"
    return found


Style = tuple[TextStyle, bool]
"""How text looks at a place, and whether it is seen there."""


class TextWalk:
    """State of a walk through a tree. Holds the stacks of text styles and open links, and the layout so far."""

    def __init__(self) -> None:
        self.layout = Layout()
        self._styled: dict[int, str] = {}
        self._style: Style = (TextStyle(), True)
        self._links: list[tuple[str, list[str]]] = []

    def through(self, source: str, budget: TimeBudget | None = None) -> None:
        """Walks through a whole HTML body. Raises `TooSlow` with a budget that ends."""
        tree = LexborHTMLParser(source)
        styled = self._styled = _styled_nodes(tree, budget or TimeBudget())
        opened: list[tuple[LexborNode, str, Style]] = []
        """The elements around a node, each with the style around it."""
        node, unchecked = tree.root, 1
        while node is not None:
            unchecked -= 1
            if not unchecked and budget is not None:
                budget.check()
                unchecked = CHECKED_NODES
            tag, inside = node.tag or "", False
            if tag == _TEXT:
                if self._style[1]:
                    self._write(node.text_content or "")
            elif tag not in UNSHOWN:
                attributes, around = node.attributes, self._style
                plain = not (attributes or (styled and node.mem_id in styled))
                inside = plain or self._enter(node, attributes)
                if inside:
                    opened.append((node, tag, around))
                    self._begin(tag, attributes)
            below = node.first_child if inside else node.next
            while below is None and opened:
                node, tag, self._style = opened.pop()
                self._end(tag)
                below = node.next
            node = below

    def _enter(self, node: LexborNode, attributes: dict[str, str | None]) -> bool:
        """Takes on the style of an element. Returns False if nothing in it is shown."""
        if "hidden" in attributes:
            return False
        style = attributes.get("style") or ""
        if self._styled and (ruled := self._styled.get(node.mem_id)):
            style = f"{ruled};{style}"
        around = self._style[0]
        looks = looks_of(around, style, attributes.get("color") or "", attributes.get("bgcolor") or "")
        if looks.hidden:
            return False
        if looks is not around:
            self._style = looks, looks.seen
        return True

    def _write(self, text: str) -> None:
        self.layout.write(text)
        if self._links:
            self._links[-1][1].append(text)

    def _begin(self, tag: str, attributes: dict[str, str | None]) -> None:
        spaced = BLOCKS.get(tag)
        if spaced or (spaced is False and self.layout.line):
            self.layout.block(spaced=spaced)
        elif tag == "br":
            self.layout.line_break()
        if tag in BEGUN:
            self._begin_special(tag, attributes)

    def _begin_special(self, tag: str, attributes: dict[str, str | None]) -> None:
        layout = self.layout
        if tag in {"td", "th"}:
            layout.cell()
        elif tag == "li":
            layout.item()
        elif tag in {"ul", "ol"}:
            layout.open_list(numbered=tag == "ol", first=attributes.get("start") or "")
        elif tag == "blockquote":
            layout.quote(1)
        elif tag == "pre":
            layout.preformat(1)
        elif tag == "img":
            alt = (attributes.get("alt") or "").strip()
            if alt and self._style[1]:
                self._write(f"[{alt[:200]}]")
        elif tag == "a":
            self._links.append((attributes.get("href") or "", []))

    def _end(self, tag: str) -> None:
        if tag in ENDED:
            self._end_special(tag)
        spaced = BLOCKS.get(tag)
        if spaced or (spaced is False and self.layout.line):
            self.layout.block(spaced=spaced)

    def _end_special(self, tag: str) -> None:
        layout = self.layout
        if tag == "blockquote":
            layout.quote(-1)
        elif tag == "pre":
            layout.preformat(-1)
        elif tag != "a":
            layout.close_list()
        elif self._links:
            href, pieces = self._links.pop()
            shown = "".join(pieces)
            target = target_of(href) if shown.strip() else ""
            if target and target.lower() not in shown.lower():
                layout.write(f" ({target})")
