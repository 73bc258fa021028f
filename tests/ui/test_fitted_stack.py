"""A stack is as high as what it shows."""

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.ui.fitted_stack import FittedStack


def test_it_asks_for_the_page_on_show(qtbot: QtBot) -> None:
    stack = FittedStack()
    qtbot.addWidget(stack)
    assert stack.sizeHint().isValid() or stack.currentWidget() is None
    low, high = QLabel("one line"), QLabel("words " * 200)
    high.setWordWrap(True)
    high.setMinimumHeight(700)
    stack.addWidget(low)
    stack.addWidget(high)
    assert stack.sizeHint() == low.sizeHint()
    assert stack.minimumSizeHint().height() < 100
    assert not stack.hasHeightForWidth()
    stack.setCurrentIndex(1)
    assert stack.minimumSizeHint().height() == 700
    assert stack.heightForWidth(300) == high.heightForWidth(300)
