"""Decides which styles of a mail hide text from the reader, and whether text differs from its background."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

import tinycss2
import tinycss2.color3
from tinycss2.ast import AtRule, Node, QualifiedRule

from app.domain.record import Record, replace
from app.mail.html.css import declarations_of, short_numbers, too_deep

Colour = tuple[float, float, float]
WHITE: Colour = (1.0, 1.0, 1.0)
BLACK: Colour = (0.0, 0.0, 0.0)
NEAREST = 0.06
"""Channel distance (0..1) below which two colours look the same."""
SEEN_THROUGH = 0.05


def colour_of(tokens: Sequence[Node] | str, behind: Colour) -> Colour | None:
    """The colour blended over `behind`; None if the value has none (or `currentColor`)."""
    for token in [short_numbers(tokens)] if isinstance(tokens, str) else tokens:
        found = tinycss2.color3.parse_color(token)
        if found is not None and not isinstance(found, str):
            alpha = found.alpha if found.alpha > SEEN_THROUGH else 0.0
            mixed = [alpha * own + (1 - alpha) * back for own, back in zip(found[:3], behind, strict=True)]
            return mixed[0], mixed[1], mixed[2]
    return None


def alike(one: Colour, other: Colour) -> bool:
    """Whether text of one colour is invisible on the other."""
    (red, green, blue), (red_there, green_there, blue_there) = one, other
    return abs(red - red_there) <= NEAREST and abs(green - green_there) <= NEAREST and abs(blue - blue_there) <= NEAREST


TINY_PX = 1.5
FAR_PX = 400.0
BEYOND_PX = 3000.0
PIXELS = {
    "px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "ex": 8.0, "pc": 16.0, "mm": 3.8, "cm": 38.0, "in": 96.0, "": 1.0, "%": 0.16,
}  # fmt: skip
MOST_RULES = 500
REMEMBERED = 500
"""Styles up to this length are cached."""
EVERY_SCREEN = re.compile(r"(?:only\s+)?(?:screen|all)?", re.IGNORECASE)


class TextStyle(Record, cache_hash=True):
    """How text looks at one place. `behind` is the background, None for a picture."""

    colour: Colour = BLACK
    behind: Colour | None = WHITE
    tiny: bool = False
    hidden: bool = False

    @property
    def seen(self) -> bool:
        return not self.hidden and not self.tiny and (self.behind is None or not alike(self.colour, self.behind))


def looks_of(outer: TextStyle, style: str, colour: str = "", behind: str = "") -> TextStyle:
    """The text style inside an element. `colour` and `behind` are its `color` and `bgcolor` attributes."""
    if not style and not colour and not behind:
        return outer
    short = len(style) + len(colour) + len(behind) <= REMEMBERED
    return (_looks_of if short else _looks_of.__wrapped__)(outer, style, colour, behind)


@lru_cache(maxsize=4096)
def _looks_of(outer: TextStyle, style: str, colour: str, behind: str) -> TextStyle:
    """Cached, because a mail repeats few styles."""
    looks = outer
    if behind:
        looks = replace(looks, behind=colour_of(behind, looks.behind or WHITE) or looks.behind)
    if colour:
        looks = replace(looks, colour=colour_of(colour, looks.behind or WHITE) or looks.colour)
    if not style:
        return looks
    declared = sorted(declarations_of(style[:20_000]), key=lambda each: each.important)  # important ones win, so they come last
    return _styled(looks, {each.lower_name: tuple(each.value) for each in declared})


@lru_cache(maxsize=64)
def hiding_selectors(sheet: str) -> tuple[tuple[str, str], ...]:
    """Selector and declarations of the first `MOST_RULES` rules that could hide text on a screen.

    Caches the result, because the newsletters of a sender repeat their sheet: reading one takes up to 20 ms.
    """
    return tuple(islice(_hiding_rules(sheet), MOST_RULES))


def _hiding_rules(sheet: str) -> Iterator[tuple[str, str]]:
    rules = tinycss2.parse_stylesheet(short_numbers(sheet), skip_comments=True, skip_whitespace=True)
    for rule in _on_screen(rules):
        if too_deep(rule.prelude):
            continue  # not a valid selector
        body = tinycss2.serialize([token for token in rule.content if not too_deep([token])])
        if not looks_of(TextStyle(), body).seen or "color" in body:
            yield tinycss2.serialize(rule.prelude).strip(), body


def _on_screen(rules: Iterable[Node]) -> Iterator[QualifiedRule]:
    """The rules, and those in `@media` rules for every screen."""
    for rule in rules:
        if isinstance(rule, QualifiedRule):
            yield rule
            continue
        media = isinstance(rule, AtRule) and rule.lower_at_keyword == "media" and rule.content is not None
        if media and not too_deep(rule.prelude) and EVERY_SCREEN.fullmatch(tinycss2.serialize(rule.prelude).strip()):
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            yield from (each for each in inner if isinstance(each, QualifiedRule))


Declared = dict[str, tuple[Node, ...]]


def _styled(looks: TextStyle, style: Declared) -> TextStyle:
    behind = _behind(looks, style)
    colour = looks.colour
    if "color" in style:
        colour = colour_of(style["color"], behind or WHITE) or colour
    tiny = looks.tiny
    if "font-size" in style and (size := _pixels(style["font-size"])) is not None:
        tiny = size <= TINY_PX
    return TextStyle(colour, behind, tiny, looks.hidden or _hides(style))


def _behind(looks: TextStyle, style: Declared) -> Colour | None:
    """The background after this element; None if a picture covers it."""
    for name in ("background-color", "background", "background-image"):
        value = style.get(name, ())
        found = colour_of(value, looks.behind or WHITE)
        if found is not None:
            return found
        if any(token.type in {"url", "function"} for token in value):
            return None
    return looks.behind


def _hides(style: Declared) -> bool:
    if (
        _keyword(style, "display") == "none"
        or _keyword(style, "visibility") in {"hidden", "collapse"}
        or _keyword(style, "mso-hide") == "all"
    ):
        return True
    opacity = _pixels(style.get("opacity", ()))
    if opacity is not None and opacity < 0.05:
        return True
    return _clipped(style) or _far_away(style)


def _clipped(style: Declared) -> bool:
    if any(_keyword(style, name) in {"hidden", "clip"} for name in ("overflow", "overflow-x", "overflow-y")):
        sizes = [_pixels(style.get(name, ())) for name in ("height", "max-height", "width", "max-width")]
        if any(size is not None and size <= TINY_PX for size in sizes):
            return True
    return any(_leaves_nothing(token) for name in ("clip", "clip-path", "transform") for token in style.get(name, ()))


def _leaves_nothing(token: Node) -> bool:
    """Whether a shape or transformation leaves nothing visible."""
    if token.type != "function":
        return False
    sizes = [size for each in token.arguments if (size := _pixels((each,))) is not None]
    if token.lower_name == "inset":
        return any(each.type == "percentage" and each.value >= 50 for each in token.arguments)
    if token.lower_name in {"rect", "circle", "ellipse"}:
        return bool(sizes) and all(size <= TINY_PX for size in sizes)
    return token.lower_name in {"scale", "scalex", "scaley", "scale3d"} and 0.0 in sizes


def _far_away(style: Declared) -> bool:
    pushed = [_pixels(style.get(name, ())) for name in ("text-indent", "margin-left", "margin-top")]
    if any(place is not None and place <= -FAR_PX for place in pushed):
        return True
    if _keyword(style, "position") not in {"absolute", "fixed", "relative"}:
        return False
    placed = [_pixels(style.get(name, ())) for name in ("left", "right", "top", "bottom")]
    return any(place is not None and (place <= -FAR_PX or place >= BEYOND_PX) for place in placed)


def _keyword(style: Declared, name: str) -> str:
    return next((token.lower_value for token in style.get(name, ()) if token.type == "ident"), "")


def _pixels(value: Sequence[Node]) -> float | None:
    """The first length of a value in approximate pixels, None if there is none."""
    for token in value:
        if token.type in {"number", "percentage"}:
            return float(token.value * PIXELS["%"]) if token.type == "percentage" else float(token.value)
        if token.type == "dimension":
            return float(token.value * PIXELS.get(token.lower_unit, 1.0))
    return None
