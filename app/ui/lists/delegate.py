"""Delegates: paint list rows through a `RowPainter` and cache the pictures.

Scrolling paints a dozen rows a frame, and the text layout of a row costs 1 ms.
"""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.ui.lists.row_painter import RowPainter
from app.ui.lists.row_presentation import LOOK_ROLE, RowPresentation
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Space, Type
from app.ui.theme.painting import PixmapCache

PICTURES_BYTES = 16_000_000
"""Ten screens of an ordinary list at a device pixel ratio of 1, two and a half at 2."""
Picture = tuple[RowPresentation, int, bool, bool, bool, float]
"""Cache key of a painted row besides the theme: presentation, width, selected, hovered, right to left, device pixel ratio."""


class RowDelegate(QStyledItemDelegate):
    """Paints rows and caches them until the theme or fonts change."""

    def __init__(self, appearance: Appearance, rows: RowPainter, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._rows = rows
        self._pictures: PixmapCache[Picture] = PixmapCache(PICTURES_BYTES)
        appearance.changed.connect(self.refresh)

    def refresh(self) -> None:
        self._pictures.drop()
        self._rows.refresh()

    @property
    def row_height(self) -> int:
        return self._rows.row_height

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, self.row_height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        look = index.data(LOOK_ROLE)
        if isinstance(look, RowPresentation) and not rect.isEmpty():
            selected, hovered = bool(state & QStyle.StateFlag.State_Selected), bool(state & QStyle.StateFlag.State_MouseOver)
            ratio = painter.device().devicePixelRatioF()
            place = QRect(0, 0, rect.width(), self.row_height)

            def paint(into: QPainter) -> None:
                self._rows.paint_row(into, place, look, selected, hovered)

            key = (look, rect.width(), selected, hovered, QGuiApplication.isRightToLeft(), ratio)
            painter.drawPixmap(rect.topLeft(), self._pictures.picture(key, place.size(), ratio, paint))
        else:
            painter.fillRect(rect, self._appearance.colour("surface"))


WHO_SHARE = 0.3
WHO_LARGEST = 180


class CompactPainter(RowPainter):
    """Paints a row on one line: `who`, chips, `snippet`, `when`. For messages of a conversation and steps of a run."""

    def measured_height(self) -> int:
        return int(self._metrics[Type.BODY].height() + 2 * Space.SMALL)

    def paint_look(self, painter: QPainter, rect: QRect, look: RowPresentation) -> None:
        rect = rect.adjusted(Space.LARGE, 0, -Space.LARGE, 0)
        when = self._metrics[Type.CAPTION].horizontalAdvance(look.when)
        self._text(painter, QRect(rect.right() - when, rect.top(), when + 1, rect.height()), look.when, Type.CAPTION, "text_soft")
        role = Type.STRONG if look.strong else Type.BODY
        who = min(WHO_LARGEST, round(rect.width() * WHO_SHARE))
        self._text(painter, QRect(rect.left(), rect.top(), who, rect.height()), look.who, role, "text")
        rest = QRect(rect.left() + who + Space.SMALL, rect.top(), rect.width() - who - when - 2 * Space.SMALL, rect.height())
        height = self._metrics[Type.CAPTION].height()
        line = QRect(rest.left(), rest.top() + (rest.height() - height) // 2, rest.width(), height)
        used = self._paint_chips(painter, line, look.chips)
        self._text(painter, line.adjusted(used, 0, 0, 0), look.snippet, Type.CAPTION, "text_soft")
