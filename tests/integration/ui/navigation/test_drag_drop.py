"""A list scrolls while the pointer is at an edge, tells each step, and rests elsewhere and at its end."""

from PySide6.QtCore import QStringListModel
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot

from app.ui.navigation.drag_drop import EDGE, EdgeScroll


def test_it_scrolls_at_the_edges_only_and_stops_at_the_end(qtbot: QtBot) -> None:
    view, steps = QListView(), []
    qtbot.addWidget(view)
    view.setModel(QStringListModel([str(n) for n in range(8)]))
    view.resize(200, 6 * view.sizeHintForRow(0) + 2 * view.frameWidth())
    view.show()
    bar, height = view.verticalScrollBar(), view.viewport().height()
    qtbot.waitUntil(lambda: bar.maximum() > 0, timeout=30_000)
    edges = EdgeScroll(view, lambda: steps.append(bar.value()))
    edges.follow(height // 2)
    assert not edges._timer.isActive()
    edges.follow(height - EDGE + 1)
    qtbot.waitUntil(lambda: not edges._timer.isActive(), timeout=30_000)
    assert bar.value() == bar.maximum()
    assert steps == list(range(1, bar.maximum() + 1)), "told once for each step, not where there was none"
    edges.follow(EDGE - 1)
    assert edges._timer.isActive()
    edges.follow(height // 2)
    assert not edges._timer.isActive(), "back in the middle it rests"
    edges.follow(0)
    edges.end()
    assert not edges._timer.isActive()
