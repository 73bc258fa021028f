"""Tools stand beside words that keep room enough, and below them otherwise; nothing is cut, and words do not change it."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.ui.build import row
from app.ui.side_or_below import LEAST_WORDS, SideOrBelow

TOOL = QSize(90, 30)
TOOLS = 3 * TOOL.width() + 2 * 8


class Line(QWidget):
    """Words and three tools."""

    def __init__(self, host: QWidget) -> None:
        super().__init__(host)
        self.words, self.tools = QLabel("Winter sale: up to 30 % off"), [QPushButton(name) for name in "abc"]
        self.words.setWordWrap(True)
        words = row(None, 0, 0)
        words.addWidget(self.words)
        self.line = SideOrBelow(words, 8, under=12)
        for one in self.tools:
            one.setFixedSize(TOOL)
            self.line.tools.addWidget(one)
        self.line.tools.addStretch(1)
        self.setLayout(self.line)

    def lay_out(self, width: int, always_below: bool = False) -> None:
        self.line.fit(width, always_below)
        QApplication.sendPostedEvents()
        self.resize(width, self.line.totalHeightForWidth(width))

    def below(self) -> bool:
        return self.line.below


@pytest.fixture
def line(qtbot: QtBot) -> Iterator[Line]:
    host = QWidget()
    qtbot.addWidget(host)
    made = Line(host)
    host.show()
    yield made  # whose host would be gone after a mere return


def test_beside_while_the_words_keep_their_room(line: Line) -> None:
    line.lay_out(TOOLS + 8 + LEAST_WORDS)
    assert not line.below()
    assert line.words.width() == LEAST_WORDS
    assert line.tools[0].x() == LEAST_WORDS + 8


def test_below_when_they_would_not(line: Line) -> None:
    width = TOOLS + 8 + LEAST_WORDS - 1
    line.lay_out(width)
    assert line.below()
    assert line.words.width() == width
    assert [one.x() for one in line.tools] == [0, 98, 196]
    assert line.tools[0].y() > line.words.geometry().bottom()
    assert line.height() - line.tools[0].geometry().bottom() - 1 >= 12
    line.words.setText("x")
    line.lay_out(width)
    assert line.below(), "as for any other words"
    line.lay_out(width + 1)
    assert not line.below()


def test_large_text_asks_for_it_at_any_width(line: Line) -> None:
    line.lay_out(2000, always_below=True)
    assert line.below()


def test_tools_that_are_hidden_take_no_room(line: Line) -> None:
    line.lay_out(300)
    assert line.below()
    for one in line.tools:
        one.hide()
    line.lay_out(300)
    assert not line.below()
    assert line.words.width() == 300
