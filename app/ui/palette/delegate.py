"""Paints a line of the palette: icon, title, what it is, and its keys."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.ui.appearance import Appearance
from app.ui.icons import Icons
from app.ui.palette.items import Item
from app.ui.scale import Radius, Space, Type

ITEM_ROLE = int(Qt.ItemDataRole.UserRole) + 1
ICON = 18


class ItemDelegate(QStyledItemDelegate):
    """Lines of one height."""

    def __init__(self, appearance: Appearance, icons: Icons, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance, self._icons = appearance, icons

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """One line and its room."""
        return QSize(200, QFontMetrics(self._appearance.fonts[Type.BODY]).height() + 2 * Space.SMALL)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """One line."""
        item = index.data(ITEM_ROLE)
        if not isinstance(item, Item):
            return
        state: QStyle.StateFlag = option.state
        rect: QRect = option.rect
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._appearance.colour("selection"))
            painter.drawRoundedRect(rect.adjusted(Space.TIGHT, 0, -Space.TIGHT, 0), Radius.CONTROL, Radius.CONTROL)
        ink = "on_accent_soft" if chosen else "text"
        inside = rect.adjusted(Space.LARGE, 0, -Space.LARGE, 0)
        spot = QRect(inside.left(), inside.center().y() - ICON // 2 + 1, ICON, ICON)
        self._icons.paint(painter, spot, item.icon, self._appearance.colour("text_soft"))
        right = self._right(painter, inside, item)
        painter.setFont(self._appearance.fonts[Type.BODY])
        painter.setPen(self._appearance.colour(ink))
        words = inside.adjusted(ICON + Space.MEDIUM, 0, -right - Space.MEDIUM, 0)
        title = QFontMetrics(painter.font()).elidedText(item.title, Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, title)
        painter.restore()

    def _right(self, painter: QPainter, inside: QRect, item: Item) -> int:
        """What it is and its keys, on the right; their width."""
        words = " · ".join(filter(None, (item.kind, item.keys)))
        painter.setFont(self._appearance.fonts[Type.CAPTION])
        painter.setPen(self._appearance.colour("text_soft"))
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, words)
        return QFontMetrics(painter.font()).horizontalAdvance(words)
