"""The mailbox lists, and the few rows the window paints before other imports.

Separate from the ports, because the first frame must not wait for their imports. Named tuples, because records need msgspec,
which takes 30 ms to import.
"""

from enum import StrEnum
from typing import NamedTuple


class MailView(StrEnum):
    INBOX = "inbox"
    SENT = "sent"
    DRAFTS = "drafts"
    ALL = "all"
    STARRED = "starred"
    SNOOZED = "snoozed"
    SPAM = "spam"
    TRASH = "trash"
    TO_REVIEW = "to-review"
    NEEDS_REPLY = "needs-reply"
    FYI = "fyi"
    NEWSLETTERS = "newsletters"
    REST = "rest"


VIEW_LABELS = {
    MailView.INBOX: "INBOX",
    MailView.SENT: "SENT",
    MailView.DRAFTS: "DRAFT",
    MailView.STARRED: "STARRED",
    MailView.SPAM: "SPAM",
    MailView.TRASH: "TRASH",
}
"""The label (Gmail's id) whose conversations a view lists."""

SPLITS = (MailView.TO_REVIEW, MailView.NEEDS_REPLY, MailView.FYI, MailView.NEWSLETTERS, MailView.REST)
"""Parts of the inbox: with a draft to review, else by the verdicts of triage. Each conversation of the inbox is in one."""


class GlanceRow(NamedTuple):
    """A list row of the first frame; `date_ms` is Unix time.

    `goes_out`: `who` are the recipients of a proposed mail. `kind` is that of a review.
    """

    who: str
    subject: str
    snippet: str
    date_ms: int
    unread: bool = False
    messages: int = 1
    goes_out: bool = False
    kind: str = ""


class Glance(NamedTuple):
    """Whether there is an account, and the first rows of a list."""

    accounts: bool
    rows: tuple[GlanceRow, ...] = ()
