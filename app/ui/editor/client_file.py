"""A field for the path of a Google client file."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from app.ui.services.files import typed_path
from app.ui.widgets.factory import button, named, put, row


class ClientFileField(QWidget):
    """A line and a button that opens a dialog. Emits `asked` when the dialog was closed."""

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.dialog: QFileDialog | None = None
        self.line = named(QLineEdit(), self.tr("Client file"))
        self.line.setPlaceholderText(self.tr("client_secret_….json"))
        self.choose = button(self.tr("Choose file…"), "", self.ask)
        put(row(self), (self.line, 1), self.choose)

    @property
    def path(self) -> Path:
        return typed_path(self.line.text())

    def ask(self) -> None:
        """Opens the dialog, which is not modal."""
        dialog = QFileDialog(self, self.tr("Client file"), "", self.tr("JSON files (*.json);;All files (*)"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.line.setText)
        dialog.finished.connect(self.asked)
        self.dialog = dialog
        dialog.open()
