"""What a search found, and why: for each conversation the mail that matched and what of it did.

Mail alike in meaning comes behind what has the words, and never in its place.

Spelling: which words of a text are in no dictionary, and what may have been meant.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from app.domain.ids import MessageId, ThreadId


class MatchPlace(StrEnum):
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
class SearchMatch:
    """`text` is the line, address, label or file name that matched; the match stands at `start` to `end` in characters, both 0
    where there is nothing to point at."""

    where: MatchPlace
    text: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class FoundMail:
    """A conversation with the newest of its mails that matches."""

    thread_id: ThreadId
    message_id: MessageId
    why: tuple[SearchMatch, ...]


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
class FindSimilar:
    """Mail alike in meaning to the free words of a search; its operators hold for it too. `besides` are conversations that were
    found already. Answered by `SimilarMails`."""

    text: str
    besides: tuple[ThreadId, ...] = ()
    limit: int = 10


class SimilarityState(StrEnum):
    """Whether mail was compared: `no_words` where the search has no free word, `paused` where the assistant was paused from the
    start, so that nothing is loaded to compare with."""

    COMPARED = "compared"
    NO_WORDS = "no_words"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class SimilarMails:
    """The nearest first; the reason of each is its nearest passage. `indexed` mails are compared by now, `waiting` ones are to be
    embedded; mail archives are in neither."""

    mails: tuple[FoundMail, ...]
    likeness: SimilarityState
    indexed: int = 0
    waiting: int = 0


def joined(exact: Iterable[FoundMail], alike: Iterable[FoundMail]) -> dict[ThreadId, FoundMail]:
    """What has the words, in its order, then what is alike; a conversation that is both stands with its words."""
    found: dict[ThreadId, FoundMail] = {}
    for one in (*exact, *alike):
        found.setdefault(one.thread_id, one)
    return found


@dataclass(frozen=True, slots=True)
class CheckSpelling:
    """A text in one language, guessed from it; answered by `Misspelled`."""

    text: str


@dataclass(frozen=True, slots=True)
class Misspelled:
    """Words as they stand in the text that no dictionary of its language has. `language` is empty when there is no dictionary
    for it on this computer; then there are no words either."""

    words: tuple[str, ...]
    language: str


@dataclass(frozen=True, slots=True)
class SuggestSpelling:
    """What `word` may have meant in `language`; answered by `Suggestions`."""

    word: str
    language: str


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Best first, at most a few."""

    words: tuple[str, ...]
