"""The inbox in splits: by click and key, with counts; each conversation is in one."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.domain.protocol.views import SPLITS, MailView
from app.ui.pages.mail.page import MailPage
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore


@pytest.fixture
def page(window: MainWindow) -> MailPage:
    window.show_page("inbox")
    window.activateWindow()
    window.mail_page.take_focus()
    return window.mail_page


def test_each_conversation_of_the_inbox_is_in_one(page: MailPage) -> None:
    reader = page.context.reader
    parts = [list(reader.thread_ids(split)) for split in SPLITS]
    assert sorted(one for part in parts for one in part) == sorted(reader.thread_ids(MailView.INBOX))
    assert reader.split_counts() == {split: len(part) for split, part in zip(SPLITS, parts, strict=True) if part}
    for split, part in zip(SPLITS, parts, strict=True):
        assert reader.still_in(split, part) == frozenset(part)


def test_keys_go_from_split_to_split(qtbot: QtBot, page: MailPage, store: LivelyStore, window: MainWindow) -> None:
    seen = []
    for _ in SPLITS:
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_QuoteLeft)
        seen.append(window.name)
        assert window.navigation.currentIndex().row() >= 0, "the inbox stays marked"
    assert seen == list(map(str, SPLITS))
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_QuoteLeft)
    assert window.name == "inbox"


def test_a_click_lists_what_needs_a_reply(qtbot: QtBot, page: MailPage, store: LivelyStore) -> None:
    link = page.splits.buttons[MailView.NEEDS_REPLY]
    assert any(letter.isdigit() for letter in link.text())
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    assert page.model.row_of(store.mails["m04"].thread_id) >= 0
    assert page.model.row_of(store.mails["m06"].thread_id) < 0, "a newsletter"
    assert page.model.rowCount() == page.context.reader.split_counts()[MailView.NEEDS_REPLY]


def test_other_lists_have_no_splits(page: MailPage, window: MainWindow) -> None:
    assert page.splits.isVisible()
    window.show_page("sent")
    assert not page.splits.isVisible()
