"""A line of recipients that is not being written: where it has too little room it ends in an ellipsis, and a tooltip has all.

Refuses to show the middle of an address as if it were one: a line edit alone cuts at its edges, without a sign.
"""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame

from app.ui.brushwork import MEASURED
from app.ui.tips import plain_tip

INSET = 2
"""Pixels that Qt leaves on either side of a line's words."""


class RecipientLine(QLineEdit):
    """With the keyboard in it a line edit like any other."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "quiet")
        self._whole = ""
        self.textChanged.connect(lambda _text: self._tell())

    @property
    def is_cut(self) -> bool:
        """Whether the words have too little room."""
        return self.fontMetrics().horizontalAdvance(self.text()[:MEASURED]) > self._room().width()

    def say_whole(self, addresses: Iterable[str]) -> None:
        """What the tooltip says while the line is cut: an address a line."""
        self._whole = "\n".join(addresses)
        self._tell()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More or less room."""
        super().resizeEvent(event)
        self._tell()

    def changeEvent(self, event: QEvent) -> None:
        """Another text size."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._tell()

    def paintEvent(self, event: QPaintEvent) -> None:
        """From the beginning, with an ellipsis where it is cut."""
        if self.hasFocus() or not self.is_cut:
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        room = self._room()
        shown = self.fontMetrics().elidedText(self.text()[:MEASURED], Qt.TextElideMode.ElideRight, room.width())
        side = Qt.AlignmentFlag.AlignRight if self.isRightToLeft() else Qt.AlignmentFlag.AlignLeft
        painter.setPen(self.palette().text().color())
        painter.drawText(room, int(side | Qt.AlignmentFlag.AlignVCenter), shown)
        painter.end()

    def _room(self) -> QRect:
        """Where the words stand."""
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        inside = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        return inside.adjusted(INSET, 0, -INSET, 0)

    def _tell(self) -> None:
        self.setToolTip(plain_tip(self._whole if self.is_cut else ""))
