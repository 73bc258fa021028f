"""Finds what single tags do to the visibility of text, independent of how the elements are nested."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from app.mail.html.hiding import BLACK, WHITE, Colour, TextStyle, alike, hiding_selectors, looks_of
from app.mail.html.tags import REMEMBERED, Tag, tag_of

MOST_RULES = 500
LONGEST_SHEET = 20_000
SIMPLE = re.compile(r"([A-Za-z][A-Za-z0-9]*)?((?:\.[A-Za-z_][A-Za-z0-9_-]*)*)(?:#([A-Za-z_][A-Za-z0-9_-]*))?")
ODD: tuple[Colour, Colour] = ((0.31, 0.62, 0.43), (0.83, 0.17, 0.71))
"""Colours that no mail uses by chance, to tell what an element sets from what it inherits."""


@dataclass(frozen=True, slots=True)
class ElementStyle:
    """What one element sets: hidden content, a text colour, a background."""

    hidden: bool = False
    colour: Colour | None = None
    ground: Colour | None = None


NOTHING = ElementStyle()
"""The style of nearly every tag."""


@dataclass(frozen=True, slots=True, eq=False)
class StyleRule:
    """A style rule with a selector for a single element.

    Empty parts match every element. Compared by identity, so that comparing sets of rules is fast.
    """

    name: str
    classes: frozenset[str]
    ident: str
    style: str


def rules_of(sheets: Iterable[str]) -> tuple[StyleRule, ...] | None:
    """The rules of these sheets that could hide text.

    None if one needs a tree.
    """
    found: list[StyleRule] = []
    for sheet in sheets:
        read = _rules_of(sheet) if len(sheet) <= LONGEST_SHEET else None
        if read is None:
            return None
        found += read
    return tuple(found)


def styled(tag: Tag, rules: Iterable[StyleRule]) -> str | None:
    """The tag's style with the rules added; None if only the letter case differs.

    Then the page's mode decides whether a rule matches.
    """
    added = ""
    for rule in rules:
        if rule.name not in {"", tag.name}:
            continue
        if rule.classes <= tag.classes and rule.ident in {"", tag.ident}:
            added = f"{added};{rule.style}"
        elif _lower(rule.classes) <= _lower(tag.classes) and rule.ident.lower() in {"", tag.ident.lower()}:
            return None
    return f"{added};{tag.style}".strip(";")


def paint_in(inside: str, rules: tuple[StyleRule, ...]) -> ElementStyle | None:
    """What a tag (without brackets) sets under these rules.

    `NOTHING` if it sets nothing, None if that depends on its place.
    """
    return _remembered(inside, rules) if len(inside) <= REMEMBERED else _paint_in(inside, rules)


@lru_cache(maxsize=8192)
def _remembered(inside: str, rules: tuple[StyleRule, ...]) -> ElementStyle | None:
    return _paint_in(inside, rules)


def _paint_in(inside: str, rules: tuple[StyleRule, ...]) -> ElementStyle | None:
    if not rules and "=" not in inside and " hidden" not in inside.lower():
        return NOTHING
    tag = tag_of(f"<{inside}>")
    if tag is None or tag.closing:
        return NOTHING
    style = styled(tag, rules) if rules else tag.style
    if style is None:
        return None
    return paint_of(tag, style) if style or tag.colour or tag.behind or tag.hidden else NOTHING


def paint_of(tag: Tag, style: str) -> ElementStyle | None:
    """What the tag sets with this whole style.

    None if it depends on its place.
    """
    if tag.hidden:
        return ElementStyle(hidden=True)
    return _paint_of(style, tag.colour, tag.behind)


def lost(paints: Collection[ElementStyle]) -> bool:
    """Whether any colour is invisible on any background, however the elements are nested."""
    colours = frozenset(paint.colour for paint in paints if paint.colour is not None)
    grounds = frozenset(paint.ground for paint in paints if paint.ground is not None)
    return _lost(colours, grounds)


def clear(paint: ElementStyle) -> bool:
    """Whether the element sets two clearly different colours, so its text is visible anywhere."""
    return paint.colour is not None and paint.ground is not None and not alike(paint.colour, paint.ground)


@lru_cache(maxsize=1024)
def _lost(colours: frozenset[Colour], grounds: frozenset[Colour]) -> bool:
    return any(alike(colour, ground) for colour in {BLACK, *colours} for ground in {WHITE, *grounds})


@lru_cache(maxsize=4096)
def _paint_of(style: str, colour: str, behind: str) -> ElementStyle | None:
    plain = TextStyle()
    odd = TextStyle(*ODD)
    one, two = (looks_of(outer, style, colour, behind) for outer in (plain, odd))
    if one.hidden:
        return ElementStyle(hidden=True)
    if one.tiny:
        return None
    if one.colour == plain.colour and two.colour == odd.colour:
        text = None
    elif one.colour == two.colour:
        text = one.colour
    else:
        return None
    if one.behind is None or (one.behind == plain.behind and two.behind == odd.behind):
        return ElementStyle(colour=text)
    return ElementStyle(colour=text, ground=one.behind) if one.behind == two.behind else None


@lru_cache(maxsize=256)
def _rules_of(sheet: str) -> tuple[StyleRule, ...] | None:
    rules: list[StyleRule] = []
    for number, (selectors, body) in enumerate(hiding_selectors(sheet)):
        if number >= MOST_RULES:
            break
        for selector in selectors.split(","):
            found = SIMPLE.fullmatch(selector.strip())
            if found is None or not selector.strip():
                return None
            classes = frozenset(filter(None, found[2].split(".")))
            rules.append(StyleRule((found[1] or "").lower(), classes, found[3] or "", body))
    return tuple(rules)


def _lower(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.lower() for name in names)
