"""Which ids a long list holds: a bit an id, so that a million rows of a mailbox take two megabytes and not a hundred.

Refuses to know their order.
"""

from collections.abc import Iterable

BITS = 6
"""Ids of one block, as a power of two."""
LAST = (1 << BITS) - 1


class Members:
    """A set of ids; neighbouring ids share a block."""

    def __init__(self, ids: Iterable[int] = ()) -> None:
        self._blocks: dict[int, int] = {}
        self.add(ids)

    def __contains__(self, key: int) -> bool:
        return bool(self._blocks.get(key >> BITS, 0) >> (key & LAST) & 1)

    def add(self, ids: Iterable[int]) -> None:
        """They are in the list."""
        blocks = self._blocks
        for key in ids:
            blocks[key >> BITS] = blocks.get(key >> BITS, 0) | 1 << (key & LAST)

    def discard(self, ids: Iterable[int]) -> None:
        """They are in the list no longer; those that were not there do not matter."""
        for key in ids:
            left = self._blocks.get(key >> BITS, 0) & ~(1 << (key & LAST))
            if left:
                self._blocks[key >> BITS] = left
            else:
                self._blocks.pop(key >> BITS, None)
