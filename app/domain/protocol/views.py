"""The lists of the mailbox by name, and a glance at one: what the window paints before anything else is imported.

Apart from the ports, because the first frame must not wait for the whole vocabulary; named tuples, because a frozen data class
takes 1.5 ms to make.
"""

from enum import StrEnum
from typing import NamedTuple


class MailView(StrEnum):
    """The lists of the mailbox."""

    INBOX = "inbox"
    SENT = "sent"
    DRAFTS = "drafts"
    ALL = "all"
    STARRED = "starred"
    SNOOZED = "snoozed"
    SPAM = "spam"
    TRASH = "trash"


class GlanceRow(NamedTuple):
    """A row of a list as far as a glance shows it; `date_ms` is Unix time. `goes_out`: `who` are those a proposed mail goes
    to."""

    who: str
    subject: str
    snippet: str
    date_ms: int
    unread: bool = False
    messages: int = 1
    goes_out: bool = False


class Glance(NamedTuple):
    """Whether there is an account at all, and the first rows of a list."""

    accounts: bool
    rows: tuple[GlanceRow, ...] = ()
