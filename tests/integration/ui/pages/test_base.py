"""A page whose file cannot be read says so, and comes back when it can.

A dialog tells its page when it is shown, typed into and put away; what it is for survives as words.
"""

import shutil

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.domain.protocol.events import Initiator, MailChanged
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.startup.application import build_window
from app.ui.startup.options import WindowOptions
from app.ui.widgets.split_view import EmptyState
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.recorded_engine import RecordedEngine


def replaced(data: DataFolder, filled: LivelyStore, broken: bool) -> None:
    """The file is a good one, or all its pages but the first are overwritten."""
    other = data.root / "other.db"
    shutil.copyfile(filled.path, other)
    if broken:
        with other.open("r+b") as out:
            out.seek(4096)
            out.write(b"\xa5" * (other.stat().st_size - 4096))
    other.replace(data.database)


@pytest.fixture
def broken(qtbot: QtBot, data: DataFolder, filled: LivelyStore, link: RecordedEngine) -> MainWindow:
    """A window that starts over a damaged file."""
    replaced(data, filled, broken=True)
    window = build_window(data, SqliteMailboxReader(data.database), link, WindowOptions(clock=filled.clock))
    qtbot.addWidget(window)
    window.resize(1280, 820)
    window.show()
    qtbot.waitExposed(window)
    return window


def cover(window: MainWindow, name: str) -> EmptyState:
    (found,) = [one for one in window.page(name).findChildren(EmptyState) if one.parent() is window.page(name)]
    return found


@pytest.mark.parametrize("name", ["review", "inbox", "outbox", "waiting", "memory", "drafts", "assistant"])
def test_a_damaged_file_is_told_by_every_page_that_reads_it(broken: MainWindow, name: str) -> None:
    broken.show_page(name)
    shown = broken.page("mail" if name == "inbox" else name)
    covers = [one for one in shown.findChildren(EmptyState) if one.isVisible() and "damaged" in one.accessibleName()]
    assert len(covers) == 1
    assert covers[0].size() == shown.size()


def test_the_page_comes_back_with_the_file(
    qtbot: QtBot, broken: MainWindow, data: DataFolder, filled: LivelyStore, link: RecordedEngine
) -> None:
    over = cover(broken, "review")
    assert over.isVisible()
    again = next(one for one in over.findChildren(QPushButton) if one.isVisible())
    again.click()
    assert over.isVisible()
    replaced(data, filled, broken=False)
    link.tell(MailChanged(filled.account_id, (), Initiator.SYNC))
    qtbot.waitUntil(over.isHidden, timeout=30_000)
    assert broken.review_page.queue.count


@pytest.mark.expects_warnings
def test_a_queue_that_cannot_be_read_is_not_called_empty(
    qtbot: QtBot, broken: MainWindow, data: DataFolder, filled: LivelyStore, link: RecordedEngine
) -> None:
    page, focus = broken.review_page, broken.actions_by_id["review.focus"]
    broken.show_page("review")
    focus.trigger()
    toast = broken.findChild(Toast)
    assert toast is not None and "damaged" in toast.words.text()
    assert not page.focus_mode.on
    replaced(data, filled, broken=False)
    toast.dismiss()
    focus.trigger()
    assert page.focus_mode.on and page.fault == "", "it is read again when it is asked for"
    replaced(data, filled, broken=True)
    link.tell(MailChanged(filled.account_id, (), Initiator.SYNC))
    qtbot.waitUntil(lambda: bool(page.fault), timeout=30_000)
    assert not page.focus_mode.on and broken.navigation.isVisible(), "a page that cannot be read leaves the way to the others"
