"""Before there is an account the window has only Welcome; the sample's window is marked."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.pages.welcome.page import CONNECT_GMAIL, WelcomePage
from app.ui.startup.application import WindowOptions, build_window
from app.ui.window.main_window import MainWindow
from fakes.engine.store.run_store import RunStore
from fakes.window.keyboard import Keyboard
from fakes.window.recorded_engine import RecordedEngine


@pytest.fixture(params=[False, True])
def fresh(qtbot: QtBot, qapp: QApplication, data: DataFolder, request: pytest.FixtureRequest) -> Iterator[MainWindow]:
    """A window without an account; of the sample mailbox for `True`."""
    qapp.setStyleSheet("")
    RunStore(data.database).close()
    reader = SqliteMailboxReader(data.database)
    made = build_window(data, reader, RecordedEngine(), WindowOptions(sample=request.param))
    made.resize(1000, 760)
    with qtbot.waitExposed(made, timeout=30_000):
        made.show()
    made.activateWindow()
    yield made
    made.close()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    reader.close()


@pytest.mark.parametrize("fresh", [False], indirect=True)
def test_only_welcome_is_there_before_an_account(fresh: MainWindow, qtbot: QtBot) -> None:
    page = fresh.page("welcome")
    assert isinstance(page, WelcomePage)
    page.choose.connect_gmail.click()
    qtbot.waitUntil(page.guide.isVisible)
    keys = Keyboard()
    for pressed in ("/", "?", "Ctrl+K", "Ctrl+1", "Ctrl+8", "Ctrl+N", "Ctrl+,"):
        keys.press(pressed)
        assert fresh.name == "welcome", pressed
        assert page.guide.isVisible(), pressed
        assert not [one for one in fresh.findChildren(QDialog) if one.isVisible()], pressed
    assert not fresh.navigation.isVisible()
    assert not fresh.search.isVisible()
    keys.press("Escape")
    qtbot.waitUntil(page.choose.isVisible)
    assert not fresh.sample_strip.isVisible()


@pytest.mark.parametrize("fresh", [True], indirect=True)
def test_the_samples_window_is_marked_and_leads_to_gmail(fresh: MainWindow) -> None:
    assert fresh.sample_strip.isVisible()
    assert "Sample" in fresh.windowTitle()
    quitting = QSignalSpy(fresh.quitting)
    fresh.sample_strip.connect_gmail.click()
    assert quitting.count() == 1
    assert fresh.exit_code == CONNECT_GMAIL
