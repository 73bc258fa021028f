"""A file to where the reader wants it: the dialog that asks, and the copy.

Refuses to fail without a word.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from app.domain.mail_files import safe_name
from app.ui.context import Context, Notices


def ask_where(context: Context, parent: QWidget, name: str, chosen: Callable[[Path], object]) -> None:
    """Ask where a file called `name` goes; `chosen` is told."""
    start = context.save_folder / safe_name(name)
    dialog = QFileDialog(parent.window(), QCoreApplication.translate("AttachmentBar", "Save the file"), str(start))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(lambda file: chosen(Path(file)))
    dialog.open()


def put(notices: Notices, target: Path, source: Path) -> bool:
    """Copy a file there, and say what came of it; whether it is there."""
    try:
        shutil.copyfile(source, target)
    except OSError as error:
        words = QCoreApplication.translate("AttachmentBar", "The file could not be saved: %1")
        notices.tell(words.replace("%1", error.strerror or type(error).__name__))
        return False
    notices.tell(QCoreApplication.translate("AttachmentBar", "Saved as %1").replace("%1", target.name))
    return True
