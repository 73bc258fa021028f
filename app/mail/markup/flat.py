"""The visible text of HTML in which nothing hides, read off its tags in order: only what hides takes a tree to place.

Most mail is like that. Works on whole lists and strings at once, at half the cost of the walk over a parsed tree. Gives `None`,
and the tree has the word, as soon as a tag is not plain, an element could hide what is in it, or a colour could be lost on a
ground that the mail sets anywhere.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from app.mail.markup.layout import DEEPEST_QUOTE, QUOTE_MARK
from app.mail.markup.paint import NOTHING, Paint, Rule, clear, lost, paint_in, rules_of
from app.mail.markup.tags import decoded_text, tag_of
from app.mail.mime.invisible import plain_ascii

LONGEST = 400_000
EDGE, GAP, BREAK, CELL, ITEM, QUOTE, QUOTE_END, LIST = "\x01", "\x02", "\x03", "\x04", "\x05", "\x06", "\x07", "\x08"
LIST_END, LINK, LINK_TO, LINK_END, SEAM = "\x0b", "\x0e", "\x0f", "\x10", "\x11"
"""Signs that stand for tags on the way; a mail that holds such a character itself is not read here."""
TAKEN = re.compile("[\x00-\x08\x0e-\x1f]")
SPACES = ("\r", "\n", "\t", "\f", "\v")
WIDE = ("\u00a0", "\u2007", "\u202f")
SPECIAL = ("!--", "style", "STYLE", "title")
WHOLE = re.compile(
    "(<!--(?!-?>).*?-->|<[sS][tT][yY][lL][eE](?=[ >])[^<>]*>[^<]*</[sS][tT][yY][lL][eE] *>"
    "|<[tT][iI][tT][lL][eE]>[^<]*</[tT][iI][tT][lL][eE]>)",
    re.DOTALL,
)
"""Comments, sheets and titles are taken whole: what is in them is no text."""
SHEET = re.compile("style[^<>]*>([^<]*)<", re.IGNORECASE)
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
Cut = tuple[list[str], list[str]]
Paints = dict[str, Paint]


def flat_text(source: str) -> str | None:
    """The text of `source` in lines, or None where a tree must tell what is seen."""
    if len(source) > LONGEST or source.rfind("<!--") > source.rfind("-->"):
        return None
    for space in SPACES:
        if space in source:
            source = source.replace(space, " ")
    if not plain_ascii(source) and not source.isprintable() and TAKEN.search(source):
        return None
    cut = _cut(source)
    if cut is None:
        return None
    texts, tags = cut
    known = {each: sign_of(each) for each in dict.fromkeys(tags)}
    signs = [sign for each in tags if (sign := known[each]) is not None]
    if len(signs) < len(tags) or not _emptied(texts, tags, signs, known):
        return None
    text = SEAM.join(texts)
    if "<" in text:
        return None
    decoded = decoded_text(text) if "&" in text else text
    return None if decoded is None else _lines(decoded.split(SEAM), signs)


def _cut(source: str) -> Cut | None:
    """The texts and what stands between the brackets of the tags between them; None for a `<` that begins no tag. Comments,
    sheets and titles count as one tag with all that is in them."""
    plain = _cut_plain(source)
    if plain is not None and not any(name.startswith(SPECIAL) for name in dict.fromkeys(plain[1])):
        return plain
    texts, tags = list[str](), list[str]()
    for place, piece in enumerate(WHOLE.split(source)):
        if place % 2:
            tags.append(piece[1:-1])
            continue
        plain = _cut_plain(piece)
        if plain is None:
            return None
        texts += plain[0]
        tags += plain[1]
    return texts, tags


def _cut_plain(source: str) -> Cut | None:
    first, *rest = source.split("<")
    if not rest:
        return [source], []
    names, ends, behind = zip(*[piece.partition(">") for piece in rest], strict=True)
    return None if "" in ends else ([first, *behind], list(names))


@lru_cache(maxsize=4096)
def sign_of(inside: str) -> str | None:
    """What stands in the text for a tag, given without its brackets; None if it needs the tree. Comments, sheets and titles say
    nothing."""
    if inside.startswith(("!", "?")) or "<" in inside:
        return "" if inside.startswith("!--") or "<!--" not in inside else None
    tag = tag_of(f"<{inside}>")
    if tag is None:
        return None
    if tag.closing:
        return None if tag.name in VOID else CLOSING.get(tag.name)
    if tag.name == "a":
        return f"{LINK}{tag.target}{LINK_TO}"
    if tag.name == "img":
        return f"[{tag.alt}]" if tag.alt else ""
    return OPENING.get(tag.name)


def _emptied(texts: list[str], tags: Sequence[str], signs: list[str], different: Collection[str]) -> bool:
    """Take out the text of what hides by itself; False where hiding is not plain to see."""
    rules = rules_of(found[1] for each in different if each[:1] in "sS" and (found := SHEET.match(each)))
    paints = _paints(different, rules) if rules is not None else None
    if paints is None:
        return False
    hiding = {each for each, paint in paints.items() if paint.hidden}
    if hiding and not _take_out(hiding, texts, tags, signs):
        return False
    if not lost(paints.values()):
        return True
    safe = {each for each, paint in paints.items() if clear(paint)}
    safe -= {each for place, each in enumerate(tags) if each in safe and not _alone(place, tags)}
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


def _take_out(hiding: set[str], texts: list[str], tags: Sequence[str], signs: list[str]) -> bool:
    """Empty the elements that hide, if each holds nothing but text."""
    for place, each in enumerate(tags):
        if each not in hiding:
            continue
        signs[place] = ""
        if _name(each) in VOID:
            continue
        if not _alone(place, tags) or "<" in texts[place + 1]:
            return False
        signs[place + 1] = ""
        texts[place + 1] = ""
    return True


def _alone(place: int, tags: Sequence[str]) -> bool:
    """Whether the element that begins here holds text only."""
    name = _name(tags[place])
    return name in VOID or (name in ALONE and tags[place + 1 : place + 2] == [f"/{name}"])


def _name(inside: str) -> str:
    tag = tag_of(f"<{inside}>")
    return tag.name if tag is not None else ""


def _lines(texts: list[str], signs: list[str]) -> str | None:
    """Lines out of texts and the signs between them; None where lists lie in lists."""
    for place, sign in enumerate(signs):
        if sign[:1] == "[":  # a picture's words are text
            texts[place], signs[place] = f"{texts[place]}{sign}", ""
    out: list[str] = []
    row = EDGE
    for text, sign in zip(texts, [*signs, ""], strict=True):
        if not text:
            row += sign
        elif not text.isspace():
            if row:
                out.append(_run(row))
            out.append(text)
            row = sign
        elif row:
            row += sign
        else:
            out.append(" ")
            row = sign
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
