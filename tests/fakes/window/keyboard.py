"""A user without a mouse: sends keys to the focused widget and checks that a visible widget has the focus after each key.

It never calls methods of widgets; it presses keys and reads accessible names.
"""

import asyncio
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QKeyCombination, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

MOST_TABS = 150
PATIENCE_S = 30.0


class Stuck(AssertionError):
    """The keyboard cannot go on from here."""


def listener() -> QWidget:
    """The widget that gets the next key. Raises `Stuck` when no visible and enabled widget does."""
    popup = QApplication.activePopupWidget()
    widget = QApplication.focusWidget()
    if popup is not None:  # not popup.focusWidget(): PySide keeps that object only as long as the name `popup`
        return widget if widget is not None and popup.isAncestorOf(widget) and widget.isVisible() else popup
    if widget is None:
        window = QApplication.activeWindow()
        raise Stuck(f"nothing has the keyboard (active window: {window})")
    if not widget.isVisible() or not widget.isEnabled():
        raise Stuck(f"the keyboard is in {described(widget)}, which cannot be seen or used")
    return widget


def press(*keys: str, on: QWidget | None = None) -> None:
    """Presses keys in Qt's portable form, in a widget or in what has the focus at each."""
    for key in keys:
        combination: QKeyCombination = QKeySequence(key)[0]
        target = on or QApplication.focusWidget() or QApplication.activeWindow()
        QTest.keyClick(target, combination.key(), combination.keyboardModifiers())


def spoken(widget: QWidget) -> str:
    """The name that a screen reader reads."""
    if widget.accessibleName():
        return widget.accessibleName()
    if isinstance(widget, QAbstractButton | QLabel):
        return widget.text()
    return ""


def described(widget: QWidget) -> str:
    """A widget's description for failure messages."""
    return f"{type(widget).__name__} “{spoken(widget)}”"


def entered(widget: QWidget) -> str:
    """The text of a field."""
    if isinstance(widget, QLineEdit):
        return widget.text()
    if isinstance(widget, QTextEdit | QPlainTextEdit):
        return widget.toPlainText()
    return widget.currentText() if isinstance(widget, QComboBox) else ""


class Keyboard:
    """`pressed` has the keys so far, for failure messages."""

    def __init__(self) -> None:
        self.pressed: list[str] = []

    @property
    def at(self) -> str:
        """The name of the focused widget."""
        return spoken(listener())

    def press(self, *keys: str) -> None:
        """Presses keys in Qt's portable form, one after the other."""
        for key in keys:
            combination: QKeyCombination = QKeySequence(key)[0]
            self._send(combination.key(), combination.keyboardModifiers(), key)

    def type(self, text: str) -> None:
        """Types a text letter by letter into the widget focused at that moment."""
        for char in text:
            self.pressed.append(char)
            QTest.keyClicks(listener(), char)
            self._check()

    def tab_to(self, name: str, back: bool = False) -> None:
        """Presses Tab until a widget with this name has the focus. Raises `Stuck` when none does."""
        seen: list[str] = []
        for _ in range(MOST_TABS):
            if self.at.startswith(name):
                return
            seen.append(described(listener()))
            self.press("Shift+Tab" if back else "Tab")
        raise Stuck(f"Tab never reaches “{name}”: {seen}")

    def replace(self, text: str) -> None:
        """Replaces the text of a field."""
        self.press("Ctrl+A")
        self.type(text)

    def text(self) -> str:
        """The text of the focused field."""
        return entered(listener())

    async def until(self, holds: Callable[[], bool], what: str) -> None:
        """Runs the event loop until a condition holds. Raises `Stuck` after `PATIENCE_S`."""
        deadline = asyncio.get_running_loop().time() + PATIENCE_S
        while not holds():
            if asyncio.get_running_loop().time() > deadline:
                raise Stuck(f"{what} never happened; last keys: {self.pressed[-12:]}")
            await asyncio.sleep(0.005)

    def _send(self, key: Qt.Key, modifiers: Qt.KeyboardModifier, name: str) -> None:
        self.pressed.append(name)
        QTest.keyClick(listener(), key, modifiers)
        self._check()

    def _check(self) -> None:
        QCoreApplication.sendPostedEvents()
        try:
            listener()
        except Stuck as error:
            raise Stuck(f"after {self.pressed[-8:]}: {error}") from error
