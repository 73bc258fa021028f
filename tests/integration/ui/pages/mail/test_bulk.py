"""Several conversations at once: X, Shift+J and K, all; a bar with their number and what to do."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.domain.mail.message import SystemLabel
from app.domain.protocol.changes import ChangeLabels
from app.ui.pages.mail.page import MailPage
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.answering_engine import AnsweringEngine

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def link(store: LivelyStore) -> AnsweringEngine:
    """An engine that makes the changes."""
    return AnsweringEngine(store)


@pytest.fixture
def page(window: MainWindow) -> MailPage:
    window.show_page("inbox")
    window.activateWindow()
    window.mail_page.take_focus()
    window.mail_page.reading.settle()
    return window.mail_page


def press(qtbot: QtBot, *keys: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    for key in keys:
        qtbot.keyClick(QApplication.focusWidget(), key, modifier)


def archived(link: AnsweringEngine) -> list[tuple[int, ...]]:
    return [one.thread_ids for one in link.commands if isinstance(one, ChangeLabels) and SystemLabel.INBOX in one.remove]


def tools(page: MailPage) -> int:
    return sum(one.isVisible() for one in page._bulk_tools)


def test_x_selects_one_after_the_other(qtbot: QtBot, page: MailPage, link: AnsweringEngine) -> None:
    before = list(page.model.ids)
    assert tools(page) == 0
    press(qtbot, Qt.Key.Key_X, Qt.Key.Key_X)
    assert page.list.selected_rows() == [0, 1]
    assert page._heading.text() == "2 selected"
    assert tools(page) == 4
    press(qtbot, Qt.Key.Key_E)
    assert archived(link) == [tuple(before[:2])]
    qtbot.waitUntil(lambda: page.model.rowCount() == len(before) - 2)
    assert page.model.id_at(page.list.current_row()) == page.reading.thread_id == before[2]
    assert tools(page) == 0


def test_one_selected_is_meant_rather_than_the_open_one(qtbot: QtBot, page: MailPage, link: AnsweringEngine) -> None:
    first = page.model.id_at(0)
    press(qtbot, Qt.Key.Key_X, Qt.Key.Key_E)
    assert archived(link) == [(first,)]


def test_shift_j_and_k_extend(qtbot: QtBot, page: MailPage, link: AnsweringEngine) -> None:
    page.list.select_row(1)
    press(qtbot, Qt.Key.Key_J, Qt.Key.Key_J, modifier=SHIFT)
    assert page.list.selected_rows() == [1, 2, 3]
    press(qtbot, Qt.Key.Key_Escape)
    assert len(page.list.selected_rows()) == 1
    press(qtbot, Qt.Key.Key_K, modifier=SHIFT)
    assert page.list.selected_rows() == [2, 3]


def test_star_and_a_select_all(qtbot: QtBot, page: MailPage, link: AnsweringEngine) -> None:
    press(qtbot, Qt.Key.Key_Asterisk, Qt.Key.Key_A)
    assert page.list.selected_count() == page.model.rowCount()
    page._bulk_tools[0].click()
    assert [len(one) for one in archived(link)] == [page.model.rowCount()] or page.model.rowCount() == 0


def test_what_x_passes_is_not_read(qtbot: QtBot, page: MailPage, link: AnsweringEngine) -> None:
    press(qtbot, Qt.Key.Key_X, Qt.Key.Key_X, Qt.Key.Key_X)
    qtbot.wait(500)
    assert link.commands == []
