"""A link on one line; where there is too little room its words end with dots, and are whole in the tooltip."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from app.ui.brushwork import MEASURED
from app.ui.pressing import PressButton
from app.ui.scale import Space, at_text_size
from app.ui.tips import plain_tip

ICON = 16


class ElidedLink(PressButton):
    """As wide as its words where there is room, hardly any where there is not."""

    def __init__(self, words: str = "") -> None:
        super().__init__()
        self.words = ""
        self.setProperty("role", "link")
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.show_words(words)

    def show_words(self, words: str, hint: str = "") -> None:
        """Other words; `hint` is a tooltip that says more."""
        self.words = words
        self.setAccessibleName(words)
        self.setToolTip(plain_tip(hint or words))
        self.updateGeometry()
        self._cut()

    def sizeHint(self) -> QSize:
        """The whole words, and the icon."""
        icon = 0 if self.icon().isNull() else self.iconSize().width() + Space.SMALL
        width = self.fontMetrics().horizontalAdvance(self.words[:MEASURED]) + icon + Space.SMALL
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Hardly any width."""
        return QSize(1, super().minimumSizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        """Another size of letters, and of the icon beside them."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.setIconSize(QSize(at_text_size(ICON), at_text_size(ICON)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut anew."""
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        icon = 0 if self.icon().isNull() else self.iconSize().width() + Space.SMALL
        room = max(0, self.width() - icon)
        self.setText(self.fontMetrics().elidedText(self.words[:MEASURED], Qt.TextElideMode.ElideRight, room))
