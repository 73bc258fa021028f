"""The list model: an `array('q')` of ids plus a cache of the rows that were shown.

A changed list is one layout change: Qt's persistent indexes follow their ids, so selection and current row survive. Rows are read
in pages of 16, little more than a screen, because a changed list reads that again several times a second during a first sync.
Records named by text (runs and requests have UUIDs) get numbers from `RowNumbers`.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.domain.errors import ExpectedError
from app.ui.lists.row_painter import ID_ROLE, LOOK_ROLE, RowPresentation


class RowNumbers:
    """Gives each name a number from 1 up. The same name keeps its number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._names: list[str] = [""]

    def take(self, names: Iterable[str]) -> "array[int]":
        found = array("q")
        for name in names:
            found.append(self._numbers.setdefault(name, len(self._names)))
            if found[-1] == len(self._names):
                self._names.append(name)
        return found

    def names(self, numbers: Sequence[int]) -> dict[str, int]:
        return {self._names[number]: number for number in numbers}

    def name(self, number: int) -> str:
        return self._names[number]

    def number(self, name: str) -> int:
        return self._numbers.get(name, -1)


R = TypeVar("R")
PAGE_ROWS = 16
FEW = 16
"""Up to so many ids are looked for one by one, which is quicker than a table of all."""
MOST_CACHED = 4096
"""Rows in the cache before it is emptied."""
Index = QModelIndex | QPersistentModelIndex
FLAG = Qt.ItemFlag
ROW = FLAG.ItemIsSelectable | FLAG.ItemIsEnabled | FLAG.ItemIsDragEnabled | FLAG.ItemNeverHasChildren
"""Rows can be dragged if the view allows it."""


class IdModel(QAbstractTableModel, Generic[R]):
    """One-column model. `read` returns rows by id; `look` turns a row into its presentation. `names` gives the lasting names of
    ids that change with each start.
    """

    unreadable = Signal(object)
    """Emits the `ExpectedError` of a failed read. Connect it queued: it may be emitted while painting."""

    def __init__(
        self,
        read: Callable[[Sequence[int]], Mapping[int, R]],
        look: Callable[[R], RowPresentation],
        parent: QObject | None = None,
        names: RowNumbers | None = None,
    ) -> None:
        super().__init__(parent)
        self._names = names
        self._ids = array("q")
        self._read, self._look = read, look
        self._rows: dict[int, R | None] = {}

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if role == ID_ROLE:
            return self._ids[index.row()]
        if role in (LOOK_ROLE, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            look = self.look(index.row())
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
        try:
            return self._ids.index(key)
        except ValueError:
            return -1

    def name_at(self, row: int) -> str:
        key = self._ids[row]
        return str(key) if self._names is None else self._names.name(key)

    def row_named(self, name: object) -> int:
        if not isinstance(name, str):
            return -1
        if self._names is not None:
            return self.row_of(self._names.number(name))
        return self.row_of(int(name)) if name.lstrip("-").isdecimal() else -1

    def record(self, row: int) -> R | None:
        key = self._ids[row]
        if key not in self._rows:
            if len(self._rows) >= MOST_CACHED:
                self._rows.clear()
            start = row - row % PAGE_ROWS
            wanted = [one for one in self._ids[start : start + PAGE_ROWS] if one not in self._rows]
            found = self._read(wanted)
            self._rows.update((one, found.get(one)) for one in wanted)
        return self._rows[key]

    def set_ids(self, ids: "array[int]") -> None:
        """Changes the list to `ids`. All rows are read again."""
        self._rows.clear()
        if ids == self._ids:
            self._repaint()
            return
        self.layoutAboutToBeChanged.emit()
        before, old = self.persistentIndexList(), self._ids
        self._ids = array("q", ids)
        rows = {key: row for row, key in enumerate(ids)} if len(before) > FEW else None
        keys = [old[index.row()] for index in before]
        places = (self.row_of(key) if rows is None else rows.get(key, -1) for key in keys)
        self.changePersistentIndexList(before, [self.index(row, 0) if row >= 0 else QModelIndex() for row in places])
        self.layoutChanged.emit()

    def set_head(self, head: "array[int]", gone: Iterable[int] = ()) -> None:
        """Changes the beginning of the list to `head`. The rest stays, except for ids that moved up and those in `gone`."""
        places = {key: at for at, key in enumerate(self._ids[: 2 * len(head)])}
        last = next((places[key] for key in reversed(head) if key in places), None)
        if last is None:
            self.set_ids(head)
            return
        # A row that moved up tells nothing about those it passed, so the rows behind the beginning stay.
        listed = {*head, *gone}
        rest = self._ids[min(last + 1, len(head)) :]
        self.set_ids(head + array("q", [key for key in rest if key not in listed]))

    def append(self, ids: "array[int]") -> None:
        listed = set(self._ids)
        fresh = array("q", (key for key in dict.fromkeys(ids) if key not in listed))
        if fresh:
            self.beginInsertRows(QModelIndex(), len(self._ids), len(self._ids) + len(fresh) - 1)
            self._ids.extend(fresh)
            self.endInsertRows()

    def reread(self, keys: Iterable[int]) -> None:
        for key in keys:
            self._rows.pop(key, None)
        self._repaint()

    def _repaint(self) -> None:
        if self._ids:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._ids) - 1, 0))

    def look(self, row: int) -> RowPresentation | None:
        """Presentation of a row, None if reading failed. Exceptions cannot leave a paint event."""
        try:
            record = self.record(row)
        except ExpectedError as error:
            self.unreadable.emit(error)
            return None
        return None if record is None else self._look(record)
