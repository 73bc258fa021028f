"""Views that lay their own ground: they are painted wholly, and nothing behind them paints.

The ring follows the keyboard, in a long mail as in a short one (`tests/integration/ui/pages/mail/test_page.py`).
"""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.message.plain_text import LongText
from app.ui.widgets.painting import fill_background, make_opaque
from fakes.window.page_setup import Stage

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
        make_opaque(self)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        fill_background(self, event, GROUND)
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


def edge(view: LongText) -> QColor:
    """What is painted where the ring would be."""
    return view.grab().toImage().pixelColor(view.viewport().x(), 50)


def test_coming_back_from_another_window_changes_no_ring(qtbot: QtBot, lively_stage: Stage) -> None:
    window, view, other = QWidget(), LongText(lively_stage.context.appearance, "Mail text"), QLineEdit()
    qtbot.addWidget(window)
    for one in (view, other):
        one.setParent(window)
    other.move(0, 120)
    view.resize(200, 100)
    with qtbot.waitActive(window, timeout=30_000):
        window.show()
        window.activateWindow()
    accent = lively_stage.context.appearance.colour("accent")
    for reason, back, ringed in (
        (Qt.FocusReason.TabFocusReason, Qt.FocusReason.PopupFocusReason, True),
        (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.ActiveWindowFocusReason, False),
    ):
        other.setFocus()
        assert edge(view) != accent
        view.setFocus(reason)
        assert (edge(view) == accent) is ringed
        QApplication.sendEvent(view, QFocusEvent(QFocusEvent.Type.FocusIn, back))
        assert (edge(view) == accent) is ringed
