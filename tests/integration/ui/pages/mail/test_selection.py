"""Several conversations at once with their bar, which one is next after one left the list, and what is marked as read."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.domain.ids import ThreadId
from app.domain.mail.message import SystemLabel
from app.domain.protocol.changes import ChangeLabels, UndoChange, Unmute
from app.ui.lists.view import RowList
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


def removed(link: AnsweringEngine, label: SystemLabel) -> list[tuple[ThreadId, ...]]:
    return [one.thread_ids for one in link.commands if isinstance(one, ChangeLabels) and label in one.remove]


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
    assert removed(link, SystemLabel.INBOX) == [(before[0], before[2])]
    qtbot.waitUntil(lambda: page.model.rowCount() == len(before) - 2)
    assert page.model.id_at(page.list.current_row()) == page.reading.thread_id == before[3]
    assert tools(page) == 0


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
    return [thread for threads in removed(link, SystemLabel.INBOX) for thread in threads]


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


def test_the_next_newer_one_on_wish(qtbot: QtBot, page: MailPage, data: DataFolder) -> None:
    data.settings.write_text('[reading]\nafter_archive = "newer"\n', encoding="utf-8")
    before = list(page.model.ids)
    page.list.select_row(2)
    press("E")
    read_again(qtbot, page, len(before) - 1)
    assert open_thread(page) == before[1]


def test_back_to_the_list_on_wish(qtbot: QtBot, page: MailPage, data: DataFolder, link: AnsweringEngine) -> None:
    data.settings.write_text('[reading]\nafter_archive = "list"\n', encoding="utf-8")
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


def step(qtbot: QtBot, page: MailPage, key: str) -> None:
    press(key)
    qtbot.waitUntil(lambda: page.reading.settled)


def marked(link: AnsweringEngine) -> list[int]:
    return [thread for threads in removed(link, SystemLabel.UNREAD) for thread in threads]


def unread(page: MailPage) -> list[int]:
    rows = page.context.reader.thread_rows(list(page.context.reader.thread_ids(page.view)))
    return [one for one in page.model.ids if rows[one].unread]  # type: ignore[index]


def test_reading_with_j_marks_each(qtbot: QtBot, page: MailPage, link: AnsweringEngine, window: MainWindow) -> None:
    before = unread(page)
    assert len(before) > 2
    counts: list[int] = []
    window.counted.connect(lambda number, *_: counts.append(number))
    for _ in range(page.model.rowCount() - 1):
        step(qtbot, page, "J")
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
    step(qtbot, page, "J")
    step(qtbot, page, "K")
    assert first not in unread(page)
    step(qtbot, page, "U")
    assert first in unread(page)
    step(qtbot, page, "J")
    qtbot.wait(400)
    assert first in unread(page)


@pytest.mark.parametrize("value", ["never", "5s"])
def test_never_or_later_on_wish(qtbot: QtBot, page: MailPage, link: AnsweringEngine, data: DataFolder, value: str) -> None:
    data.settings.write_text(f'[reading]\nmark_read = "{value}"\n', encoding="utf-8")
    step(qtbot, page, "J")
    qtbot.wait(500)
    step(qtbot, page, "J")
    assert marked(link) == []
