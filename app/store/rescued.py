"""Mail that comes back out of spam or trash: a source for answers from then on, and to be triaged as mail that arrives is.

Refuses to begin anew: mail that has a verdict keeps it, however often it goes there and back, and old mail is no news.
"""

import sqlite3
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from app.domain.ids import MessageId
from app.store.instants import to_ms
from app.store.job_rows import put_many
from app.store.packing import id_list

NEWS_FOR = timedelta(days=14)
"""Mail older than this wants no answer of ours any more when it is found again."""

_HIDDEN = """SELECT DISTINCT message_id FROM message_labels
    WHERE message_id IN (SELECT value FROM json_each(?)) AND label IN ('SPAM', 'TRASH')"""

_BACK = """SELECT m.id, m.date FROM messages m WHERE m.id IN (SELECT value FROM json_each(?))
    AND NOT EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label IN ('SPAM', 'TRASH', 'DRAFT'))"""

_NEWS = """SELECT m.id, m.date FROM messages m JOIN sync_state s ON s.account_id = m.account_id
    JOIN message_labels i ON i.message_id = m.id AND i.label = 'INBOX'
    WHERE m.id IN (SELECT value FROM json_each(?)) AND NOT m.outgoing AND m.decision = '' AND m.date >= max(s.triage_since, ?)"""


def hidden_among(connection: sqlite3.Connection, ids: Collection[MessageId]) -> frozenset[MessageId]:
    """Those of the messages that lie in spam or trash now."""
    if not ids:
        return frozenset()
    return frozenset(MessageId(row[0]) for row in connection.execute(_HIDDEN, (id_list(ids),)))


def queue_rescued(connection: sqlite3.Connection, hidden: Collection[MessageId], now: datetime) -> Sequence[MessageId]:
    """Those that were `hidden` and are not any more, each with an `index` job; with a `route` job besides if it is in the inbox,
    the owner's consent covers it, and it is neither old nor the owner's own nor looked at already."""
    if not hidden:
        return ()
    back = connection.execute(_BACK, (id_list(hidden),)).fetchall()
    put_many(connection, "index", [(str(number), date) for number, date in back])
    ids = [MessageId(number) for number, _ in back]
    news = connection.execute(_NEWS, (id_list(ids), to_ms(now - NEWS_FOR))).fetchall()
    put_many(connection, "route", [(str(number), date) for number, date in news])
    return ids
