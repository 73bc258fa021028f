"""Queues mail to be embedded again after its vectors were lost.

Refuses to decide whether they were: `app.store.vectors` knows.
"""

from app.domain.ids import AccountId
from app.store.database import Database

_QUEUE = """INSERT INTO jobs (kind, key, id, payload, priority, newest, run_at)
    SELECT 'index', CAST(m.id AS TEXT), random() & 0x3fffffffffffffff, '', 0, m.date, 0 FROM messages m
    WHERE m.account_id = ? AND m.id NOT IN (SELECT message_id FROM message_labels WHERE label IN ('SPAM', 'TRASH', 'DRAFT'))
    ON CONFLICT (kind, key) DO NOTHING"""

_FORGET_FAILED = """DELETE FROM jobs WHERE kind = 'index' AND failed_at IS NOT NULL
    AND key IN (SELECT CAST(id AS TEXT) FROM messages WHERE account_id = ?)"""


def index_again(db: Database, account_id: AccountId) -> int:
    """Queue every message of the account that may be a source for an answer, newest first; how many were queued."""
    with db.transaction() as connection:
        connection.execute(_FORGET_FAILED, (account_id,))
        return connection.execute(_QUEUE, (account_id,)).rowcount
