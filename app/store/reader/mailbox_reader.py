"""The window's read-only access to the database file. Implements `MailboxReader` with sqlite3 and the domain."""

from app.store.reader.letters_reader import SqliteWritingReader
from app.store.reader.mail_reader import SqliteMailReader
from app.store.reader.work_reader import SqliteWorkReader


class SqliteMailboxReader(SqliteMailReader, SqliteWorkReader, SqliteWritingReader):
    """All readers in one. For one thread at a time; only `interrupt` may be called from another."""
