"""Queries for search and spelling with their answers: which messages match and why.

Similar messages are listed after those that contain the words.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from app.domain.ids import MessageId, ThreadId


class MatchPlace(StrEnum):
    """What part of a message matched."""

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
    """`text` is the line, address, label or file name that matched.

    `start` and `end` are the match in characters, both 0 if there is no position.
    """

    where: MatchPlace
    text: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class FoundMail:
    """A conversation with its newest message that matches."""

    thread_id: ThreadId
    message_id: MessageId
    why: tuple[SearchMatch, ...]


@dataclass(frozen=True, slots=True)
class FindMail:
    """Searches the local mail by Gmail operators and free text; answered by `FoundMails`."""

    text: str
    limit: int = 200


@dataclass(frozen=True, slots=True)
class FoundMails:
    """Newest first; `more` if the limit cut the list."""

    mails: tuple[FoundMail, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class FindSimilar:
    """Finds mail similar in meaning to a search's free words.

    The search's operators apply too. `besides` are conversations found already. Answered by `SimilarMails`.
    """

    text: str
    besides: tuple[ThreadId, ...] = ()
    limit: int = 10


class SimilarityState(StrEnum):
    """Whether mail was compared.

    `no_words`: the search has no free word. `paused`: the assistant was paused from the start, so no model is loaded.
    """

    COMPARED = "compared"
    NO_WORDS = "no_words"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class SimilarMails:
    """The nearest first, each with its nearest passage as the reason.

    `indexed` messages can be compared, `waiting` ones are not embedded yet. Mail archives count in neither.
    """

    mails: tuple[FoundMail, ...]
    likeness: SimilarityState
    indexed: int = 0
    waiting: int = 0


def joined(exact: Iterable[FoundMail], alike: Iterable[FoundMail]) -> dict[ThreadId, FoundMail]:
    """Exact matches in their order, then similar ones without duplicates."""
    found: dict[ThreadId, FoundMail] = {}
    for mail in (*exact, *alike):
        found.setdefault(mail.thread_id, mail)
    return found


@dataclass(frozen=True, slots=True)
class CheckSpelling:
    """Checks a text in one language, which is guessed; answered by `Misspelled`."""

    text: str


@dataclass(frozen=True, slots=True)
class Misspelled:
    """Words of the text that its language's dictionary does not have.

    `language` and `words` are empty if this computer has no dictionary for it.
    """

    words: tuple[str, ...]
    language: str


@dataclass(frozen=True, slots=True)
class SuggestSpelling:
    """Suggests corrections of `word` in `language`; answered by `Suggestions`."""

    word: str
    language: str


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Best first."""

    words: tuple[str, ...]
