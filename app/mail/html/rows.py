"""Parses a row: tags with nothing but space between them, and their effect on the lines around.

Results are cached, because mail repeats a few rows many times.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.mail.html.layout import DEEPEST_QUOTE, QUOTE_MARK
from app.mail.html.paint import NOTHING, ElementStyle, StyleRule, clear, paint_in
from app.mail.html.tags import tag_of

MARK, EDGE, GAP, BREAK, CELL, ITEM, QUOTE, QUOTE_END = "\x01", "\x02", "\x03", "\x04", "\x05", "\x06", "\x07", "\x08"
LIST, LIST_END, LINK, LINK_END = "\x0e", "\x0f", "\x10", "\x11"
"""Signs for tags while a mail is read, each after `MARK`; a mail that contains one is left to the tree. The sign of a link is
followed by a character for its target."""
JOINT, BLANKS = "\x13", "\x14"
"""Separators in a row: between its tags, and between a tag and the space after it."""
FIRST_PLACE, MOST_PLACES = 0xE000, 0x1900
REMEMBERED = 2000
"""Rows up to this length are cached."""
COMMENT = re.compile("!---?|!--.*--")
SINGLE_QUOTED = re.compile(r"=\s*'")
PATH = re.compile(
    r'(\s(?:href|src)="https?://[a-z0-9.-]{1,255})[/?#](?:[!#-%(-;=?-~]|&(?:amp;)?[a-z_][a-z0-9_]{0,99}=){0,2000}"',
    re.IGNORECASE,
)
"""What follows a host, if no reference in it could stand for a character that changes the address."""
LINKS = re.compile("\x10.|\x11")
RUN = re.compile("(\x01[\x01-\x11\ue000-\uf8ff\\s]*)")
"""Signs with nothing but space between them, and the space after them."""
BREAKS = re.compile("[\x02-\x04]")
SPACE = re.compile("\\s")
LISTS = re.compile("[\x0e\x0f]")
_INLINE_NAMES = (
    "b big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var abbr wbr html head "
    "meta link base"
)
_EDGES_NAMES = (
    "div tr dt dd address article aside section header footer nav main figure figcaption center hr caption tbody thead tfoot body"
)
_SPACED_NAMES = "p h1 h2 h3 h4 h5 h6 dl table"
OPENING = {
    **dict.fromkeys(_INLINE_NAMES.split(), ""),
    **dict.fromkeys(_EDGES_NAMES.split(), MARK + EDGE),
    **dict.fromkeys(_SPACED_NAMES.split(), MARK + GAP),
    "td": MARK + CELL,
    "th": MARK + CELL,
    "li": MARK + EDGE + ITEM,
    "ul": MARK + GAP + LIST,
    "blockquote": MARK + EDGE + QUOTE,
    "br": MARK + BREAK,
}
"""The sign of each tag in a line of text. Elements that are not here need the tree."""
CLOSING = {
    **OPENING,
    "a": MARK + LINK_END,
    "td": "",
    "th": "",
    "li": MARK + EDGE,
    "ul": MARK + LIST_END + GAP,
    "blockquote": MARK + QUOTE_END + EDGE,
}
VOID = frozenset({"br", "hr", "wbr", "img", "meta", "link", "base"})
ALONE = frozenset({"div", "span", "p", "font", "b", "i", "em", "strong", "u", "small", "center", "h1", "h2", "h3", "h4", "a"})
"""Elements that hold exactly their text, wherever they are, if the next tag closes them."""
PLAIN = {**OPENING, **{f"/{name}": sign for name, sign in CLOSING.items() if name not in VOID}}
"""The same for tags without attributes."""
NO_TAG = "wbr"
"""Placeholder for a tag without effect."""


@dataclass(frozen=True, slots=True, eq=False)
class TagRow:
    """The effect of a row.

    `text` holds the signs of links and lists for later, `places` are the link targets, `paints` are what its tags set, `first` is
    its first tag. If the last tag opens an element that must hold only text, `ending` is the tag that has to follow: then that
    text is hidden (`hides`) or visible anywhere (`own`).
    """

    text: str
    places: tuple[str, ...]
    paints: frozenset[ElementStyle]
    first: str
    ending: str = ""
    hides: bool = False
    own: ElementStyle = NOTHING
    coloured: bool = False


def row_of(row: str, rules: tuple[StyleRule, ...]) -> TagRow | None:
    """Parses a row under these style rules; None if it needs the tree."""
    return _remembered(row, rules) if len(row) <= REMEMBERED else _read(row, rules)


def joined(hiding: str, behind: str) -> str:
    """Joins two rows into one without the hidden element between them.

    The element is opened at the end of the first row and closed at the start of the second.
    """
    before, joint, _ = hiding.rpartition(JOINT)
    end, further, others = behind.partition(JOINT)
    return f"{before}{joint}{NO_TAG}{BLANKS}{end.partition(BLANKS)[2]}{further}{others}"


@lru_cache(maxsize=4096)
def marked(text: str, depth: int) -> tuple[str, int]:
    """A row's text with its lines marked as quoted, and the depth after it.

    `depth` is the quote depth before the row.
    """
    pieces: list[str] = []
    for number, deeper in enumerate(text.split(QUOTE)):
        if number:
            pieces.append(QUOTE_MARK if depth < DEEPEST_QUOTE else "")
            depth += 1
        for place, piece in enumerate(deeper.split(QUOTE_END)):
            depth = max(depth - 1, 0) if place else depth
            pieces.append(piece.replace("\n", f"\n{QUOTE_MARK * min(depth, DEEPEST_QUOTE)}"))
    return "".join(pieces).replace(" \n", "\n"), depth


@lru_cache(maxsize=4096)
def _remembered(row: str, rules: tuple[StyleRule, ...]) -> TagRow | None:
    """Caches rows without the paths of their addresses, which differ in every newsletter."""
    if "://" not in row or SINGLE_QUOTED.search(row):
        return _read(row, rules)
    return _pathless(PATH.sub(r'\1"', row), rules)


@lru_cache(maxsize=4096)
def _pathless(row: str, rules: tuple[StyleRule, ...]) -> TagRow | None:
    return _read(row, rules)


def _read(row: str, rules: tuple[StyleRule, ...]) -> TagRow | None:
    parted = [each.partition(BLANKS) for each in row.split(JOINT)]
    tags, blanks = [tag for tag, _, _ in parted], [blank for _, _, blank in parted]
    paints: list[ElementStyle] = []
    for each in tags:
        paint = paint_in(each, rules)
        if paint is None:
            return None
        paints.append(paint)
    first, last = tags[0], paints[-1]
    ending = _ending(tags[-1]) if last.hidden or clear(last) else ""
    own = last if ending and not last.hidden else NOTHING
    if not _take_out(tags, blanks, paints):
        return None
    shown = frozenset([paint for place, paint in enumerate(paints) if paint is not NOTHING and _matters(place, tags, paint)])
    made = _text_and_places(tags, blanks)
    hides = last.hidden and bool(ending)
    return None if made is None else TagRow(*made, shown, first, ending, hides, own, bool(shown) or own is not NOTHING)


def _take_out(tags: list[str], blanks: list[str], paints: Sequence[ElementStyle]) -> bool:
    """Empties elements that are hidden within the row.

    Returns False if one holds more than text. The last element may hide the text after the row; it is kept.
    """
    for place, paint in enumerate(paints):
        if not paint.hidden:
            continue
        ending = _ending(tags[place])
        if ending and place + 1 == len(tags):
            return True
        if ending and tags[place + 1] == ending:
            tags[place + 1], blanks[place] = NO_TAG, ""
        elif _name(tags[place]) not in VOID:
            return False
        tags[place] = NO_TAG
    return True


def _matters(place: int, tags: Sequence[str], paint: ElementStyle) -> bool:
    """Whether the colours an element sets could meet those of another element.

    Of the last tag this may be decided later.
    """
    if paint.colour is None and paint.ground is None:
        return False
    if not clear(paint):
        return True
    ending = _ending(tags[place])
    alone = ending and tags[place + 1 : place + 2] in ([ending], [])
    return not alone and _name(tags[place]) not in VOID


def _ending(tag: str) -> str:
    """The tag that must come next if the element holds only text.

    Empty for elements where this does not apply.
    """
    name = _name(tag)
    return f"/{name}" if name in ALONE and not tag.startswith("/") else ""


def _name(inside: str) -> str:
    tag = tag_of(f"<{inside}>")
    return tag.name if tag is not None else ""


def _text_and_places(tags: Sequence[str], blanks: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """The row's text and its link targets; None if it needs the tree."""
    places: list[str] = []
    signs: list[str] = []
    for tag, blank in zip(tags, blanks, strict=True):
        sign = _sign(tag, places)
        if sign is None:
            return None
        signs += (sign, blank)
    if len(places) > MOST_PLACES:
        return None
    pieces = RUN.split("".join(signs))
    pieces[1::2] = map(_run, pieces[1::2])
    text = "".join(pieces)
    return text, tuple([places[ord(link[1]) - FIRST_PLACE] for link in LINKS.findall(text) if link != LINK_END])


