"""A mail's source as it came, for whoever wants to see what is behind it. Text only; nothing in it is run or loaded."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDialog, QWidget

from app.ui.build import button, column, label, row
from app.ui.mail.pieced_text import PiecedText
from app.ui.scale import Space, Type

LONGEST = 1_000_000


class SourceView(QDialog):
    """Opened without blocking."""

    def __init__(self, path: Path, save: Callable[[], object], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Source of the mail"))
        self.text = PiecedText()
        self.text.setAccessibleName(self.tr("Source of the mail"))
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        with path.open("rb") as file:
            beginning = file.read(LONGEST)
        self.text.show_words(beginning.decode("utf-8", "replace").replace("\r\n", "\n"))
        layout = column(self, Space.LARGE, Space.SMALL)
        layout.addWidget(self.text)
        buttons = row(None, 0, Space.SMALL)
        if path.stat().st_size > LONGEST:
            buttons.addWidget(label(self.tr("Only the first megabyte is shown."), Type.CAPTION, "soft"))
        buttons.addStretch(1)
        buttons.addWidget(button(self.tr("Save as…"), "", save))
        buttons.addWidget(button(self.tr("Close"), "primary", self.accept))
        layout.addLayout(buttons)
        self.resize(820, 620)
