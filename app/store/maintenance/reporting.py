"""What a store holds and what triage said, for reports and evaluations: read-only, in one pass, ids and verdicts."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from app.domain.ids import GmailId, MessageId
from app.store.db.codecs import unpack_strings
from app.store.db.errors import converted


@dataclass(frozen=True, slots=True)
class MailVerdict:
    """One mirrored message and its triage; `decision` and what follows are empty where none was made."""

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
    """Every message of the store at `path`, oldest id first. Raises `StoreDamaged` and the like."""
    with converted():
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        connection.row_factory = sqlite3.Row
        try:
            return tuple(_verdict(row) for row in connection.execute(_VERDICTS))
        finally:
            connection.close()


def row_counts(path: Path) -> dict[str, int]:
    """How many rows each table of the store at `path` has; empty while there is none. Raises `StoreDamaged` and the like."""
    if not path.exists():
        return {}
    with converted(), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        names = [row[0] for row in connection.execute(_TABLES)]
        version = {"user_version": int(connection.execute("PRAGMA user_version").fetchone()[0])}
        return version | {name: int(connection.execute(" ".join(("SELECT count(*) FROM", name))).fetchone()[0]) for name in names}


def _verdict(row: sqlite3.Row) -> MailVerdict:
    labels = frozenset(unpack_strings(row["labels"]))
    return MailVerdict(
        MessageId(row["id"]),
        GmailId(row["gmail_id"]),
        labels,
        row["decision"],
        row["category"],
        row["confidence"],
        row["reason"],
        row["maker"],
    )
