"""A list model of ids: `array('q')` plus a row cache.

From one list of ids to another by few inserts and removes, so that selection and scroll place survive.

Rows by id: an LRU of pages of 16 rows, read together so that scrolling asks the database seldom.

A page is little more than what is on screen: a list that changed reads that again, several times a second in a first sync.

Which ids a long list holds: a bit an id, so that a million rows of a mailbox take two megabytes and not a hundred.
"""

from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.domain.errors import ExpectedError
from app.ui.lists.row_presentation import ID_ROLE, LOOK_ROLE, RowPresentation


@dataclass(frozen=True, slots=True)
class Remove:
    """Rows `first` to `last`, both included, go away."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Insert:
    """`ids` come in before row `at`."""

    at: int
    ids: "array[int]"


Step = Remove | Insert
MOST_COMPARED = 20_000
"""Above this many differing ids a comparison costs more than it saves."""


def steps(old: "array[int]", new: "array[int]") -> list[Step] | None:
    """Steps that turn `old` into `new` (ids are unique in each), to be taken in order; None: reset instead."""
    if not (old and new) and len(old) + len(new) <= MOST_COMPARED:
        return [Remove(0, len(old) - 1)] if old else [Insert(0, new)] if new else []
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(middle_old) + len(middle_new) > MOST_COMPARED:
        return None
    kept = _kept(middle_old, middle_new)
    removed = [index for index, key in enumerate(middle_old) if key not in kept]
    inserted = [index for index, key in enumerate(middle_new) if key not in kept]
    removes: list[Step] = [Remove(head + first, head + last) for first, last in reversed(list(_stretches(removed)))]
    inserts: list[Step] = [Insert(head + first, middle_new[first : last + 1]) for first, last in _stretches(inserted)]
    return removes + inserts


def spliced(old: "array[int]", head: "array[int]") -> "tuple[array[int], array[int], set[int]] | None":
    """What follows for `old` when `head` is its new beginning, read anew without the rest.

    The part of `old` that is looked at, what stands in its place, and the ids that are new or have moved up from further down.
    None where the two have nothing in common.
    """
    if old[: len(head)] == head:
        return head, head, set()
    near = old[: 2 * len(head)]
    places = {key: at for at, key in enumerate(near)}
    cut = next((places[key] + 1 for key in reversed(head) if key in places), None)
    if cut is None:
        return None
    # A row that moved up from below says nothing of those it passed: what stood behind the beginning stays.
    cut = min(cut, len(head))
    heads = set(head)
    return near, head + array("q", (key for key in near[cut:] if key not in heads)), heads - places.keys()


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many ids both begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:  # halving: whole slices are compared in C
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _kept(old: Sequence[int], new: Sequence[int]) -> set[int]:
    """The largest set of ids that stay in the same order: a longest increasing subsequence of their new places."""
    place = {key: index for index, key in enumerate(new)}
    ends: list[int] = []
    chain: list[tuple[int, int | None]] = []
    tops: list[int] = []
    for key in old:
        where = place.get(key)
        if where is None:
            continue
        length = bisect_left(ends, where)
        chain.append((key, tops[length - 1] if length else None))
        ends[length : length + 1] = [where]
        tops[length : length + 1] = [len(chain) - 1]
    kept: set[int] = set()
    at = tops[-1] if tops else None
    while at is not None:
        key, at = chain[at]
        kept.add(key)
    return kept


def _stretches(indexes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of neighbours as (first, last)."""
    start = 0
    for here in range(1, len(indexes) + 1):
        if here == len(indexes) or indexes[here] != indexes[here - 1] + 1:
            yield indexes[start], indexes[here - 1]
            start = here


R = TypeVar("R")
PAGE_ROWS = 16
PAGES = 256


class RowCache(Generic[R]):
    """Reads the aligned page around an index on a miss; keeps the 4,096 rows used last."""

    def __init__(self, read: Callable[[Sequence[int]], Mapping[int, R]]) -> None:
        self._read = read
        self._rows: OrderedDict[int, R | None] = OrderedDict()

    def row(self, ids: "array[int]", index: int) -> R | None:
        """The row at an index of `ids`, None if it is gone from the database."""
        key = ids[index]
        if key not in self._rows:
            self._load(ids, index)
        self._rows.move_to_end(key)
        return self._rows[key]

    def forget(self, keys: Iterable[int]) -> None:
        """Read these again when next asked for."""
        for key in keys:
            self._rows.pop(key, None)

    def clear(self) -> None:
        """Read everything again."""
        self._rows.clear()

    def _load(self, ids: "array[int]", index: int) -> None:
        start = index - index % PAGE_ROWS
        wanted = [key for key in ids[start : start + PAGE_ROWS] if key not in self._rows]
        found = self._read(wanted)
        self._rows.update((key, found.get(key)) for key in wanted)
        while len(self._rows) > PAGE_ROWS * PAGES:
            self._rows.popitem(last=False)


BITS = 6
"""Ids of one block, as a power of two."""
LAST = (1 << BITS) - 1


class IdSet:
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


