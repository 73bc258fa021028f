"""Date, conversation, account and size of every message in arrays, so that a search sorts and counts without SQLite.

27 bytes a message. Read again when messages came, went or changed, which a sum over the covering index shows.
"""

import sqlite3

import numpy as np
from numpy.typing import NDArray

from app.domain.ids import AccountId, MessageId, ThreadId

Mask = NDArray[np.bool_]
"""For each message id whether it belongs."""
Ids = NDArray[np.int64]

_STATE = "SELECT count(*), max(id), sum(date / 1000), sum(thread_id), sum(size) FROM messages INDEXED BY messages_date"
_ROWS = "SELECT id, date, thread_id, account_id, size FROM messages INDEXED BY messages_date"


class MessageTable:
    """The arrays, indexed by message id. Not thread-safe."""

    def __init__(self) -> None:
        self._state: tuple[int | None, ...] = ()
        self._fill(np.zeros((0, 5), dtype=np.int64))

    def refresh(self, connection: sqlite3.Connection) -> bool:
        """Reads the messages again if they changed. Returns whether they did."""
        state = tuple(connection.execute(_STATE).fetchone())
        if state == self._state:
            return False
        rows = [tuple(row) for row in connection.execute(_ROWS)]
        self._fill(np.array(rows, dtype=np.int64).reshape(len(rows), 5))
        self._state = state
        return True

    def nothing(self) -> Mask:
        return np.zeros(len(self.exists), dtype=np.bool_)

    def mask(self, ids: Ids) -> Mask:
        """The messages among `ids` that exist."""
        found = self.nothing()
        found[ids[ids < len(found)]] = True
        return found & self.exists

    def newest(self, mask: Mask) -> Ids:
        """The ids of a mask, newest first."""
        ids: Ids = np.flatnonzero(mask).astype(np.int64)
        order = np.lexsort((ids, self.date[ids]))[::-1]
        return ids[order]

    def conversations(self, ids: Ids, limit: int = -1) -> list[tuple[ThreadId, MessageId]]:
        """The first message of each conversation in the order of `ids`."""
        _, first = np.unique(self.thread[ids], return_index=True)
        chosen = ids[np.sort(first)]
        chosen = chosen if limit < 0 else chosen[:limit]
        pairs = zip(self.thread[chosen].tolist(), chosen.tolist(), strict=True)
        return [(ThreadId(thread), MessageId(one)) for thread, one in pairs]

    def of_account(self, account_id: AccountId) -> Mask:
        found: Mask = self.account == account_id
        return found

    def _fill(self, rows: NDArray[np.int64]) -> None:
        length = int(rows[:, 0].max()) + 1 if len(rows) else 0
        self.exists = np.zeros(length, dtype=np.bool_)
        self.date = np.zeros(length, dtype=np.int64)
        self.thread = np.zeros(length, dtype=np.int64)
        self.account = np.zeros(length, dtype=np.int16)
        self.size = np.zeros(length, dtype=np.int64)
        if length:
            ids = rows[:, 0]
            self.exists[ids] = True
            self.date[ids], self.thread[ids], self.account[ids], self.size[ids] = rows[:, 1:].T
