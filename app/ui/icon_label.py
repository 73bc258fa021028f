"""An icon on its own, repainted when the theme changes."""

from PySide6.QtCore import QPoint
from PySide6.QtGui import QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.ui.icons import Icons
from app.ui.scale import at_text_size


class IconLabel(QWidget):
    """A square icon of `size` pixels at 100 % text; says nothing to a screen reader, the words beside it do."""

    def __init__(self, icons: Icons, name: str = "", tone: str = "text_soft", size: int = 16) -> None:
        super().__init__()
        self._icons = icons
        self._name, self._tone = name, tone
        self._icon: QIcon | None = None
        self.setFixedSize(at_text_size(size), at_text_size(size))

    def show_icon(self, name: str, tone: str = "text_soft") -> None:
        """Show another icon."""
        self._name, self._tone, self._icon = name, tone, None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it in the colour of now."""
        if self._name:
            if self._icon is None:
                self._icon = self._icons.icon(self._name, self._tone)
            painter = QPainter(self)
            painter.drawPixmap(QPoint(0, 0), self._icon.pixmap(self.size(), self.devicePixelRatioF()))
            painter.end()
