"""Dragging the selected conversations out of their list; the picture under the pointer says how many there are.

Refuses to know what becomes of them: the place that they are dropped on tells (`app.ui.mail.dropping`).
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtGui import QDrag, QFontMetrics, QGuiApplication, QPainter, QPixmap

from app.domain.ids import ThreadId
from app.domain.mail import ThreadRow
from app.ui.brushwork import visual_rect, visual_side
from app.ui.carried import packed
from app.ui.context import Context
from app.ui.lists.model import IdModel
from app.ui.lists.view import RowList
from app.ui.scale import Radius, Space, Type, at_text_size

WIDEST = 320
ASIDE = 14
"""Pixels between the pointer and the picture: it hides nothing that is pointed at."""


class Dragging(QObject):
    """`where` names the place whose conversations are listed."""

    def __init__(self, context: Context, listing: RowList, model: IdModel[ThreadRow], where: Callable[[], str]) -> None:
        super().__init__(listing)
        self._context = context
        self._listing = listing
        self._model = model
        self._where = where
        listing.carry_by(self.begin)

    def begin(self) -> None:
        """Drag what is selected until it is dropped or given up."""
        rows = self._listing.selected_rows()
        if not rows:
            return
        drag = QDrag(self._listing)
        drag.setMimeData(packed([ThreadId(self._model.id_at(row)) for row in rows], self._where()))
        picture = self._picture(self._words(rows))
        drag.setPixmap(picture)
        width = round(picture.deviceIndependentSize().width())
        drag.setHotSpot(QPoint(width + ASIDE if QGuiApplication.isRightToLeft() else -ASIDE, -Space.TIGHT))
        drag.exec(Qt.DropAction.MoveAction | Qt.DropAction.CopyAction, Qt.DropAction.MoveAction)

    def _words(self, rows: list[int]) -> str:
        """The subject of one, the number of several."""
        one = self._model.record(rows[0]) if len(rows) == 1 else None
        return one.subject if one is not None and one.subject.strip() else self.tr("%n conversation(s)", "", len(rows))

    def _picture(self, words: str) -> QPixmap:
        looks = self._context.appearance
        font = looks.fonts[Type.STRONG]
        metrics = QFontMetrics(font)
        icon = metrics.ascent() + Space.TIGHT
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, at_text_size(WIDEST))
        width = icon + metrics.horizontalAdvance(shown) + Space.SMALL + 2 * Space.MEDIUM
        whole = QRect(0, 0, width, metrics.height() + 2 * Space.SMALL)
        ratio = self._listing.devicePixelRatioF()
        made = QPixmap(whole.size() * ratio)
        made.setDevicePixelRatio(ratio)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(looks.colour("accent"))
        painter.drawRoundedRect(whole, Radius.CONTROL, Radius.CONTROL)
        spot = QRect(Space.MEDIUM, (whole.height() - icon) // 2, icon, icon)
        self._context.icons.paint(painter, visual_rect(whole, spot), "move", looks.colour("on_accent"))
        painter.setFont(font)
        painter.setPen(looks.colour("on_accent"))
        text = whole.adjusted(Space.MEDIUM + icon + Space.SMALL, 0, -Space.MEDIUM, 0)
        painter.drawText(visual_rect(whole, text), Qt.AlignmentFlag.AlignVCenter | visual_side(Qt.AlignmentFlag.AlignLeft), shown)
        painter.end()
        return made
