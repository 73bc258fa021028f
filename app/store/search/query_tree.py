"""The tree of a search expression, without parsing or SQL."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase in one of `columns` of the full-text index, or in any column when empty.

    `prefix`: the last word may continue. `quoted`: it was in quotes, so exactly these words are wanted.
    """

    text: str
    columns: tuple[str, ...] = ()
    prefix: bool = False
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class HasLabel:
    """A label by its name as typed (inbox, unread, my-label). Empty means anywhere, including spam and trash."""

    name: str


@dataclass(frozen=True, slots=True)
class HasAttachment:
    """The message has an attachment that is not inline."""


@dataclass(frozen=True, slots=True)
class Filename:
    """The message has an attachment whose file name contains the text."""

    text: str


@dataclass(frozen=True, slots=True)
class OfAccount:
    """Mail of the account with this address, or of accounts whose address contains the text."""

    text: str


@dataclass(frozen=True, slots=True)
class DateCondition:
    """`operator` is before or after (`value` is a date as typed), or newer_than or older_than (an age such as 7d)."""

    operator: str
    value: str


@dataclass(frozen=True, slots=True)
class Not:
    inner: "SearchExpression"


@dataclass(frozen=True, slots=True)
class AllOf:
    """All parts match; matches everything without parts."""

    parts: tuple["SearchExpression", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part matches."""

    parts: tuple["SearchExpression", ...]


SearchExpression = Phrase | HasLabel | HasAttachment | Filename | OfAccount | DateCondition | Not | AllOf | AnyOf
