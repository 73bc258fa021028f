"""What was learnt from the user's decisions: one row a preference, with its source, its uses, and an undo.

Refuses to forget for good: a deleted preference keeps its row until retention takes it.
"""

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from app.domain.ids import ReviewId
from app.domain.ports.agents import Clock
from app.store.database import Database
from app.store.instants import from_ms, optional_instant, to_ms
from app.store.packing import id_list, storable


@dataclass(frozen=True, slots=True)
class Preference:
    """One preference. `namespace` such as response_preferences; `source_review` 0 when the user typed it."""

    id: int
    namespace: str
    text: str
    source_review: ReviewId
    created_at: datetime
    uses: int
    deleted_at: datetime | None


class Preferences:
    """The preferences table."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def add(self, namespace: str, text: str, source_review: ReviewId = ReviewId(0)) -> int:
        """Remember something; its id. The same text again in a namespace returns the first's id, undeleted."""
        text = storable(text)
        with self._db.transaction() as connection:
            known = connection.execute(
                "UPDATE preferences SET deleted_at = NULL WHERE namespace = ? AND text = ? RETURNING id", (namespace, text)
            ).fetchall()
            found = (
                known
                or connection.execute(
                    "INSERT INTO preferences (namespace, text, source_review, created_at) VALUES (?, ?, ?, ?) RETURNING id",
                    (namespace, text, source_review, to_ms(self._clock())),
                ).fetchall()
            )
            return int(found[0][0])

    def active(self, namespace: str) -> tuple[Preference, ...]:
        """The namespace's preferences, oldest first."""
        sql = "SELECT * FROM preferences WHERE namespace = ? AND deleted_at IS NULL ORDER BY id"
        return tuple(_preference(row) for row in self._db.read(sql, (namespace,)))

    def all(self) -> tuple[Preference, ...]:
        """Every preference, the deleted ones too, oldest first."""
        return tuple(_preference(row) for row in self._db.read("SELECT * FROM preferences ORDER BY id"))

    def edit(self, preference_id: int, text: str) -> None:
        """The user's own words for it."""
        with self._db.transaction() as connection:
            connection.execute("UPDATE preferences SET text = ? WHERE id = ?", (storable(text), preference_id))

    def delete(self, preference_id: int) -> None:
        """No longer used; `restore` brings it back."""
        with self._db.transaction() as connection:
            connection.execute(
                "UPDATE preferences SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL",
                (to_ms(self._clock()), preference_id),
            )

    def restore(self, preference_id: int) -> None:
        """Undo a deletion."""
        with self._db.transaction() as connection:
            connection.execute("UPDATE preferences SET deleted_at = NULL WHERE id = ?", (preference_id,))

    def used(self, ids: Collection[int]) -> None:
        """Count a use of each."""
        with self._db.transaction() as connection:
            connection.execute(
                "UPDATE preferences SET uses = uses + 1 WHERE id IN (SELECT value FROM json_each(?))", (id_list(ids),)
            )


def _preference(row: sqlite3.Row) -> Preference:
    """A `preferences` row."""
    return Preference(
        row["id"],
        row["namespace"],
        row["text"],
        ReviewId(row["source_review"]),
        from_ms(row["created_at"]),
        row["uses"],
        optional_instant(row["deleted_at"]),
    )
