"""What a search found, and why: for each conversation the mail that matched and what of it did."""

from dataclasses import dataclass
from enum import StrEnum

from app.domain.ids import MessageId, ThreadId


class Where(StrEnum):
    """What of a mail matched."""

    SUBJECT = "subject"
    SENDER = "sender"
    RECIPIENTS = "recipients"
    BODY = "body"
    LABEL = "label"
    FILE = "file"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class Match:
    """`text` is the line, address, label or file name that matched; the match stands at `start` to `end` in characters, both 0
    where there is nothing to point at."""

    where: Where
    text: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class FoundMail:
    """A conversation with the newest of its mails that matches."""

    thread_id: ThreadId
    message_id: MessageId
    why: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class FindMail:
    """Gmail operators and free text over the mail on this machine; answered by `FoundMails`."""

    text: str
    limit: int = 200


@dataclass(frozen=True, slots=True)
class FoundMails:
    """Newest first; `more` when the limit cut it."""

    mails: tuple[FoundMail, ...]
    more: bool
