"""Why a message matches a search: looks each condition of the expression up in the message."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import islice

from app.domain.language.search_text import folded, folded_with_places, is_run, joined
from app.domain.language.words import is_stop_word
from app.domain.mail.message import Address
from app.domain.protocol.queries import MatchPlace, SearchMatch
from app.domain.record import Record, replace
from app.store.search.matching import label_key
from app.store.search.query_tree import (
    AllOf,
    AnyOf,
    DateCondition,
    Filename,
    HasLabel,
    Near,
    OwnAddress,
    Phrase,
    Property,
    SearchExpression,
)

BEFORE, AFTER = 16, 100
"""Characters shown around a match: few before it, so that a narrow list does not cut it off."""
MOST = 5
_IN = {
    "subject": MatchPlace.SUBJECT,
    "sender": MatchPlace.SENDER,
    "recipients": MatchPlace.RECIPIENTS,
    "body": MatchPlace.BODY,
    "files": MatchPlace.FILE,
}


class SearchedMail(Record):
    """What is looked at in a message to say why it matches."""

    subject: str
    sender: Address
    recipients: tuple[Address, ...]
    date: datetime
    text: str
    labels: tuple[str, ...]
    """Names, not ids."""
    files: tuple[str, ...]
    file_texts: Callable[[], Sequence[str]] = tuple
    """The text of its files, read only when the rest of the message does not match."""


Forms = Callable[[Phrase], tuple[str, ...]]
"""The other forms of a word that a search found too."""


def no_forms(_words: Phrase) -> tuple[str, ...]:
    return ()


def explain(expression: SearchExpression, mail: SearchedMail, forms: Forms = no_forms) -> tuple[SearchMatch, ...]:
    """At most `MOST` matches in the message; those of stop words only where nothing else was searched."""
    found: list[SearchMatch] = []
    for one in _matches(expression, _Readable(mail), forms):
        if one not in found:
            found.append(one)
    return tuple(found[:MOST])


class _Readable:
    """A message's columns as shown and folded, computed once because every word is searched in them."""

    def __init__(self, mail: SearchedMail) -> None:
        self.mail = mail
        self._columns: dict[str, list[_Folded]] = {}

    def column(self, name: str) -> list["_Folded"]:
        if name not in self._columns:
            self._columns[name] = [_Folded(text, *folded_with_places(text)) for text in self._texts(name)]
        return self._columns[name]

    def _texts(self, name: str) -> Iterable[str]:
        match name:
            case "subject":
                return (self.mail.subject,)
            case "sender":
                return (_shown(self.mail.sender),)
            case "recipients":
                return map(_shown, self.mail.recipients)
            case "files":
                return self.mail.files
            case "file_text":
                return self.mail.file_texts()
        return (self.mail.text,)


class _Folded(Record):
    """A text, the same folded, and for each folded character its place; None where these are the same."""

    text: str
    plain: str
    places: list[int] | None

    def found(self, where: MatchPlace, first: int, last: int) -> SearchMatch:
        if self.places is not None:
            first, last = self.places[first], self.places[last - 1] + 1
        return _found(where, self.text, first, last)


def _matches(expression: SearchExpression, mail: _Readable, forms: Forms) -> list[SearchMatch]:
    match expression:
        case Phrase():
            return _words(expression, mail, forms)
        case Near(one, other):
            return [*_words(one, mail, forms), *_words(other, mail, forms)]
        case AllOf(parts) | AnyOf(parts):
            telling = [one for one in parts if not (isinstance(one, Phrase) and is_stop_word(folded(one.text)))]
            return [found for one in telling or parts for found in _matches(one, mail, forms)]
        case _:
            return _facts(expression, mail.mail)


def _facts(expression: SearchExpression, mail: SearchedMail) -> list[SearchMatch]:
    match expression:
        case HasLabel(name):
            return [SearchMatch(MatchPlace.LABEL, each) for each in mail.labels if label_key(each) == label_key(name)]
        case Property.ATTACHMENT:
            return [SearchMatch(MatchPlace.FILE, one) for one in mail.files][:2]
        case Filename(text):
            return [_placed(MatchPlace.FILE, one, text) for one in mail.files if folded(text) in folded(one)]
        case OwnAddress(columns):
            shown = (mail.sender,) if columns == ("sender",) else mail.recipients
            place = MatchPlace.SENDER if columns == ("sender",) else MatchPlace.RECIPIENTS
            return [SearchMatch(place, _shown(one)) for one in shown][:1]
        case DateCondition():
            return [SearchMatch(MatchPlace.DATE, mail.date.isoformat())]
        case _:
            return []


def _words(words: Phrase, mail: _Readable, forms: Forms) -> list[SearchMatch]:
    """Where a phrase occurs, the columns in the order a reader looks at them."""
    pattern = _pattern(words, forms(words))
    if pattern is None:
        return []
    wanted = {"recipients" if one in ("copies", "blind_copies") else one for one in words.columns} or set(_IN)
    found: list[SearchMatch] = []
    for name, where in _IN.items():
        if name not in wanted:
            continue
        hits = ((text, pattern.search(text.plain)) for text in mail.column(name))
        found += islice((text.found(where, *hit.span()) for text, hit in hits if hit is not None), 1)
    if not found and not words.columns:
        hits = ((text, pattern.search(text.plain)) for text in mail.column("file_text"))
        near = (text.found(MatchPlace.BODY, *hit.span()) for text, hit in hits if hit is not None)
        found += [replace(one, where=MatchPlace.FILE) for one in islice(near, 1)]
    return found


@lru_cache(maxsize=64)
def _pattern(words: Phrase, forms: tuple[str, ...]) -> re.Pattern[str] | None:
    """What to look for in a folded text: the phrase, its other forms, and the same with hyphens or gaps between digits."""
    plain = folded(words.text)
    tokens = re.findall(r"[^\W_]+", plain)
    if not tokens:
        return None
    if all(map(is_run, tokens)):
        return re.compile(r"[\W_]+".join(map(re.escape, tokens)))
    others = [(one,) for one in (*forms, *joined(plain))]
    alternatives = [_begun(one, r"[\W_]+") for one in (tokens, *others)]
    if len(tokens) == 1 and len(tokens[0]) > 3:
        alternatives.append(_begun(tokens[0], r"[ .,'’-]?" if tokens[0].isdigit() else "-?"))
    end = "" if words.prefix else r"(?![^\W_])"
    return re.compile(f"(?:{'|'.join(alternatives)}){end}")


def _begun(parts: Sequence[str], gap: str) -> str:
    """The parts with gaps, where the first begins a word. It looks back after its letters, so that `re` jumps to them."""
    first, *rest = map(re.escape, parts)
    return gap.join((rf"{first}(?<![^\W_]{first})", *rest))


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
    found = re.search(re.escape(part), text, re.IGNORECASE)
    return SearchMatch(where, text, *(found.span() if found else (0, 0)))


def _shown(address: Address) -> str:
    return f"{address.name} <{address.email}>" if address.name else address.email
