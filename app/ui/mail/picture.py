"""One picture, as large as the window allows. Refuses pictures that would take more memory than a screen full of them."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImageReader, QPixmap, QResizeEvent
from PySide6.QtWidgets import QDialog, QWidget

from app.ui.build import column, label
from app.ui.scale import Space

MOST_MEMORY_MB = 256
SIZE = QSize(900, 680)


def read_picture(path: Path) -> QPixmap | None:
    """The picture turned the right way up; None if it cannot be shown."""
    reader = QImageReader(str(path))
    reader.setAutoTransform(True)
    reader.setDecideFormatFromContent(True)
    reader.setAllocationLimit(MOST_MEMORY_MB)
    image = reader.read()
    return None if image.isNull() else QPixmap.fromImage(image)


class PictureDialog(QDialog):
    """Opened without blocking; Escape closes it."""

    def __init__(self, path: Path, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # nothing in it takes the keyboard, and Escape has to be heard
        self.setFocus()
        self._picture = read_picture(path)
        self.shown = label()
        self.shown.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.shown.setMinimumSize(120, 90)
        self.shown.setAccessibleName(name)
        column(self, Space.SMALL).addWidget(self.shown)
        if self._picture is None:
            self.shown.setText(self.tr("This picture cannot be shown."))
            self.resize(360, 160)
        else:
            whole = self._picture.size() + QSize(2 * Space.SMALL, 2 * Space.SMALL)
            self.resize(whole.boundedTo(SIZE).expandedTo(QSize(240, 180)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the picture in, never larger than it is."""
        super().resizeEvent(event)
        if self._picture is not None:
            room = self.shown.size().boundedTo(self._picture.size())
            how = Qt.AspectRatioMode.KeepAspectRatio
            self.shown.setPixmap(self._picture.scaled(room, how, Qt.TransformationMode.SmoothTransformation))
