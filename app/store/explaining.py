"""Why a mail matches a search: each part of the search that asks for something is looked up in the mail itself.

Refuses to guess: what the index found but these words do not show (another word form) is left out.
"""

import re
import unicodedata
from collections.abc import Mapping

from app.domain.finding import Match, Where
from app.domain.mail import Address, Message
from app.store.query_sql import label_key
from app.store.query_tree import AllOf, AnyOf, Filename, HasAttachment, Labelled, Not, OfAccount, SearchExpression, When, Words

BEFORE, AFTER = 16, 100
"""Characters of the text shown around a match: little before it, so that it is not cut off in a narrow list."""
MOST = 5
_IN = {"subject": Where.SUBJECT, "sender": Where.SENDER, "recipients": Where.RECIPIENTS, "body": Where.BODY}


def explain(expression: SearchExpression, message: Message, labels: Mapping[str, str]) -> tuple[Match, ...]:
    """What of the mail matches, at most a few; `labels` are names by Gmail's label id."""
    found: list[Match] = []
    for one in _matches(expression, message, labels):
        if one not in found:
            found.append(one)
    return tuple(found[:MOST])


def folded(text: str) -> str:
    """Lower case without marks, character for character, so that places stay the same."""
    return "".join(_plain(char) for char in text)


def _plain(char: str) -> str:
    base = unicodedata.normalize("NFKD", char.lower())[:1]
    return base or char


def _matches(expression: SearchExpression, message: Message, labels: Mapping[str, str]) -> list[Match]:
    match expression:
        case Words():
            return _words(expression, message)
        case AllOf(parts) | AnyOf(parts):
            return [found for one in parts for found in _matches(one, message, labels)]
        case Labelled(name):
            names = (labels.get(label, label) for label in message.labels)
            return [Match(Where.LABEL, each) for each in names if label_key(each) == label_key(name)]
        case HasAttachment():
            return [Match(Where.FILE, one.filename) for one in message.attachments if not one.inline][:2]
        case Filename(text):
            return [
                _placed(Where.FILE, one.filename, text) for one in message.attachments if folded(text) in folded(one.filename)
            ]
        case When():
            return [Match(Where.DATE, message.date.isoformat())]
        case Not() | OfAccount():
            return []


def _words(words: Words, message: Message) -> list[Match]:
    """Where a phrase stands, the columns in the order a reader looks."""
    pattern = _pattern(words)
    if pattern is None:
        return []
    columns = {
        "subject": (message.subject,),
        "sender": (_shown(message.sender),),
        "recipients": tuple(map(_shown, (*message.to, *message.cc, *message.bcc))),
        "body": (message.body_text,),
    }
    wanted = {"recipients" if one in ("copies", "blind_copies") else one for one in words.columns} or set(columns)
    found = []
    for name, texts in columns.items():
        hit = next((_found(_IN[name], text, pattern) for text in texts if pattern.search(folded(text))), None)
        if name in wanted and hit is not None:
            found.append(hit)
    return found


def _pattern(words: Words) -> re.Pattern[str] | None:
    tokens = re.findall(r"[^\W_]+", folded(words.text))
    if not tokens:
        return None
    return re.compile(r"(?<![^\W_])" + r"[\W_]+".join(map(re.escape, tokens)) + ("" if words.prefix else r"(?![^\W_])"))


def _found(where: Where, text: str, pattern: re.Pattern[str]) -> Match:
    """The line with the match; of a long text the surroundings."""
    hit = pattern.search(folded(text))
    assert hit is not None
    if where is not Where.BODY:
        return Match(where, text, hit.start(), hit.end())
    start, end = max(0, hit.start() - BEFORE), min(len(text), hit.end() + AFTER)
    before, inside, after = text[start : hit.start()], text[hit.start() : hit.end()], text[hit.end() : end]
    before = ("…" if start else "") + _one_line(before)
    inside, after = _one_line(inside), _one_line(after) + ("…" if end < len(text) else "")
    return Match(where, before + inside + after, len(before), len(before) + len(inside))


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _placed(where: Where, text: str, part: str) -> Match:
    start = folded(text).find(folded(part))
    return Match(where, text, start, start + len(part))


def _shown(address: Address) -> str:
    return f"{address.name} <{address.email}>" if address.name else address.email
