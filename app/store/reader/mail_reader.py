"""The window's read-only handle for cards of correspondents.

Files of mails, mail archives and mails that could not be fetched, for the window's reader.

Snoozed threads for the window: which they are and when each comes back. Reads only.

The window's read-only handle for what would be much if it were read whole: long conversations, many selected ones, many
accounts' labels. Reads only.
"""

from array import array
from collections.abc import Sequence
from datetime import datetime

from app.domain.ids import AccountId, GmailId, MessageId, ThreadId
from app.domain.mail.files import StoredFile
from app.domain.mail.message import ARCHIVE, GMAIL, Account, Address, MessageLine
from app.domain.ports.agents import Contact
from app.domain.protocol.archive_commands import ImportProgress
from app.domain.sync import SetAside
from app.store.archives.archive_rows import archive_of, progress_of
from app.store.archives.downloads import load_file
from app.store.contacts import load_card
from app.store.db.codecs import id_list
from app.store.db.times import from_ms
from app.store.mail.mail_rows import load_accounts
from app.store.reader.base_reader import DatabaseReader


class SqliteContactReader(DatabaseReader):
    """Implements `ContactReader`."""

    def contact_card(self, account_id: AccountId, email: str, now: datetime) -> Contact | None:
        """The card of an address with open promises, None when nothing is known of it."""
        with self.reading() as connection:
            return None if connection is None else load_card(connection, account_id, email, now)


_SET_ASIDE = """SELECT gmail_id, reason, attempts FROM to_fetch WHERE account_id = ? AND attempts > 0
    ORDER BY attempts DESC, seq LIMIT 100"""


class SqliteFileReader(DatabaseReader):
    """Part of the reader."""

    def archives(self) -> tuple[Account, ...]:
        """Mail archives that were read, whole or in part."""
        with self.reading() as connection:
            return () if connection is None else load_accounts(connection, ARCHIVE)

    def archive_readings(self) -> tuple[ImportProgress, ...]:
        """How far each mail archive was read."""
        with self.reading() as connection:
            rows = () if connection is None else connection.execute("SELECT * FROM archives ORDER BY account_id")
            return tuple(progress_of(archive_of(row)) for row in rows)

    def file(self, message_id: MessageId, part_id: str) -> StoredFile | None:
        """A part of a message on disk, or on its way there."""
        with self.reading() as connection:
            return None if connection is None else load_file(connection, message_id, part_id)

    def set_aside(self, account_id: AccountId) -> tuple[SetAside, ...]:
        """Messages that could not be fetched yet, the most often tried first; at most a hundred."""
        with self.reading() as connection:
            rows = () if connection is None else connection.execute(_SET_ASIDE, (account_id,))
            return tuple(SetAside(GmailId(row[0]), row[1], row[2]) for row in rows)


class SqliteSnoozeReader(DatabaseReader):
    """A part of the reader."""

    def snoozed_until(self, ids: Sequence[ThreadId]) -> dict[ThreadId, datetime]:
        """When these threads come back to the inbox (UTC); those that are not snoozed are missing."""
        sql = "SELECT thread_id, until FROM snoozes WHERE thread_id IN (SELECT value FROM json_each(?))"
        with self.reading() as connection:
            rows = () if connection is None else connection.execute(sql, (id_list(ids),))
            return {ThreadId(row[0]): from_ms(row[1]) for row in rows}

    def _snoozed(self, limit: int, skip: int) -> "array[int]":
        """Snoozed threads, the next to come back first."""
        sql = "SELECT thread_id FROM snoozes ORDER BY until, thread_id LIMIT ? OFFSET ?"
        with self.reading() as connection:
            rows = () if connection is None else connection.execute(sql, (limit, skip))
            return array("q", (row[0] for row in rows))


_LINES = """SELECT m.id, m.sender_email, m.sender_name, m.subject, m.snippet, m.date,
        EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label = 'UNREAD'),
        EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label = 'STARRED')
    FROM messages m WHERE m.thread_id = ? ORDER BY m.date, m.id"""
_ACCOUNTS = "SELECT id, account_id FROM threads WHERE id IN (SELECT value FROM json_each(?))"
_NAMES = """SELECT DISTINCT l.name FROM accounts a CROSS JOIN labels l ON l.account_id = a.id
    WHERE a.kind = ? AND l.kind = 'user'"""


class SqliteThreadReader(DatabaseReader):
    """Part of the reader."""

    def thread_lines(self, thread_id: ThreadId) -> tuple[MessageLine, ...]:
        """A conversation's messages as a list shows them, oldest first; no body is read."""
        with self.reading() as connection:
            rows = () if connection is None else connection.execute(_LINES, (thread_id,))
            return tuple(
                MessageLine(MessageId(key), Address(email, name), subject, snippet, from_ms(at), bool(unread), bool(starred))
                for key, email, name, subject, snippet, at, unread, starred in rows
            )

    def accounts_of(self, ids: Sequence[ThreadId]) -> dict[ThreadId, AccountId]:
        """Whose threads these are; those that are gone are missing."""
        with self.reading() as connection:
            rows = () if connection is None else connection.execute(_ACCOUNTS, (id_list(ids),))
            return {ThreadId(row[0]): AccountId(row[1]) for row in rows}

    def label_names(self) -> tuple[str, ...]:
        """The names of the labels that the user made in any account, each once."""
        with self.reading() as connection:
            rows = () if connection is None else connection.execute(_NAMES, (GMAIL,))
            return tuple(row[0] for row in rows)
