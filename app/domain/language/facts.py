"""Finds facts in a text by pattern: days, times, amounts, order numbers, links, addresses.

Facts are quoted as written; nothing is computed or completed.
"""

import re
from enum import StrEnum

from app.domain.language.words import fold
from app.domain.mail.text_cache import remembered
from app.domain.record import Record

_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|"
    r"leden|ledna|unor|unora|brezen|brezna|duben|dubna|kveten|kvetna|cerven|cervna|cervenec|cervence|"
    r"srpen|srpna|zari|rijen|rijna|listopad|listopadu|prosinec|prosince|"
    r"januar|februar|marz|mai|juni|juli|oktober|dezember)"
)
_WEEKDAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|pondeli|pondelek|utery|uterek|streda|stredu|ctvrtek|patek|sobota|"
    r"sobotu|nedele|nedeli|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)"
)


class FactKind(StrEnum):
    LINK = "link"
    EMAIL = "email"
    AMOUNT = "amount"
    DATE = "date"
    DAY = "day"
    TIME = "time"
    NUMBER = "number"


_PATTERNS: tuple[tuple[FactKind, re.Pattern[str]], ...] = (
    (FactKind.LINK, re.compile(r"https?://\S+|\bwww\.\S+")),
    (FactKind.EMAIL, re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,253}\b")),
    (
        FactKind.AMOUNT,
        re.compile(
            r"(?:[€$£]\s?\d[\d., ]*\d|[€$£]\s?\d)|"
            r"\b\d{1,3}(?:[ .,\u00a0]\d{3}){1,6}"
            r"(?:,-|[ \u00a0]?(?:kc|czk|eur|usd|gbp|€|euros?|pounds?|dollars?|crowns?|korun\w*))|"
            r"\b\d+(?:[.,]\d+)?(?:,-|[ \u00a0]?(?:kc|czk|eur|usd|gbp|€|euros?|pounds?|dollars?|crowns?|korun\w*)(?!\w))"
        ),
    ),
    (
        FactKind.DATE,
        re.compile(
            rf"\b(?:(?:{_WEEKDAY}),?\s+)?(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{_MONTHS}\b(?:\s+\d{{4}})?|"
            rf"\b(?:(?:{_WEEKDAY}),?\s+)?{_MONTHS}\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}})?|"
            rf"\b(?:(?:{_WEEKDAY}),?\s+)?\d{{1,2}}\.\s?\d{{1,2}}\.(?:\s?\d{{4}})?|\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?\b|"
            r"\bthe\s+\d{1,2}(?:st|nd|rd|th)\b"
        ),
    ),
    (
        FactKind.DAY,
        re.compile(
            rf"\b(?:(?:next|this|on|pristi|tento|v|ve|am|nachste[nrs]?|diese[nrs]?)\s+)?{_WEEKDAY}s?\b|"
            r"\b(?:tomorrow|tonight|today|yesterday|next week|this week|this afternoon|this morning|"
            r"zitra|dnes|dneska|vcera|pozitri|pristi tyden|tento tyden|"
            r"heute|gestern|ubermorgen|nachste woche|diese woche)\b|(?<!guten )(?<!am )\bmorgen\b(?!s)"
        ),
    ),
    (
        FactKind.TIME,
        re.compile(
            r"\b(?:(?:v|ve|at)\s)?\d{1,2}[:.]\d\d(?!\d|\.\d)(?:\s?(?:am|pm|h|uhr)\b)?|"
            r"\b(?:(?:at|um)\s)?\d{1,2}\s?(?:am|pm|uhr)\b|\b(?:v|ve|at)\s\d{1,2}\b(?!\s?\d|[.,]\d|\s?%)"
        ),
    ),
    (
        FactKind.NUMBER,
        re.compile(r"(?:#|\bno\.?\s?|\bc\.\s?)\d{2,}|\b(?=[\w-]{0,40}\d{3})[a-z]{1,4}-?\d[\w-]*|\b\d{5,}\b|\b\d{2,}-\d{3,}\b"),
    ),
)


_RELATIVE = re.compile(
    r"\b(?:tomorrow|tonight|today|yesterday|next|this|zitra|dnes\w*|vcera|pozitri|pristi|tento|heute|gestern|morgen|nachste\w*|"
    r"diese\w*)\b"
)


class Fact(Record):
    """A fact with its character offsets and the text as written."""

    start: int
    end: int
    kind: FactKind
    text: str

    @property
    def relative(self) -> bool:
        """Whether it means another day when it is read a day later."""
        return bool(_RELATIVE.search(fold(self.text)))

    @property
    def key(self) -> str:
        """Equal for two mentions of the same: folded, without spaces and small words before a day."""
        return re.sub(r"^(?:on|by|at|v|ve|the)\s+|\s+", "", fold(self.text))


@remembered(64)
def facts(text: str) -> tuple[Fact, ...]:
    """All facts of a text in order, without overlaps. At one place the earlier kind of `FactKind` wins."""
    folded = fold_in_place(text)
    found: list[Fact] = []
    taken = bytearray(len(text))
    for kind, pattern in _PATTERNS:
        for hit in pattern.finditer(folded):
            start, end = hit.start(), hit.start() + len(hit.group(0).rstrip(" .,;)"))
            if kind is FactKind.DATE and hit.group(0).endswith("."):
                end = hit.end()
            if end > start and not any(taken[start:end]):
                found.append(Fact(start, end, kind, text[start:end]))
                taken[start:end] = b"\1" * (end - start)
    return tuple(sorted(found, key=lambda one: one.start))


def fold_in_place(text: str) -> str:
    """`text` folded character by character, so that offsets stay valid."""
    if text.isascii():
        return text.lower()
    return "".join(folded if len(folded := fold(char)) == 1 else char.lower()[:1] or char for char in text)
