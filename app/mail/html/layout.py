"""Lays out text in lines with blocks, table cells, lists and quotes."""

import re
from dataclasses import dataclass

COLLAPSING = re.compile(r"[ \t\n\r\f\v]+")
QUOTE_MARK = "> "
DEEPEST_QUOTE = 20
NO_BREAK = str.maketrans("\u00a0\u2007\u202f", "   ")


@dataclass(slots=True)
class _List:
    """An open list; `number` is the next item's, 0 for bullets."""

    number: int


class Layout:
    """Collects lines.

    Spaces collapse except in preformatted text; blocks begin on their own lines.
    """

    def __init__(self) -> None:
        self._lines: list[tuple[int, str]] = []
        self._line: list[str] = []
        self._quotes = 0
        self._pre = 0
        self._lists: list[_List] = []
        self._bullet = ""
        self._cell_pending = False
        self._gap_quotes: int | None = None

    def write(self, text: str) -> None:
        """Adds running text."""
        if self._pre:
            first, *rest = text.split("\n")
            self._put(first)
            for line in rest:
                self.line_break()
                self._put(line)
            return
        if "  " in text or not text.isprintable():
            text = COLLAPSING.sub(" ", text)
        if not self._line or self._line[-1].endswith(" "):
            text = text.removeprefix(" ")
        self._put(text)

    def line_break(self) -> None:
        """Adds an explicit line break."""
        self._flush(always=True)

    def block(self, *, spaced: bool) -> None:
        """Starts or ends a block: a new line, and an empty one if `spaced`."""
        self._flush(always=False)
        if spaced:
            self._gap_quotes = self._quotes if self._gap_quotes is None else min(self._gap_quotes, self._quotes)

    def cell(self) -> None:
        """Starts a table cell."""
        self._cell_pending = bool(self._line)

    def open_list(self, *, numbered: bool, first: str) -> None:
        """Starts a list; `first` is its `start` attribute."""
        number = int(first) if first.isdecimal() and len(first) < 7 else 1
        self._lists.append(_List(number if numbered else 0))

    def close_list(self) -> None:
        """Ends the innermost list."""
        if self._lists:
            self._lists.pop()

    def item(self) -> None:
        """Starts an item of the innermost list."""
        indent = "  " * max(min(len(self._lists), 10) - 1, 0)
        if self._lists and self._lists[-1].number:
            self._bullet = f"{indent}{self._lists[-1].number}. "
            self._lists[-1].number += 1
        else:
            self._bullet = f"{indent}- "

    def open_quote(self) -> None:
        """Starts a quote."""
        self._quotes += 1

    def close_quote(self) -> None:
        """Ends the innermost quote."""
        self._flush(always=False)
        self._quotes = max(self._quotes - 1, 0)

    def open_pre(self) -> None:
        """Starts preformatted text."""
        self._pre += 1

    def close_pre(self) -> None:
        """Ends preformatted text."""
        self._pre = max(self._pre - 1, 0)

    def text(self) -> str:
        """All lines, with at most one empty line in a row."""
        self._flush(always=False)
        kept: list[str] = []
        empty_before = True
        for quotes, line in self._lines:
            if line or not empty_before:
                kept.append((QUOTE_MARK * min(quotes, DEEPEST_QUOTE) + line).rstrip())
            empty_before = not line
        if kept and empty_before:
            kept.pop()
        return "\n".join(kept).translate(NO_BREAK)

    def _put(self, text: str) -> None:
        if not text:
            return
        if text.strip(" "):
            self._close_gap()
            if self._cell_pending:
                self._line.append(" | ")
                self._cell_pending = False
            if self._bullet:
                self._line.append(self._bullet)
                self._bullet = ""
        self._line.append(text)

    def _close_gap(self) -> None:
        """Writes the pending empty line once text follows, as deep in quotes as both neighbours are."""
        if self._gap_quotes is not None and not self._line and self._lines:
            self._lines.append((min(self._gap_quotes, self._quotes), ""))
        self._gap_quotes = None

    def _flush(self, *, always: bool) -> None:
        self._cell_pending = False
        if not self._line and not always:
            return
        line = "".join(self._line).rstrip()
        if line or always:
            self._lines.append((self._quotes, line))
        self._line = []
