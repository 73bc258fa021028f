"""Beside a subject in a narrow pane stand the tools that are pressed most, the others in a menu; the list keeps its width."""

import pytest
from pytestqt.qtbot import QtBot

from app.ui.message.thread_view import LEAST_SUBJECT
from app.ui.pages.mail.desk import MAIN
from app.ui.pages.mail.page import tools_of
from app.ui.widgets.action_buttons import ToolRow
from app.ui.window.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("qapp")


def tools(window: MainWindow) -> ToolRow:
    return window.mail_page.desk.tools


def at_width(window: MainWindow, qtbot: QtBot, width: int) -> None:
    """The inbox in a window of that width, its first mail open."""
    window.resize(width, 600)
    window.show_page("inbox")
    window.mail_page.list.select_row(0)
    qtbot.waitUntil(lambda: window.mail_page.reading.settled and window.width() == width)
    qtbot.wait(1)


def test_a_wide_pane_shows_all_with_words(window: MainWindow, qtbot: QtBot) -> None:
    at_width(window, qtbot, 1280)
    row = tools(window)
    assert not row.folded and row.more.isHidden()
    assert row.main.text() == window.actions_by_id[MAIN].text()


@pytest.mark.usefixtures("czech")
def test_a_narrow_pane_keeps_subject_and_list(window: MainWindow, qtbot: QtBot) -> None:
    at_width(window, qtbot, 1280)
    before = window.mail_page.list.width()
    for width in (1100, 1000, 900):
        at_width(window, qtbot, width)
        qtbot.waitUntil(lambda: window.mail_page.list.width() == before)
    row, page = tools(window), window.mail_page
    assert page.reading._subject.width() >= LEAST_SUBJECT
    assert row.folded and not row.more.isHidden()
    assert [name for name, tool in row.tools.items() if not tool.isHidden()] == ["mail.archive", "mail.trash", "mail.snooze"]
    at_width(window, qtbot, 1280)
    assert not row.folded


def test_the_menu_does_what_was_folded(window: MainWindow, qtbot: QtBot) -> None:
    at_width(window, qtbot, 900)
    row = tools(window)
    row._menu.aboutToShow.emit()
    listed = [action.objectName() for action in row._menu.actions()]
    assert listed == row.folded == ["mail.label", "mail.unread", "mail.star", "mail.ask"]
    assert row.main.text() == "" and row.main.accessibleName() and row.main.toolTip()


def test_another_view_folds_its_own_tools(window: MainWindow, qtbot: QtBot) -> None:
    at_width(window, qtbot, 900)
    row = tools(window)
    row.offer(tools_of(window.mail_page.view.TRASH))
    assert "mail.archive" not in [*row.folded, *row.offered]
    assert not row.tools["mail.inbox"].isHidden()
