"""Parses single HTML tags, checks addresses, and limits nesting before a parser runs.

Strict and cached: a tag that browsers would read leniently gives None and is left to the parser. Links and images may only be
http, https or mailto. Parsers take quadratic time on deep nesting, so tags below 400 levels are removed, never text.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from html.entities import html5

SCHEME = re.compile(r"[ \t\r\n]*([A-Za-z]{1,10}):")
FOLDS = re.compile(r"[\t\r\n]+")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
AUTHORITY = re.compile(r"//([^/?#]+)")
HOST = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[^\s@:\[\]\\<>\"'`%]+)(?::\d{0,5})?")
LONGEST = 16_000


def safe_link(address: str) -> str | None:
    """The address as an `href` may hold it, or None."""
    found = SCHEME.match(address)
    if found is None or len(address) > LONGEST:
        return None
    scheme = found[1].lower()
    rest = FOLDS.sub("", address[found.end() :]).strip(" ").replace(" ", "%20")
    if CONTROL.search(rest) or not rest:
        return None
    if scheme == "mailto":
        return f"mailto:{rest}"
    if scheme not in {"http", "https"} or not host_of(f"{scheme}:{rest}"):
        return None
    return f"{scheme}:{rest}"


def safe_image(address: str) -> str | None:
    """The address as `data-remote-src` may hold it, or None: a safe link without mailto."""
    link = safe_link(address)
    return link if link and not link.startswith("mailto:") else None


def host_of(link: str) -> str:
    """The lower-case host of a web address.

    Empty if there is none or it is disguised.
    """
    found = AUTHORITY.match(link.partition(":")[2])
    if found is None or not HOST.fullmatch(found[1]):
        return ""
    return re.sub(r":\d*$", "", found[1]).lower()


LONGEST_TAG = 8_000
REMEMBERED = 600
"""Tags up to this length are cached."""
_VALUE = r"""(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)"""
_NAME = r"""[^\s"'<>/=]+"""
TAG = re.compile(rf"<(/?)([A-Za-z][A-Za-z0-9]{{0,20}})((?:\s+{_NAME}(?:\s*=\s*{_VALUE})?)*)\s*/?>")
ATTRIBUTE = re.compile(rf"({_NAME})(?:\s*=\s*({_VALUE}))?")
REFERENCE = re.compile(r"&(#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});")
DOUBTFUL = re.compile(r"&(?:#|[A-Za-z][A-Za-z0-9]*(?![A-Za-z0-9=]))")
"""A reference without a semicolon, which has special rules in attributes."""
NUMBER = re.compile(r"&#(x[0-9A-Fa-f]{1,5};|[0-9]{1,6};|)", re.IGNORECASE)
READ = frozenset({"style", "color", "bgcolor", "hidden", "class", "id", "href", "alt", "start"})


@dataclass(frozen=True, slots=True, eq=False)
class Tag:
    """One tag with the attributes that affect text.

    `target` is the host or mail address a link leads to, empty if it cannot be followed.
    """

    name: str
    closing: bool
    style: str = ""
    colour: str = ""
    behind: str = ""
    hidden: bool = False
    classes: frozenset[str] = frozenset()
    ident: str = ""
    alt: str = ""
    start: str = ""
    target: str = ""


def tag_of(written: str) -> Tag | None:
    """Parses a tag; None if only a parser can."""
    if len(written) <= REMEMBERED:
        return _remembered(written)
    return _read(written) if len(written) <= LONGEST_TAG else None


def decoded_text(text: str) -> str | None:
    """Decodes references in text; None if a number is not a common character."""
    quick = _with_references(text)
    if quick is not None:
        return quick
    if "&#" in text and not all(_is_common(number) for number in NUMBER.findall(text)):
        return None
    return unescape(text)


def _with_references(text: str) -> str | None:
    """Decodes text whose references are all names or common numbers with semicolons, else None."""
    pieces = text.split("&")
    for place in range(1, len(pieces)):
        name, end, behind = pieces[place].partition(";")
        meant = _meant(name) if end else None
        if meant is None:
            return None
        pieces[place] = meant + behind
    return "".join(pieces)


@lru_cache(maxsize=1024)
def _meant(name: str) -> str | None:
    """The text of one reference; None for uncommon numbers and unknown names."""
    if not name.startswith("#"):
        return html5.get(f"{name};")
    number = NUMBER.fullmatch(f"&{name};")
    return unescape(f"&{name};") if number and _is_common(number[1]) else None


def target_of(href: str) -> str:
    """The host or mail address of a link; empty if it cannot be followed."""
    link = safe_link(href)
    if not link:
        return ""
    return link[7:].partition("?")[0] if link.startswith("mailto:") else host_of(link)


@lru_cache(maxsize=8192)
def _remembered(written: str) -> Tag | None:
    return _read(written)


def _read(written: str) -> Tag | None:
    found = TAG.fullmatch(written)
    if found is None:
        return None
    name = found[2].lower()
    if found[1]:
        return None if found[3] else Tag(name, closing=True)
    values: dict[str, str] = {}
    for key, value in ATTRIBUTE.findall(found[3]):
        lowered = key.lower()
        if lowered in READ and lowered not in values:
            plain = _plain(value)
            if plain is None:
                return None
            values[lowered] = plain
    return Tag(
        name,
        closing=False,
        style=values.get("style", ""),
        colour=values.get("color", ""),
        behind=values.get("bgcolor", ""),
        hidden="hidden" in values,
        classes=frozenset(values.get("class", "").split()),
        ident=values.get("id", ""),
        alt=values.get("alt", "").strip()[:200],
        start=values.get("start", ""),
        target=target_of(values.get("href", "")) if name == "a" else "",
    )


def _plain(value: str) -> str | None:
    """An attribute's value without quotes and references; None for unusual references."""
    if value[:1] in {'"', "'"}:
        value = value[1:-1]
    if "&" not in value:
        return value
    parts = REFERENCE.split(value)
    if any(DOUBTFUL.search(part) for part in parts[::2]):
        return None
    decoded = [_character(part) if place % 2 else part for place, part in enumerate(parts)]
    return None if None in decoded else "".join(part for part in decoded if part is not None)


def _character(name: str) -> str | None:
    """The text of a reference; None for uncommon names and numbers."""
    if name.startswith("#"):
        return chr(int(name[1:])) if _is_common(f"{name[1:]};") else None
    return html5.get(f"{name};")


def _is_common(number: str) -> bool:
    """Whether a reference's number (with semicolon) is a character all readers decode alike.

    Private-use characters are not.
    """
    if not number:
        return False
    value = int(number[1:-1], 16) if number[0] in "xX" else int(number[:-1])
    return 32 <= value < 127 or 160 <= value < 0xD800 or 0xF900 <= value < 0xFDD0 or 0x10000 <= value < 0x1FFFE


DEEPEST = 400
OPENED = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,20})")
ANY_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,20})[^>]*>")
_SELF_CLOSING_NAMES = (
    "area base br col embed hr img input link meta param source track wbr p li td th tr dt dd tbody thead tfoot option colgroup"
)
SELF_CLOSING = frozenset(_SELF_CLOSING_NAMES.split())
"""Void elements, and elements that the next one of their kind closes."""


def shallow(source: str) -> str:
    """Returns `source` without the tags that would open a 401st level."""
    opened = source.count("<")
    if opened <= DEEPEST or opened - source.count("</") <= DEEPEST:
        return source  # too few tags are opened
    return _flattened(source) if _depth(source) > DEEPEST else source


def _depth(source: str) -> int:
    """The deepest level by counting tags; hardly less than the parser's own."""
    deepest = level = 0
    for slash, name in OPENED.findall(source):
        if name.lower() not in SELF_CLOSING:
            level = max(level - 1, 0) if slash else level + 1
            deepest = max(deepest, level)
    return deepest


def _flattened(source: str) -> str:
    end = source.rfind(">") + 1
    level = 0

    def keep(found: re.Match[str]) -> str:
        nonlocal level
        if found[2].lower() in SELF_CLOSING:
            return found[0]
        level = max(level - 1, 0) if found[1] else level + 1
        within = level < DEEPEST if found[1] else level <= DEEPEST
        return found[0] if within else ""

    return ANY_TAG.sub(keep, source[:end]) + source[end:]
