"""A list model of ids: `array('q')` plus a row cache. Refuses to hold rows it was not asked for."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.domain.errors import ExpectedError
from app.ui.lists.difference import Insert, Remove, spliced, steps
from app.ui.lists.look import ID_ROLE, LOOK_ROLE, RowLook
from app.ui.lists.members import Members
from app.ui.lists.rows import RowCache

R = TypeVar("R")
Index = QModelIndex | QPersistentModelIndex
FLAG = Qt.ItemFlag
ROW = FLAG.ItemIsSelectable | FLAG.ItemIsEnabled | FLAG.ItemIsDragEnabled | FLAG.ItemNeverHasChildren
"""Rows may be dragged out of lists that let them."""


class IdModel(QAbstractTableModel, Generic[R]):
    """One column. `read` gives rows by id, `look` says how a row is painted."""

    unreadable = Signal(object)
    """An `ExpectedError`: rows on screen could not be read. To be heard in a turn of its own, after the painting."""

    def __init__(
        self, read: Callable[[Sequence[int]], Mapping[int, R]], look: Callable[[R], RowLook], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._ids = array("q")
        self._cache = RowCache(read)
        self._look = look
        self._looks: dict[int, RowLook | None] = {}
        self._members: Members | None = None

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
            self._members = Members(self._ids)
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

    def _readable_look(self, row: int) -> RowLook | None:
        """A row is also asked for while it is painted, where nobody could be told of trouble."""
        try:
            return self._look_at(row)
        except ExpectedError as error:
            self.unreadable.emit(error)
            return None

    def _look_at(self, row: int) -> RowLook | None:
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
