"""Queries for search and spelling with their answers: which messages match and why.

Similar messages are listed after those that contain the words.
"""

from collections.abc import Iterable
from enum import StrEnum

from app.domain.ids import MessageId, ThreadId
from app.domain.record import Record
from app.domain.wire import Answer, Query


class MatchPlace(StrEnum):
    SUBJECT = "subject"
    SENDER = "sender"
    RECIPIENTS = "recipients"
    BODY = "body"
    LABEL = "label"
    FILE = "file"
    DATE = "date"
    MEANING = "meaning"


class SearchMatch(Record):
    """`text` is the line, address, label or file name that matched.

    `start` and `end` are the match in characters, both 0 if there is no position.
    """

    where: MatchPlace
    text: str
    start: int = 0
    end: int = 0


class FoundMail(Record):
    """A conversation with its newest message that matches."""

    thread_id: ThreadId
    message_id: MessageId
    why: tuple[SearchMatch, ...]


class SearchNoteKind(StrEnum):
    """Why a part of a search was left out."""

    UNKNOWN_OPERATOR = "unknown_operator"
    UNKNOWN_VALUE = "unknown_value"
    TOO_LONG = "too_long"
    TOO_DEEP = "too_deep"


class SearchNote(Record):
    """`text` is the part of the search that was left out."""

    kind: SearchNoteKind
    text: str


class FindMail(Query):
    """Searches the local mail by Gmail operators and free text; answered by `FoundMails`.

    `typing`: the last word may continue, and unfinished operators are passed over. `best_first`: the most relevant come first,
    then mails with only some of the words.
    """

    text: str
    limit: int = 200
    typing: bool = True
    best_first: bool = False


class FoundMails(Answer):
    """Newest first, but the first `best` are the most relevant ones. `more` if the limit cut the list. `total` counts no
    mails with only some of the words.

    Only the first mails have reasons; ask `ExplainMails` for those of the others. `total` counts all conversations that match.
    `notes` say what of the search was left out.
    """

    mails: tuple[FoundMail, ...]
    more: bool
    total: int = 0
    best: int = 0
    notes: tuple[SearchNote, ...] = ()


class ExplainMails(Query):
    """Asks why these mails match a search; answered by `ExplainedMails`."""

    text: str
    mails: tuple[FoundMail, ...]
    typing: bool = True


class ExplainedMails(Answer):
    """The mails with their reasons, without those that are gone."""

    mails: tuple[FoundMail, ...]


class CountMail(Query):
    """Counts the conversations that match each search; answered by `MailCounts`. Does not stop a search of the user."""

    texts: tuple[str, ...]


class MailCounts(Answer):
    """In the order of the searches."""

    counts: tuple[int, ...]


class SuggestSearch(Query):
    """Asks for a search with likelier words, where next to nothing was found; answered by `Suggestions`, at most one."""

    text: str


class FindPassage(Query):
    """Asks for the passage of a mail nearest in meaning to a search's free words; answered by `FoundPassage`."""

    text: str
    message_id: MessageId


class FoundPassage(Answer):
    """Empty if the mail is gone or has no text."""

    passage: str


class FindSimilar(Query):
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


class SimilarMails(Answer):
    """The nearest first. Their passages are asked for with `FindPassage`.

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


RANK_OFFSET = 5
"""Constant of reciprocal rank fusion: the larger, the less the first places count. Tests of search measure it."""


def blended(*rankings: Iterable[FoundMail]) -> dict[ThreadId, FoundMail]:
    """Rankings as one, by reciprocal rank fusion. Reasons are those of the first ranking that has the conversation."""
    found: dict[ThreadId, FoundMail] = {}
    scores: dict[ThreadId, float] = {}
    for ranking in rankings:
        for place, mail in enumerate(ranking):
            found.setdefault(mail.thread_id, mail)
            scores[mail.thread_id] = scores.get(mail.thread_id, 0.0) + 1 / (RANK_OFFSET + place)
    return {one: found[one] for one in sorted(scores, key=lambda one: -scores[one])}


class CheckSpelling(Query):
    """Checks a text in one language, which is guessed; answered by `Misspelled`."""

    text: str


class Misspelled(Answer):
    """Words of the text that its language's dictionary does not have.

    `language` and `words` are empty if this computer has no dictionary for it.
    """

    words: tuple[str, ...]
    language: str


class SuggestSpelling(Query):
    """Suggests corrections of `word` in `language`; answered by `Suggestions`."""

    word: str
    language: str


class Suggestions(Answer):
    """Best first."""

    words: tuple[str, ...]
