"""Keys: presets without conflicts, changes by hand, conflicts shown, the cheat sheet in step."""

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.ui.actions import TABLE
from app.ui.pages.shortcuts import (
    CHANGED,
    CheatSheet,
    Conflict,
    KeyTable,
    ShortcutsPage,
    conflicts,
    preset_keys,
    presets,
)
from app.ui.window.main_window import MainWindow
from fakes.window.page_setup import cut, nameless


@pytest.fixture
def table(window: MainWindow) -> KeyTable:
    return KeyTable(window.context.state, window.actions_by_id)


@pytest.fixture
def page(window: MainWindow) -> ShortcutsPage:
    window.show_page("shortcuts")
    made = window.page("shortcuts")
    assert isinstance(made, ShortcutsPage)
    return made


@pytest.mark.parametrize("preset", presets())
def test_presets_name_actions_and_have_no_conflicts(preset: str) -> None:
    assert set(presets()[preset]) <= {spec.id for spec in TABLE}
    assert conflicts(preset_keys(preset)) == []
    assert all(QKeySequence(key).count() > 0 for keys in preset_keys(preset).values() for key in keys)


def test_conflicts_are_found_where_both_keys_work() -> None:
    keys = preset_keys("standard")
    assert conflicts({**keys, "review.edit": ("X",)}) == [Conflict("X", "review.edit", "review.select")]
    assert conflicts({**keys, "memory.add": ("X",)}) == []
    assert conflicts({**keys, "window.sync": ("X",)})
    assert conflicts({**preset_keys("gmail"), "mail.snooze": ("G",)})


def test_gmails_keys_work_from_the_first_day(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    window.show_page("inbox")
    for keys, page in (
        ((Qt.Key.Key_G, Qt.Key.Key_T), "sent"),
        ((Qt.Key.Key_G, Qt.Key.Key_I), "inbox"),
        ((Qt.Key.Key_C,), "compose"),
    ):
        for key in keys:
            qtbot.keyClick(QApplication.focusWidget(), key)
        qtbot.waitUntil(lambda page=page: window.name == page)


def test_a_preset_and_changes_by_hand(window: MainWindow, table: KeyTable) -> None:
    actions = window.actions_by_id
    table.write("gmail", {})
    assert actions["window.compose"].shortcut() == QKeySequence("C")
    table.put("mail.archive", ("Y",))
    table.write("native", table.changed)
    assert actions["mail.archive"].shortcut() == QKeySequence("Y")
    assert actions["mail.trash"].shortcut() == QKeySequence("Delete")
    table.put("mail.archive", None)
    assert actions["mail.archive"].shortcut() == QKeySequence("Backspace")
    again = KeyTable(QSettings(window.context.state.fileName(), QSettings.Format.IniFormat), actions)
    window.context.state.sync()
    assert again.preset == "native"
    for stored in ("[nonsense", '{"no.such": ["X"]}'):
        window.context.state.setValue(CHANGED, stored)
        assert table.changed == {}


def test_going_through_the_lines_changes_nothing(page: ShortcutsPage) -> None:
    """Also where Qt writes a key in another way than the preset: "Del" for "Delete"."""
    for preset in presets():
        page.table.write(preset, {})
        page.refresh()
        for edit in page.edits.values():
            edit.editingFinished.emit()
        assert not page.table.changed
        assert not page.forget.isEnabled()


def test_the_page_shows_conflicts_and_the_sheet_follows(window: MainWindow, page: ShortcutsPage) -> None:
    assert "Changes apply right away" in page.summary.text()
    assert not page.forget.isEnabled()
    page.edits["review.edit"].setKeySequence(QKeySequence("X"))
    page.edits["review.edit"].editingFinished.emit()
    assert page.notes["review.edit"].text() == "the same as: Select", "not what the button says of the review on screen"
    assert page.summary.property("tone") == "danger"
    sheet = CheatSheet(window.actions_by_id, window)
    assert [made.text() for made in sheet.findChildren(QLabel)].count("X") >= 2
    assert [name for name, back in page.backs.items() if back.isEnabled()] == ["review.edit"]
    page.forget.click()
    assert not page.backs["review.edit"].isEnabled()
    assert "Changes apply right away" in page.summary.text()
    assert not nameless(page)
    assert not cut(page)


def test_a_preset_and_forgetting_go_back(window: MainWindow, page: ShortcutsPage, table: KeyTable) -> None:
    table.put("mail.archive", ("Y",))
    page.refresh()
    before = table.keys()
    toast = window.context.notices.toast  # type: ignore[attr-defined]
    page.forget.click()
    assert table.changed == {}
    toast.action.click()
    assert table.keys() == before
    page.preset.setCurrentIndex(page.preset.findData("native"))
    page.preset.activated.emit(page.preset.currentIndex())
    assert table.preset == "native"
    toast.action.click()
    assert table.keys() == before
    assert page.preset.currentData() == "standard"
    assert window.actions_by_id["mail.archive"].shortcut() == QKeySequence("Y")


def test_the_page_belongs_to_the_settings_and_the_way_back_is_a_click(window: MainWindow) -> None:
    window.show_page("shortcuts")
    places = window.navigation
    at = places.currentIndex()
    assert at.isValid() and places.places.places[at.row()].name == "settings"
    QTest.mouseClick(places.viewport(), Qt.MouseButton.LeftButton, pos=places.visualRect(at).center())
    assert window.name == "settings"
    window.show_page("shortcuts")
    window.navigation.set_labels([])
    assert places.places.places[places.currentIndex().row()].name == "settings"