def _sign(inside: str, places: list[str]) -> str | None:
    """The sign for a tag (without brackets); None if it needs the tree.

    Adds a link's target to `places`.
    """
    if inside.startswith(("!", "?")):
        return "" if not inside.startswith("!--") or COMMENT.fullmatch(inside) else None
    plain = PLAIN.get(inside)
    tag = tag_of(f"<{inside}>") if plain is None else None
    if tag is None:
        return plain
    if tag.closing:
        return None if tag.name in VOID else CLOSING.get(tag.name)
    if tag.name == "a":
        places.append(tag.target)
        return f"{MARK}{LINK}{chr(FIRST_PLACE + len(places) - 1)}"
    if tag.name == "img":
        return f"[{tag.alt}]".replace("\t", " ").replace("\n", " ") if tag.alt else ""
    return OPENING.get(tag.name)


def _run(signs: str) -> str:
    """The text for a run of signs between two texts.

    Links and lists stay for later. Ending quotes come before the line break, beginning ones after it.
    """
    ended, begun = 0, list[str]()
    for link in LINKS.findall(signs):
        if link != LINK_END:
            begun.append(link)
        elif begun:
            begun.pop()  # a link without text
        else:
            ended += 1
    space = signs[len(signs.rstrip()) :]
    plain, links = LINKS.sub("", signs), "".join(begun)
    breaks = BREAKS.findall(plain)
    lists = "".join(LISTS.findall(plain))
    if not breaks and CELL in plain:
        return f"{LINK_END * ended}{lists} | {links}{space}"
    if not breaks:
        return f"{LINK_END * ended}{lists}{''.join(SPACE.findall(signs))}{links}"
    ends = "\n\n" if GAP in breaks or BREAK in breaks[1:] else "\n"
    bullet = "- " if ITEM in plain else ""
    begin = f"{ends}{QUOTE * plain.count(QUOTE)}{lists}{bullet}{links}{space.lstrip(' ')}"
    return f"{LINK_END * ended}{QUOTE_END * plain.count(QUOTE_END)}{begin}"
