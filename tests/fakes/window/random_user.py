"""A user who presses anything anywhere, quickly, at any window size, while the engine may be killed.

The actions follow from the seed, the engine's timing does not, so a seed finds the same kind of failure but not always the same
one. File and print dialogs are closed at once: nothing outside the test's folder is touched.
"""

import os
import random
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QInputMethodEvent, QKeySequence
from PySide6.QtPrintSupport import QAbstractPrintDialog
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from app.domain.ids import AccountId, OutboxId, ReviewId, ThreadId
from app.domain.protocol.events import (
    ConnectionChanged,
    ConnectionState,
    Initiator,
    MailChanged,
    MemoryChanged,
    OutboxChanged,
    ReviewDecided,
    ReviewReady,
    RulesChanged,
    SettingsChanged,
    SyncPhase,
    SyncProgress,
    WorkChanged,
)
from app.domain.protocol.letter_commands import TemplatesChanged, WaitingChanged
from app.domain.wire import Event
from app.ui.window.main_window import MainWindow
from fakes.window.keyboard import Stuck, described, listener

SIZES = ((640, 480), (3840, 2160), (1280, 820), (420, 480), (900, 1400))
PLAIN = (
    "Tab", "Shift+Tab", "Up", "Down", "Left", "Right", "Home", "End", "PgUp", "PgDown", "Return", "Escape", "Space", "Backspace",
    "Delete", "Ctrl+A", "Ctrl+C", "Ctrl+V", "Ctrl+Return", "Shift+Down", "Shift+End", "Ctrl+Z", "F2", "Menu", "Alt+Down",
)  # fmt: skip
WORDS = (
    "a", "zz", "ana", "order 4411", "Ž", "漢字", "label:Invoices", "from:(", "x" * 700, "12", "0", "-1", "{{name}}", "a@b.org",
    "é😀",
)  # fmt: skip
NONE = Qt.KeyboardModifier.NoModifier
HELD = (NONE, NONE, NONE, NONE, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier)
NEVER = frozenset({"window.quit"})
CLICKED = (QAbstractButton, QAbstractItemView, QLineEdit, QPlainTextEdit, QTextEdit, QComboBox, QTabBar, QLabel, QAbstractSpinBox)


