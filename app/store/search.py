"""Search in the stored mail: Gmail's operators over columns, labels and the full-text index, on a connection of its own.

Refuses to rank without a cap: the best-first order looks at the newest candidates only.
"""

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime
from threading import Lock

from app.domain.ids import MessageId, ThreadId
from app.domain.ports.agents import Clock
from app.store.database import Database
from app.store.packing import id_list
from app.store.query import parse_query
from app.store.query_sql import Condition, Scope, condition, label_table, match_text
from app.store.query_tree import SearchExpression
from app.store.trouble import converted

CANDIDATES = 1000
"""How many of the newest hits the best-first order looks at."""

_FIND = "SELECT m.thread_id, m.id FROM messages m WHERE"
_NEWEST = "ORDER BY m.date DESC, m.id DESC"
_HITS = "SELECT rowid FROM mail_fts WHERE mail_fts MATCH ? AND rowid IN (SELECT value FROM json_each(?))"
_STRONG_COLUMNS = ("{subject} : ", "{sender recipients copies} : ")

Hit = tuple[ThreadId, MessageId]


class Search:
    """Queries over one store. Thread-safe, one query at a time; `interrupt` stops it from another thread."""

    def __init__(self, db: Database, clock: Clock = lambda: datetime.now(UTC)) -> None:
        self._clock = clock
        self._connection = db.private_reader()
        self._lock = Lock()

    def thread_ids(self, query: SearchExpression | str, limit: int = 500) -> list[ThreadId]:
        """Threads with a message that matches, newest match first. Raises `Refused` for what cannot be understood."""
        return _threads(self._hits(_expression(query), limit), limit)

    def message_ids(self, query: SearchExpression | str, limit: int = 500) -> list[MessageId]:
        """Messages that match, newest first."""
        found: list[MessageId] = []
        for _, message_id in self._hits(_expression(query), 0):
            found.append(message_id)
            if len(found) == limit:
                break
        return found

    def best(self, query: SearchExpression | str, limit: int = 50) -> list[ThreadId]:
        """As `thread_ids`, but among the newest candidates a hit in the subject comes before one in the people, and that
        before one in the text. Queries with operators keep newest first."""
        expression = _expression(query)
        hits = self._hits(expression, 0)[:CANDIDATES]
        text = match_text(expression)
        if text:
            hits = self._ranked(hits, text)
        return _threads(hits, limit)

    def interrupt(self) -> None:
        """Stop the query at work; it raises `Refused`."""
        self._connection.interrupt()

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._connection.close()

    def _hits(self, expression: SearchExpression, limit: int) -> list[Hit]:
        """Thread and message ids, newest first; with a `limit` reading stops after that many threads."""
        with self._lock, converted():
            sql, args = self._condition(expression)
            rows = self._connection.execute(" ".join((_FIND, sql, _NEWEST)), args)
            return _read(rows, limit)

    def _condition(self, expression: SearchExpression) -> Condition:
        """The condition with the labels and the time of this moment."""
        labels = label_table(self._connection.execute("SELECT account_id, gmail_label_id, name FROM labels WHERE kind = 'user'"))
        return condition(expression, Scope(self._clock().astimezone(), labels))

    def _ranked(self, hits: list[Hit], text: str) -> list[Hit]:
        """Stable order by the strongest column that has a hit."""
        among = id_list(message_id for _, message_id in hits)
        with self._lock, converted():
            strong = [
                {row[0] for row in self._connection.execute(_HITS, (f"{columns}({text})", among))} for columns in _STRONG_COLUMNS
            ]
        places = (*strong, {message_id for _, message_id in hits})
        return sorted(hits, key=lambda hit: next(place for place, ids in enumerate(places) if hit[1] in ids))


def _expression(query: SearchExpression | str) -> SearchExpression:
    """A typed line or an expression made by code."""
    return parse_query(query) if isinstance(query, str) else query


def _read(rows: Iterable[sqlite3.Row], limit: int) -> list[Hit]:
    """Rows until `limit` threads were seen; 0 reads all."""
    hits: list[Hit] = []
    threads: set[ThreadId] = set()
    for thread_id, message_id in rows:
        if limit and thread_id not in threads and len(threads) == limit:
            break
        threads.add(thread_id)
        hits.append((thread_id, message_id))
    return hits


def _threads(hits: Iterable[Hit], limit: int) -> list[ThreadId]:
    """Each thread once, at most `limit`."""
    return list(dict.fromkeys(thread_id for thread_id, _ in hits))[:limit]
