"""The list model: an `array('q')` of ids plus a row cache.

A change from one id list to another becomes a few inserts and removes, so that selection and scroll position survive. Rows are
read in pages of 16, little more than a screen, because a changed list reads that again several times a second during a first
sync. The set of listed ids is a bitmap: a million rows take 2 MB instead of 100.
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
    """Removes rows `first` to `last`, inclusive."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Insert:
    """Inserts `ids` before row `at`."""

    at: int
    ids: "array[int]"


Step = Remove | Insert
MOST_COMPARED = 20_000
"""Above this many differing ids a comparison costs more than it saves."""


def steps(old: "array[int]", new: "array[int]") -> list[Step] | None:
    """Steps that turn `old` into `new`, in order; None means reset. Ids must be unique in each."""
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
    """Plans the change of `old` when its beginning became `head`.

    Returns the part of `old` that was compared, what replaces it, and the ids that are new or moved up from further down. None if
    the two have no id in common.
    """
    if old[: len(head)] == head:
        return head, head, set()
    near = old[: 2 * len(head)]
    places = {key: at for at, key in enumerate(near)}
    cut = next((places[key] + 1 for key in reversed(head) if key in places), None)
    if cut is None:
        return None
    # A row that moved up tells nothing about those it passed, so the rows behind the beginning stay.
    cut = min(cut, len(head))
    heads = set(head)
    return near, head + array("q", (key for key in near[cut:] if key not in heads)), heads - places.keys()


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """Length of the common prefix."""
    low, high = 0, min(len(one), len(other))
    while low < high:  # binary search: slices are compared in C
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _kept(old: Sequence[int], new: Sequence[int]) -> set[int]:
    """The largest set of ids that keep their order. A longest increasing subsequence of their new positions."""
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
    """Groups consecutive indexes into (first, last)."""
    start = 0
    for here in range(1, len(indexes) + 1):
        if here == len(indexes) or indexes[here] != indexes[here - 1] + 1:
            yield indexes[start], indexes[here - 1]
            start = here


R = TypeVar("R")
PAGE_ROWS = 16
PAGES = 256


class RowCache(Generic[R]):
    """LRU cache of 4,096 rows. A miss reads the aligned page around the index."""

    def __init__(self, read: Callable[[Sequence[int]], Mapping[int, R]]) -> None:
        self._read = read
        self._rows: OrderedDict[int, R | None] = OrderedDict()

    def row(self, ids: "array[int]", index: int) -> R | None:
        """The row at an index of `ids`, None if it is gone."""
        key = ids[index]
        if key not in self._rows:
            self._load(ids, index)
        self._rows.move_to_end(key)
        return self._rows[key]

    def forget(self, keys: Iterable[int]) -> None:
        """Drops rows, so that they are read again."""
        for key in keys:
            self._rows.pop(key, None)

    def clear(self) -> None:
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
    """A set of ids as bitmaps of 64."""

    def __init__(self, ids: Iterable[int] = ()) -> None:
        self._blocks: dict[int, int] = {}
        self.add(ids)

    def __contains__(self, key: int) -> bool:
        return bool(self._blocks.get(key >> BITS, 0) >> (key & LAST) & 1)

    def add(self, ids: Iterable[int]) -> None:
        blocks = self._blocks
        for key in ids:
            blocks[key >> BITS] = blocks.get(key >> BITS, 0) | 1 << (key & LAST)

    def discard(self, ids: Iterable[int]) -> None:
        """Removes ids; unknown ones are ignored."""
        for key in ids:
            left = self._blocks.get(key >> BITS, 0) & ~(1 << (key & LAST))
            if left:
                self._blocks[key >> BITS] = left
            else:
                self._blocks.pop(key >> BITS, None)


Index = QModelIndex | QPersistentModelIndex
FLAG = Qt.ItemFlag
ROW = FLAG.ItemIsSelectable | FLAG.ItemIsEnabled | FLAG.ItemIsDragEnabled | FLAG.ItemNeverHasChildren
"""Rows can be dragged if the view allows it."""


class IdModel(QAbstractTableModel, Generic[R]):
    """One-column model. `read` returns rows by id; `look` turns a row into its presentation."""

    unreadable = Signal(object)
    """Emits the `ExpectedError` of a failed read. Connect it queued: it may be emitted while painting."""

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
        return 0 if parent is not None and parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The text for screen readers, the presentation, or the id."""
        if not index.isValid():
            return None
        if role == ID_ROLE:
            return self._ids[index.row()]
        if role in (LOOK_ROLE, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            look = self._readable_look(index.row())
            return look if role == LOOK_ROLE or look is None else look.spoken
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        return ROW if index.isValid() else FLAG.NoItemFlags

    @property
    def ids(self) -> "array[int]":
        """The ids in order. Callers must not change them."""
        return self._ids

    def id_at(self, row: int) -> int:
        return self._ids[row]

    def row_of(self, key: int) -> int:
        """Row of an id, -1 if it is not listed."""
        try:
            return self._ids.index(key)
        except ValueError:
            return -1

    def record(self, row: int) -> R | None:
        """Record of a row, None if it is gone from the database."""
        return self._cache.row(self._ids, row)

    def set_ids(self, ids: "array[int]") -> None:
        """Changes the list to `ids`, by inserts and removes where that pays. All rows are read again."""
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
        """Changes the beginning of the list to `head`. The rest stays, except for ids that moved up and those in `gone`."""
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
        """Rows from `first` on that hold one of `keys`."""
        if self._members is not None:
            keys = {key for key in keys if key in self._members}
        return [at for at, key in enumerate(self._ids[first:], first) if key in keys] if keys else []

    def _become(self, taken: "Iterable[Insert | Remove]") -> None:
        """Takes the steps and repaints all rows."""
        for step in taken:
            self._take(step)
        if self._ids:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._ids) - 1, 0))

    def append(self, ids: "array[int]") -> None:
        """Appends ids that are not listed yet. The cost depends on `ids` only, not on the list's length."""
        if self._members is None:
            self._members = IdSet(self._ids)
        fresh = array("q", (key for key in dict.fromkeys(ids) if key not in self._members))
        if fresh:
            self._take(Insert(len(self._ids), fresh))

    def reread(self, keys: Iterable[int]) -> None:
        """Reads and paints changed rows again."""
        keys = set(keys)
        self._cache.forget(keys)
        for key in keys:
            self._looks.pop(key, None)
        if self._ids:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._ids) - 1, 0))

    def _readable_look(self, row: int) -> RowPresentation | None:
        """Presentation of a row, None if reading failed. Exceptions cannot leave a paint event."""
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
