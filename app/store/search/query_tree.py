"""The tree of a search expression, without parsing or the index."""

from enum import Enum, auto

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
