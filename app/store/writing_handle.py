"""The window's read-only handle for writing: letters, addresses, templates, and mail that waits for an answer."""

from collections.abc import Sequence
from datetime import datetime

from app.domain.ids import LetterId, MessageId
from app.domain.letter import StoredLetter
from app.domain.mail import Address
from app.domain.ports.writing import KnownAddress, WaitingRow
from app.domain.templates import TextTemplate
from app.store.letter_rows import load_letter, load_letters, load_templates
from app.store.read_handle import ReadHandle
from app.store.waiting import load_waiting

_ADDRESSES = """SELECT email, name, sent * 4 + received AS weight, organization FROM contacts
    WHERE sent + received > 0 OR organization <> '' OR notes <> ''
    ORDER BY sent > 0 DESC, weight DESC, last_contact DESC LIMIT ?"""
_LETTER_OF = """SELECT l.id FROM letters l JOIN messages m ON m.gmail_id = l.draft_gmail_id AND m.account_id = l.account_id
    WHERE m.id = ? AND l.state = 'open'"""
_ELSEWHERE = """SELECT m.id FROM message_labels d JOIN messages m ON m.id = d.message_id
    WHERE d.label = 'DRAFT' AND NOT EXISTS (SELECT 1 FROM letters l WHERE l.account_id = m.account_id
        AND (l.draft_gmail_id = m.gmail_id OR l.marker = m.rfc822_id))
    AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.account_id = m.account_id AND o.marker = m.rfc822_id AND o.kind = 'send')
    ORDER BY m.date DESC"""


class WritingHandle(ReadHandle):
    """Implements `WritingReader`."""

    def letters(self) -> tuple[StoredLetter, ...]:
        """Letters being written, the newest first."""
        with self.reading() as connection:
            return () if connection is None else load_letters(connection, "state = 'open'")

    def letter(self, letter_id: LetterId) -> StoredLetter | None:
        """One letter in whatever state."""
        with self.reading() as connection:
            return None if connection is None else load_letter(connection, letter_id)

    def letter_of_draft(self, message_id: MessageId) -> LetterId | None:
        """The letter whose draft in Gmail is this message."""
        with self.reading() as connection:
            row = None if connection is None else connection.execute(_LETTER_OF, (message_id,)).fetchone()
            return None if row is None else LetterId(row[0])

    def drafts_elsewhere(self) -> tuple[MessageId, ...]:
        """Drafts in Gmail that no letter of ours stands for, newest first."""
        with self.reading() as connection:
            return () if connection is None else tuple(MessageId(row[0]) for row in connection.execute(_ELSEWHERE))

    def addresses(self, limit: int = 20_000) -> tuple[KnownAddress, ...]:
        """Everybody mail was exchanged with, most written to first."""
        with self.reading() as connection:
            rows = () if connection is None else connection.execute(_ADDRESSES, (limit,))
            return tuple(KnownAddress(Address(row[0], row[1]), row[2], row[3]) for row in rows)

    def templates(self) -> tuple[TextTemplate, ...]:
        """Text templates, the most used first."""
        with self.reading() as connection:
            return () if connection is None else load_templates(connection)

    def waiting(self, before: datetime, since: datetime, limit: int = 500) -> Sequence[WaitingRow]:
        """Mail sent between `since` and `before` to which no answer came and which was not dismissed, oldest first."""
        with self.reading() as connection:
            return () if connection is None else load_waiting(connection, before, since, limit)
