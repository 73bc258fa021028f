"""A list's place: which row is chosen and which is at the upper edge, by names that outlive the window.

Several selected rows, by ids that outlive the window.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QItemSelection, QItemSelectionModel

from app.ui.lists.model import IdModel
from app.ui.lists.view import RowList
from app.ui.session.restorable_parts import RestorableParts
from app.ui.session.session_store import SavedPosition, long_numbers, number

R = TypeVar("R")


class ListPosition(Generic[R]):
    """`name_of` gives the lasting name of a row's id, `id_of` the id of a name (-1 where it is gone)."""

    def __init__(
        self,
        listing: RowList,
        model: IdModel[R],
        name_of: Callable[[int], str] = str,
        id_of: Callable[[str], int] = int,
    ) -> None:
        self.list = listing
        self._model = model
        self._name_of, self._id_of = name_of, id_of

    def read(self) -> SavedPosition:
        """Where the list stands."""
        here, (top, above) = self.list.current_row(), self.list.top()
        found: SavedPosition = {}
        if 0 <= here < self._model.rowCount():
            found["row"] = self._name_of(self._model.id_at(here))
        if 0 < top < self._model.rowCount() or above:
            found |= {"top": self._name_of(self._model.id_at(top)), "above": above}
        return found

    def return_to(self, place: SavedPosition) -> None:
        """Choose what was chosen, as the user would, and scroll to where it was."""
        row = self.chosen(place)
        if row >= 0 and row != self.list.current_row():
            self.list.select_row(row)
        self.scroll(place)

    def chosen(self, place: SavedPosition) -> int:
        """The row that was chosen, -1 if it is not listed."""
        return self._row(place, "row")

    def scroll(self, place: SavedPosition) -> None:
        """Put the row that was at the upper edge there."""
        top = self._row(place, "top")
        if top >= 0:
            self.list.scroll_to_top(top, number(place, "above"))

    def _row(self, place: SavedPosition, key: str) -> int:
        name = place.get(key)
        if not isinstance(name, str):
            return -1
        try:
            return self._model.row_of(self._id_of(name))
        except ValueError:
            return -1


MOST = 500


def keep_selected(parts: RestorableParts, listing: RowList, model: IdModel[R], which: Callable[[], str]) -> None:
    """Let them come back; `which` names the list that is shown."""

    def read() -> SavedPosition:
        if not 1 < listing.selected_count() <= MOST:
            return {}
        return {"list": which(), "rows": " ".join(str(model.id_at(row)) for row in listing.selected_rows())}

    def put_back(place: SavedPosition) -> bool:
        rows = [model.row_of(one) for one in long_numbers(place, "rows")]
        selection = QItemSelection()
        for row in rows:
            if row >= 0:
                selection.select(model.index(row, 0), model.index(row, 0))
        if place.get("list") != which() or selection.isEmpty():
            return False
        flags = QItemSelectionModel.SelectionFlag
        listing.selectionModel().select(selection, flags.ClearAndSelect | flags.Rows)
        return True

    parts.add("selected", read, put_back, listing.selectionModel().selectionChanged, fleeting=True)