Index = QModelIndex | QPersistentModelIndex
FLAG = Qt.ItemFlag
ROW = FLAG.ItemIsSelectable | FLAG.ItemIsEnabled | FLAG.ItemIsDragEnabled | FLAG.ItemNeverHasChildren
"""Rows may be dragged out of lists that let them."""


class IdModel(QAbstractTableModel, Generic[R]):
    """One column. `read` gives rows by id, `look` says how a row is painted."""

    unreadable = Signal(object)
    """An `ExpectedError`: rows on screen could not be read. To be heard in a turn of its own, after the painting."""

    def __init__(
        self,
        read: Callable[[Sequence[int]], Mapping[int, R]],
        look: Callable[[R], RowPresentation],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._ids = array("q")
        self._cache = RowCache(read)
        self._look = look
        self._looks: dict[int, RowPresentation | None] = {}
        self._members: IdSet | None = None

    def rowCount(self, parent: Index | None = None) -> int:
        """Rows of the root."""
        return 0 if parent is not None and parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index | None = None) -> int:
        """Always one column."""
        return 0 if parent is not None and parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The spoken words, the look, or the id."""
        if not index.isValid():
            return None
        if role == ID_ROLE:
            return self._ids[index.row()]
        if role in (LOOK_ROLE, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            look = self._readable_look(index.row())
            return look if role == LOOK_ROLE or look is None else look.spoken
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """The same for every row."""
        return ROW if index.isValid() else FLAG.NoItemFlags

    @property
    def ids(self) -> "array[int]":
        """The ids in order; not to be changed by the caller."""
        return self._ids

    def id_at(self, row: int) -> int:
        """The id of a row."""
        return self._ids[row]

    def row_of(self, key: int) -> int:
        """The row of an id, -1 if it is not in the list."""
        try:
            return self._ids.index(key)
        except ValueError:
            return -1

    def record(self, row: int) -> R | None:
        """What stands in a row."""
        return self._cache.row(self._ids, row)

    def set_ids(self, ids: "array[int]") -> None:
        """Become `ids`, by inserts and removes where that is sensible; rows are read again."""
        self._cache.clear()
        self._looks.clear()
        taken = steps(self._ids, ids)
        if taken is None:
            self.beginResetModel()
            self._ids, self._members = array("q", ids), None
            self.endResetModel()
            return
        self._become(taken)

    def set_head(self, head: "array[int]", gone: Iterable[int] = ()) -> None:
        """The list begins with `head` now; what stood behind stays, but for those that moved up and for `gone`."""
        found = spliced(self._ids, head)
        if found is None:
            self.set_ids(head)
            return
        self._cache.clear()
        self._looks.clear()
        near, wanted, fresh = found
        lost = set(gone).difference(head)
        if lost:
            wanted = array("q", (key for key in wanted if key not in lost))
        removes = [Remove(at, at) for at in reversed(self._rows_below(len(near), lost | fresh))]
        self._become([*removes, *(steps(near, wanted) or [])])

    def _rows_below(self, first: int, keys: set[int]) -> list[int]:
        """The rows from `first` on that hold one of `keys`, in one pass; in none where the list is known to lack them."""
        if self._members is not None:
            keys = {key for key in keys if key in self._members}
        return [at for at, key in enumerate(self._ids[first:], first) if key in keys] if keys else []

    def _become(self, taken: "Iterable[Insert | Remove]") -> None:
        """Take steps; every row may look different afterwards."""
        for step in taken:
            self._take(step)
        if self._ids:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._ids) - 1, 0))

    def append(self, ids: "array[int]") -> None:
        """Further ids at the end; those already there are left out. The cost is that of `ids`, however long the list is."""
        if self._members is None:
            self._members = IdSet(self._ids)
        fresh = array("q", (key for key in dict.fromkeys(ids) if key not in self._members))
        if fresh:
            self._take(Insert(len(self._ids), fresh))

    def reread(self, keys: Iterable[int]) -> None:
        """Rows changed: read and paint them again."""
        keys = set(keys)
        self._cache.forget(keys)
        for key in keys:
            self._looks.pop(key, None)
        if self._ids:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._ids) - 1, 0))

    def _readable_look(self, row: int) -> RowPresentation | None:
        """A row is also asked for while it is painted, where nobody could be told of trouble."""
        try:
            return self._look_at(row)
        except ExpectedError as error:
            self.unreadable.emit(error)
            return None

    def _look_at(self, row: int) -> RowPresentation | None:
        key = self._ids[row]
        if key not in self._looks:
            if len(self._looks) > 4096:
                self._looks.clear()
            record = self.record(row)
            self._looks[key] = None if record is None else self._look(record)
        return self._looks[key]

    def _take(self, step: Insert | Remove) -> None:
        if isinstance(step, Remove):
            self.beginRemoveRows(QModelIndex(), step.first, step.last)
            gone = self._ids[step.first : step.last + 1]
            del self._ids[step.first : step.last + 1]
            if not self._ids:
                self._members = None
            elif self._members is not None:
                self._members.discard(gone)
            self.endRemoveRows()
        else:
            self.beginInsertRows(QModelIndex(), step.at, step.at + len(step.ids) - 1)
            self._ids[step.at : step.at] = step.ids
            if self._members is not None:
                self._members.add(step.ids)
            self.endInsertRows()
