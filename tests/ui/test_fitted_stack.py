"""A stack is as high as what it shows."""

from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.ui.build import column
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


def test_what_holds_it_is_as_high_as_the_page_on_show(qtbot: QtBot) -> None:
    """A layout around it asks for the height at a width in a way of its own."""
    host, stack = QWidget(), FittedStack()
    qtbot.addWidget(host)
    column(host).addWidget(stack)
    low, high = QWidget(), QWidget()
    for page, words in ((low, "two words"), (high, "words " * 2000)):
        folded = QLabel(words)
        folded.setWordWrap(True)
        column(page).addWidget(folded)
        stack.addWidget(page)
    assert host.heightForWidth(300) == low.heightForWidth(300) < high.heightForWidth(300)
    stack.setCurrentIndex(1)
    assert host.heightForWidth(300) == high.heightForWidth(300)
