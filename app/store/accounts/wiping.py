"""Deletes an account from the file for good: rows, index, free pages, log and copies of the file.

No other process may have the file open for writing. An interrupted deletion can be run again.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from app.domain.ids import AccountId, MessageId
from app.store.db.database import add_functions
from app.store.db.errors import converted
from app.store.mail.mail_writing import delete_messages, rebuild_indexes

BUSY_TIMEOUT_S = 10.0

_RUN_LOGS = (
    "DELETE FROM agent_runs WHERE run_id IN (SELECT id FROM runs WHERE account_id = :account)",
    "DELETE FROM llm_calls WHERE run_id IN (SELECT id FROM runs WHERE account_id = :account)",
    "DELETE FROM tool_audit WHERE run_id IN (SELECT id FROM runs WHERE account_id = :account)",
    """DELETE FROM email_events WHERE run_id IN (SELECT id FROM runs WHERE account_id = :account)
        OR message_id IN (SELECT id FROM messages WHERE account_id = :account)""",
)
_REQUEST_ROWS = (
    """DELETE FROM llm_calls WHERE run_id IN (SELECT 'ask-' || id FROM requests WHERE account_id = :account)""",
    """DELETE FROM tool_audit WHERE run_id IN (SELECT 'ask-' || id FROM requests WHERE account_id = :account)""",
    "DELETE FROM requests WHERE account_id = :account",
)
_WORK = (
    """DELETE FROM jobs WHERE kind IN ('route', 'index', 'classify')
        AND key IN (SELECT CAST(id AS TEXT) FROM messages WHERE account_id = :account)""",
    """DELETE FROM jobs WHERE json_valid(payload) AND (json_extract(payload, '$.account_id') = :account
        OR json_extract(payload, '$.run_id') IN (SELECT id FROM runs WHERE account_id = :account)
        OR json_extract(payload, '$.run_id') IN (SELECT run_id FROM reviews WHERE account_id = :account))""",
    """DELETE FROM jobs WHERE kind = 'memory'
        AND CAST(key AS INTEGER) IN (SELECT id FROM reviews WHERE account_id = :account)""",
)
_CORRECTIONS = """DELETE FROM preferences WHERE id IN (SELECT c.preference_id FROM corrections c
    JOIN messages m ON m.id = c.message_id WHERE m.account_id = :account)"""
_ROWS = (
    "DELETE FROM preferences WHERE source_review IN (SELECT id FROM reviews WHERE account_id = :account)",
    "DELETE FROM reviews WHERE account_id = :account",
    "DELETE FROM outbox WHERE account_id = :account",
    "DELETE FROM runs WHERE account_id = :account",
    "DELETE FROM reservations WHERE account_id = :account",
    "DELETE FROM letters WHERE account_id = :account",
    "DELETE FROM accounts WHERE id = :account",
)
_WITHOUT_ACCOUNTS = ("DELETE FROM preferences", "DELETE FROM jobs", "DELETE FROM templates")
"""Run once no account is left."""


def erase_rows(connection: sqlite3.Connection, account_id: AccountId) -> None:
    """Deletes all rows of an account inside the caller's transaction."""
    for statement in (*_RUN_LOGS, *_REQUEST_ROWS, *_WORK, _CORRECTIONS):
        connection.execute(statement, {"account": account_id})
    rows = connection.execute("SELECT id FROM messages WHERE account_id = ?", (account_id,)).fetchall()
    delete_messages(connection, [MessageId(row[0]) for row in rows])
    for statement in _ROWS:
        connection.execute(statement, {"account": account_id})
    if connection.execute("SELECT count(*) FROM accounts").fetchone()[0] == 0:
        for statement in _WITHOUT_ACCOUNTS:
            connection.execute(statement)


def erase_account(path: Path, account_id: AccountId) -> None:
    """Deletes an account from the file without leaving bytes of it, then deletes the copies of the file.

    Raises `DiskFull`, `StoreDamaged` or `AlreadyRunning`; it may be run again then.
    """
    with converted(), closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)) as connection:
        add_functions(connection)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("BEGIN IMMEDIATE")
        erase_rows(connection, account_id)
        # The full-text indexes keep deleted words until their segments are merged.
        rebuild_indexes(connection)
        connection.execute("COMMIT")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for pattern in ("*.bak", "*.part", "*.new", "damaged-*", "restored*"):
        for copy in path.parent.glob(f"{path.name}.{pattern}"):
            copy.unlink()
