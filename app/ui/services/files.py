"""Save dialog and copy, typed paths, and the window's settings."""

import shutil
from collections.abc import Callable, Collection
from itertools import chain, count
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from app.config.settings import Settings, load
from app.domain.errors import BadFile
from app.domain.mail.files import safe_name
from app.ui.context import Context, Notices


def ask_where(context: Context, parent: QWidget, name: str, chosen: Callable[[Path], object]) -> None:
    """Opens a save dialog for `name` and passes the path to `chosen`."""
    start = context.save_folder / safe_name(name)
    dialog = QFileDialog(parent.window(), QCoreApplication.translate("AttachmentBar", "Save the file"), str(start))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    _open(dialog, chosen)


def ask_folder(context: Context, parent: QWidget, chosen: Callable[[Path], object]) -> None:
    """Opens a dialog for a folder and passes its path to `chosen`."""
    dialog = QFileDialog(parent.window(), QCoreApplication.translate("AttachmentBar", "Save all"), str(context.save_folder))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    _open(dialog, chosen)


def _open(dialog: QFileDialog, chosen: Callable[[Path], object]) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(lambda path: chosen(Path(path)))
    dialog.open()


def free_path(wanted: Path, taken: Collection[Path]) -> Path:
    """The path, with a number if a file of that name exists or is in `taken`."""
    numbered = (wanted.with_name(f"{wanted.stem} ({number}){wanted.suffix}") for number in count(2))
    return next(path for path in chain([wanted], numbered) if path not in taken and not path.exists())


def put(notices: Notices, target: Path, source: Path) -> bool:
    """Copies a file and shows a notice about the result. Returns whether it worked."""
    return _saved(notices, target, lambda: shutil.copyfile(source, target))


def write_text(notices: Notices, target: Path, text: str) -> None:
    """Writes a file and shows a notice about the result."""
    _saved(notices, target, lambda: target.write_text(text, encoding="utf-8", errors="replace"))


def _saved(notices: Notices, target: Path, write: Callable[[], object]) -> bool:
    try:
        write()
    except OSError as error:
        words = QCoreApplication.translate("AttachmentBar", "The file could not be saved: %1")
        notices.tell(words.replace("%1", error.strerror or type(error).__name__))
        return False
    notices.tell(QCoreApplication.translate("AttachmentBar", "Saved as %1").replace("%1", target.name))
    return True


def typed_path(words: str) -> Path:
    """The typed path with `~` expanded. Unchanged if there is no such home folder."""
    path = Path(words.strip())
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def is_file(path: Path) -> bool:
    """Whether the file exists. False for names that the file system rejects."""
    try:
        return path.is_file()
    except OSError:
        return False


class SettingsReader:
    """Reads the settings file; only the engine writes it. `trouble` holds the error of a broken file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: tuple[int, int] | None = None
        self._settings = Settings()
        self.error: BadFile | None = None

    def read(self) -> Settings:
        """Current settings, read again when the file changed. A broken or missing file leaves the last good ones."""
        try:
            status = self._path.stat()
        except OSError:
            return self._settings
        stamp = (status.st_mtime_ns, status.st_size)
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                self._settings, self.error = load(self._path), None
            except BadFile as error:
                self.error = error
        return self._settings
