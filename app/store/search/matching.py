"""Evaluates a search expression: each condition gives a mask of messages, and masks are combined.

Text without any word (`!!!`) is ignored. `Vocabulary` finds other forms of a word and likelier spellings of a rare one in the
index: it asks for the few words with the same beginning (1 ms), so nothing is read ahead.
"""

import json
import mimetypes
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache, reduce
from itertools import takewhile

import numpy as np

from app.domain.ids import AccountId
from app.domain.language.search_text import folded, index_words, is_run, joined, query_text
from app.domain.language.word_forms import SHORTEST, STEMMERS, beginnings, same_word
from app.domain.mail.message import SystemLabel
from app.store.db.codecs import storable, unpack_strings
from app.store.db.times import to_ms
from app.store.search.message_table import Ids, Mask, MessageTable
from app.store.search.query_parser import has_word, names_hidden
from app.store.search.query_tree import (
    AllOf,
    AnyOf,
    DateCondition,
    Fact,
    Filename,
    HasLabel,
    HeaderCondition,
    Near,
    Not,
    OfAccount,
    OwnAddress,
    Phrase,
    Property,
    SearchExpression,
    SizeCondition,
    day_of,
)

LONGEST = 24
MOST_FORMS = 12
KEPT_FORMS = 500
MOST_RANGE = 4000
"""Words with the same beginning that are looked at."""
RARE = 3
"""A word in at most this many mails may be misspelled."""
LIKELIER = 10
"""How much more often a likelier spelling must occur."""
SURE = 3
"""Errors in the first letters are looked for one by one, later ones among the words that begin with these letters."""

_CREATE = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.mail_words USING fts5vocab('main', 'mail_fts', 'row')"
_RANGE = "SELECT term, doc FROM temp.mail_words WHERE term >= ? AND term < ? LIMIT ?"
_COUNT = "SELECT doc FROM temp.mail_words WHERE term = ?"
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


class Vocabulary:
    """Words in lower-case ASCII with the number of mails that have them. Not thread-safe."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._forms = lru_cache(KEPT_FORMS)(self._found_forms)
        connection.execute(_CREATE)

    def refresh(self) -> None:
        """Forgets forms, because mail changed."""
        self._forms.cache_clear()

    def count(self, word: str) -> int:
        """How many mails have the word."""
        found = self._connection.execute(_COUNT, (word,)).fetchone()
        return int(found[0]) if found else 0

    def forms(self, word: str) -> tuple[str, ...]:
        """Other forms of a folded word that occur in mail, the most frequent first."""
        return self._forms(word) if SHORTEST <= len(word) <= LONGEST and _fits(word) else ()

    def _found_forms(self, word: str) -> tuple[str, ...]:
        stems = [(stem_of, stem_of(word)) for stem_of in STEMMERS]
        begun = {start: self._beginning(start) for start in {one for _, stem in stems for one in beginnings(stem)}}
        found = {
            one: many
            for stem_of, stem in stems
            for start in beginnings(stem)
            for one, many in begun[start].items()
            if stem_of(one) == stem
        }
        found.pop(word, None)
        return tuple(sorted(found, key=lambda one: (-found[one], one))[:MOST_FORMS])

    def likelier(self, word: str) -> str:
        """A much more frequent word one typing error away from a rare one; empty for none."""
        if len(word) < SHORTEST or not _fits(word) or (have := self.count(word)) > RARE:
            return ""
        found = {one: many for one, many in self._beginning(word[:SURE]).items() if _one_error(word, one)}
        found |= {one: self.count(one) for one in _misspelled(word, SURE)}
        best = max(found, key=lambda one: found[one], default="")
        return best if best and found[best] >= max(2, LIKELIER * have) and not same_word(best, word) else ""

    def _beginning(self, start: str) -> dict[str, int]:
        rows = self._connection.execute(_RANGE, (start, f"{start}{{", MOST_RANGE))
        return {word: count for word, count in rows if _fits(word)}


def _fits(word: str) -> bool:
    return 2 < len(word) <= LONGEST and word.isascii() and word.isalpha()


def _one_error(word: str, other: str) -> bool:
    """Whether one letter is too many, too few or wrong, or two are exchanged."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False)))
    one, two = word[same:], other[same:]
    return one[1:] in (two, two[1:]) or one == two[1:] or (one[1::-1] == two[:2] and one[2:] == two[2:])


