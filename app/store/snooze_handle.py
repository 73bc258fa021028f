"""Snoozed threads for the window: which they are and when each comes back. Reads only."""

from array import array
from collections.abc import Sequence
from datetime import datetime

from app.domain.ids import ThreadId
from app.store.instants import from_ms
from app.store.packing import id_list
from app.store.read_handle import ReadHandle


class SnoozeHandle(ReadHandle):
    """A part of the reader."""

    def snoozed_until(self, ids: Sequence[ThreadId]) -> dict[ThreadId, datetime]:
        """When these threads come back to the inbox (UTC); those that are not snoozed are missing."""
        sql = "SELECT thread_id, until FROM snoozes WHERE thread_id IN (SELECT value FROM json_each(?))"
        with self.reading() as connection:
            rows = () if connection is None else connection.execute(sql, (id_list(ids),))
            return {ThreadId(row[0]): from_ms(row[1]) for row in rows}

    def _snoozed(self, limit: int, skip: int) -> "array[int]":
        """Snoozed threads, the next to come back first."""
        sql = "SELECT thread_id FROM snoozes ORDER BY until, thread_id LIMIT ? OFFSET ?"
        with self.reading() as connection:
            rows = () if connection is None else connection.execute(sql, (limit, skip))
            return array("q", (row[0] for row in rows))
