"""Return presses a button that has the keyboard, in a window as in a dialog; with Ctrl it is somebody else's key.

Whoever scrolls a page changes nothing that passes below the pointer.
"""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.action_buttons import KeyButton
from app.ui.widgets.factory import action_button, button, column
from app.ui.widgets.form_controls import ChoiceBox
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage

NONE, CONTROL, PAD = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.KeypadModifier


@pytest.mark.parametrize(
    ("key", "modifier", "times"),
    [
        (Qt.Key.Key_Return, NONE, 1),
        (Qt.Key.Key_Enter, PAD, 1),
        (Qt.Key.Key_Space, NONE, 1),
        (Qt.Key.Key_Return, CONTROL, 0),
        (Qt.Key.Key_A, NONE, 0),
    ],
)
def test_what_presses_it(qtbot: QtBot, key: Qt.Key, modifier: Qt.KeyboardModifier, times: int) -> None:
    pressed: list[int] = []
    made = button("Start", "primary", lambda: pressed.append(1))
    qtbot.addWidget(made)
    made.show()
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QCoreApplication.sendEvent(made, QKeyEvent(kind, key, modifier))
    assert len(pressed) == times


@pytest.mark.parametrize(("turns", "times"), [(False, 2), (True, 1)])
def test_a_double_click_does_not_turn_round_what_it_did(qtbot: QtBot, turns: bool, times: int) -> None:
    pressed: list[int] = []
    made = button("Start", "", lambda: pressed.append(1), turns=turns)
    qtbot.addWidget(made)
    made.show()
    at, left, none = QPointF(made.rect().center()), Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    kinds = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease, QEvent.Type.MouseButtonDblClick)
    for kind in (*kinds, QEvent.Type.MouseButtonRelease):
        held = none if kind is QEvent.Type.MouseButtonRelease else left
        QCoreApplication.sendEvent(made, QMouseEvent(kind, at, made.mapToGlobal(at), left, held, NONE))
    assert len(pressed) == times


@pytest.mark.parametrize("make", [action_button, KeyButton])
def test_an_action_that_is_not_offered_has_no_button(qtbot: QtBot, make: Callable[[QAction], QPushButton]) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    action = QAction("Stop", page, visible=False)
    made = make(action)
    column(page).addWidget(made)
    page.show()
    assert not made.isVisible()
    action.setVisible(True)
    assert made.isVisible()


def test_the_wheel_chooses_nothing(qtbot: QtBot, stage: Stage) -> None:
    box = ChoiceBox(stage.context.icons)
    qtbot.addWidget(box)
    box.addItems(["one", "two"])
    box.show()
    box.setFocus()
    at = QPointF(box.rect().center())
    down, none = QPoint(0, -120), Qt.KeyboardModifier.NoModifier
    turned = QWheelEvent(at, box.mapToGlobal(at), down, down, Qt.MouseButton.NoButton, none, Qt.ScrollPhase.NoScrollPhase, False)
    QCoreApplication.sendEvent(box, turned)
    assert not turned.isAccepted(), "it goes on to what scrolls"
    assert box.currentText() == "one"
    press("Down", on=box)
    assert box.currentText() == "two"
