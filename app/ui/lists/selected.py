"""Several selected rows, by ids that outlive the window. Refuses more than `MOST`: thousands are selected with two keys."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QItemSelection, QItemSelectionModel

from app.ui.lists.model import IdModel
from app.ui.lists.view import RowList
from app.ui.parts import Parts
from app.ui.whereabouts import Spot, long_numbers

R = TypeVar("R")
MOST = 500


def keep_selected(parts: Parts, listing: RowList, model: IdModel[R], which: Callable[[], str]) -> None:
    """Let them come back; `which` names the list that is shown."""

    def read() -> Spot:
        if not 1 < listing.selected_count() <= MOST:
            return {}
        return {"list": which(), "rows": " ".join(str(model.id_at(row)) for row in listing.selected_rows())}

    def put_back(place: Spot) -> bool:
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
