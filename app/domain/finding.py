"""What a search found, and why: for each conversation the mail that matched and what of it did.

Mail alike in meaning comes behind what has the words, and never in its place.
"""

from collections.abc import Iterable
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
    MEANING = "meaning"


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


@dataclass(frozen=True, slots=True)
class FindAlike:
    """Mail alike in meaning to the free words of a search; its operators hold for it too. `besides` are conversations that were
    found already. Answered by `AlikeMails`."""

    text: str
    besides: tuple[ThreadId, ...] = ()
    limit: int = 10


class Likeness(StrEnum):
    """Whether mail was compared: `no_words` where the search has no free word, `paused` where the assistant was paused from the
    start, so that nothing is loaded to compare with."""

    COMPARED = "compared"
    NO_WORDS = "no_words"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class AlikeMails:
    """The nearest first; the reason of each is its nearest passage. `indexed` mails are compared by now, `waiting` ones are to be
    embedded; mail archives are in neither."""

    mails: tuple[FoundMail, ...]
    likeness: Likeness
    indexed: int = 0
    waiting: int = 0


def joined(exact: Iterable[FoundMail], alike: Iterable[FoundMail]) -> dict[ThreadId, FoundMail]:
    """What has the words, in its order, then what is alike; a conversation that is both stands with its words."""
    found: dict[ThreadId, FoundMail] = {}
    for one in (*exact, *alike):
        found.setdefault(one.thread_id, one)
    return found
