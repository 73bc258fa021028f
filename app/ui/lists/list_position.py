"""Saves the position of a list for the next start. Selected rows and the row at the upper edge are named so that they survive a
restart.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

from app.ui.lists.model import IdModel
from app.ui.lists.view import RowList
from app.ui.session.session_store import PageState, number

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

    def read(self) -> PageState:
        """Current row and scroll position."""
        here, (top, above) = self.list.current_row(), self.list.top()
        found: PageState = {}
        if 0 <= here < self._model.rowCount():
            found["row"] = self._name_of(self._model.id_at(here))
        if 0 < top < self._model.rowCount() or above:
            found |= {"top": self._name_of(self._model.id_at(top)), "above": above}
        return found

    def return_to(self, place: PageState) -> None:
        """Selects the saved row, as the user would, and scrolls back."""
        row = self.chosen(place)
        if row >= 0 and row != self.list.current_row():
            self.list.select_row(row)
        self.scroll(place)

    def chosen(self, place: PageState) -> int:
        """Row number of the saved selection, -1 if it is not listed."""
        return self._row(place, "row")

    def scroll(self, place: PageState) -> None:
        """Puts the saved row at the upper edge."""
        top = self._row(place, "top")
        if top >= 0:
            self.list.scroll_to_top(top, number(place, "above"))

    def _row(self, place: PageState, key: str) -> int:
        name = place.get(key)
        if not isinstance(name, str):
            return -1
        try:
            return self._model.row_of(self._id_of(name))
        except ValueError:
            return -1
