"""Search in stored mail: Gmail's operators over columns, labels and the full-text index, on a connection of its own."""

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime
from threading import Lock

from app.domain.ids import AccountId, MessageId, ThreadId
from app.domain.ports.agents import Clock
from app.domain.protocol.queries import FoundMail
from app.store.db.codecs import id_list, storable
from app.store.db.database import Database
from app.store.mail.mail_rows import load_messages
from app.store.search.explain import explain
from app.store.search.query_parser import parse_query
from app.store.search.query_sql import Condition, QueryScope, condition, label_table, match_text
from app.store.search.query_tree import AllOf, SearchExpression

CANDIDATES = 1000
"""How many of the newest hits `best` sorts."""

_FIND = "SELECT m.thread_id, m.id FROM messages m WHERE"
_NEWEST = "ORDER BY m.date DESC, m.id DESC"
_FEW_FIRST = "ORDER BY +m.date DESC, m.id DESC"
"""The plus sign keeps SQLite from scanning all dates: few hits are found and sorted faster."""

_OF_ACCOUNT = "+m.account_id = ?"
"""The plus sign keeps SQLite from scanning the account's messages in the order of Gmail's ids."""

_ONE_OF = "m.id IN (SELECT value FROM json_each(?))"

_FEW = 2000
_COUNT = "SELECT count(*) FROM (SELECT 1 FROM mail_fts WHERE mail_fts MATCH ? LIMIT ?)"
_HITS = "SELECT rowid FROM mail_fts WHERE mail_fts MATCH ? AND +rowid IN (SELECT value FROM json_each(?))"
"""Without the plus sign SQLite would query the index once for each candidate."""

_STRONG_COLUMNS = ("{subject} : ", "{sender recipients copies} : ")

Hit = tuple[ThreadId, MessageId]


class Search:
    """Runs queries one at a time. Thread-safe; `interrupt` stops a query from another thread."""

    def __init__(self, db: Database, clock: Clock = lambda: datetime.now(UTC)) -> None:
        self._clock = clock
        self._db = db
        self._connection = db.private_reader()
        self._lock = Lock()

    def thread_ids(self, query: SearchExpression | str, limit: int = 500) -> list[ThreadId]:
        """Threads with a matching message, newest match first. Raises `NotAllowed` when the query cannot be parsed."""
        return _threads(self._hits(_expression(query), threads=limit), limit)

    def message_ids(
        self, query: SearchExpression | str, limit: int = 500, account_id: AccountId = AccountId(0)
    ) -> list[MessageId]:
        """Matching messages, newest first; with `account_id` only those of that account."""
        return [message_id for _, message_id in self._hits(_expression(query), most=limit, account_id=account_id)]

    def best(self, query: SearchExpression | str, limit: int = 50) -> list[ThreadId]:
        """Like `thread_ids`, but hits in the subject come first, then hits in people, then hits in the text.

        Considers the newest `CANDIDATES` hits. Queries with operators stay newest first.
        """
        expression = _expression(query)
        hits = self._hits(expression, most=CANDIDATES)
        text = match_text(expression)
        if text:
            hits = self._ranked(hits, text)
        return _threads(hits, limit)

    def among(self, query: SearchExpression, ids: Iterable[MessageId]) -> dict[MessageId, ThreadId]:
        """The matching messages among `ids`, with their threads."""
        with self._lock, self._db.border():
            sql, args = self._condition(query)
            rows = self._connection.execute(f"{_FIND} {_ONE_OF} AND ({sql})", (id_list(ids), *args))
            return {message_id: thread_id for thread_id, message_id in rows}

    def explained(self, query: str, limit: int) -> list[FoundMail]:
        """Threads with a match, newest first, each with its newest matching message and the reasons."""
        expression = _expression(query)
        first: dict[ThreadId, MessageId] = {}
        for thread_id, message_id in self._hits(expression, threads=limit):
            first.setdefault(thread_id, message_id)
        with self._lock, self._db.border():
            names = self._connection.execute("SELECT account_id, gmail_label_id, name FROM labels").fetchall()
            messages = load_messages(self._connection, first.values())
        labels = {(row[0], row[1]): row[2] for row in names}
        found = []
        for thread_id, message_id in first.items():
            one = messages.get(message_id)
            if one is not None:
                own = {label: labels.get((one.account_id, label), label) for label in one.labels}
                found.append(FoundMail(thread_id, message_id, explain(expression, one, own)))
        return found

    def interrupt(self) -> None:
        """Stops the running query, which then raises `NotAllowed`."""
        self._connection.interrupt()

    def close(self) -> None:
        """Closes the connection."""
        with self._lock:
            self._connection.close()

    def _hits(
        self, expression: SearchExpression, *, most: int = -1, threads: int = -1, account_id: AccountId = AccountId(0)
    ) -> list[Hit]:
        """Thread and message ids, newest first. Stops after `most` messages or `threads` threads."""
        with self._lock, self._db.border():
            sql, args = self._condition(expression)
            if account_id:
                sql, args = f"({sql}) AND {_OF_ACCOUNT}", (*args, account_id)
            order = _FEW_FIRST if self._few(expression) else _NEWEST
            rows = self._connection.execute(" ".join((_FIND, sql, order)), args)
            return _read(rows, most, threads)

    def _few(self, expression: SearchExpression) -> bool:
        """Whether a text that every hit must contain is rare. Counting stops at `_FEW`."""
        parts = expression.parts if isinstance(expression, AllOf) else (expression,)
        texts = [text for text in map(match_text, (expression, *parts)) if text]
        return any(
            self._connection.execute(_COUNT, (storable(text), _FEW + 1)).fetchone()[0] <= _FEW for text in dict.fromkeys(texts)
        )

    def _condition(self, expression: SearchExpression) -> Condition:
        """The condition with the current labels and time."""
        labels = label_table(self._connection.execute("SELECT account_id, gmail_label_id, name FROM labels WHERE kind = 'user'"))
        return condition(expression, QueryScope(self._clock().astimezone(), labels))

    def _ranked(self, hits: list[Hit], text: str) -> list[Hit]:
        """Sorts hits by the strongest column that matches; stable."""
        among = id_list(message_id for _, message_id in hits)
        asked = [storable(f"{columns}({text})") for columns in _STRONG_COLUMNS]
        with self._lock, self._db.border():
            strong = [{row[0] for row in self._connection.execute(_HITS, (one, among))} for one in asked]
        places = (*strong, {message_id for _, message_id in hits})
        return sorted(hits, key=lambda hit: next(place for place, ids in enumerate(places) if hit[1] in ids))


def _expression(query: SearchExpression | str) -> SearchExpression:
    return parse_query(query) if isinstance(query, str) else query


def _read(rows: Iterable[sqlite3.Row], most: int, threads: int) -> list[Hit]:
    """Reads rows until there are `most` of them, or rows of `threads` threads; negative means no limit."""
    hits: list[Hit] = []
    seen: set[ThreadId] = set()
    for thread_id, message_id in rows:
        if len(hits) == most or (len(seen) == threads and thread_id not in seen):
            break
        seen.add(thread_id)
        hits.append((thread_id, message_id))
    return hits


def _threads(hits: Iterable[Hit], limit: int) -> list[ThreadId]:
    """Each thread once, at most `limit`."""
    return list(dict.fromkeys(thread_id for thread_id, _ in hits))[:limit]
