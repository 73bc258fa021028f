"""The visible text of HTML in which nothing hides, read off its tags in order: only what hides takes a tree to place.

Most mail is like that. Works on whole lists and strings at once, at a third of the cost of the walk over a parsed tree. Gives
`None`, and the tree has the word, as soon as a tag is not plain, an element could hide what is in it, or a colour could be lost
on a ground that the mail sets anywhere.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from html import escape

from app.mail.markup.layout import DEEPEST_QUOTE, QUOTE_MARK
from app.mail.markup.paint import NOTHING, Paint, Rule, clear, lost, paint_in, rules_of
from app.mail.markup.tags import REMEMBERED, decoded_text, tag_of
from app.mail.mime.invisible import visible_only

LONGEST = 400_000
MARK, EDGE, GAP, BREAK, CELL, ITEM, QUOTE, QUOTE_END = "\x01", "\x02", "\x03", "\x04", "\x05", "\x06", "\x07", "\x08"
LIST, LIST_END, LINK, LINK_END, SEAM = "\x0e", "\x0f", "\x10", "\x11", "\x12"
"""Signs that stand for tags on the way, with a mark in front, by which they are found quickly; a mail that holds such a character
itself is not read here. A seam is a tag that makes nothing: it keeps apart what stands around it, until references are decoded.
Behind the sign of a link stands a character for the place it leads to."""
FIRST_PLACE, MOST_PLACES = 0xE000, 0x1900
UNBRACKETED = bytes(sorted({*range(256)} - {*b"<>"}))
TAKEN = re.compile("[\x00-\x08\x0e-\x1f\ue000-\uf8ff]")
SPACES = ("\r", "\n", "\t", "\f", "\v")
COMMON = bytes((32, *range(33, 60), 61, *range(63, 127), *range(128, 0xEE), *range(0xF0, 256)))
"""Bytes of UTF-8 that are neither brackets, controls nor the beginning of a private character."""
WIDE = ("\u00a0", "\u2007", "\u202f")
TAG = re.compile("<([^<>]*)>")
WHOLE = re.compile(
    "<(!--(?!-?>).*?--|[sS][tT][yY][lL][eE](?=[ >])[^<>]*>[^<]*</[sS][tT][yY][lL][eE] *"
    "|[tT][iI][tT][lL][eE]>[^<]*</[tT][iI][tT][lL][eE]|[^<>]*)>",
    re.DOTALL,
)
"""The same with comments, sheets and titles taken whole: what is in them is no text."""
SPECIAL = re.compile("<(?:!--|style|STYLE|title|TITLE)")
OPENINGS = ("<!--", "<style", "<STYLE", "<title", "<TITLE")
SHEET = re.compile("style[^<>]*>([^<]*)<", re.IGNORECASE)
LINKS = re.compile("\x10.|\x11")
LINKED = re.compile("\x10(.)([^\x10\x11]*)\x11")
RUN = re.compile("(\x01[\x01-\x11\ue000-\uf8ff\\s]*)")
"""Signs with nothing but space between them, and the space behind."""
BREAKS = re.compile("[\x02-\x04]")
SPACE = re.compile("\\s")
LISTS = re.compile("[\x0e\x0f]")
NESTED = re.compile("\x0e[^\x0f]*\x0e")
_INLINE_NAMES = (
    "b big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var abbr wbr html head "
    "meta link base"
)
_EDGES_NAMES = (
    "div tr dt dd address article aside section header footer nav main figure figcaption center hr caption tbody thead tfoot body"
)
_SPACED_NAMES = "p h1 h2 h3 h4 h5 h6 dl table"
OPENING = {
    **dict.fromkeys(_INLINE_NAMES.split(), SEAM),
    **dict.fromkeys(_EDGES_NAMES.split(), MARK + EDGE),
    **dict.fromkeys(_SPACED_NAMES.split(), MARK + GAP),
    "td": MARK + CELL,
    "th": MARK + CELL,
    "li": MARK + EDGE + ITEM,
    "ul": MARK + GAP + LIST,
    "blockquote": MARK + EDGE + QUOTE,
    "br": MARK + BREAK,
}
"""What a tag is in a line of text; elements that are not here need the tree."""
CLOSING = {
    **OPENING,
    "a": MARK + LINK_END,
    "td": SEAM,
    "th": SEAM,
    "li": MARK + EDGE,
    "ul": MARK + LIST_END + GAP,
    "blockquote": MARK + QUOTE_END + EDGE,
}
VOID = frozenset({"br", "hr", "wbr", "img", "meta", "link", "base"})
ALONE = frozenset({"div", "span", "p", "font", "b", "i", "em", "strong", "u", "small", "center", "h1", "h2", "h3", "h4", "a"})
"""Elements that hold exactly their text wherever they stand, when the next tag closes them."""
Paints = dict[str, Paint]


def flat_text(source: str) -> str | None:
    """The text of `source` in lines without invisible characters, or None where a tree must tell what is seen."""
    if len(source) > LONGEST:
        return None
    source = _spaced(source)
    odd = source.encode("utf-8", "surrogatepass").translate(None, COMMON)
    beyond = odd.translate(None, b"<>")
    if beyond and TAKEN.search(source):
        return None
    places: list[str] = []
    signed = _signed(source, places)
    text = None if signed is None else _lines(signed, places)
    # References decode to characters that are seen, so that plain text has become nothing else.
    return text if text is None or (not beyond and text.isascii()) else visible_only(text)


def _spaced(source: str) -> str:
    """The source with plain spaces for all white space that collapses."""
    for space in SPACES:
        if space in source:
            source = source.replace(space, " ")
    return source


def _signed(source: str, places: list[str]) -> str | None:
    """The text with a sign for each tag, its references decoded; None if it takes the tree. `places` gets those that links lead
    to, in the order of their characters."""
    pieces = _cut(source, [found.start() for found in SPECIAL.finditer(source)])
    if pieces is None:
        return None
    tags = pieces[1::2]
    different = list(dict.fromkeys(tags))
    signs = {each: sign_of(each) if len(each) <= REMEMBERED else _sign_of(each) for each in different}
    if "" in signs.values() or not _placed(signs, places):
        return None
    pieces[1::2] = map(signs.__getitem__, tags)
    if not _emptied(pieces, tags, different):
        return None
    text = "".join(pieces)
    if "<" in text:
        return None
    if "&" in text:
        decoded = decoded_text(text)
        if decoded is None:
            return None
        text = decoded.replace("\t", " ").replace("\n", " ")
    return text.replace(SEAM, "")


def _cut(source: str, special: Sequence[int]) -> list[str] | None:
    """Texts, and between them what stands between the brackets of tags; `special` are the places where something begins that is
    taken whole. A `<` that begins no tag stays in the text. None for a comment without an end."""
    if not special:
        return _cut_plain(source)
    # The last of them ends with the comment that is open behind its beginning, or with the next tag that ends something.
    last = special[-1]
    in_comment = source.rfind("<!--", 0, last + 4) > source.rfind("-->", 0, last + 4)
    end = source.find("-->", last) + 2 if in_comment else source.find(">", source.find("</", last))
    if end < last:
        return None if in_comment else WHOLE.split(source)
    pieces, behind = WHOLE.split(source[: end + 1]), _cut_plain(source[end + 1 :])
    pieces[-1] += behind[0]
    return pieces + behind[1:]


def _cut_plain(source: str) -> list[str]:
    """The same where no comment, sheet or title begins: at once if each bracket that opens is closed before the next."""
    brackets = source.encode("utf-8", "surrogatepass").translate(None, UNBRACKETED)
    if brackets == b"<>" * (len(brackets) // 2):
        return source.replace("<", ">").split(">")
    return TAG.split(source)


def _placed(signs: dict[str, str], places: list[str]) -> bool:
    """Give each place that a link leads to a character of its own; False if they are too many."""
    links = [(tag, sign[2:]) for tag, sign in signs.items() if sign[1:2] == LINK]
    known = {place: chr(FIRST_PLACE + number) for number, place in enumerate(dict.fromkeys(place for _, place in links))}
    if len(known) > MOST_PLACES:
        return False
    places += known
    signs.update({tag: f"{MARK}{LINK}{known[place]}" for tag, place in links})
    return True


@lru_cache(maxsize=4096)
def sign_of(inside: str) -> str:
    """What stands in the text for a tag, given without its brackets; empty if it needs the tree. Comments, sheets and titles are
    seams."""
    return _sign_of(inside)


def _sign_of(inside: str) -> str:
    if inside.startswith(("!", "?")) or "<" in inside:
        return SEAM if inside.startswith("!--") or "<!--" not in inside else ""
    tag = tag_of(f"<{inside}>")
    if tag is None:
        return ""
    if tag.closing:
        return "" if tag.name in VOID else CLOSING.get(tag.name, "")
    if tag.name == "a":
        return f"{MARK}{LINK}{tag.target}"
    if tag.name == "img":
        return f"[{escape(tag.alt, quote=False)}]" if tag.alt else SEAM
    return OPENING.get(tag.name, "")


def _emptied(pieces: list[str], tags: Sequence[str], different: Collection[str]) -> bool:
    """Take out the text of what hides by itself; False where hiding is not plain to see."""
    rules = rules_of(found[1] for each in different if each[:1] in "sS" and (found := SHEET.match(each)))
    paints = _paints(different, rules) if rules is not None else None
    if paints is None:
        return False
    hiding = {each for each, paint in paints.items() if paint.hidden}
    if hiding and not _take_out(hiding, pieces, tags):
        return False
    if not lost(paints.values()):
        return True
    safe = {each for each, paint in paints.items() if clear(paint)}
    safe -= {tags[place] for place in [at for at, each in enumerate(tags) if each in safe] if not _alone(place, tags)}
    return bool(safe) and not lost([paint for each, paint in paints.items() if each not in safe])


def _paints(tags: Iterable[str], rules: tuple[Rule, ...]) -> Paints | None:
    """What those of the different tags set that set anything, None if one depends on its place."""
    found: Paints = {}
    for each in tags:
        paint = paint_in(each, rules)
        if paint is None:
            return None
        if paint is not NOTHING:
            found[each] = paint
    return found


def _take_out(hiding: set[str], pieces: list[str], tags: Sequence[str]) -> bool:
    """Empty the elements that hide, if each holds nothing but text."""
    for place, each in enumerate(tags):
        if each not in hiding:
            continue
        own = 2 * place + 1
        pieces[own] = SEAM
        if _name(each) in VOID:
            continue
        if not _alone(place, tags) or "<" in pieces[own + 1]:
            return False
        pieces[own + 1] = ""
        pieces[own + 2] = SEAM
    return True


def _alone(place: int, tags: Sequence[str]) -> bool:
    """Whether the element that begins here holds text only."""
    name = _name(tags[place])
    return name in VOID or (name in ALONE and tags[place + 1 : place + 2] == [f"/{name}"])


def _name(inside: str) -> str:
    tag = tag_of(f"<{inside}>")
    return tag.name if tag is not None else ""


def _lines(text: str, places: Sequence[str]) -> str | None:
    """Lines out of text and the signs in it; None where lists lie in lists, or links in links."""
    pieces = RUN.split(f"{MARK}{EDGE}{text}")
    pieces[1::2] = map(_run, pieces[1::2])
    text = "".join(pieces)
    if text.count(LIST) > 1 and NESTED.search(text):
        return None
    text = text.replace(LIST, "").replace(LIST_END, "")
    if LINK in text:
        text = LINKED.sub(lambda found: _linked(places[ord(found[1]) - FIRST_PLACE], found[2]), text)
        if LINK in text:
            return None
    return _finished(text.replace(LINK_END, ""))


def _finished(text: str) -> str:
    while "  " in text:
        text = text.replace("  ", " ")
    for space in () if text.isascii() else WIDE:
        text = text.replace(space, " ")
    while " \n" in text:
        text = text.replace(" \n", "\n")
    if QUOTE in text or QUOTE_END in text:
        text = _quoted(text)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.lstrip("\n").rstrip()


@lru_cache(maxsize=4096)
def _run(signs: str) -> str:
    """What a row of signs between two texts makes. Links and lists stay for later; quotes that end stand before the line ends,
    those that begin behind them."""
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


def _linked(target: str, shown: str) -> str:
    """A link's text, with the place it leads to unless the text says so."""
    if not target or not shown.strip() or target.lower() in shown.lower():
        return shown
    return f"{shown}({target})" if shown.endswith("\n") else f"{shown} ({target})"


def _quoted(text: str) -> str:
    """Lines marked by how deep they are quoted."""
    depth, before, marked = 0, 0, list[str]()
    for deeper in text.split(QUOTE):
        for place, piece in enumerate(deeper.split(QUOTE_END)):
            depth = max(depth - 1, 0) if place else depth
            mark = QUOTE_MARK * min(depth, DEEPEST_QUOTE)
            marked.append(mark[: 2 * max(depth - before, 0)] + piece.replace("\n", f"\n{mark}"))
            before = depth
        depth += 1
    return "".join(marked).replace(" \n", "\n")
