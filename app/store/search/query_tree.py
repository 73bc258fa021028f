"""The tree of a search expression, and what the operators of a search mean: from a name and a value to a condition.

A value that cannot be understood raises `NotAllowed`, which says what can be written instead.
"""

import re
from collections.abc import Callable
from datetime import date
from enum import Enum, auto

from app.domain.errors import NotAllowed
from app.domain.record import Record


class Phrase(Record):
    """A phrase in one of `columns` of the full-text index, or in any column when empty.

    `prefix`: the last word may continue. `quoted`: exactly these words are wanted, not other forms of them.
    """

    text: str
    columns: tuple[str, ...] = ()
    prefix: bool = False
    quoted: bool = False


class Near(Record):
    """Two phrases with at most `distance` words between them."""

    one: Phrase
    other: Phrase
    distance: int


class OwnAddress(Record):
    """An address of the owner in one of `columns`."""

    columns: tuple[str, ...]


class HasLabel(Record):
    """A label by its name as typed (inbox, unread, my-label). Empty means anywhere, including spam and trash."""

    name: str


class Property(Enum):
    ATTACHMENT = auto()
    """A file that is not inline."""
    USER_LABEL = auto()
    """A label of the owner's making."""
    ARCHIVED = auto()
    """In none of inbox, sent, drafts, spam and trash."""
    SNOOZED = auto()
    """Its conversation is hidden until a time."""
    MUTED = auto()
    """New mail of its conversation skips the inbox."""


class Filename(Record):
    """The message has an attachment whose file name contains the text, or of that type where the text is one (pdf)."""

    text: str


class OfAccount(Record):
    """Mail of the account with this address, or of accounts whose address contains the text."""

    text: str


class DateCondition(Record):
    """`operator` is before or after (`value` is a date as typed), or newer_than or older_than (an age such as 7d)."""

    operator: str
    value: str


class SizeCondition(Record):
    """More (`larger`) or less than this many bytes."""

    larger: bool
    size: int


class HeaderCondition(Record):
    """A column of the message contains the text: `rfc822_id`, `list_id` or `delivered_to`."""

    column: str
    text: str


class Not(Record):
    inner: "SearchExpression"


class AllOf(Record):
    """All parts match; matches everything without parts."""

    parts: tuple["SearchExpression", ...]


class AnyOf(Record):
    """At least one part matches."""

    parts: tuple["SearchExpression", ...]


Fact = HasLabel | Property | Filename | OfAccount | DateCondition | SizeCondition | HeaderCondition
SearchExpression = Phrase | Near | OwnAddress | Fact | Not | AllOf | AnyOf

EVERYTHING = AllOf(())

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


def knows(name: str) -> bool:
    """Whether Gmail has an operator of this name."""
    return name in _KNOWN or name in _OTHERS


def begins_value(name: str, value: str) -> bool:
    """Whether the value may still become one that `name` knows, so that nothing is said while somebody types."""
    known = (_CHOICES | {"in": _IN}).get(name)
    return any(one.startswith(value.lower()) for one in known) if known is not None else name in {*_DATED, *_AGED, *_SIZED}


def day_of(value: str) -> date | None:
    """The first day of a date as typed (year first, or month first as in the United States). None if no calendar has it."""
    year_first, month_first = _YEAR_FIRST.fullmatch(value), _MONTH_FIRST.fullmatch(value)
    try:
        if year_first:
            return date(int(year_first[1]), int(year_first[2] or 1), int(year_first[3] or 1))
        return date(int(month_first[3]), int(month_first[1]), int(month_first[2])) if month_first else None
    except ValueError:
        return None


def meaning(name: str, words: Phrase) -> SearchExpression:
    """What an operator makes of a word. Raises `NotAllowed` for a value that it does not know."""
    text, small = words.text, words.text.lower()
    if name in COLUMNS:
        own = small == "me" and name != "subject" and not words.quoted
        return OwnAddress(COLUMNS[name]) if own else Phrase(text, COLUMNS[name], words.prefix, words.quoted)
    if name in _OTHERS:
        return _OTHERS[name](text)
    if name in _CHOICES:
        if small not in _CHOICES[name]:
            raise NotAllowed(f"{name}:{text} is not known here.", f"Use {name}: with {', '.join(_CHOICES[name])}.")
        return _CHOICES[name][small]
    if name in _DATED:
        if not _SECONDS.fullmatch(text) and day_of(text) is None:
            raise NotAllowed(f"{name}:{text} is no date.", DATE_REMEDY.format(name))
        return DateCondition(_DATED[name], text)
    if name in _AGED:
        if not _AGE.fullmatch(small):
            raise NotAllowed(f"{name}:{text} is not understood.", f"Write {name}:7d, {name}:2m or {name}:1y.")
        return DateCondition(name, small)
    size = _SIZE.fullmatch(small)
    if size is None:
        raise NotAllowed(f"{name}:{text} is no size.", f"Write {name}:5M, {name}:200K or {name}:100000.")
    return SizeCondition(name != "smaller", int(size[1]) * _UNITS[size[2]])


def _inside(text: str) -> SearchExpression:
    return _IN.get(text.lower()) or HasLabel(text)


_DATED = {"before": "before", "after": "after", "older": "before", "newer": "after"}
_AGED = ("older_than", "newer_than")
_SIZED = ("size", "larger", "smaller")
_CHOICES: dict[str, dict[str, SearchExpression]] = {
    "is": _IS,
    "has": _HAS,
    "category": {name: HasLabel(f"category_{label}".lower()) for name, label in CATEGORIES.items()},
}
_OTHERS: dict[str, Callable[[str], SearchExpression]] = {
    "in": _inside,
    "label": _inside,
    "account": OfAccount,
    "filename": Filename,
    "list": lambda text: HeaderCondition("list_id", text.replace("@", ".")),
    "deliveredto": lambda text: HeaderCondition("delivered_to", text),
    "rfc822msgid": lambda text: HeaderCondition("rfc822_id", text),
}
_KNOWN = frozenset({*COLUMNS, *_CHOICES, *_DATED, *_AGED, *_SIZED})
