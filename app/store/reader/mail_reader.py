"""Read-only access to contact cards, files, mail archives, snoozes and conversations for the window."""

from array import array
from collections.abc import Sequence
from datetime import datetime

from app.domain.ids import AccountId, GmailId, MessageId, ThreadId
from app.domain.mail.files import StoredFile
from app.domain.mail.message import ARCHIVE, GMAIL, Account, Address, MessageLine
from app.domain.ports.agents import Contact
from app.domain.protocol.archive_commands import ImportProgress
from app.domain.sync import SetAside
from app.store.archives.archives import archive_of
from app.store.archives.downloads import load_file
from app.store.contacts import load_card
from app.store.db.codecs import id_list
from app.store.db.times import from_ms
from app.store.mail.mail_rows import load_accounts
from app.store.reader.base_reader import DatabaseReader


class SqliteContactReader(DatabaseReader):
    """Implements `ContactReader`."""

    def contact_card(self, account_id: AccountId, email: str, now: datetime) -> Contact | None:
        """The contact card with open promises, None when nothing is known about the address."""
        with self.reading() as connection:
            return None if connection is None else load_card(connection, account_id, email, now)


_SET_ASIDE = """SELECT gmail_id, reason, attempts FROM to_fetch WHERE account_id = ? AND attempts > 0
    ORDER BY attempts DESC, seq LIMIT 100"""


class SqliteFileReader(DatabaseReader):
    """Files, mail archives and messages that could not be fetched."""

    def archives(self) -> tuple[Account, ...]:
        """Imported mail archives, complete or not."""
        with self.reading() as connection:
            return () if connection is None else load_accounts(connection, ARCHIVE)

    def archive_readings(self) -> tuple[ImportProgress, ...]:
        """The import progress of each mail archive."""
        with self.reading() as connection:
            rows = () if connection is None else connection.execute("SELECT * FROM archives ORDER BY account_id")
            return tuple(archive_of(row).progress for row in rows)

    def file(self, message_id: MessageId, part_id: str) -> StoredFile | None:
        """The download state of a message part, None if it was never requested."""
        with self.reading() as connection:
            return None if connection is None else load_file(connection, message_id, part_id)

    def set_aside(self, account_id: AccountId) -> tuple[SetAside, ...]:
        """At most a hundred messages that could not be fetched yet, most attempts first."""
        with self.reading() as connection:
            rows = () if connection is None else connection.execute(_SET_ASIDE, (account_id,))
            return tuple(SetAside(GmailId(row[0]), row[1], row[2]) for row in rows)


class SqliteSnoozeReader(DatabaseReader):
    """Snoozed threads."""

    def snoozed_until(self, ids: Sequence[ThreadId]) -> dict[ThreadId, datetime]:
        """When these threads return to the inbox (UTC), without those that are not snoozed."""
        sql = "SELECT thread_id, until FROM snoozes WHERE thread_id IN (SELECT value FROM json_each(?))"
        with self.reading() as connection:
            rows = () if connection is None else connection.execute(sql, (id_list(ids),))
            return {ThreadId(row[0]): from_ms(row[1]) for row in rows}

    def _snoozed(self, limit: int, skip: int) -> "array[int]":
        """Snoozed threads, the next to return first."""
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
    """Parts of long conversations and large selections."""

    def thread_lines(self, thread_id: ThreadId) -> tuple[MessageLine, ...]:
        """A conversation's messages as list lines without bodies, oldest first."""
        with self.reading() as connection:
            rows = () if connection is None else connection.execute(_LINES, (thread_id,))
            return tuple(
                MessageLine(MessageId(key), Address(email, name), subject, snippet, from_ms(at), bool(unread), bool(starred))
                for key, email, name, subject, snippet, at, unread, starred in rows
            )

    def accounts_of(self, ids: Sequence[ThreadId]) -> dict[ThreadId, AccountId]:
        """The accounts of threads, without threads that are gone."""
        with self.reading() as connection:
            rows = () if connection is None else connection.execute(_ACCOUNTS, (id_list(ids),))
            return {ThreadId(row[0]): AccountId(row[1]) for row in rows}

    def label_names(self) -> tuple[str, ...]:
        """The distinct names of user labels in all mailboxes."""
        with self.reading() as connection:
            rows = () if connection is None else connection.execute(_NAMES, (GMAIL,))
            return tuple(row[0] for row in rows)
