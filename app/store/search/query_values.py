"""What the operators of a search mean: from a name and a value to a condition.

A value that cannot be understood raises `NotAllowed`, which says what can be written instead.
"""

import re
from collections.abc import Callable
from datetime import date

from app.domain.errors import NotAllowed
from app.store.search.query_tree import (
    AnyOf,
    DateCondition,
    Filename,
    HasLabel,
    HeaderCondition,
    Not,
    OfAccount,
    OwnAddress,
    Phrase,
    Property,
    SearchExpression,
    SizeCondition,
)

COLUMNS: dict[str, tuple[str, ...]] = {
    "from": ("sender",),
    "to": ("recipients", "copies", "blind_copies"),
    "cc": ("copies",),
    "bcc": ("blind_copies",),
    "subject": ("subject",),
}
"""The index columns of each operator. As in Gmail, `to:` also searches Cc and Bcc."""

CATEGORIES = {"primary": "PERSONAL", "social": "SOCIAL", "promotions": "PROMOTIONS", "updates": "UPDATES", "forums": "FORUMS"}
LINKS = {
    "drive": ("drive.google.com", "docs.google.com"),
    "document": ("docs.google.com/document",),
    "spreadsheet": ("docs.google.com/spreadsheets",),
    "presentation": ("docs.google.com/presentation",),
    "youtube": ("youtube.com", "youtu.be"),
}
"""Addresses that `has:` looks for in the text."""
_IS: dict[str, SearchExpression] = {
    "unread": HasLabel("unread"),
    "read": Not(HasLabel("unread")),
    "starred": HasLabel("starred"),
    "important": HasLabel("important"),
    "snoozed": Property.SNOOZED,
    "muted": Property.MUTED,
}
_HAS: dict[str, SearchExpression] = {
    "attachment": Property.ATTACHMENT,
    "userlabels": Property.USER_LABEL,
    "nouserlabels": Not(Property.USER_LABEL),
    **{name: AnyOf(tuple(Phrase(one, ("body",), quoted=True) for one in addresses)) for name, addresses in LINKS.items()},
}
_IN: dict[str, SearchExpression] = {
    "anywhere": HasLabel(""),
    "all": HasLabel(""),
    "archive": Property.ARCHIVED,
    "snoozed": Property.SNOOZED,
}
_AGE = re.compile(r"\d{1,5}[dmy]", re.ASCII)
_SECONDS = re.compile(r"\d{9,11}", re.ASCII)
_YEAR_FIRST = re.compile(r"(\d{4})(?:[/.-](\d{1,2})(?:[/.-](\d{1,2}))?)?", re.ASCII)
_MONTH_FIRST = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})", re.ASCII)
_SIZE = re.compile(r"(\d{1,12})([kmg]?)b?", re.ASCII)
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
DATE_REMEDY = "Write {0}:2026/03/31, {0}:2026/03 or {0}:03/31/2026."

Meaning = Callable[[Phrase], SearchExpression]


def meaning_of(name: str) -> Meaning | None:
    """What an operator makes of a word; None for an operator that Gmail does not have."""
    return _MEANINGS.get(name)


def begins_value(name: str, value: str) -> bool:
    """Whether the value may still become one that `name` knows, so that nothing is said while somebody types."""
    known = {"is": tuple(_IS), "has": tuple(_HAS), "in": tuple(_IN), "category": tuple(CATEGORIES)}.get(name)
    if known is not None:
        return any(one.startswith(value.lower()) for one in known)
    return name in _DATED or name in _AGED or name in _SIZED


def day_of(value: str) -> date | None:
    """The first day of a date as typed (year first, or month first as in the United States). None if no calendar has it."""
    year_first, month_first = _YEAR_FIRST.fullmatch(value), _MONTH_FIRST.fullmatch(value)
    try:
        if year_first:
            return date(int(year_first[1]), int(year_first[2] or 1), int(year_first[3] or 1))
        return date(int(month_first[3]), int(month_first[1]), int(month_first[2])) if month_first else None
    except ValueError:
        return None


def _chosen(name: str, known: dict[str, SearchExpression]) -> Meaning:
    def choose(words: Phrase) -> SearchExpression:
        found = known.get(words.text.lower())
        if found is None:
            raise NotAllowed(f"{name}:{words.text} is not known here.", f"Use {name}: with {', '.join(known)}.")
        return found

    return choose


def _inside(words: Phrase) -> SearchExpression:
    return _IN.get(words.text.lower()) or HasLabel(words.text)


def _category(words: Phrase) -> SearchExpression:
    if words.text.lower() not in CATEGORIES:
        raise NotAllowed(f"category:{words.text} is not known here.", f"Use category: with {', '.join(CATEGORIES)}.")
    return HasLabel(f"category_{CATEGORIES[words.text.lower()]}".lower())


def _in_columns(name: str) -> Meaning:
    def phrase(words: Phrase) -> SearchExpression:
        if words.text.lower() == "me" and name != "subject" and not words.quoted:
            return OwnAddress(COLUMNS[name])
        return Phrase(words.text, COLUMNS[name], words.prefix, words.quoted)

    return phrase


def _dated(name: str, operator: str) -> Meaning:
    def when(words: Phrase) -> SearchExpression:
        if not _SECONDS.fullmatch(words.text) and day_of(words.text) is None:
            raise NotAllowed(f"{name}:{words.text} is no date.", DATE_REMEDY.format(name))
        return DateCondition(operator, words.text)

    return when


def _aged(name: str) -> Meaning:
    def when(words: Phrase) -> SearchExpression:
        if not _AGE.fullmatch(words.text.lower()):
            raise NotAllowed(f"{name}:{words.text} is not understood.", f"Write {name}:7d, {name}:2m or {name}:1y.")
        return DateCondition(name, words.text.lower())

    return when


def _sized(name: str) -> Meaning:
    def size(words: Phrase) -> SearchExpression:
        found = _SIZE.fullmatch(words.text.lower())
        if found is None:
            raise NotAllowed(f"{name}:{words.text} is no size.", f"Write {name}:5M, {name}:200K or {name}:100000.")
        return SizeCondition(name != "smaller", int(found[1]) * _UNITS[found[2]])

    return size


_DATED = {"before": "before", "after": "after", "older": "before", "newer": "after"}
_AGED = ("older_than", "newer_than")
_SIZED = ("size", "larger", "smaller")
_MEANINGS: dict[str, Meaning] = {
    **{name: _in_columns(name) for name in COLUMNS},
    **{name: _dated(name, operator) for name, operator in _DATED.items()},
    **{name: _aged(name) for name in _AGED},
    **{name: _sized(name) for name in _SIZED},
    "is": _chosen("is", _IS),
    "has": _chosen("has", _HAS),
    "in": _inside,
    "label": _inside,
    "category": _category,
    "account": lambda words: OfAccount(words.text),
    "filename": lambda words: Filename(words.text),
    "list": lambda words: HeaderCondition("list_id", words.text.replace("@", ".")),
    "deliveredto": lambda words: HeaderCondition("delivered_to", words.text),
    "rfc822msgid": lambda words: HeaderCondition("rfc822_id", words.text),
}
