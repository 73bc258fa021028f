"""Opening a conversation marks it as read, as the setting says; skimming does not."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.domain.mail.message import SystemLabel
from app.domain.protocol.changes import ChangeLabels
from app.ui.lists.view import RowList
from app.ui.pages.mail.page import MailPage
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.answering_engine import AnsweringEngine


@pytest.fixture
def link(store: LivelyStore) -> AnsweringEngine:
    """An engine that makes the changes."""
    return AnsweringEngine(store)


@pytest.fixture
def page(qtbot: QtBot, window: MainWindow) -> MailPage:
    window.show_page("inbox")
    window.activateWindow()
    window.mail_page.take_focus()
    qtbot.waitUntil(lambda: window.mail_page.reading.settled)
    return window.mail_page


def press(qtbot: QtBot, page: MailPage, key: Qt.Key) -> None:
    qtbot.keyClick(QApplication.focusWidget(), key)
    qtbot.waitUntil(lambda: page.reading.settled)


def marked(link: AnsweringEngine) -> list[int]:
    wanted = [one for one in link.commands if isinstance(one, ChangeLabels) and one.remove == (SystemLabel.UNREAD.value,)]
    return [thread for one in wanted for thread in one.thread_ids]


def unread(page: MailPage) -> list[int]:
    rows = page.context.reader.thread_rows(list(page.context.reader.thread_ids(page.view)))
    return [one for one in page.model.ids if rows[one].unread]  # type: ignore[index]


def test_reading_with_j_marks_each(qtbot: QtBot, page: MailPage, link: AnsweringEngine, window: MainWindow) -> None:
    before = unread(page)
    assert len(before) > 2
    counts: list[int] = []
    window.counted.connect(lambda number, *_: counts.append(number))
    for _ in range(page.model.rowCount() - 1):
        press(qtbot, page, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: marked(link) == before)
    qtbot.waitUntil(lambda: counts[-1:] == [0])
    assert unread(page) == []


def test_what_was_new_stays_bold_until_one_goes_elsewhere(
    qtbot: QtBot, page: MailPage, link: AnsweringEngine, store: LivelyStore
) -> None:
    new = store.mails["m03"]

    def bold() -> list[bool]:
        lines = page.reading.findChild(RowList).model()  # type: ignore[attr-defined]
        return [lines.look(row).strong for row in range(lines.rowCount())]

    page.list.select_row(page.model.row_of(new.thread_id))
    qtbot.waitUntil(lambda: new.thread_id in marked(link))
    qtbot.waitUntil(lambda: not page.reading.unread)
    assert bold() == [False, False, True]
    for other in ("m04", "m03"):
        page.list.select_row(page.model.row_of(store.mails[other].thread_id))
        qtbot.waitUntil(lambda: page.reading.settled)
    assert bold() == [False, False, False]


def test_what_the_page_opened_unasked_stays_unread(qtbot: QtBot, page: MailPage, link: AnsweringEngine) -> None:
    qtbot.wait(500)
    assert marked(link) == []


def test_a_held_key_marks_nothing_on_the_way(qtbot: QtBot, page: MailPage, link: AnsweringEngine) -> None:
    none = Qt.KeyboardModifier.NoModifier
    for _ in range(page.model.rowCount() - 1):
        page.event(QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_J, none, "j", True))
        page.context.actions["mail.next"].trigger()
        page.reading.settle()
    assert marked(link) == []


def test_marked_unread_by_hand_it_stays_so(qtbot: QtBot, page: MailPage, link: AnsweringEngine) -> None:
    first = page.model.id_at(0)
    press(qtbot, page, Qt.Key.Key_J)
    press(qtbot, page, Qt.Key.Key_K)
    assert first not in unread(page)
    press(qtbot, page, Qt.Key.Key_U)
    assert first in unread(page)
    press(qtbot, page, Qt.Key.Key_J)
    qtbot.wait(400)
    assert first in unread(page)


@pytest.mark.parametrize("value", ["never", "5s"])
def test_never_or_later_on_wish(qtbot: QtBot, page: MailPage, link: AnsweringEngine, data: DataFolder, value: str) -> None:
    data.settings.write_text(f'[reading]\nmark_read = "{value}"\n', encoding="utf-8")
    press(qtbot, page, Qt.Key.Key_J)
    qtbot.wait(500)
    press(qtbot, page, Qt.Key.Key_J)
    assert marked(link) == []


def test_undo_is_not_for_reading(qtbot: QtBot, page: MailPage, link: AnsweringEngine) -> None:
    press(qtbot, page, Qt.Key.Key_J)
    assert marked(link) != []
    count = len(link.commands)
    press(qtbot, page, Qt.Key.Key_Z)
    assert len(link.commands) == count
