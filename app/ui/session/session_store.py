"""Saves where the user is. The open page, and for each page its selection, scroll position and unfinished input.

It is written to session.json beside window.ini within `SAVE_MS` of a change, atomically, so that a killed window comes back as it
was. A thread does that: while the engine writes much, opening and renaming a file took up to 0.4 s. Drafts and letters are in
window.ini.
"""

import json
import logging
import os
from collections.abc import Callable, Collection
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QObject, QSettings, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from app.config.paths import DataFolder

LOG = logging.getLogger("app.ui")
SAVE_MS = 400
WINDOW = "window"
"""Key of the window's own position, beside those of the pages."""
OF_NOBODY = ("templates", "memory", "settings")
"""Pages whose unfinished input belongs to no account; it is removed with the last account."""
PageState = dict[str, str | int]
"""What a page restores: ids as text, numbers and typed text. Read saved numbers with `number` and `long_number`: the file may be
damaged, and damaged values count as missing."""
LARGEST, LARGEST_LONG = 2**31 - 1, 2**63 - 1
"""Limits of Qt for pixels and character positions, and of SQLite and Qt for ids and times."""


def session_file(state: QSettings) -> Path:
    return DataFolder(Path(state.fileName()).parent).session


def number(state: PageState, key: str) -> int:
    """A pixel position. 0 if missing or out of Qt's range."""
    found = long_number(state, key)
    return found if 0 <= found <= LARGEST else 0


def long_number(state: PageState, key: str) -> int:
    """An id or time, stored as number or digits. 0 if missing or invalid."""
    try:
        found = int(state.get(key, 0))
    except ValueError:
        return 0
    return found if abs(found) <= LARGEST_LONG else 0


def last_page(state: QSettings) -> str:
    return str(_read(session_file(state)).get(WINDOW, {}).get("page") or "review")


class SessionStore(QObject):
    """Positions by page. An unreadable file counts as empty."""

    def __init__(self, file: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._file = file
        self._places = _read(file)
        self._readers: dict[str, Callable[[], PageState]] = {}
        self._moved: set[str] = set()
        self._timer = QTimer(self, singleShot=True, interval=SAVE_MS)
        self._timer.timeout.connect(self._save_in_thread)
        self._writing: Thread | None = None

    def at(self, name: str) -> PageState:
        return self._places.get(name, {})

    def follow(self, name: str, read: Callable[[], PageState]) -> Callable[[], None]:
        """Registers `read` as a page's position. Call the returned function whenever that may have changed; it is cheap."""
        self._readers[name] = read

        def touch() -> None:
            self._moved.add(name)
            if not self._timer.isActive():
                self._timer.start()

        return touch

    def save(self) -> None:
        """Saves now, and waits for it."""
        self._timer.stop()
        changed = self._take_moved()
        self._finish_writing()
        if changed:
            _write(self._file, self._places)

    def forget(self, stays: Collection[str] = ()) -> None:
        """Removes all positions except `stays`, after an account was forgotten."""
        self._timer.stop()
        self._finish_writing()
        self._moved.clear()
        self._places = {name: place for name, place in self._places.items() if name in stays}
        if self._places:
            _write(self._file, self._places)
        else:
            self._file.unlink(missing_ok=True)

    def _save_in_thread(self) -> None:
        if self._writing is not None and self._writing.is_alive():
            self._timer.start()
        elif self._take_moved():
            self._writing = Thread(target=_write, args=(self._file, dict(self._places)), name="session")
            self._writing.start()

    def _take_moved(self) -> bool:
        """Reads the positions that may have changed. Returns whether any did."""
        moved, self._moved = self._moved, set()
        now = {name: self._readers[name]() for name in moved}
        changed = any(self._places.get(name, {}) != place for name, place in now.items())
        self._places.update(now)
        return changed

    def _finish_writing(self) -> None:
        if self._writing is not None:
            self._writing.join()
            self._writing = None


def _write(file: Path, places: dict[str, PageState]) -> None:
    """Writes a new file and renames it. A killed window leaves the old or the new one."""
    fresh = file.with_suffix(".new")
    try:
        private = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(private, "w", encoding="utf-8", errors="replace") as out:  # typed text may hold half a character
            out.write(json.dumps(places, ensure_ascii=False))  # json.dump is slower by 1 ms
        fresh.replace(file)
    except OSError as error:
        LOG.warning("Where the user is could not be kept: %s", error.__class__.__name__)


def _read(file: Path) -> dict[str, PageState]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    places = found.items() if isinstance(found, dict) else ()

    def whole(value: object) -> bool:
        return isinstance(value, str) or (isinstance(value, int) and abs(value) <= LARGEST_LONG)

    pages = {str(name): place for name, place in places if isinstance(place, dict)}
    return {name: {key: value for key, value in place.items() if whole(value)} for name, place in pages.items()}


Field = QLineEdit | QPlainTextEdit | QTextEdit


def line_of(field: QWidget) -> Field | None:
    """The text field of a widget, None if it has none."""
    if isinstance(field, QComboBox):
        return field.lineEdit()
    return field if isinstance(field, Field) else None


def text_of(field: Field) -> str:
    return field.text() if isinstance(field, QLineEdit) else field.toPlainText()


def typed_texts(**fields: Field) -> PageState:
    return {name: text_of(field) for name, field in fields.items()}


def type_again(state: PageState, **fields: Field) -> None:
    """Sets the saved texts, with the cursor at their end. Fields that the state does not name stay as they are."""
    for name, field in fields.items():
        text = state.get(name)
        if not isinstance(text, str) or text == text_of(field):
            continue
        if isinstance(field, QLineEdit):
            field.setText(text)
        else:
            field.setPlainText(text)
            field.moveCursor(QTextCursor.MoveOperation.End)
