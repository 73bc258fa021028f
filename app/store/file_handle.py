"""Files of mails and mail archives for the window's reader. Refuses to write."""

from app.domain.ids import MessageId
from app.domain.mail import ARCHIVE, Account
from app.domain.mail_files import StoredFile
from app.store.download_rows import load_file
from app.store.mail_rows import load_accounts
from app.store.read_handle import ReadHandle


class FileHandle(ReadHandle):
    """Part of the reader."""

    def archives(self) -> tuple[Account, ...]:
        """Mail archives that were read, whole or in part."""
        with self.reading() as connection:
            return () if connection is None else load_accounts(connection, ARCHIVE)

    def file(self, message_id: MessageId, part_id: str) -> StoredFile | None:
        """A part of a message on disk, or on its way there."""
        with self.reading() as connection:
            return None if connection is None else load_file(connection, message_id, part_id)
