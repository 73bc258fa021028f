"""Lists: the model under Qt's own tester, moving by key, what stays selected when rows change, and the painted rows."""

from array import array
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.lists.model import PAGE_ROWS, IdModel
from app.ui.lists.row_painter import Chip, RowPresentation
from app.ui.lists.view import RowList
from app.ui.navigation.places import label_places, places
from app.ui.navigation.view import Place, PlaceModel
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage

GONE = 13


class Reader:
    def __init__(self) -> None:
        self.asked: list[list[int]] = []

    def read(self, ids: Sequence[int]) -> Mapping[int, str]:
        self.asked.append(list(ids))
        return {key: f"row {key}" for key in ids if key != GONE}


def look(row: str) -> RowPresentation:
    chips = (Chip("respond", "accent"), Chip("unsure", "warning"))
    return RowPresentation(
        row, f"about {row}", "first words", "10:00", f"spoken {row}", 3, True, chips, (("attachment", "text_soft"),)
    )


@pytest.fixture
def model() -> IdModel[str]:
    made: IdModel[str] = IdModel(Reader().read, look)
    made.set_ids(array("q", [5, 4, 3, 2, 1]))
    return made


def test_the_list_keeps_qts_rules_through_changes(model: IdModel[str], qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(model)
    for ids in ([9, 5, 4, 3, 2, 1], [3, 9, 1], [], [7, 8], [8, 7, 6]):
        model.set_ids(array("q", ids))
        assert list(model.ids) == ids
    model.append(array("q", [7, 20, 21, 21]))
    assert list(model.ids) == [8, 7, 6, 20, 21]


def test_the_navigation_keeps_qts_rules_through_changes(
    qapp: QApplication, store: LivelyStore, qtmodeltester: ModelTester
) -> None:
    model, reader = PlaceModel(places()), SqliteMailboxReader(store.path)
    fixed = model.rowCount()
    qtmodeltester.check(model)
    model.set_count("inbox", 12, strong=False)
    model.set_tail([Place(""), Place("label:bikes", "Bikes", "label"), Place("label:parts", "Parts", "label")])
    model.set_count("label:parts", 3, strong=True)
    assert model.rowCount() == fixed + 3
    model.set_tail([Place(""), Place("label:parts", "Parts", "label")])
    model.set_tail(label_places(reader))
    reader.close()


def test_a_new_beginning_leaves_the_rest_and_takes_out_what_is_gone(model: IdModel[str]) -> None:
    model.set_ids(array("q", range(100)))
    model.set_head(array("q", [500, 80, *range(1, 9)]), gone=[0, 60, 95, 2000])
    assert list(model.ids) == [500, 80, *(key for key in range(1, 100) if key not in (60, 80, 95))]
    model.set_head(array("q", [7]), gone=[7])  # what is listed again is not gone
    assert model.id_at(0) == 7
    model.set_head(array("q", [900, 901]))  # nothing in common
    assert list(model.ids) == [900, 901]


@given(st.lists(st.integers(0, 200), unique=True, min_size=1, max_size=60), st.sets(st.integers(0, 40), max_size=6), st.data())
def test_a_new_beginning_loses_no_row(old: list[int], moved: set[int], data: st.DataObject) -> None:
    """New mail comes in above, threads move up and some go away."""
    size = data.draw(st.integers(1, len(old)))
    up = [old[at] for at in sorted(moved) if at < len(old)]
    gone = {key for at, key in enumerate(old) if at < size and data.draw(st.booleans())} - set(up)
    new = [1000, *up, *(key for key in old if key not in set(up) | gone)]
    head = array("q", new[:size])
    model: IdModel[str] = IdModel(Reader().read, look)
    model.set_ids(array("q", old))
    model.set_head(head)
    rows = list(model.ids)
    assert len(rows) == len(set(rows))
    assert rows[: len(head)] == list(head)
    if set(head) & set(old[: 2 * len(head)]):
        assert set(rows) >= set(new) - set(old[:size])


@pytest.fixture
def view(qtbot: QtBot, stage: Stage, model: IdModel[str]) -> RowList:
    made = RowList(stage.appearance, stage.context.icons, "Rows", model)
    qtbot.addWidget(made)
    made.resize(360, 400)
    made.show()
    return made


def test_selected_rows_stay_selected_when_others_come_and_go(stage: Stage, model: IdModel[str], qtbot: QtBot) -> None:
    view = RowList(stage.appearance, stage.context.icons, "Rows", model, many=True)
    qtbot.addWidget(view)
    view.show()
    view.select_row(1)
    press("Shift+Down", on=view)
    for ids in ([8, 7, 5, 4, 3, 2, 1], [3, 1, 4, 9], list(range(2000))):
        model.set_ids(array("q", ids))
        assert {model.id_at(row) for row in view.selected_rows()} == {3, 4}
        assert model.id_at(view.current_row()) == 3


def test_the_next_row_is_chosen_when_the_current_one_goes(view: RowList, model: IdModel[str]) -> None:
    chosen: list[int] = []
    view.select_row(2)
    view.chosen.connect(chosen.append)
    model.set_ids(array("q", [5, 4, 2, 1]))
    model.set_ids(array("q", [5, 4]))
    assert (chosen, view.selected_rows()) == ([2, 4], [1])
    model.set_ids(array("q"))
    model.set_ids(array("q", [5, 4]))
    assert (chosen, view.current_row()) == ([2, 4], -1)


def in_sight(view: RowList) -> bool:
    """Whether the whole current row can be seen."""
    return view.viewport().rect().contains(view.visualRect(view.currentIndex()))


def test_home_and_end_go_to_both_ends_and_select_on_the_way(qtbot: QtBot, stage: Stage, model: IdModel[str]) -> None:
    view = RowList(stage.appearance, stage.context.icons, "Rows", model, many=True)
    qtbot.addWidget(view)
    model.set_ids(array("q", range(60)))
    view.resize(360, 400)
    view.show()
    view.select_row(3)
    for key, row in (("End", 59), ("Home", 0)):
        press(key, on=view)
        assert (view.current_row(), view.selected_rows(), in_sight(view)) == (row, [row], True)
    view.select_row(57)
    press("Shift+End", on=view)
    assert (view.current_row(), view.selected_rows()) == (59, [57, 58, 59])


def test_a_million_rows_show_at_once(qtbot: QtBot, stage: Stage) -> None:
    """Only what is on screen is read."""
    reader = Reader()
    model: IdModel[str] = IdModel(reader.read, look)
    model.set_ids(array("q", range(1_000_000)))
    view = RowList(stage.appearance, stage.context.icons, "Rows", model)
    qtbot.addWidget(view)
    view.resize(400, 600)
    view.show()
    pixmap = QPixmap(view.size())
    painter = QPainter(pixmap)
    view.render(painter, QPoint())
    painter.end()
    assert sum(map(len, reader.asked)) <= 2 * PAGE_ROWS
    view.scrollToBottom()
    assert view.grab().toImage().width() == 400
    assert sum(map(len, reader.asked)) <= 4 * PAGE_ROWS
