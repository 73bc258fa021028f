"""Views that lay their own ground: they are painted wholly, and nothing behind them paints."""

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QListWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.ground import cover_itself, lay_ground

BEHIND = QColor("#FF0000")
GROUND = QColor("#00FF00")


class Behind(QWidget):
    """Paints in red, and notes where it was asked to."""

    def __init__(self) -> None:
        super().__init__()
        self.painted = 0
        QVBoxLayout(self).setContentsMargins(0, 0, 0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        self.painted += sum(one.width() * one.height() for one in event.region())
        painter = QPainter(self)
        painter.fillRect(event.rect(), BEHIND)
        painter.end()


class Covering(QListWidget):
    """Rows on a green ground."""

    def __init__(self) -> None:
        super().__init__()
        self.setStyleSheet("border: none; background: blue")
        cover_itself(self)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        lay_ground(self, event, GROUND)
        super().paintEvent(event)


def test_a_view_on_its_own_ground_is_all_that_paints(qtbot: QtBot) -> None:
    behind, view = Behind(), Covering()
    qtbot.addWidget(behind)
    layout = behind.layout()
    assert layout is not None
    layout.addWidget(view)
    behind.resize(200, 150)
    with qtbot.waitExposed(behind, timeout=30_000):
        behind.show()
    behind.painted = 0
    behind.repaint()
    assert behind.painted == 0
    seen = view.viewport().grab().toImage()
    corners = [QPoint(0, 0), QPoint(seen.width() - 1, seen.height() - 1)]
    assert [seen.pixelColor(corner) for corner in corners] == [GROUND, GROUND]
    view.setStyleSheet("border: none; background: yellow")
    behind.painted = 0
    behind.repaint()
    assert behind.painted == 0, "another theme does not change it"
