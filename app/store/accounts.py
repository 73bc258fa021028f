"""Connected accounts, their sync state and consent, the account that rows belong to, and how an account is deleted for good.

A deletion erases rows, index, free pages, log and copies of the file. No other process may have the file open for writing. An
interrupted deletion can be run again.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

import msgspec

from app.domain.errors import NotFound
from app.domain.ids import AccountId, HistoryId, MessageId
from app.domain.mail.message import Account, SendAs
from app.domain.record import Record
from app.store.db.codecs import id_list, pack_strings
from app.store.db.database import Database, SqlValue, add_functions
from app.store.db.errors import converted
from app.store.db.times import to_ms
from app.store.mail.mail_rows import account_of, load_accounts, load_labels
from app.store.mail.mail_writing import delete_messages, rebuild_indexes

_ADD = """INSERT INTO accounts (email, name, send_as, signature, colour) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (email) DO UPDATE SET name = excluded.name, send_as = excluded.send_as, signature = excluded.signature,
        colour = excluded.colour
    RETURNING id"""


class SyncState(Record):
    """The state of sync for one account.

    `cursor` is None until the first listing is done. `list_cursor_json` is sync's own note about an unfinished listing. `phase`
    is a `SyncPhase` value. `triage_since_ms` is None until the owner agreed to drafting.
    """

    cursor: HistoryId | None
    list_cursor_json: str
    phase: str
    triage_since_ms: int | None


class Accounts:
    """The tables `accounts` and `sync_state`. Setters do nothing for an account that is gone."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, email: str, name: str, send_as: tuple[str, ...], signature: str, colour: str) -> AccountId:
        """Connects an account. A known address is updated and keeps its id."""
        with self._db.transaction() as connection:
            row = connection.execute(_ADD, (email.lower(), name, pack_strings(send_as), signature, colour)).fetchall()[0]
            connection.execute("INSERT OR IGNORE INTO sync_state (account_id) VALUES (?)", (row[0],))
            return AccountId(row[0])

    def get(self, account_id: AccountId) -> Account:
        """Raises `NotFound`."""
        rows = self._db.read("SELECT * FROM accounts WHERE id = ?", (account_id,))
        if not rows:
            raise NotFound(f"There is no account {account_id}.")
        return account_of(rows[0])

    def all(self) -> tuple[Account, ...]:
        """All mailboxes in the order they were added, without mail archives."""
        return self._db.load(load_accounts)

    def label_names(self, account_id: AccountId) -> dict[str, str]:
        return {one.gmail_label_id: one.name for one in self._db.load(load_labels, account_id)}

    def sync_state(self, account_id: AccountId) -> SyncState:
        """Raises `NotFound`."""
        sql = "SELECT cursor, list_cursor, phase, triage_since FROM sync_state WHERE account_id = ?"
        rows = self._db.read(sql, (account_id,))
        if not rows:
            raise NotFound(f"There is no account {account_id}.")
        cursor, list_cursor, phase, since_ms = rows[0]
        return SyncState(None if cursor is None else HistoryId(int(cursor)), list_cursor, phase, since_ms)

    def set_phase(self, account_id: AccountId, phase: str) -> None:
        """Stores a `SyncPhase` value."""
        self._set("UPDATE sync_state SET phase = ? WHERE account_id = ?", account_id, phase)

    def set_consent(self, account_id: AccountId, since_ms: int | None) -> None:
        """Triages mail from `since_ms` on; None withdraws the consent."""
        self._set("UPDATE sync_state SET triage_since = ? WHERE account_id = ?", account_id, since_ms)

    def set_paused(self, account_id: AccountId, paused: bool) -> None:
        """A paused account is not synced."""
        self._set("UPDATE accounts SET paused = ? WHERE id = ?", account_id, int(paused))

    def set_colour(self, account_id: AccountId, colour: str) -> None:
        """`colour` has the form #rrggbb."""
        self._set("UPDATE accounts SET colour = ? WHERE id = ?", account_id, colour)

    def set_identities(self, account_id: AccountId, identities: Sequence[SendAs]) -> None:
        """Stores names and signatures of the addresses to send from. The usual one's are the account's."""
        self._set("UPDATE accounts SET identities = ? WHERE id = ?", account_id, msgspec.json.encode(identities).decode())
        for one in identities:
            if one.is_default:
                self._set("UPDATE accounts SET signature = ? WHERE id = ?", account_id, one.signature)

    def renamed(self, account_id: AccountId, email: str) -> None:
        """Stores the account's new address, as reported by Google."""
        self._set("UPDATE accounts SET email = ? WHERE id = ?", account_id, email.lower())

    def signed_in(self, account_id: AccountId, at: datetime) -> None:
        """Stores when the owner signed in."""
        self._set("UPDATE accounts SET signed_in_at = ? WHERE id = ?", account_id, to_ms(at))

    def ended_early(self, account_id: AccountId) -> None:
        """Records that Google ended a sign-in after a week, as for a consent screen in Testing."""
        self._set("UPDATE accounts SET short_lived = ? WHERE id = ?", account_id, 1)

    def _set(self, sql: str, account_id: AccountId, value: SqlValue) -> None:
        self._db.write(sql, (value, account_id))


OWNED = {
    "message_id": "messages",
    "thread_ids": "threads",
    "review_id": "reviews",
    "outbox_id": "outbox",
    "letter_id": "letters",
    "request_id": "requests",
}
"""The table of the rows that a command's field names."""

_OWNERS = "SELECT DISTINCT account_id FROM ROWS WHERE id IN (SELECT value FROM json_each(?))"


def owner_of(db: Database, field: str, ids: Iterable[int | str]) -> AccountId:
    """The account of the rows that a command's `field` names; 0 when they are gone or belong to several."""
    rows = db.read(_OWNERS.replace("ROWS", OWNED[field]), (id_list(ids),))
    return AccountId(rows[0][0]) if len(rows) == 1 else AccountId(0)


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
    "DELETE FROM preferences WHERE json_extract(nullif(rule, ''), '$[1]') = 'account:' || :account",
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
