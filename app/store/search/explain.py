"""Why a message matches a search: looks each condition of the expression up in the message."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache

from app.domain.mail.message import Address, Message
from app.domain.protocol.queries import MatchPlace, SearchMatch
from app.store.search.query_sql import label_key
from app.store.search.query_tree import (
    AllOf,
    AnyOf,
    DateCondition,
    Filename,
    HasAttachment,
    HasLabel,
    Not,
    OfAccount,
    Phrase,
    SearchExpression,
)

BEFORE, AFTER = 16, 100
"""Characters shown around a match: few before it, so that a narrow list does not cut it off."""
MOST = 5
_IN = {"subject": MatchPlace.SUBJECT, "sender": MatchPlace.SENDER, "recipients": MatchPlace.RECIPIENTS, "body": MatchPlace.BODY}


def explain(expression: SearchExpression, message: Message, labels: Mapping[str, str]) -> tuple[SearchMatch, ...]:
    """At most `MOST` matches in the message. `labels` are names by Gmail's label id."""
    found: list[SearchMatch] = []
    for one in _matches(expression, _Readable(message), labels):
        if one not in found:
            found.append(one)
    return tuple(found[:MOST])


def folded(text: str) -> str:
    """Lower case without diacritics, character by character, so that positions stay the same."""
    return text.lower() if text.isascii() else "".join(map(_plain, text))


class _Readable:
    """A message's columns as shown and folded, computed once because every word is searched in them."""

    def __init__(self, message: Message) -> None:
        self.message = message
        self._columns: dict[str, list[tuple[str, str]]] = {}

    def column(self, name: str) -> list[tuple[str, str]]:
        """The texts of an index column, each with its folded form."""
        if name not in self._columns:
            self._columns[name] = [(text, folded(text)) for text in self._texts(name)]
        return self._columns[name]

    def _texts(self, name: str) -> Iterable[str]:
        one = self.message
        match name:
            case "subject":
                return (one.subject,)
            case "sender":
                return (_shown(one.sender),)
            case "recipients":
                return map(_shown, (*one.to, *one.cc, *one.bcc))
        return (one.body_text,)


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    base = unicodedata.normalize("NFKD", char.lower())[:1]
    return base or char


def _matches(expression: SearchExpression, mail: _Readable, labels: Mapping[str, str]) -> list[SearchMatch]:
    message = mail.message
    match expression:
        case Phrase():
            return _words(expression, mail)
        case AllOf(parts) | AnyOf(parts):
            return [found for one in parts for found in _matches(one, mail, labels)]
        case HasLabel(name):
            names = (labels.get(label, label) for label in message.labels)
            return [SearchMatch(MatchPlace.LABEL, each) for each in names if label_key(each) == label_key(name)]
        case HasAttachment():
            return [SearchMatch(MatchPlace.FILE, one.filename) for one in message.attachments if not one.inline][:2]
        case Filename(text):
            return [
                _placed(MatchPlace.FILE, one.filename, text)
                for one in message.attachments
                if folded(text) in folded(one.filename)
            ]
        case DateCondition():
            return [SearchMatch(MatchPlace.DATE, message.date.isoformat())]
        case Not() | OfAccount():
            return []


def _words(words: Phrase, mail: _Readable) -> list[SearchMatch]:
    """Where a phrase occurs, the columns in the order a reader looks at them."""
    pattern = _pattern(words)
    if pattern is None:
        return []
    wanted = {"recipients" if one in ("copies", "blind_copies") else one for one in words.columns} or set(_IN)
    found = []
    for name, where in _IN.items():
        if name not in wanted:
            continue
        hits = ((text, pattern.search(plain)) for text, plain in mail.column(name))
        found.append(next((_found(where, text, *hit.span()) for text, hit in hits if hit is not None), None))
    return [one for one in found if one is not None]


def _pattern(words: Phrase) -> re.Pattern[str] | None:
    tokens = re.findall(r"[^\W_]+", folded(words.text))
    if not tokens:
        return None
    return re.compile(r"(?<![^\W_])" + r"[\W_]+".join(map(re.escape, tokens)) + ("" if words.prefix else r"(?![^\W_])"))


def _found(where: MatchPlace, text: str, first: int, last: int) -> SearchMatch:
    """The line with the match at `first` to `last`; for a body only the text around it."""
    if where is not MatchPlace.BODY:
        return SearchMatch(where, text, first, last)
    start, end = max(0, first - BEFORE), min(len(text), last + AFTER)
    before, inside, after = text[start:first], text[first:last], text[last:end]
    before = ("…" if start else "") + _one_line(before)
    inside, after = _one_line(inside), _one_line(after) + ("…" if end < len(text) else "")
    return SearchMatch(where, before + inside + after, len(before), len(before) + len(inside))


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _placed(where: MatchPlace, text: str, part: str) -> SearchMatch:
    start = folded(text).find(folded(part))
    return SearchMatch(where, text, start, start + len(part))


def _shown(address: Address) -> str:
    return f"{address.name} <{address.email}>" if address.name else address.email
