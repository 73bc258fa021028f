"""The window's read-only handle for the outbox: what may still leave, however much has left. Reads only, and no MIME bytes."""

import sqlite3
from collections.abc import Sequence

from app.domain.ids import OutboxId
from app.domain.outbox import OutboxItem
from app.domain.ports.window import OutboxRow
from app.store.instants import from_ms
from app.store.outbox_rows import IS_OPEN, item_of
from app.store.packing import id_list
from app.store.read_handle import ReadHandle

_OPEN = """SELECT * FROM outbox WHERE id IN (
        SELECT id FROM outbox INDEXED BY outbox_due WHERE IS_OPEN
        UNION ALL SELECT id FROM outbox INDEXED BY outbox_held WHERE state = 'held')
    ORDER BY id DESC""".replace("IS_OPEN", IS_OPEN)

_NEWEST = """WITH listed (id, closed) AS (
        SELECT id, 0 FROM outbox INDEXED BY outbox_due WHERE IS_OPEN
        UNION ALL SELECT id, 0 FROM outbox INDEXED BY outbox_held WHERE state = 'held'
        UNION ALL SELECT * FROM (SELECT id, 1 FROM outbox WHERE state IN ('sent', 'cancelled') ORDER BY id DESC LIMIT :limit))
    SELECT id FROM listed ORDER BY closed, id DESC LIMIT :limit""".replace("IS_OPEN", IS_OPEN)

_ROWS = """SELECT o.*, coalesce((SELECT max(d.decided_at) FROM decisions d
        WHERE d.review_id = o.review_id AND d.outbox_id = o.id),
        o.created_at) AS approved
    FROM json_each(?) l CROSS JOIN outbox o ON o.id = l.value"""
"""The decision on an item is found by its review: looking for it through all of them takes seconds where there are many."""


class OutboxHandle(ReadHandle):
    """Part of the reader."""

    def outbox(self, limit: int = 500) -> tuple[OutboxRow, ...]:
        """Outbox items, open ones first, then newest."""
        with self.reading() as connection:
            return () if connection is None else load_outbox(connection, limit)

    def outbox_ids(self, limit: int = 500) -> tuple[OutboxId, ...]:
        """The same items by their numbers."""
        with self.reading() as connection:
            return () if connection is None else _listed(connection, limit)

    def outbox_of(self, ids: Sequence[int]) -> dict[int, OutboxRow]:
        """Items by number; those that are gone are missing."""
        with self.reading() as connection:
            return {} if connection is None else _rows(connection, ids)

    def open_items(self) -> tuple[OutboxItem, ...]:
        """Outbox items that may still leave, newest first."""
        with self.reading() as connection:
            return () if connection is None else tuple(item_of(row, b"") for row in connection.execute(_OPEN))


def load_outbox(connection: sqlite3.Connection, limit: int) -> tuple[OutboxRow, ...]:
    """Open items, then closed ones, each newest first."""
    ids = _listed(connection, limit)
    found = _rows(connection, ids)
    return tuple(found[key] for key in ids if key in found)


def _listed(connection: sqlite3.Connection, limit: int) -> tuple[OutboxId, ...]:
    return tuple(OutboxId(row[0]) for row in connection.execute(_NEWEST, {"limit": limit}))


def _rows(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, OutboxRow]:
    rows = connection.execute(_ROWS, (id_list(ids),))
    return {row["id"]: OutboxRow(item_of(row, b""), from_ms(row["approved"])) for row in rows}
