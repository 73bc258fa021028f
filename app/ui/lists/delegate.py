"""Delegates: paint list rows through a `RowPainter` and cache the pictures.

Scrolling paints a dozen rows a frame, and the text layout of a row costs 1 ms.
"""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QGuiApplication, QPainter, QPixmap, QPixmapCache
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.ui.lists.row_painter import RowPainter
from app.ui.lists.row_presentation import LOOK_ROLE, RowPresentation
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Space, Type

PICTURES_KB = 16_000
"""Ten screens of an ordinary list at a device pixel ratio of 1, two and a half at 2."""


class RowDelegate(QStyledItemDelegate):
    """Paints rows and caches them until the theme or fonts change."""

    def __init__(self, appearance: Appearance, rows: RowPainter, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._rows = rows
        QPixmapCache.setCacheLimit(PICTURES_KB)
        appearance.changed.connect(self.refresh)

    def refresh(self) -> None:
        QPixmapCache.clear()
        self._rows.refresh()

    def set_compact(self, compact: bool) -> None:
        self._rows.compact = compact
        self.refresh()

    @property
    def row_height(self) -> int:
        return self._rows.row_height

    @property
    def heading_height(self) -> int:
        return self._rows.heading_height

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, self.row_height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        look = index.data(LOOK_ROLE)
        if not isinstance(look, RowPresentation) or rect.isEmpty():
            painter.fillRect(rect, self._appearance.colour("surface"))
            return
        if look.heading and rect.height() > self.row_height:
            self._rows.paint_heading(painter, QRect(rect.left(), rect.top(), rect.width(), self.heading_height), look.heading)
            rect = rect.adjusted(0, self.heading_height, 0, 0)
        selected, hovered = bool(state & QStyle.StateFlag.State_Selected), bool(state & QStyle.StateFlag.State_MouseOver)
        painter.drawPixmap(
            rect.topLeft(), self._picture(look, rect.width(), selected, hovered, painter.device().devicePixelRatioF())
        )

    def _picture(self, look: RowPresentation, width: int, selected: bool, hovered: bool, ratio: float) -> QPixmap:
        place = QRect(0, 0, width, self.row_height)
        how = (type(self._rows).__name__, self._appearance.theme.name, QGuiApplication.isRightToLeft(), ratio)
        key = repr((look, place, selected, hovered, how))
        picture = QPixmap()
        if not QPixmapCache.find(key, picture):
            picture = QPixmap(place.size() * ratio)
            picture.setDevicePixelRatio(ratio)
            painter = QPainter(picture)
            self._rows.paint_row(painter, place, look, selected, hovered)
            painter.end()
            QPixmapCache.insert(key, picture)
        return picture


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
