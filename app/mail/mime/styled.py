"""Words with simple styles as plain text and as HTML: bold, italic, links and lists, nothing else.

Refuses links that are not http, https or mailto: their words stay, the link does not.
"""

import html
import re
from collections.abc import Sequence
from itertools import pairwise

from app.domain.letter import Style, StyleKind
from app.mail.mime.quoting import lines_as_html

LINK = re.compile(r"(?:https?://|mailto:)[^\s<>\"\x00-\x1f\x7f]{1,2000}", re.IGNORECASE)
LISTS = {StyleKind.BULLET: "ul", StyleKind.NUMBERED: "ol"}


def as_text(body: str, styles: Sequence[Style]) -> str:
    """The words with list marks, link addresses behind their words, and open places in brackets."""
    lines: list[str] = []
    number = 0
    for start, end in _lines(body):
        kind = _list_kind(start, end, styles)
        number = number + 1 if kind is StyleKind.NUMBERED else 0
        mark = "- " if kind is StyleKind.BULLET else f"{number}. " if kind is StyleKind.NUMBERED else ""
        lines.append(mark + "".join(_text_piece(body, a, b, styles) for a, b in _pieces(start, end, styles)))
    return "\n".join(lines)


def as_html(body: str, styles: Sequence[Style]) -> str:
    """The same as HTML: lines broken with `<br>`, lists as lists."""
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
    """Start and end of each line."""
    found, at = [], 0
    for line in body.split("\n"):
        found.append((at, at + len(line)))
        at += len(line) + 1
    return found


def _list_kind(start: int, end: int, styles: Sequence[Style]) -> StyleKind | None:
    """The list a line belongs to."""
    return next((style.kind for style in styles if style.kind in LISTS and style.start <= start and end <= style.end), None)


def _pieces(start: int, end: int, styles: Sequence[Style]) -> list[tuple[int, int]]:
    """A line cut wherever a style begins or ends; open places are pieces of no width."""
    cuts = sorted({start, end, *(at for style in styles for at in (style.start, style.end) if start < at < end)})
    slots = {style.start for style in styles if style.kind is StyleKind.SLOT and start <= style.start <= end}
    pieces: list[tuple[int, int]] = []
    for left, right in pairwise(cuts):
        pieces += [(left, left)] if left in slots else []
        pieces.append((left, right))
    return pieces + ([(end, end)] if end in slots else [])


def _prompts(at: int, styles: Sequence[Style]) -> str:
    return "".join(f"[{style.value}]" for style in styles if style.kind is StyleKind.SLOT and style.start == at)


def _link(start: int, end: int, styles: Sequence[Style]) -> Style | None:
    covering = (style for style in styles if style.kind is StyleKind.LINK and style.start <= start and end <= style.end)
    return next((style for style in covering if LINK.fullmatch(style.value)), None)


def _text_piece(body: str, start: int, end: int, styles: Sequence[Style]) -> str:
    if start == end:
        return _prompts(start, styles)
    link = _link(start, end, styles)
    if link is None or link.end != end:
        return body[start:end]
    words = body[link.start : link.end]
    return body[start:end] + ("" if words in link.value else f" <{link.value}>")


def _html_piece(body: str, start: int, end: int, styles: Sequence[Style]) -> str:
    if start == end:
        return html.escape(_prompts(start, styles), quote=False)
    words = lines_as_html(body[start:end])
    for kind, tag in ((StyleKind.ITALIC, "i"), (StyleKind.BOLD, "b")):
        if any(style.kind is kind and style.start <= start and end <= style.end for style in styles):
            words = f"<{tag}>{words}</{tag}>"
    link = _link(start, end, styles)
    return f'<a href="{html.escape(link.value)}">{words}</a>' if link else words
