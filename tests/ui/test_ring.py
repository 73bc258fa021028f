"""The ring follows the keyboard, in a long mail as in a short one (`tests/ui/mail/test_mail.py`)."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFocusEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.ui.mail.long_text import LongText
from fakes.page_stage import Stage


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
