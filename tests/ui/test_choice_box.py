"""Whoever scrolls a page changes nothing that passes below the pointer."""

import ast
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from pytestqt.qtbot import QtBot

from app.ui.choice_box import ChoiceBox

ELSEWHERE = {"app/ui/choice_box.py"}


def test_the_wheel_chooses_nothing(qtbot: QtBot) -> None:
    box = ChoiceBox()
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
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == "two"


def test_every_box_of_the_window_is_one(root: Path) -> None:
    made = {
        str(path.relative_to(root).as_posix())
        for path in (root / "app" / "ui").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "QComboBox"
    }
    assert made <= ELSEWHERE
