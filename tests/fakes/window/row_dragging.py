"""Drags rows of a list to places of the navigation where the platform cannot drag (offscreen).

Presses and moves are real window events; only the drag events that the platform would send are simulated.
"""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QDrag, QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.ui.lists.view import RowList
from app.ui.navigation.view import Navigation

LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
BOTH = Qt.DropAction.MoveAction | Qt.DropAction.CopyAction


class DraggingHand:
    """A mouse that drags. `pictures` are the drag pixmaps; `accepted` says for each place passed whether it would take the
    rows.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, window: QWidget, navigation: Navigation) -> None:
        self._window = window
        self._navigation = navigation
        self._way: list[str] = []
        self._modifiers = PLAIN
        self._look: Callable[[], object] = lambda: None
        self._drops = True
        self.pictures: list[QPixmap] = []
        self.accepted: list[bool] = []
        monkeypatch.setattr(QDrag, "exec", lambda drag, *_actions: self._carry(drag))

    def drag(
        self,
        listing: RowList,
        row: int,
        *places: str,
        modifiers: Qt.KeyboardModifier = PLAIN,
        drops: bool = True,
        look: Callable[[], object] = lambda: None,
    ) -> None:
        self._way, self._modifiers, self._drops, self._look = list(places), modifiers, drops, look
        index = listing.model().index(row, 0)
        listing.scrollTo(index)
        handle, spot = self._window.windowHandle(), listing.visualRect(index).center()
        start = listing.viewport().mapTo(self._window, spot)
        QTest.mousePress(handle, LEFT, PLAIN, start)
        QTest.mouseMove(handle, start + QPoint(4, 0))
        QTest.mouseMove(handle, start + QPoint(2 * QApplication.startDragDistance(), 4))
        QTest.mouseRelease(handle, LEFT, PLAIN, start + QPoint(2 * QApplication.startDragDistance(), 4))

    def spot_of(self, name: str) -> QPoint:
        """The position of a place."""
        row = next(row for row, place in enumerate(self._navigation.places.places) if place.name == name)
        index = self._navigation.places.index(row)
        self._navigation.scrollTo(index)
        return self._navigation.visualRect(index).center()

    def _carry(self, drag: QDrag) -> Qt.DropAction:
        self.pictures.append(drag.pixmap())
        mime, target = drag.mimeData(), self._navigation.viewport()
        usual = Qt.DropAction.CopyAction if self._modifiers & Qt.KeyboardModifier.ControlModifier else Qt.DropAction.MoveAction
        at = self.spot_of(self._way[0])
        entering = QDragEnterEvent(at, BOTH, mime, LEFT, self._modifiers)
        QApplication.sendEvent(target, entering)
        welcome = entering.isAccepted()
        for name in self._way if welcome else ():
            at = self.spot_of(name)
            for step in (QPoint(), QPoint(1, 0)):
                moving = QDragMoveEvent(at + step, BOTH, mime, LEFT, self._modifiers)
                QApplication.sendEvent(target, moving)
            self.accepted.append(moving.isAccepted())
            self._look()
        if self._drops and self.accepted and self.accepted[-1]:
            QApplication.sendEvent(target, QDropEvent(QPointF(at), BOTH, mime, LEFT, self._modifiers, QEvent.Type.Drop))
            return usual
        QApplication.sendEvent(target, QDragLeaveEvent())
        return Qt.DropAction.IgnoreAction
