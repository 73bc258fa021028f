"""The window's read-only handle for what would be much if it were read whole: long conversations, many selected ones, many
accounts' labels. Reads only.
"""

from collections.abc import Sequence

from app.domain.ids import AccountId, MessageId, ThreadId
from app.domain.mail import GMAIL, Address, MessageLine
from app.store.instants import from_ms
from app.store.packing import id_list
from app.store.read_handle import ReadHandle

_LINES = """SELECT m.id, m.sender_email, m.sender_name, m.subject, m.snippet, m.date,
        EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label = 'UNREAD'),
        EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label = 'STARRED')
    FROM messages m WHERE m.thread_id = ? ORDER BY m.date, m.id"""
_ACCOUNTS = "SELECT id, account_id FROM threads WHERE id IN (SELECT value FROM json_each(?))"
_NAMES = """SELECT DISTINCT l.name FROM accounts a CROSS JOIN labels l ON l.account_id = a.id
    WHERE a.kind = ? AND l.kind = 'user'"""


class ThreadHandle(ReadHandle):
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