def _misspelled(word: str, before: int) -> Iterable[str]:
    """Every word with one error that begins before a place."""
    for at in range(before):
        head, tail = word[:at], word[at:]
        for letter in _ALPHABET:
            yield head + letter + tail
            if tail and letter != tail[0]:
                yield head + letter + tail[1:]
        if tail:
            yield head + tail[1:]
        if len(tail) > 1 and tail[0] != tail[1]:
            yield head + tail[1] + tail[0] + tail[2:]


KEPT_MASKS = 64
"""Answers of the index and of labels that are kept until mail changes: 100 kB each for 100,000 messages."""

LabelTable = Mapping[str, tuple[tuple[AccountId, str], ...]]
"""Label ids (account and Gmail's id) by normalised name."""

_TEXT = "SELECT group_concat(rowid) FROM mail_fts WHERE mail_fts MATCH ?"
_LABELLED = "SELECT group_concat(message_id) FROM message_labels WHERE label = ?"
_PLAIN: Mapping[Property, str] = {
    Property.ATTACHMENT: "SELECT group_concat(id) FROM messages WHERE has_attachment",
    Property.USER_LABEL: """SELECT group_concat(message_id) FROM message_labels
        WHERE label IN (SELECT gmail_label_id FROM labels WHERE kind = 'user')""",
    Property.MUTED: "SELECT group_concat(m.id) FROM muted JOIN messages m USING (thread_id)",
    Property.SNOOZED: "SELECT group_concat(m.id) FROM snoozes s JOIN messages m ON m.thread_id = s.thread_id",
}
_NAMED = "SELECT group_concat(message_id) FROM attachments WHERE instr(folded_name, ?)"
_TYPED = """SELECT group_concat(message_id) FROM attachments WHERE mime_type IN (SELECT value FROM json_each(?1))
    OR substr(folded_name, -length(?2)) = ?2"""
_HEADERS = {
    "list_id": "SELECT group_concat(id) FROM messages WHERE list_id <> '' AND instr(list_id, ?)",
    "delivered_to": "SELECT group_concat(id) FROM messages WHERE delivered_to <> '' AND instr(delivered_to, ?)",
    "rfc822_id": "SELECT group_concat(id) FROM messages WHERE rfc822_id = ?",
}
_ACCOUNTS = "SELECT id, email, send_as FROM accounts"
_OFFICE = {"docx": "wordprocessingml.document", "xlsx": "spreadsheetml.sheet", "pptx": "presentationml.presentation"}
_TYPES = {suffix.removeprefix("."): kind for suffix, kind in mimetypes.MimeTypes().types_map[True].items()}
_TYPES |= {suffix: f"application/vnd.openxmlformats-officedocument.{kind}" for suffix, kind in _OFFICE.items()}
_TYPES |= {"odt": "application/vnd.oasis.opendocument.text", "ods": "application/vnd.oasis.opendocument.spreadsheet"}
_TYPES |= {"ics": "text/calendar", "jpg": "image/jpeg", "zip": "application/zip", "rtf": "application/rtf"}
"""MIME types by the suffix of a file's name, for `filename:pdf`."""
_DAYS = {"d": 1, "m": 30, "y": 365}
_SYSTEM = {"drafts": SystemLabel.DRAFT.value} | {one.value.lower(): one.value for one in SystemLabel}
_NOT_ARCHIVED = (SystemLabel.INBOX, SystemLabel.SENT, SystemLabel.DRAFT, SystemLabel.SPAM, SystemLabel.TRASH)


def label_key(name: str) -> str:
    """A label's name as typed after `label:`: without case, dashes for spaces and slashes."""
    return re.sub(r"[\s/]", "-", name.strip()).casefold()


