"""A search expression as one SQL condition over `messages m`; every value is a parameter.

Text without any word (`!!!`) is ignored.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain.errors import NotAllowed
from app.domain.ids import AccountId
from app.domain.mail.message import SystemLabel
from app.store.db.codecs import storable
from app.store.db.times import to_ms
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

LabelTable = Mapping[str, tuple[tuple[AccountId, str], ...]]
"""Label ids (account and Gmail's id) by normalised name."""

Condition = tuple[str, tuple[str | int, ...]]

_ALWAYS: Condition = ("1", ())
_NEVER: Condition = ("0", ())

_IN_INDEX = "m.id IN (SELECT rowid FROM mail_fts WHERE mail_fts MATCH ?)"
_LABELLED = "m.id IN (SELECT message_id FROM message_labels WHERE label = ?)"
_HIDDEN = "m.id NOT IN (SELECT message_id FROM message_labels WHERE label IN ('SPAM', 'TRASH'))"

_DAYS = {"d": 1, "m": 30, "y": 365}
_SYSTEM = {"drafts": SystemLabel.DRAFT} | {one.value.lower(): one for one in SystemLabel}
_OPENS_HIDDEN = frozenset({"", "spam", "trash"})


@dataclass(frozen=True, slots=True)
class QueryScope:
    """What a condition depends on besides the expression: the current time (aware, in the owner's time zone) and the labels."""

    now: datetime
    labels: LabelTable


def condition(expression: SearchExpression, scope: QueryScope) -> Condition:
    """The SQL condition. Excludes spam and trash unless the expression names them."""
    sql, args = _condition(expression, scope)
    return (sql, args) if _names_hidden(expression) else (f"({sql}) AND {_HIDDEN}", args)


def match_text(expression: SearchExpression) -> str:
    """The expression as one full-text query if it consists only of text, otherwise empty."""
    match expression:
        case Phrase(text, columns, prefix):
            return _match_words(text, columns, prefix) if has_word(text) else ""
        case AllOf(parts) | AnyOf(parts):
            found = [match_text(one) for one in parts]
            joint = " AND " if isinstance(expression, AllOf) else " OR "
            return joint.join(f"({one})" for one in found) if all(found) else ""
        case _:
            return ""


def has_word(text: str) -> bool:
    """Whether the full-text index would find a word: a letter, a digit or a private-use character."""
    return any(unicodedata.category(one)[0] in "LN" or unicodedata.category(one) == "Co" for one in text)


def label_key(name: str) -> str:
    """A label's name as typed after `label:`: without case, dashes for spaces and slashes."""
    return re.sub(r"[\s/]", "-", name.strip()).casefold()


def _condition(expression: SearchExpression, scope: QueryScope) -> Condition:
    """The condition of one node; text below it becomes one full-text query where possible."""
    text = match_text(expression)
    if text:
        return _IN_INDEX, (storable(text),)
    match expression:
        case Phrase():
            return _ALWAYS
        case Not(inner):
            sql, args = _condition(inner, scope)
            return f"NOT ({sql})", args
        case AllOf(parts):
            return _joined([_condition(one, scope) for one in parts], " AND ", _ALWAYS)
        case AnyOf(parts):
            return _joined([_condition(one, scope) for one in parts], " OR ", _NEVER)
        case _:
            return _fact(expression, scope)


def _fact(expression: HasLabel | HasAttachment | Filename | OfAccount | DateCondition, scope: QueryScope) -> Condition:
    """Conditions on columns, labels and attachments."""
    match expression:
        case HasLabel(name):
            return _labelled(name, scope.labels)
        case HasAttachment():
            return "m.has_attachment", ()
        case Filename(text):
            return "m.id IN (SELECT message_id FROM attachments WHERE filename LIKE ? ESCAPE '\\')", (f"%{_literal(text)}%",)
        case OfAccount(text):
            pattern = _literal(text) if "@" in text else f"%{_literal(text)}%"
            return "+m.account_id IN (SELECT id FROM accounts WHERE email LIKE ? ESCAPE '\\')", (pattern,)
        case DateCondition(operator, value):
            after = operator in ("after", "newer_than")
            return ("m.date >= ?" if after else "m.date < ?"), (_limit_ms(operator, value, scope.now),)


def _literal(text: str) -> str:
    """Escapes a text for LIKE."""
    return re.sub(r"([%_\\])", r"\\\1", storable(text))


def _joined(parts: list[Condition], word: str, empty: Condition) -> Condition:
    if not parts:
        return empty
    return word.join(f"({sql})" for sql, _ in parts), tuple(arg for _, args in parts for arg in args)


def _labelled(name: str, labels: LabelTable) -> Condition:
    """A system label by its name, otherwise user labels of any account."""
    if not name:
        return _ALWAYS
    key = label_key(name)
    if key in _SYSTEM:
        return _LABELLED, (str(_SYSTEM[key]),)
    own = [(f"m.account_id = ? AND {_LABELLED}", (account, label)) for account, label in labels.get(key, ())]
    return _joined([*own], " OR ", _NEVER)


def _limit_ms(operator: str, value: str, now: datetime) -> int:
    """Unix milliseconds of a date (midnight in the owner's time zone), of seconds since 1970, or of an age. Raises
    `NotAllowed`.
    """
    try:
        if operator in ("newer_than", "older_than"):
            return to_ms(now - timedelta(days=int(value[:-1]) * _DAYS[value[-1]]))
        if value.isdigit():
            return int(value) * 1000
        year, month, day = (int(part) for part in re.split("[/-]", value))
        return to_ms(datetime(year, month, day, tzinfo=now.tzinfo))
    except OverflowError:
        return 0
    except ValueError as error:
        raise NotAllowed(f"{operator}:{value} is no date.", f"Write {operator}:2026/03/31.") from error


def _match_words(text: str, columns: tuple[str, ...], prefix: bool) -> str:
    """A phrase in FTS5 syntax, with quotes doubled."""
    phrase = '"' + text.replace('"', '""') + '"' + (" *" if prefix else "")
    return f"{{{' '.join(columns)}}} : {phrase}" if columns else phrase


def _names_hidden(expression: SearchExpression) -> bool:
    """Whether the expression names spam, trash or anywhere."""
    match expression:
        case HasLabel(name):
            return label_key(name) in _OPENS_HIDDEN
        case Not(inner):
            return _names_hidden(inner)
        case AllOf(parts) | AnyOf(parts):
            return any(_names_hidden(one) for one in parts)
        case _:
            return False


def label_table(rows: Iterable[tuple[AccountId, str, str]]) -> LabelTable:
    """Builds a `LabelTable` from rows of account, Gmail label id and name."""
    table: dict[str, tuple[tuple[AccountId, str], ...]] = {}
    for account_id, gmail_label_id, name in rows:
        table[label_key(name)] = (*table.get(label_key(name), ()), (account_id, gmail_label_id))
    return table
