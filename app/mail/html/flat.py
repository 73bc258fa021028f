"""Extracts the visible text of HTML in which nothing hides, by reading its tags in order without a tree.

This covers most mail at a fifth of the cost of the tree. Returns None, so that the tree is used, if a tag is unusual, an element
could hide its content, or a colour could be invisible on any background the mail sets.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from app.mail.html.paint import NOTHING, StyleRule, lost, rules_of
from app.mail.html.rows import BLANKS, JOINT, LINK, LINK_END, LIST, LIST_END, QUOTE, QUOTE_END, TagRow, joined, marked, row_of
from app.mail.html.tags import decoded_text
from app.mail.mime.text import visible_only

LONGEST, BEGINNING = 400_000, 500
TAKEN = re.compile("[\x00-\x08\x0e-\x1f\ue000-\uf8ff]")
SPACES = ("\r", "\n", "\t", "\f", "\v")
COMMON = bytes((32, *range(33, 60), 61, *range(63, 127), *range(128, 0xEE), *range(0xF0, 256)))
"""UTF-8 bytes that are neither brackets, controls nor the start of a private-use character."""
WIDE = ("\u00a0", "\u2007", "\u202f")
TAG = re.compile("<([^<>]*)>")
OPENING = re.compile("<(?:!--|style|STYLE|title|TITLE)")
WHOLE = re.compile(
    "<(?:!--(?!-?>).*?--|[sS][tT][yY][lL][eE](?=[ >])[^<>]*>[^<]*</[sS][tT][yY][lL][eE] *"
    "|[tT][iI][tT][lL][eE]>[^<]*</[tT][iI][tT][lL][eE])>",
    re.DOTALL,
)
"""Comments, style sheets and titles: their content is not text."""
TAKEN_OUT = "<wbr>"
SHEET = re.compile("<style[^<>]*>([^<]*)<", re.IGNORECASE)
SPACED = re.compile(">([ \u00a0]+)")
START = "<div>"
"""Placed before the first text, which begins a line."""
NESTED = re.compile("\x0e[^\x0f]*\x0e")


def flat_text(source: str) -> str | None:
    """Returns the visible text of `source` in lines, None if a tree is needed."""
    if len(source) > LONGEST:
        return None
    source = _spaced(source)
    # Without a comment, style sheet or title near the beginning there is rarely one later, and no row has their tags.
    text = _text(source, ()) if OPENING.search(source, 0, BEGINNING) is None else None
    if text is not None or OPENING.search(source) is None:
        return text
    whole = _without_whole(source)
    rules = rules_of(whole[1]) if whole is not None else None
    return None if whole is None or rules is None else _text(whole[0], rules)


def _text(source: str, rules: tuple[StyleRule, ...]) -> str | None:
    """The text under these rules, None if a tree is needed."""
    odd = source.encode("utf-8", "surrogatepass").translate(None, COMMON)
    beyond = odd.translate(None, b"<>")
    if beyond and TAKEN.search(source):
        return None
    balanced = source if not beyond and odd == b"<>" * (len(odd) // 2) else _balanced(source)
    if balanced is None:
        return None
    text = _read(_cut(START + balanced), rules)
    # Decoded references are visible characters, so plain text needs no further check.
    return text if text is None or (not beyond and text.isascii()) else visible_only(text)


def _spaced(source: str) -> str:
    """Replaces all collapsing white space by plain spaces, and strips them."""
    for space in SPACES:
        if space in source:
            source = source.replace(space, " ")
    return source.strip(" ")


def _without_whole(source: str) -> tuple[str, tuple[str, ...]] | None:
    """The source without comments, style sheets and titles, and the style sheets.

    None for a comment without an end.
    """
    # The last of them ends with the comment that is open at its start, or with the next closing tag.
    last = [found.start() for found in OPENING.finditer(source)][-1]
    in_comment = source.rfind("<!--", 0, last + 4) > source.rfind("-->", 0, last + 4)
    end = source.find("-->", last) + 2 if in_comment else source.find(">", source.find("</", last))
    if end < last:
        if in_comment:
            return None
        end = len(source)
    head = source[: end + 1]
    sheets = [found[1] for each in WHOLE.findall(head) if (found := SHEET.match(each))]
    return WHOLE.sub(TAKEN_OUT, head) + source[end + 1 :], tuple(dict.fromkeys(sheets))


def _balanced(source: str) -> str | None:
    """The source with every bracket closed before the next opens.

    None if a bracket begins no tag.
    """
    pieces = TAG.split(source)
    if any("<" in text for text in pieces[::2]):
        return None
    pieces[::2] = [text.replace(">", "&gt;") for text in pieces[::2]]
    pieces[1::2] = [f"<{tag}>" for tag in pieces[1::2]]
    return "".join(pieces)


def _cut(source: str) -> list[str]:
    """Splits into texts and the rows of tags between them. White space after a tag belongs to its row."""
    pieces = _rows_cut(source)
    begins = {text[:1] for text in pieces[2::2]}
    if "&" in begins:
        source = source.replace("&nbsp;", "\u00a0")
    if not begins.isdisjoint(" &\u00a0"):
        pieces = _rows_cut(SPACED.sub(rf"{BLANKS}\1>", source))
    return pieces


def _rows_cut(source: str) -> list[str]:
    return JOINT.join(source.split("><")).replace("<", ">").split(">")


def _read(pieces: list[str], rules: tuple[StyleRule, ...]) -> str | None:
    """Builds lines from texts and rows; None if a tree is needed."""
    rows = _rows(pieces, rules)
    if rows is None or not _seen(rows) or not _decode(pieces):
        return None
    pieces[1::2] = [row.text for row in rows]
    text = "".join(pieces)
    if QUOTE in text or QUOTE_END in text:
        pieces[1::2] = _quoted(rows)
        text = "".join(pieces)
    return _lines(text, [place for row in rows if row.places for place in row.places])


def _rows(pieces: list[str], rules: tuple[StyleRule, ...]) -> list[TagRow] | None:
    """Parses the rows; None if one needs a tree.

    Hidden text is removed, and the rows around it become one.
    """
    known = {each: row_of(each, rules) for each in dict.fromkeys(pieces[1::2])}
    rows = [row for each in pieces[1::2] if (row := known[each]) is not None]
    if None in known.values():
        return None
    for place in [number for number, row in enumerate(rows) if row.hides][::-1]:
        if [row.first for row in rows[place + 1 : place + 2]] != [rows[place].ending]:
            return None
        at = 2 * place + 1
        pieces[at : at + 3] = [joined(pieces[at], pieces[at + 2])]
        merged = row_of(pieces[at], rules)
        if merged is None:
            return None
        rows[place : place + 2] = [merged]
    return rows


def _seen(rows: Sequence[TagRow]) -> bool:
    """Whether every text differs from its background, however the elements are nested."""
    if not any(row.coloured for row in {*rows}):
        return True
    paints = set().union(*[row.paints for row in rows if row.paints])
    for place, row in enumerate(rows):
        if row.own is not NOTHING and (place + 1 == len(rows) or rows[place + 1].first != row.ending):
            paints.add(row.own)
    return not lost(paints)


def _decode(pieces: list[str]) -> bool:
    """Decodes references in the texts.

    Returns False if that makes white space which the rows around should have known.
    """
    for place in [place for place in range(0, len(pieces), 2) if "&" in pieces[place]]:
        decoded = decoded_text(pieces[place])
        if decoded is None:
            return False
        pieces[place] = decoded.replace("\t", " ").replace("\n", " ")
        if pieces[place].startswith(" "):
            return False
    return not any(map(str.isspace, pieces[2:-1:2]))


def _quoted(rows: Iterable[TagRow]) -> Iterator[str]:
    """The rows' text, with lines marked by their quote depth."""
    depth = 0
    for row in rows:
        text, depth = marked(row.text, depth)
        yield text


def _lines(text: str, places: Iterable[str]) -> str | None:
    """Builds lines from text and signs; None for nested lists or links."""
    if LIST in text or LIST_END in text:
        if NESTED.search(text):
            return None
        text = text.replace(LIST, "").replace(LIST_END, "")
    if LINK in text:
        before, *links = text.split(LINK)
        if not all(LINK_END in link for link in links):
            return None
        text = before + "".join(map(_linked, places, links))
    if LINK_END in text:
        text = text.replace(LINK_END, "")
    while "  " in text:
        text = text.replace("  ", " ")
    for space in () if text.isascii() else WIDE:
        text = text.replace(space, " ")
    while " \n" in text:
        text = text.replace(" \n", "\n")
    return text.lstrip("\n").rstrip()


def _linked(target: str, link: str) -> str:
    """A link's text, its target unless the text contains it, and what follows.

    `link` starts with one sign, which is dropped.
    """
    shown, _, behind = link[1:].partition(LINK_END)
    if not target or not shown.strip() or target.lower() in shown.lower():
        return shown + behind
    return f"{shown}({target}){behind}" if shown.endswith("\n") else f"{shown} ({target}){behind}"
