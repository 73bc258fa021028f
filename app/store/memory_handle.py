"""The window's read-only handle for what was learned: the order of a long list first, its rows when they are seen. Reads only."""

from array import array
from collections.abc import Sequence

from app.domain.memory import Namespace, Preference
from app.store.preference_rows import load_preference_ids, load_preferences, load_some_preferences
from app.store.read_handle import ReadHandle


class MemoryHandle(ReadHandle):
    """Part of the reader."""

    def preferences(self) -> tuple[Preference, ...]:
        """What was learned or typed and is in force, oldest first."""
        with self.reading() as connection:
            return () if connection is None else load_preferences(connection)

    def preference_ids(self, groups: Sequence[Namespace]) -> "array[int]":
        """The same by group, in the order of `groups`, the newest first in each."""
        with self.reading() as connection:
            return array("q") if connection is None else load_preference_ids(connection, groups)

    def preferences_of(self, ids: Sequence[int]) -> dict[int, Preference]:
        """Preferences by id; those that are gone are missing."""
        with self.reading() as connection:
            return {} if connection is None else load_some_preferences(connection, ids)
