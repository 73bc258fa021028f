"""Read-only reports on a database for `doctor`, the demo and evaluations: row counts and verdicts."""

import sqlite3
from contextlib import closing
from pathlib import Path

from app.domain.ids import GmailId, MessageId
from app.domain.record import Record
from app.store.db.codecs import unpack_strings
from app.store.db.errors import converted
from app.store.db.records import record


class MailVerdict(Record):
    """A stored message and its verdict. `decision` and the fields after it are empty without a verdict."""

    id: MessageId
    gmail_id: GmailId
    labels: frozenset[str]
    decision: str
    category: str
    confidence: float
    reason: str
    maker: str


_TABLES = (
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%!_fts%' ESCAPE '!'"
)

_VERDICTS = """SELECT id, gmail_id, decision, category, confidence, reason, maker,
    (SELECT json_group_array(label) FROM message_labels l WHERE l.message_id = m.id) AS labels
    FROM messages m ORDER BY id"""


def verdicts(path: Path) -> tuple[MailVerdict, ...]:
    """The verdicts on all messages of the database at `path`, lowest id first. Raises `StoreDamaged` and the like."""
    with converted():
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        connection.row_factory = sqlite3.Row
        try:
            return tuple(
                record(MailVerdict, row, labels=frozenset(unpack_strings(row["labels"]))) for row in connection.execute(_VERDICTS)
            )
        finally:
            connection.close()


def row_counts(path: Path) -> dict[str, int]:
    """The number of rows per table of the database at `path`, and `user_version`; empty without a file.

    Raises `StoreDamaged` and the like.
    """
    if not path.exists():
        return {}
    with converted(), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        names = [row[0] for row in connection.execute(_TABLES)]
        version = {"user_version": int(connection.execute("PRAGMA user_version").fetchone()[0])}
        return version | {name: int(connection.execute(" ".join(("SELECT count(*) FROM", name))).fetchone()[0]) for name in names}
