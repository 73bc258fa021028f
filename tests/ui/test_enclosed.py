"""Layouts that are done once and stay inside."""

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.enclosed import Enclosed, laid_out_once


class Counting(QObject):
    """Counts the layouts that a widget was asked for, and its sizes."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__()
        self.asked = self.resized = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        self.asked += event.type() is QEvent.Type.LayoutRequest
        self.resized += event.type() is QEvent.Type.Resize
        return False


def pane() -> tuple[QWidget, Enclosed, QWidget, list[QLabel]]:
    """A window, the enclosed column in it, and the column's lines, all but the first hidden."""
    inside, window = QWidget(), QWidget()
    column = QVBoxLayout(inside)
    lines = [QLabel("A line") for _ in range(4)]
    for line in lines:
        column.addWidget(line)
        line.setVisible(line is lines[0])
    column.addStretch(1)
    enclosed = Enclosed(inside)
    QVBoxLayout(window).addWidget(enclosed)
    window.resize(400, 400)
    return window, enclosed, inside, lines


def test_lines_that_come_together_are_laid_out_once(qtbot: QtBot) -> None:
    window, _enclosed, inside, lines = pane()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window, timeout=30_000):
        window.show()
    last = Counting(lines[0])
    with laid_out_once(inside):
        for line in lines[1:]:
            line.show()
        assert last.resized == 0
    assert [line.y() for line in lines] == sorted({line.y() for line in lines})
    assert inside.layout() is not None
    assert inside.layout().isEnabled()


def test_the_outside_hears_only_of_a_need_that_matters(qtbot: QtBot) -> None:
    window, enclosed, inside, lines = pane()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window, timeout=30_000):
        window.show()
    told = Counting(window)
    lines[1].show()
    lines[2].show()
    lines[0].setText("A few words more")
    qtbot.waitUntil(lambda: lines[2].y() > lines[1].y() > lines[0].y())
    qtbot.wait(0)
    assert told.asked == 0, "there is room for it"
    before = window.width()
    lines[0].setText("A line that asks for far more room than the window has now " * 2)
    qtbot.waitUntil(lambda: enclosed.width() >= inside.minimumSizeHint().width())
    assert told.asked == 1
    assert window.width() > before
    lines[0].setText("Little")
    qtbot.waitUntil(lambda: window.minimumSizeHint().width() < before)
    assert told.asked == 2, "the window may be made narrow again"


def test_too_little_room_is_told_when_it_comes_about(qtbot: QtBot) -> None:
    window, enclosed, inside, lines = pane()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window, timeout=30_000):
        window.show()
    lines[0].setText("A line that asks for some room")
    qtbot.waitUntil(lambda: inside.minimumSizeHint().width() >= lines[0].sizeHint().width())
    needed = inside.minimumSizeHint().width()
    window.resize(40, 400)
    qtbot.waitUntil(lambda: enclosed.width() >= needed)


def test_what_changes_while_hidden_is_told_when_shown(qtbot: QtBot) -> None:
    window, enclosed, inside, lines = pane()
    qtbot.addWidget(window)
    lines[0].setText("W" * 80)
    lines[3].setMinimumSize(QSize(10, 300))
    lines[3].show()
    with qtbot.waitExposed(window, timeout=30_000):
        window.show()
    qtbot.waitUntil(lambda: enclosed.height() >= inside.minimumSizeHint().height())
    assert enclosed.size() == inside.size()
    assert enclosed.width() >= inside.minimumSizeHint().width()
