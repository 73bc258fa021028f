"""Numbers in window.ini. A hand or a crash may have left nonsense there: it counts as nothing remembered.

window.ini, written beside the window: its writing ends in a wait for the disk (3 to 120 ms where that is busy), and Qt would
take it on the window's thread, each time something was typed into Review or into a letter.
"""

from contextlib import suppress
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QEvent, QSettings, QTimer


def remembered(state: QSettings, key: str, otherwise: int) -> int:
    """The whole number under a key."""
    try:
        return int(str(state.value(key, otherwise)))
    except ValueError:
        return otherwise


AGAIN_MS = 50


class WindowState(QSettings):
    """As any QSettings, but that what changes is on its way to the disk with the next turn of the loop and never holds one up,
    and that nobody else may read it: letters are typed into it, and Qt leaves a file as readable as it finds it."""

    def __init__(self, file: Path) -> None:
        with suppress(OSError):  # a folder that cannot be written to is told elsewhere
            file.touch(mode=0o600)
            file.chmod(0o600)
        super().__init__(str(file), QSettings.Format.IniFormat)
        self._writing: Thread | None = None
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._write_beside)

    def setValue(self, key: str, value: object) -> None:
        """Keep it."""
        super().setValue(key, value)
        self._timer.start(0)

    def remove(self, key: str) -> None:
        """Forget it, and all below it."""
        super().remove(key)
        self._timer.start(0)

    def sync(self) -> None:
        """On the disk when this returns."""
        self._timer.stop()
        if self._writing is not None:
            self._writing.join()
            self._writing = None
        super().sync()

    def event(self, event: QEvent) -> bool:
        """Qt's own turn to write is left out."""
        return event.type() is QEvent.Type.UpdateRequest or super().event(event)

    def _write_beside(self) -> None:
        if self._writing is not None and self._writing.is_alive():
            self._timer.start(AGAIN_MS)
            return
        self._writing = Thread(target=_write, args=(self.fileName(),), name="window-state")
        self._writing.start()


def _write(file: str) -> None:
    """Qt shares what waits to be written among all that is open on one file; this one waits for the disk."""
    QSettings(file, QSettings.Format.IniFormat).sync()
