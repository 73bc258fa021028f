"""Several conversations at once (X, Shift+J and K, all) with their bar, and which one is next after one left the list."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.domain.ids import ThreadId
from app.domain.mail.message import SystemLabel
from app.domain.protocol.changes import ChangeLabels, UndoChange, Unmute
from app.ui.pages.mail.page import MailPage
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.answering_engine import AnsweringEngine
from fakes.window.keyboard import press


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


def archived_at_once(link: AnsweringEngine) -> list[tuple[int, ...]]:
    return [one.thread_ids for one in link.commands if isinstance(one, ChangeLabels) and SystemLabel.INBOX in one.remove]


def tools(page: MailPage) -> int:
    return sum(one.isVisible() for one in page.desk.bulk_tools)


def test_x_marks_and_stays_and_j_goes_on(qtbot: QtBot, page: MailPage, link: AnsweringEngine) -> None:
    before = list(page.model.ids)
    assert tools(page) == 0
    press("X")
    assert page.list.current_row() == 0
    assert page._heading.text() == "1 selected"
    press("J", "Down", "X")
    assert page.list.selected_rows() == [0, 2]
    assert page.list.current_row() == 2
    assert page._heading.text() == "2 selected"
    assert tools(page) == 4
    press("E")
    assert archived_at_once(link) == [(before[0], before[2])]
    qtbot.waitUntil(lambda: page.model.rowCount() == len(before) - 2)
    assert page.model.id_at(page.list.current_row()) == page.reading.thread_id == before[3]
    assert tools(page) == 0


def test_a_click_ends_marking(qtbot: QtBot, page: MailPage) -> None:
    press("X")
    spot = page.list.visualRect(page.model.index(0, 0)).center()
    qtbot.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert (page._heading.text(), page.list.selected_rows()) == ("Inbox", [0])


def test_shift_j_and_k_extend(page: MailPage, link: AnsweringEngine) -> None:
    page.list.select_row(1)
    press("Shift+J", "Shift+J")
    assert page.list.selected_rows() == [1, 2, 3]
    press("Escape")
    assert len(page.list.selected_rows()) == 1
    press("Shift+K")
    assert page.list.selected_rows() == [2, 3]


@pytest.mark.parametrize(("keys", "rows"), [("X", [0, 1]), ("XJ", [0, 1, 2])])
def test_a_range_from_a_marked_row_is_unbroken(page: MailPage, keys: str, rows: list[int]) -> None:
    press(*keys, "Shift+J")
    assert page.list.selected_rows() == rows


def test_star_and_a_select_all(page: MailPage, link: AnsweringEngine) -> None:
    press("*", "A")
    assert page.list.selected_count() == page.model.rowCount()
    page.desk.bulk_tools[0].click()
    assert [len(one) for one in archived_at_once(link)] == [page.model.rowCount()] or page.model.rowCount() == 0


def test_what_x_passes_is_not_read(qtbot: QtBot, page: MailPage, link: AnsweringEngine) -> None:
    press("X", "J", "X", "J")
    qtbot.wait(500)
    assert link.commands == []


def open_thread(page: MailPage) -> int:
    """The conversation in the pane, which must be the only chosen row."""
    assert page.list.selected_rows() == [page.list.current_row()]
    assert page.model.id_at(page.list.current_row()) == page.reading.thread_id
    return int(page.reading.thread_id or 0)


def archived(link: AnsweringEngine) -> list[int]:
    wanted = [one for one in link.commands if isinstance(one, ChangeLabels) and SystemLabel.INBOX in one.remove]
    return [thread for one in wanted for thread in one.thread_ids]


def read_again(qtbot: QtBot, page: MailPage, count: int) -> None:
    """Waits until the list was read with `count` rows."""
    qtbot.waitUntil(lambda: page.model.rowCount() == count)


@pytest.mark.parametrize("slow", [False, True])
def test_five_archived_downwards(qtbot: QtBot, page: MailPage, link: AnsweringEngine, slow: bool) -> None:
    before = list(page.model.ids)
    link.held = slow
    for at in range(5):
        press("E")
        assert open_thread(page) == before[at + 1]
        if not slow:
            read_again(qtbot, page, len(before) - at - 1)
            assert open_thread(page) == before[at + 1], "the list without it keeps the choice"
    link.release()
    read_again(qtbot, page, len(before) - 5)
    assert archived(link) == before[:5]
    assert open_thread(page) == before[5]


@pytest.mark.parametrize("key", ["Delete", "!"])
def test_trash_and_spam_go_to_the_next_older_one(qtbot: QtBot, page: MailPage, key: str) -> None:
    before = list(page.model.ids)
    press("J", key)
    read_again(qtbot, page, len(before) - 1)
    assert open_thread(page) == before[2]


def test_undo_chooses_what_came_back(qtbot: QtBot, page: MailPage, link: AnsweringEngine) -> None:
    before = list(page.model.ids)
    press("J", "E")
    read_again(qtbot, page, len(before) - 1)
    press("Z")
    read_again(qtbot, page, len(before))
    assert open_thread(page) == before[1]
    press("Delete")
    trashed = link.commands[-1]
    assert isinstance(trashed, ChangeLabels) and trashed.thread_ids == (before[1],)


def test_undo_after_the_notice_is_gone_step_by_step(
    qtbot: QtBot, page: MailPage, link: AnsweringEngine, window: MainWindow
) -> None:
    before = list(page.model.ids)
    press("E", "E", "S")
    keys = [one.key for one in link.commands if isinstance(one, ChangeLabels) and SystemLabel.UNREAD not in one.remove]
    toast = window.findChild(Toast)
    toast.dismiss()
    press("Ctrl+Z", "Z", "Ctrl+Z")
    assert [one.key for one in link.commands if isinstance(one, UndoChange)] == keys[::-1]
    read_again(qtbot, page, len(before))
    assert open_thread(page) == before[0]
    press("Z")
    assert toast.words.text() == "Nothing to undo."


def test_several_come_back_chosen(qtbot: QtBot, page: MailPage) -> None:
    before = list(page.model.ids)
    page.list.select_rows([1, 2])
    press("E")
    read_again(qtbot, page, len(before) - 2)
    assert open_thread(page) == before[3]
    press("Z")
    read_again(qtbot, page, len(before))
    assert page.list.selected_rows() == [1, 2]


def test_nothing_left_and_no_key_acts(page: MailPage, link: AnsweringEngine) -> None:
    press("Ctrl+A", "E")
    assert page.reading.thread_id is None
    count = len(link.commands)
    press("E")
    assert len(link.commands) == count


def write_setting(data: DataFolder, value: str) -> None:
    data.settings.write_text(f'[reading]\nafter_archive = "{value}"\n', encoding="utf-8")


def test_back_to_the_list_on_wish(qtbot: QtBot, page: MailPage, data: DataFolder, link: AnsweringEngine) -> None:
    write_setting(data, "list")
    before = list(page.model.ids)
    press("E")
    read_again(qtbot, page, len(before) - 1)
    assert page.reading.thread_id is None
    assert page.list.selected_rows() == [0]
    press("E")
    assert archived(link) == before[:2], "a key acts on the marked row"


def test_what_another_program_archived_gives_way_to_the_next_older_one(
    qtbot: QtBot, page: MailPage, link: AnsweringEngine
) -> None:
    before = list(page.model.ids)
    page.list.select_row(1)
    link.send(ChangeLabels("elsewhere", (page.desk.targets()[0],), (), ("INBOX",)))
    read_again(qtbot, page, len(before) - 1)
    assert open_thread(page) == before[2]


def test_m_mutes_and_undo_brings_it_back_chosen(qtbot: QtBot, page: MailPage, link: AnsweringEngine, window: MainWindow) -> None:
    first, second = page.model.id_at(0), page.model.id_at(1)
    assert window.actions_by_id["mail.mute"].text() == "Mute"
    press("M")
    qtbot.waitUntil(lambda: page.model.row_of(first) < 0)
    assert open_thread(page) == second
    press("Ctrl+Z")
    qtbot.waitUntil(lambda: page.model.row_of(first) >= 0 and page.reading.thread_id == first)
    press("M")
    window.show_page("all")
    page.open(ThreadId(first))
    page.reading.settle()
    assert window.actions_by_id["mail.mute"].text() == "Unmute"
    assert page.context.reader.thread_rows([ThreadId(first)])[ThreadId(first)].muted
    page.take_focus()
    press("M")
    assert link.commands[-1] == Unmute((ThreadId(first),))
    assert not page.context.reader.thread_rows([ThreadId(first)])[ThreadId(first)].muted
