"""A row on one line: who, the first words, when. For the messages of a thread and the steps of a run."""

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from app.ui.lists.look import RowLook
from app.ui.lists.row_painter import RowPainter
from app.ui.scale import Space, Type

WHO_SHARE = 0.3
WHO_LARGEST = 180


class CompactPainter(RowPainter):
    """Paints `who`, chips, `snippet` and `when` beside each other."""

    def measured_height(self) -> int:
        """One line and its room."""
        return int(self._metrics[Type.BODY].height() + 2 * Space.SMALL)

    def paint_look(self, painter: QPainter, rect: QRect, look: RowLook) -> None:
        """Everything but the ground."""
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
