"""A search expression: a small tree of frozen values. No parsing, no SQL."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase in one of `columns` of the full-text index, or in any when empty; `prefix`: its last word may go on; `quoted`: it
    stood in quotes, so that these very words are asked for."""

    text: str
    columns: tuple[str, ...] = ()
    prefix: bool = False
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class HasLabel:
    """A label by its name as typed (inbox, unread, my-label); empty means anywhere, spam and trash included."""

    name: str


@dataclass(frozen=True, slots=True)
class HasAttachment:
    """An attachment that is not part of the text."""


@dataclass(frozen=True, slots=True)
class Filename:
    """An attachment whose file name contains the text."""

    text: str


@dataclass(frozen=True, slots=True)
class OfAccount:
    """Mail of the account with this address, or of those whose address contains the text."""

    text: str


@dataclass(frozen=True, slots=True)
class DateCondition:
    """`operator` is before or after (a date: `value` as typed) or newer_than or older_than (an age such as 7d)."""

    operator: str
    value: str


@dataclass(frozen=True, slots=True)
class Not:
    """Everything but that."""

    inner: "SearchExpression"


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of them; without parts: everything."""

    parts: tuple["SearchExpression", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of them at least."""

    parts: tuple["SearchExpression", ...]


SearchExpression = Phrase | HasLabel | HasAttachment | Filename | OfAccount | DateCondition | Not | AllOf | AnyOf
