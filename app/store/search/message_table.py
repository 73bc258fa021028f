"""Date, conversation, account and size of every message in arrays, so that a search sorts and counts without SQLite.

43 bytes a message. Read again when messages came, went or changed, which a sum over the covering index shows.
"""

import sqlite3

import numpy as np
from numpy.typing import NDArray

from app.domain.ids import AccountId, MessageId, ThreadId

Mask = NDArray[np.bool_]
"""For each message id whether it belongs."""
Ids = NDArray[np.int64]

_STATE = "SELECT count(*), max(id), sum(date / 1000), sum(thread_id), sum(size) FROM messages INDEXED BY messages_date"
_ROWS = """SELECT group_concat(id || ',' || date || ',' || thread_id || ',' || account_id || ',' || size)
    FROM messages INDEXED BY messages_date"""


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
        rows = connection.execute(_ROWS).fetchone()[0] or ""
        self._fill(np.fromstring(rows, dtype=np.int64, sep=",").reshape(-1, 5))
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
        found: Ids = self._newest[mask[self._newest]]
        return found

    def first_of_each(self, ids: Ids) -> Ids:
        """The first message of each conversation in the order of `ids`."""
        threads = self._place[ids]
        order = np.arange(len(ids))
        first = np.zeros(self._conversations, dtype=np.int64)
        first[threads[::-1]] = order[::-1]  # the last assignment to a place stays
        found: Ids = ids[first[threads] == order]
        return found

    def conversations(self, ids: Ids) -> list[tuple[ThreadId, MessageId]]:
        pairs = zip(self.thread[ids].tolist(), ids.tolist(), strict=True)
        return [(ThreadId(thread), MessageId(one)) for thread, one in pairs]

    def of_account(self, account_id: AccountId) -> Mask:
        found: Mask = self.account == account_id
        return found

    def of_conversation(self, message_id: MessageId) -> Mask:
        """The messages of a message's conversation, none where it is gone."""
        if message_id >= len(self.exists) or not self.exists[message_id]:
            return self.nothing()
        found: Mask = self.exists & (self.thread == self.thread[message_id])
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
        known: Ids = np.flatnonzero(self.exists).astype(np.int64)
        self._newest: Ids = known[np.lexsort((known, self.date[known]))[::-1]]
        threads, places = np.unique(self.thread[known], return_inverse=True)
        self._conversations = len(threads)
        self._place: Ids = np.zeros(length, dtype=np.int64)
        self._place[known] = places
