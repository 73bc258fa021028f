"""Limits nesting and attributes before a parser runs, and the time that a mail may take.

Parsers take quadratic time on deep nesting and on the attributes of one tag (54,000 of them: 9 s). So tags below 400 levels and
attributes after the 200th of a tag are removed, never text.
"""

import re
import time
from html.entities import html5

MAIL_S = 2.0
"""Processor time for reading one mail, and again for cleaning it. Nearly every mail takes a thousandth of it."""


class TooSlow(Exception):
    """A mail took more time than `MAIL_S`."""


class TimeBudget:
    """The time that is left for a mail, in this thread."""

    def __init__(self) -> None:
        self._until_s = time.thread_time() + MAIL_S

    @property
    def over(self) -> bool:
        return time.thread_time() > self._until_s

    def check(self) -> None:
        if self.over:
            raise TooSlow


DEEPEST = 400
OPENED = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,20})")
ANY_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,20})[^>]*>")
_SELF_CLOSING_NAMES = (
    "area base br col embed hr img input link meta param source track wbr p li td th tr dt dd tbody thead tfoot option colgroup"
)
SELF_CLOSING = frozenset(_SELF_CLOSING_NAMES.split())
"""Void elements, and elements that the next one of their kind closes."""


MOST_AMPERSANDS = 50_000
"""nh3 takes quadratic time on them (a million: 16 s). So many in a megabyte are an attack; they become wide ones."""
AMPERSAND = re.compile(r"&(?!#[0-9]|#[xX][0-9A-Fa-f])([A-Za-z][A-Za-z0-9]{1,31};?)?")
MOST_ATTRIBUTES = 200
HARMLESS_LENGTH = 20_000
"""Characters; so few cannot hold enough attributes to be slow."""
_VALUE = r"""\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)"""
_ATTRIBUTE = rf"[\s/]*+[^\s/>][^\s/>=]*+(?:{_VALUE})?+"
LONG_TAG = re.compile(rf"(<[A-Za-z][^\s/>]*+(?:{_ATTRIBUTE}){{{MOST_ATTRIBUTES}}})(?:{_ATTRIBUTE})++")


def bounded(source: str) -> str:
    """Returns `source` with bounded nesting and attributes, and few bare ampersands."""
    if len(source) <= HARMLESS_LENGTH:
        return _shallow(source)
    if source.count("&") > MOST_AMPERSANDS:
        source = AMPERSAND.sub(_widened, source)
    return _shallow(LONG_TAG.sub(r"\1", source))


def _widened(found: re.Match[str]) -> str:
    name = found[1] or ""
    if name.removesuffix(";") == "amp":
        return "\uff06"
    return found[0] if name in html5 else f"\uff06{name}"


def _shallow(source: str) -> str:
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
