"""The visible text of HTML in which nothing hides, read off its tags in order: only what hides takes a tree to place.

Most mail is like that. Works on whole lists and strings at once, at half the cost of the walk over a parsed tree. Gives `None`,
and the tree has the word, as soon as a tag is not plain, an element could hide what is in it, or a colour could be lost on a
ground that the mail sets anywhere.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from app.mail.markup.layout import DEEPEST_QUOTE, QUOTE_MARK
from app.mail.markup.paint import Paint, Rule, clear, lost, paint_of, rules_of, styled
from app.mail.markup.tags import decoded_text, tag_of

LONGEST = 400_000
EDGE, GAP, BREAK, CELL, ITEM, QUOTE, QUOTE_END, LIST = "\x01", "\x02", "\x03", "\x04", "\x05", "\x06", "\x07", "\x08"
LIST_END, LINK, LINK_TO, LINK_END, SEAM = "\x0b", "\x0e", "\x0f", "\x10", "\x11"
"""Signs that stand for tags on the way; a mail that holds such a character itself is not read here."""
TAKEN = re.compile("[\x00-\x08\x0e-\x1f]")
SPACES = ("\r", "\n", "\t", "\f", "\v")
WIDE = ("\u00a0", "\u2007", "\u202f")
PLAIN = re.compile("(<[^<>]*>)")
MIXED = re.compile(
    "(<!--(?!-?>).*?-->|<style(?=[ >])[^<>]*>[^<]*</style *>|<title>[^<]*</title>|<[^<>]*>)", re.DOTALL | re.IGNORECASE
)
"""Comments, sheets and titles are taken whole: what is in them is no text."""
SHEET = re.compile("<style[^<>]*>([^<]*)<", re.IGNORECASE)
LINKS = re.compile("\x0e[^\x0f]*\x0f|\x10")
LINKED = re.compile("\x0e([^\x0f]*)\x0f([^\x0e\x10]*)\x10")
NESTED = re.compile("\x08[^\x0b]*\x08")
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
    **dict.fromkeys(_EDGES_NAMES.split(), EDGE),
    **dict.fromkeys(_SPACED_NAMES.split(), GAP),
    "td": CELL,
    "th": CELL,
    "li": EDGE + ITEM,
    "ul": GAP + LIST,
    "blockquote": EDGE + QUOTE,
    "br": BREAK,
}
"""What a tag is in a line of text; elements that are not here need the tree."""
CLOSING = {
    **OPENING,
    "a": LINK_END,
    "td": "",
    "th": "",
    "li": EDGE,
    "ul": LIST_END + GAP,
    "blockquote": QUOTE_END + EDGE,
}
VOID = frozenset({"br", "hr", "wbr", "img", "meta", "link", "base"})
ALONE = frozenset({"div", "span", "p", "font", "b", "i", "em", "strong", "u", "small", "center", "h1", "h2", "h3", "h4", "a"})
"""Elements that hold exactly their text wherever they stand, when the next tag closes them."""
Paints = dict[str, Paint]


def flat_text(source: str) -> str | None:
    """The text of `source` in lines, or None where a tree must tell what is seen."""
    if len(source) > LONGEST or source.rfind("<!--") > source.rfind("-->"):
        return None
    for space in SPACES:
        if space in source:
            source = source.replace(space, " ")
    if not source.isprintable() and TAKEN.search(source):
        return None
    mixed = "<!--" in source or "<style" in source or "<STYLE" in source or "<title" in source
    pieces = (MIXED if mixed else PLAIN).split(source)
    tags = pieces[1::2]
    signs = list(map(sign_of, tags))
    if None in signs or not _emptied(pieces, tags, signs, mixed):
        return None
    texts = SEAM.join(pieces[::2])
    if "<" in texts:
        return None
    decoded = decoded_text(texts) if "&" in texts else texts
    if decoded is None:
        return None
    return _lines(decoded.split(SEAM), [sign or "" for sign in signs])


@lru_cache(maxsize=4096)
def sign_of(written: str) -> str | None:
    """What stands for a tag in the text; None if it needs the tree. Comments, sheets and titles say nothing."""
    if written[1] in "!?" or "<" in written[1:]:
        return "" if "<!--" not in written[1:] or written.startswith("<!--") else None
    tag = tag_of(written)
    if tag is None:
        return None
    if tag.closing:
        return None if tag.name in VOID else CLOSING.get(tag.name)
    if tag.name == "a":
        return f"{LINK}{tag.target}{LINK_TO}"
    if tag.name == "img":
        return f"[{tag.alt}]" if tag.alt else ""
    return OPENING.get(tag.name)


def _emptied(pieces: list[str], tags: Sequence[str], signs: list[str | None], mixed: bool) -> bool:
    """Take out the text of what hides by itself; False where hiding is not plain to see."""
    different = dict.fromkeys(tags)
    rules = rules_of(found[1] for each in different if (found := SHEET.match(each))) if mixed else ()
    paints = _paints(different, rules) if rules is not None else None
    if paints is None:
        return False
    hiding = {each for each, paint in paints.items() if paint.hidden}
    if hiding and not _take_out(hiding, pieces, tags, signs):
        return False
    if not lost(paints.values()):
        return True
    safe = {each for each, paint in paints.items() if clear(paint)}
    safe -= {each for place, each in enumerate(tags) if each in safe and not _alone(place, tags)}
    return bool(safe) and not lost([paint for each, paint in paints.items() if each not in safe])


def _paints(tags: Iterable[str], rules: Sequence[Rule]) -> Paints | None:
    """What each of the different tags sets, None if one depends on its place."""
    found: Paints = {}
    for each in tags:
        if not rules and "=" not in each and " hidden" not in each.lower():
            continue
        tag = tag_of(each)
        if tag is None or tag.closing:
            continue
        style = styled(tag, rules) if rules else tag.style
        if style is None:
            return None
        if style or tag.colour or tag.behind or tag.hidden:
            paint = paint_of(tag, style)
            if paint is None:
                return None
            found[each] = paint
    return found


def _take_out(hiding: set[str], pieces: list[str], tags: Sequence[str], signs: list[str | None]) -> bool:
    """Empty the elements that hide, if each holds nothing but text."""
    for place, each in enumerate(tags):
        if each not in hiding:
            continue
        signs[place] = ""
        if _name(each) in VOID:
            continue
        if not _alone(place, tags) or "<" in pieces[2 * place + 2]:
            return False
        signs[place + 1] = ""
        pieces[2 * place + 2] = ""
    return True


def _alone(place: int, tags: Sequence[str]) -> bool:
    """Whether the element that begins here holds text only."""
    name = _name(tags[place])
    return name in VOID or (name in ALONE and tags[place + 1 : place + 2] == [f"</{name}>"])


def _name(written: str) -> str:
    tag = tag_of(written)
    return tag.name if tag is not None else ""


def _lines(texts: Sequence[str], signs: Sequence[str]) -> str | None:
    """Lines out of texts and the signs between them; None where lists lie in lists."""
    out: list[str] = []
    row = EDGE
    for text, sign in zip(texts, [*signs, ""], strict=True):
        if sign[:1] == "[":  # a picture's words are text
            text, sign = f"{text}{sign}", ""
        if text and (text != " " or not row) and not text.isspace():
            if row:
                out.append(_run(row))
            out.append(text)
            row = sign
        elif text and not row:
            out.append(" ")
            row = sign
        else:
            row += sign
    out.append(_run(row))
    return _finished("".join(out))


def _finished(text: str) -> str | None:
    if text.count(LIST) > 1 and NESTED.search(text):
        return None
    text = text.replace(LIST, "").replace(LIST_END, "")
    if LINK in text:
        text = LINKED.sub(_linked, text)
        if LINK in text:
            return None
    text = text.replace(LINK_END, "")
    while "  " in text:
        text = text.replace("  ", " ")
    text = text.replace("\n ", "\n")
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
    plain, links = LINKS.sub("", signs), "".join(begun)
    breaks = [sign for sign in plain if sign in "\x01\x02\x03"]
    lists = "".join(sign for sign in plain if sign in "\x08\x0b")
    if not breaks:
        return f"{LINK_END * ended}{lists}{' | ' if CELL in plain else ''}{links}"
    ends = "\n\n" if GAP in breaks or BREAK in breaks[1:] else "\n"
    bullet = "- " if ITEM in plain else ""
    return f"{LINK_END * ended}{QUOTE_END * plain.count(QUOTE_END)}{ends}{QUOTE * plain.count(QUOTE)}{lists}{bullet}{links}"


def _linked(found: re.Match[str]) -> str:
    """A link's text, with the place it leads to unless the text says so."""
    target, shown = found[1], found[2]
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
