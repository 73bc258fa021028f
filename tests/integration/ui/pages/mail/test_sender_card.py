"""The sender's card beside a conversation: shown by key or click or in a wide pane, with the last conversations."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.ui.message.header import Monogram
from app.ui.pages.mail.page import MailPage
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.keyboard import press


@pytest.fixture
def page(window: MainWindow, store: LivelyStore, qtbot: QtBot) -> MailPage:
    window.show_page("inbox")
    window.activateWindow()
    page = window.mail_page
    page.list.select_row(page.model.row_of(store.mails["m03"].thread_id))
    qtbot.waitUntil(lambda: page.reading.settled and page.reading.thread_id == store.mails["m03"].thread_id)
    page.take_focus()
    return page


def lines(page: MailPage) -> list[QPushButton]:
    return [one for one in page.desk.card.findChildren(QPushButton) if one.isVisible()]


def test_a_key_or_a_click_shows_it_and_a_line_opens_a_conversation(
    qtbot: QtBot, page: MailPage, store: LivelyStore, window: MainWindow
) -> None:
    card = page.desk.card
    assert not card.isVisible(), "the pane is narrow"
    press("Shift+P")
    assert card.isVisible()
    qtbot.waitUntil(lambda: [one.text() for one in lines(page)] == ["Invoice for the accountant"])
    qtbot.mouseClick(lines(page)[0], Qt.MouseButton.LeftButton)
    assert (window.name, window.mail_page.reading.thread_id) == ("all", store.mails["m10"].thread_id)
    qtbot.mouseClick(page.reading.findChildren(Monogram)[0], Qt.MouseButton.LeftButton)
    assert not card.isVisible()


def test_a_wide_pane_has_it_unless_the_owner_hid_it(qtbot: QtBot, page: MailPage, window: MainWindow) -> None:
    window.resize(1800, 900)
    qtbot.waitUntil(page.desk.card.isVisible)
    window.resize(1280, 820)
    qtbot.waitUntil(lambda: not page.desk.card.isVisible())
    window.resize(1800, 900)
    qtbot.waitUntil(page.desk.card.isVisible)
    press("Shift+P")
    window.resize(1700, 900)
    qtbot.wait(30)
    assert not page.desk.card.isVisible()
