"""Addresses that the system opens with the program (macOS): none is lost before the window stands, each is told once after."""

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.store.mailbox import SqliteMailbox
from app.ui.application import WindowOptions, build_window
from app.ui.main_window import MainWindow
from app.ui.opened import Program
from fakes.recorded_engine import RecordedEngine


def open_with(app: QApplication, address: str) -> None:
    QCoreApplication.sendEvent(app, QFileOpenEvent(QUrl(address)))


def test_what_came_early_is_kept_and_what_comes_later_is_told(qapp: QApplication) -> None:
    assert isinstance(qapp, Program)
    open_with(qapp, "mailto:a@b.example")
    assert qapp.hear() == ["mailto:a@b.example"]
    told: list[str] = []
    connection = qapp.opened.connect(told.append)
    open_with(qapp, "mailto:c@d.example?subject=a%20b")
    qapp.opened.disconnect(connection)
    assert told == ["mailto:c@d.example?subject=a%20b"]
    assert qapp.hear() == []


def test_a_window_asked_to_write_begins_a_letter_and_sends_nothing(window: MainWindow) -> None:
    window.asked_to_write.emit("mailto:ann@example.org?subject=Hello&body=Text")
    assert window.name == "compose"
    letter = window.compose_page.card.letter()
    assert letter is not None
    assert ([one.email for one in letter.to], letter.subject, letter.body) == (["ann@example.org"], "Hello", "Text")


def test_without_an_account_it_says_so_and_asks_nobody_else(qtbot: QtBot, qapp: QApplication, data: DataFolder) -> None:
    reader, opened = SqliteMailbox(data.database), list[str]()
    window = build_window(data, reader, RecordedEngine(), WindowOptions(mailto="mailto:a@b.example", open_link=opened.append))
    qtbot.addWidget(window)
    window._context.open_link("mailto:a@b.example")
    window._context.open_link("https://example.org")
    assert (window.name, opened) == ("welcome", ["https://example.org"])
    reader.close()
