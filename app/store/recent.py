"""What was read of mail, contacts and accounts since they last changed: a run reads the same ones again and again.

The engine is the store's only writer, so nothing changes but by its commits. Refuses to answer from before one, and to hold
anything that a `work_only` transaction may change.
"""

from collections.abc import Callable, Collection, Hashable, Mapping
from itertools import islice
from threading import Lock
from typing import Generic, TypeVar

from app.store.database import Database

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """At most `most` values by key; thread-safe. Give it values that nobody changes."""

    def __init__(self, db: Database, most: int) -> None:
        self._db = db
        self._most = most
        self._lock = Lock()
        self._commits = db.mail_commits
        self._values: dict[K, V] = {}

    def get(self, key: K, load: Callable[[], V]) -> V:
        """The value read since the last commit, or `load`ed now. What `load` raises passes."""
        commits, known = self.known((key,))
        if key in known:
            return known[key]
        value = load()
        self.put(commits, {key: value})
        return value

    def known(self, keys: Collection[K]) -> tuple[int, dict[K, V]]:
        """Those of the keys that were read since the last commit; and that commit's number, for `put`."""
        with self._lock:
            commits = self._follow()
            return commits, {key: self._values[key] for key in keys if key in self._values}

    def put(self, commits: int, values: Mapping[K, V]) -> None:
        """Remember what was read after commit number `commits`, unless there was another meanwhile."""
        with self._lock:
            if commits == self._follow():
                self._values.update(values)
                for key in list(islice(self._values, max(0, len(self._values) - self._most))):
                    del self._values[key]

    def _follow(self) -> int:
        """Forget what was read before the last commit; its number."""
        commits = self._db.mail_commits
        if commits != self._commits:
            self._commits = commits
            self._values.clear()
        return commits
