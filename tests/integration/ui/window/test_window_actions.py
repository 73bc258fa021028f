"""Every action of the window does something: none of the table is left without a handler."""

from PySide6.QtCore import SignalInstance
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QSignalSpy

from app.ui.actions import TABLE, ActionScope
from app.ui.pages.compose.page import ComposePage
from app.ui.window.main_window import MainWindow
from app.ui.window.navigator import WindowNavigator
from app.ui.window.toast import Toast


def test_the_windows_actions_are_the_windows(window: MainWindow) -> None:
    here = {action.objectName() for action in window.actions()}
    assert {spec.id for spec in TABLE if spec.where is ActionScope.WINDOW} == here


def test_writing_quitting_and_searching(window: MainWindow) -> None:
    quitting: SignalInstance = window.quitting
    heard = QSignalSpy(quitting)
    actions = window.actions_by_id
    actions["window.compose"].trigger()
    assert window.name == "compose"
    assert isinstance(window.page("compose"), ComposePage)
    actions["window.quit"].trigger()
    assert heard.count() == 1
    window.activateWindow()
    actions["window.search"].trigger()
    assert window.search.hasFocus()


def test_a_link_that_opens_nowhere_can_be_copied(window: MainWindow) -> None:
    navigator = window._context.navigator
    assert isinstance(navigator, WindowNavigator)
    opened = navigator.open_link("https://console.example/", lambda address: False)
    assert opened is False
    toast = window.findChild(Toast)
    assert toast is not None
    assert "No browser opened" in toast.words.text()
    toast.action.click()
    assert QGuiApplication.clipboard().text() == "https://console.example/"
