"""Makes a copy of the database safe to work with, inside the caller's transaction: what it holds may be older than the world.

Refuses to let a mail of it leave by itself: it may have left since the copy was made, or been taken back.
"""

import sqlite3
from datetime import datetime

from app.domain.outbox import HoldReason
from app.store.instants import to_ms
from app.store.outbox_rows import IS_OPEN

ID_STEP = 1_000_000
"""How far ids jump: those given since the copy was made must never name something else."""

_MAY_HAVE_LEFT = f"{IS_OPEN} AND kind NOT IN ('modify', 'create_label')"

_NOTE = """INSERT INTO outbox_steps (outbox_id, old, new, reason, at)
    SELECT id, state, 'uncertain', ?, ? FROM outbox WHERE MAY_HAVE_LEFT""".replace("MAY_HAVE_LEFT", _MAY_HAVE_LEFT)

# Its draft is looked for by the marker: the one that the copy knows may be gone, edited or another.
_DOUBT = """UPDATE outbox SET state = 'uncertain', reason = ?, draft_id = '', draft_message = '', not_before = ?, retry_at = 0
    WHERE MAY_HAVE_LEFT""".replace("MAY_HAVE_LEFT", _MAY_HAVE_LEFT)

_ALL_COUNTED = """INSERT INTO sqlite_sequence (name, seq) SELECT name, 0 FROM sqlite_master
    WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' AND name NOT IN (SELECT name FROM sqlite_sequence)"""

_HIGHEST = """UPDATE highest_ids SET id = ? + max(id, coalesce((SELECT max(id) FROM reviews), 0)) WHERE name = 'reviews'"""


def make_safe(connection: sqlite3.Connection, now: datetime, ids: int) -> int:
    """New ids start so far beyond those that the copy gave; mail that may have left is to be looked for; how many."""
    reason = HoldReason.FROM_COPY.value
    connection.execute(_ALL_COUNTED)
    connection.execute("UPDATE sqlite_sequence SET seq = seq + ?", (ids,))
    connection.execute(_HIGHEST, (ids,))
    connection.execute(_NOTE, (reason, to_ms(now)))
    return connection.execute(_DOUBT, (reason, to_ms(now))).rowcount
