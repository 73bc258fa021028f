"""A text field that grows with its text, then scrolls."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit

from app.ui.theme.metrics import Space


class GrowingField(QPlainTextEdit):
    """`fewest` and `most` are lines. Tab moves the focus. The text survives a restart."""

    def __init__(self, fewest: int, most: int) -> None:
        super().__init__()
        self._fewest, self._most = fewest, most
        self.setTabChangesFocus(True)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        wanted = round(self.document().size().height())
        lines = min(max(wanted, self._fewest), self._most)
        fits = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if wanted <= self._most else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(fits)
        height = lines * self.fontMetrics().lineSpacing() + 2 * round(self.document().documentMargin()) + Space.MEDIUM
        if height != self.height():
            self.setFixedHeight(height)
