"""Files of mails, mail archives and mails that could not be fetched, for the window's reader. Refuses to write."""

from app.domain.archives import ImportProgress
from app.domain.ids import AccountId, GmailId, MessageId
from app.domain.mail import ARCHIVE, Account
from app.domain.mail_files import StoredFile
from app.domain.syncing import SetAside
from app.store.archive_rows import archive_of, progress_of
from app.store.download_rows import load_file
from app.store.mail_rows import load_accounts
from app.store.read_handle import ReadHandle

_SET_ASIDE = """SELECT gmail_id, reason, attempts FROM to_fetch WHERE account_id = ? AND attempts > 0
    ORDER BY attempts DESC, seq LIMIT 100"""


class FileHandle(ReadHandle):
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