class Matcher:
    """Evaluates expressions over one connection. Not thread-safe; `refresh` before each search."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.table = MessageTable()
        self.words = Vocabulary(connection)
        self._commits = -1
        self._ids = lru_cache(KEPT_MASKS)(self._read_ids)

    def refresh(self, commits: int) -> None:
        """Takes in what changed; `commits` is the number of the last change of mail."""
        if commits != self._commits:
            self._ids.cache_clear()
            self.table.refresh(self._connection)
            self.words.refresh()
            self._commits = commits

    def matching(self, expression: SearchExpression, now: datetime) -> Mask:
        """The messages that match, without spam and trash unless the expression names them.

        `now` is aware, in the owner's time zone.
        """
        found = self._mask(expression, now)
        return found if names_hidden(expression) else found & ~(self._labelled("SPAM") | self._labelled("TRASH"))

    def text_query(self, expression: SearchExpression) -> str:
        """The expression as one full-text query if it consists only of text, otherwise empty."""
        match expression:
            case Phrase():
                return self.phrase_query(expression)
            case Near():
                return self._near_query(expression)
            case OwnAddress(columns):
                return " OR ".join(_in_columns(columns, _quoted(one)) for one in self._own_addresses())
            case AllOf(parts) | AnyOf(parts):
                found = [self.text_query(one) for one in parts]
                joint = " AND " if isinstance(expression, AllOf) else " OR "
                return joint.join(f"({one})" for one in found) if found and all(found) else ""
            case _:
                return ""

    def ranking_query(self, expression: SearchExpression, subjects: bool) -> str:
        """The free text of an expression that every hit contains, to rank by, also its `subjects`; empty for none."""
        parts = expression.parts if isinstance(expression, AllOf) else (expression,)
        columns = ((), ("subject",)) if subjects else ((),)
        ranked = [one for one in parts if not isinstance(one, Phrase) or one.columns in columns]
        found = [self.text_query(one) for one in ranked if not isinstance(one, OwnAddress)]
        found = [one for one in found if one]
        return found[0] if len(found) == 1 else " AND ".join(f"({one})" for one in found)

    def hits(self, query: str) -> int:
        """How many messages a full-text query finds."""
        return int(np.count_nonzero(self._ids(_TEXT, query)))

    def phrase_query(self, words: Phrase) -> str:
        """A phrase in FTS5's syntax with its other forms; empty without a word."""
        if not has_word(words.text):
            return ""
        text = query_text(storable(words.text))
        star = " *" if words.prefix or (is_run(text) and len(text) == 1) else ""
        others = [] if words.quoted else [*joined(text), *self.forms(words)]
        return _in_columns(words.columns, " OR ".join([_quoted(text) + star, *(_quoted(one) for one in dict.fromkeys(others))]))

    def forms(self, words: Phrase) -> tuple[str, ...]:
        """Other forms of a phrase of one word that occur in mail."""
        found = index_words(words.text)
        return self.words.forms(found[0]) if len(found) == 1 and not words.quoted else ()

    def _near_query(self, near: Near) -> str:
        pair = [query_text(storable(one.text)) for one in (near.one, near.other)]
        if not all(map(has_word, pair)):
            return ""
        return f"NEAR({_quoted(pair[0])} {_quoted(pair[1])}, {near.distance})"

    def _mask(self, expression: SearchExpression, now: datetime) -> Mask:
        text = self.text_query(expression)
        if text:
            return self._ids(_TEXT, storable(text))
        match expression:
            case Phrase() | Near():
                return self.table.exists
            case OwnAddress():
                return self.table.nothing()
            case Not(inner):
                return self.table.exists & ~self._mask(inner, now)
            case AllOf(parts):
                return reduce(np.logical_and, (self._mask(one, now) for one in parts), self.table.exists)
            case AnyOf(parts):
                return reduce(np.logical_or, (self._mask(one, now) for one in parts), self.table.nothing())
        return self._fact(expression, now)

    def _fact(self, fact: Fact, now: datetime) -> Mask:
        """Conditions on columns, labels and attachments."""
        match fact:
            case HasLabel(name):
                return self._named_label(name)
            case Property.ARCHIVED:
                return reduce(lambda found, label: found & ~self._labelled(label), _NOT_ARCHIVED, self.table.exists)
            case Property():
                return self._ids(_PLAIN[fact])
            case Filename(text):
                suffix = text.lower().removeprefix(".")
                if suffix in _TYPES:
                    return self._ids(_TYPED, json.dumps([_TYPES[suffix]]), f".{suffix}")
                return self._ids(_NAMED, folded(storable(text)))
            case OfAccount(text):
                return self._accounts(text)
            case HeaderCondition(column, text):
                return self._header(column, text)
            case SizeCondition(larger, size):
                return self._compared(self.table.size, size + larger, larger)
            case DateCondition(operator, value):
                return self._compared(self.table.date, limit_ms(operator, value, now), operator in ("after", "newer_than"))

    def _compared(self, column: Ids, limit: int, at_least: bool) -> Mask:
        found: Mask = self.table.exists & ((column >= limit) == at_least)
        return found

    def _named_label(self, name: str) -> Mask:
        """A system label by its name, otherwise user labels of any account."""
        key = label_key(name)
        if not key:
            return self.table.exists
        if key in _SYSTEM or key.startswith("category_"):
            return self._labelled(_SYSTEM.get(key, key.upper()))
        found = self.table.nothing()
        for account, label in label_table(self._connection).get(key, ()):
            found = found | (self._labelled(label) & self.table.of_account(account))
        return found

    def _labelled(self, label: str) -> Mask:
        return self._ids(_LABELLED, str(label))

    def _header(self, column: str, text: str) -> Mask:
        if column != "rfc822_id":
            return self._ids(_HEADERS[column], storable(text.strip("<>").lower()))
        return self._ids(_HEADERS[column], storable(f"<{text.strip('<>')}>"))

    def _accounts(self, text: str) -> Mask:
        found = self.table.nothing()
        wanted = text.casefold()
        for row in self._connection.execute(_ACCOUNTS):
            address = str(row["email"]).casefold()
            if address == wanted or ("@" not in wanted and wanted in address):
                found = found | self.table.of_account(row["id"])
        return found

    def _own_addresses(self) -> Sequence[str]:
        found: dict[str, None] = {}
        for row in self._connection.execute(_ACCOUNTS):
            found |= dict.fromkeys((row["email"], *unpack_strings(row["send_as"])))
        return [one for one in found if has_word(one)]

    def _read_ids(self, sql: str, *args: str) -> Mask:
        """The mask of one query."""
        listed = self._connection.execute(sql, args).fetchone()[0]
        ids: Ids = np.fromstring(listed or "", dtype=np.int64, sep=",")
        return self.table.mask(ids)


def label_table(connection: sqlite3.Connection) -> LabelTable:
    """The owner's labels of all accounts."""
    table: dict[str, tuple[tuple[AccountId, str], ...]] = {}
    for row in connection.execute("SELECT account_id, gmail_label_id, name FROM labels WHERE kind = 'user'"):
        key = label_key(row["name"])
        table[key] = (*table.get(key, ()), (row["account_id"], row["gmail_label_id"]))
    return table


def limit_ms(operator: str, value: str, now: datetime) -> int:
    """Unix milliseconds of a date (midnight in the owner's time zone), of seconds since 1970, or of an age."""
    try:
        if operator in ("newer_than", "older_than"):
            return to_ms(now - timedelta(days=int(value[:-1]) * _DAYS[value[-1]]))
        day = day_of(value)
        if day is None:
            return int(value) * 1000
        return to_ms(datetime(day.year, day.month, day.day, tzinfo=now.tzinfo))
    except OverflowError:
        return 0


def _quoted(text: str) -> str:
    """A phrase in FTS5 syntax, with quotes doubled."""
    return '"' + text.replace('"', '""') + '"'


def _in_columns(columns: Sequence[str], query: str) -> str:
    return f"{{{' '.join(columns)}}} : ({query})" if columns else query
