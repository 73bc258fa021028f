"""A box to tick whose words fold onto further lines where there is too little room for one."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox

NARROWEST = 160


class FoldingCheck(QCheckBox):
    """`words` is the whole text on one line."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words
        self.setAccessibleName(words)

    def minimumSizeHint(self) -> QSize:
        """Narrow; as high as the lines are now."""
        return QSize(NARROWEST, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold anew."""
        super().resizeEvent(event)
        metrics = self.fontMetrics()
        widest = max(metrics.horizontalAdvance(line) for line in self.text().split("\n"))
        room = event.size().width() - (self.sizeHint().width() - widest)
        lines: list[str] = []
        for word in self.words.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and metrics.horizontalAdvance(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        folded = "\n".join(lines)
        if folded != self.text():
            self.setText(folded)
            self.updateGeometry()
