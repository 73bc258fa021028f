"""Saves the position of a list for the next start. Selected rows and the row at the upper edge are named so that they survive a
restart.
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
    """Position of one list. `name_of` gives the permanent name of a row's id, `id_of` the id of a name (-1 if it is gone)."""

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
        """Current row and scroll position."""
        here, (top, above) = self.list.current_row(), self.list.top()
        found: SavedPosition = {}
        if 0 <= here < self._model.rowCount():
            found["row"] = self._name_of(self._model.id_at(here))
        if 0 < top < self._model.rowCount() or above:
            found |= {"top": self._name_of(self._model.id_at(top)), "above": above}
        return found

    def return_to(self, place: SavedPosition) -> None:
        """Selects the saved row, as the user would, and scrolls back."""
        row = self.chosen(place)
        if row >= 0 and row != self.list.current_row():
            self.list.select_row(row)
        self.scroll(place)

    def chosen(self, place: SavedPosition) -> int:
        """Row number of the saved selection, -1 if it is not listed."""
        return self._row(place, "row")

    def scroll(self, place: SavedPosition) -> None:
        """Puts the saved row at the upper edge."""
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
    """Restores a selection of 2 to `MOST` rows after a restart. `which` names the list that is shown."""

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