class Monkey:
    """Performs random actions. `done` has the last ones, `counts` the number of each kind.

    `tell` sends an event to the window; `engine` returns the engine's pid.
    """

    def __init__(self, window: MainWindow, seed: int, tell: Callable[[Event], None], engine: Callable[[], int]) -> None:
        self._window, self._tell, self._engine = window, tell, engine
        self.dice = random.Random(seed)
        self.done: list[str] = []
        self.counts: Counter[str] = Counter()
        self._acts: list[tuple[int, Callable[[], str]]] = [
            (30, self._shortcut),
            (26, self._key),
            (8, self._type),
            (34, self._click),
            (6, self._click_anywhere),
            (4, self._go),
            (7, self._event),
            (2, self._resize),
            (1, self._kill),
        ]

    def act(self) -> None:
        """Performs one action. Raises `Stuck` when no widget has the focus afterwards."""
        self._leave_dialogs()
        act = self.dice.choices([one for _, one in self._acts], [weight for weight, _ in self._acts])[0]
        self.counts[act.__name__.strip("_")] += 1
        self.done.append(f"{act.__name__} …")
        del self.done[:-60]
        self.done[-1] = act()

    def look(self) -> None:
        """Checks that a visible widget has the focus. Raises `Stuck`."""
        active = QApplication.activeWindow()
        if active is None or not active.isVisible():  # a window manager would activate another one when a popup closes
            (QApplication.activeModalWidget() or self._window).activateWindow()
        QCoreApplication.sendPostedEvents()
        active = QApplication.activeWindow()
        if active is not None and active.isVisible():
            listener()

    def _shortcut(self) -> str:
        actions = [one for name, one in self._window.actions_by_id.items() if name not in NEVER and one.shortcuts()]
        sequence: QKeySequence = self.dice.choice(self.dice.choice(actions).shortcuts())
        for at in range(sequence.count()):
            self._press(QKeySequence(sequence[at]))
        if self.dice.random() < 0.2:
            self._press(QKeySequence(sequence[sequence.count() - 1]))
        return f"keys {sequence.toString()} in {self._at()}"

    def _key(self) -> str:
        key = self.dice.choice(PLAIN)
        for _ in range(self.dice.choice((1, 1, 1, 2, 5))):
            self._press(QKeySequence(key))
        return f"key {key} in {self._at()}"

    def _type(self) -> str:
        words = self.dice.choice(WORDS)
        for char in words[:20]:
            if char.isascii():
                QTest.keyClicks(self._listener(), char)
            else:  # as an input method writes it
                written = QInputMethodEvent()
                written.setCommitString(char)
                QCoreApplication.sendEvent(self._listener(), written)
        target = self._listener()
        if len(words) > 20 and isinstance(target, QLineEdit | QPlainTextEdit):
            QApplication.clipboard().setText(words)
            target.paste()
        return f"type {words[:20]!r} in {self._at()}"

    def _click(self) -> str:
        top = self._top()
        there = [one for one in top.findChildren(QWidget) if isinstance(one, CLICKED) and self._reachable(one)]
        if not there:
            return "click nothing"
        target = self.dice.choice(there)
        inner = target.viewport() if isinstance(target, QAbstractItemView | QPlainTextEdit | QTextEdit) else target
        spot = QPoint(self.dice.randrange(max(inner.width(), 1)), self.dice.randrange(max(inner.height(), 1)))
        return f"{self._hit(inner, spot)} {described(target)}"

    def _click_anywhere(self) -> str:
        top = self._top()
        spot = QPoint(self.dice.randrange(max(top.width(), 1)), self.dice.randrange(max(top.height(), 1)))
        inner = top.childAt(spot) or top
        return f"{self._hit(inner, inner.mapFrom(top, spot))} {described(inner)}"

    def _hit(self, target: QWidget, spot: QPoint) -> str:
        modifier = self.dice.choice(HELD)
        way = self.dice.random()
        if way < 0.1:
            QTest.mouseDClick(target, Qt.MouseButton.LeftButton, modifier, spot)
            return "double click"
        button = Qt.MouseButton.RightButton if way < 0.15 else Qt.MouseButton.LeftButton
        self._press_and_release(target, button, modifier, spot)
        if way > 0.9 and isValid(target) and self._reachable(target):  # the first click may have removed the widget
            self._press_and_release(target, button, modifier, spot)
        return f"click {button.name}"

    @staticmethod
    def _press_and_release(target: QWidget, button: Qt.MouseButton, modifier: Qt.KeyboardModifier, spot: QPoint) -> None:
        """Presses and releases the mouse.

        A button with a menu runs the event loop while it is pressed and may be deleted before the release; Qt's own click would
        then write to freed memory.
        """
        QTest.mousePress(target, button, modifier, spot)
        if isValid(target):
            QTest.mouseRelease(target, button, modifier, spot)

    def _go(self) -> str:
        place = self.dice.choice(self._window.navigation.places.places)
        if place.name and QApplication.activePopupWidget() is None and QApplication.activeModalWidget() is None:
            self._window.show_page(place.name)
        return f"go to {place.name}"

    def _event(self) -> str:
        number = self.dice.randrange(1, 30)
        account = AccountId(self.dice.choice((1, 1, 1, 2)))
        state = self.dice.choice(list(ConnectionState))
        event: Event = self.dice.choice(
            (
                MailChanged(AccountId(1), (), Initiator.SYNC),
                MailChanged(AccountId(1), (ThreadId(number),), Initiator.SYNC),
                MailChanged(AccountId(1), (), Initiator.USER),
                ReviewReady(ReviewId(number), "reply"),
                ReviewDecided(ReviewId(number), "approved", OutboxId(0), 0),
                OutboxChanged((OutboxId(number),)),
                ConnectionChanged(account, state, 1_700_000_000_000, ""),
                SyncProgress(account, SyncPhase.BACKFILL, number, 40, 60),
                SyncProgress(account, SyncPhase.CURRENT, 40, 40, 0),
                MemoryChanged((number,)),
                SettingsChanged("a model"),
                RulesChanged(),
                TemplatesChanged(),
                WaitingChanged(),
                WorkChanged(number, 1, number % 2 == 0, 5, 900, 0.01),
            )
        )
        for _ in range(self.dice.choice((1, 2, 9))):
            self._tell(event)
        return f"event {type(event).__name__}"

    def _resize(self) -> str:
        size = self.dice.choice(SIZES)
        self._window.resize(*size)
        return f"resize {size}"

    def _kill(self) -> str:
        pid = self._engine()
        if pid and self.dice.random() < 0.3:
            os.kill(pid, signal.SIGKILL)
            return "kill the engine"
        return "spare the engine"

    def _press(self, keys: QKeySequence) -> None:
        combination = keys[0]
        with suppress(RuntimeError):  # a popup may be deleted in between
            QTest.keyClick(self._listener(), combination.key(), combination.keyboardModifiers())

    def _listener(self) -> QWidget:
        try:
            return listener()
        except Stuck:
            return self._top()

    def _at(self) -> str:
        try:
            return described(self._listener())
        except RuntimeError:  # it was a popup that was just deleted
            return "what is gone"

    def _top(self) -> QWidget:
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or QApplication.activeWindow() or self._window

    @staticmethod
    def _reachable(widget: QWidget) -> bool:
        return widget.isVisible() and widget.isEnabled() and not widget.visibleRegion().isEmpty()

    def _leave_dialogs(self) -> None:
        for one in QApplication.topLevelWidgets():
            outside = isinstance(one, QFileDialog | QAbstractPrintDialog)
            if isinstance(one, QDialog) and one.isVisible() and (outside or self.dice.random() < 0.05):
                one.reject()
