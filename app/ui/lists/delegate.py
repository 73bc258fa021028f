"""Paints every row of every list through a `RowPainter`. Refuses widgets per row.

A painted row is kept as a picture for a while: scrolling paints a dozen rows a frame, and laying out their text each time
costs 1 ms a row.
"""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.ui.appearance import Appearance
from app.ui.kept_pictures import KeptPictures
from app.ui.lists.look import LOOK_ROLE, RowLook
from app.ui.lists.row_painter import RowPainter

PICTURES_BYTES = 16_000_000
"""Painted rows: ten screens of an ordinary list at one device pixel a pixel, two and a half at two."""
Picture = tuple[RowLook, int, bool, bool, bool, float]
"""What a painted row depends on, beside the theme: look, width, selected, hovered, right to left, device pixels a pixel."""


class RowDelegate(QStyledItemDelegate):
    """Keeps painted rows; they are dropped when the looks change."""

    def __init__(self, appearance: Appearance, rows: RowPainter, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._rows = rows
        self._pictures: KeptPictures[Picture] = KeptPictures(PICTURES_BYTES)
        appearance.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Fonts or colours changed: measure again."""
        self._pictures.drop()
        self._rows.refresh()

    @property
    def row_height(self) -> int:
        """Pixels of every row."""
        return self._rows.row_height

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """All rows are the same height."""
        return QSize(200, self.row_height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Ground, monogram, lines and the separator: the kept picture, or a new one."""
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        look = index.data(LOOK_ROLE)
        if isinstance(look, RowLook) and not rect.isEmpty():
            selected, hovered = bool(state & QStyle.StateFlag.State_Selected), bool(state & QStyle.StateFlag.State_MouseOver)
            ratio = painter.device().devicePixelRatioF()
            place = QRect(0, 0, rect.width(), self.row_height)

            def paint(into: QPainter) -> None:
                self._rows.paint_row(into, place, look, selected, hovered)

            key = (look, rect.width(), selected, hovered, QGuiApplication.isRightToLeft(), ratio)
            painter.drawPixmap(rect.topLeft(), self._pictures.picture(key, place.size(), ratio, paint))
        else:
            painter.fillRect(rect, self._appearance.colour("surface"))
