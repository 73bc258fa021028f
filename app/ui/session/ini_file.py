"""window.ini, a settings file that is written in a thread, and the recent and saved searches in it.

Writing it ends in a wait for the disk (3 to 120 ms when that is busy). Qt would do that on the window's thread each time
something is typed into Review or a letter.
"""

from contextlib import suppress
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QEvent, QSettings, QTimer


def remembered(state: QSettings, key: str, otherwise: int) -> int:
    """The integer under a key, `otherwise` if it is missing or damaged."""
    try:
        return int(str(state.value(key, otherwise)))
    except ValueError:
        return otherwise


AGAIN_MS = 50


class WindowState(QSettings):
    """A `QSettings` that writes in a thread. Changes are written with the next turn of the loop, mode 0600, since the file holds
    letters. Only `sync` waits.
    """

    def __init__(self, file: Path) -> None:
        with suppress(OSError):  # an unwritable folder is reported elsewhere
            file.touch(mode=0o600)
            file.chmod(0o600)
        super().__init__(str(file), QSettings.Format.IniFormat)
        self._writing: Thread | None = None
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._write_in_thread)

    def setValue(self, key: str, value: object) -> None:
        super().setValue(key, value)
        self._timer.start(0)

    def remove(self, key: str) -> None:
        super().remove(key)
        self._timer.start(0)

    def sync(self) -> None:
        self._timer.stop()
        if self._writing is not None:
            self._writing.join()
            self._writing = None
        super().sync()

    def event(self, event: QEvent) -> bool:
        return event.type() is QEvent.Type.UpdateRequest or super().event(event)

    def _write_in_thread(self) -> None:
        if self._writing is not None and self._writing.is_alive():
            self._timer.start(AGAIN_MS)
            return
        self._writing = Thread(target=_write, args=(self.fileName(),), name="window-state")
        self._writing.start()


def _write(file: str) -> None:
    """Writes all unwritten changes and waits for the disk. Qt shares them among all `QSettings` of one file."""
    QSettings(file, QSettings.Format.IniFormat).sync()


RECENT = "search/recent"
SAVED = "search/saved"
MOST_RECENT = 20
MOST_SAVED = 20
LONGEST = 300


def recent(state: QSettings) -> list[str]:
    """Newest first."""
    return kept_list(state, RECENT)


def saved(state: QSettings) -> list[str]:
    """In the order they were saved."""
    return kept_list(state, SAVED)


def note_search(state: QSettings, text: str) -> None:
    """Puts a search first among the recent ones. A longer form replaces the shorter one it began with."""
    if text and len(text) <= LONGEST:
        others = [one for one in recent(state) if not text.lower().startswith(one.lower())]
        state.setValue(RECENT, [text, *others][:MOST_RECENT])


def toggle_saved(state: QSettings, text: str) -> bool:
    """Saves a search, or removes it. Returns whether it is saved now."""
    before = saved(state)
    kept = [one for one in before if one != text]
    if len(kept) == len(before) and text and len(text) <= LONGEST:
        kept = [*kept, text][-MOST_SAVED:]
    state.setValue(SAVED, kept)
    return text in kept


def kept_list(state: QSettings, key: str) -> list[str]:
    """A list of texts; QSettings returns a list of one as a plain string."""
    found = state.value(key)
    return list(map(str, found)) if isinstance(found, list) else [str(found)] if found else []
