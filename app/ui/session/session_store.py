"""Where the user is: the open page, and on each page what is chosen, how far it is scrolled and what is half typed there.

Written to a small file beside window.ini within `SAVE_MS` of a change, whole or not at all, so that a window that was killed
comes back as it was. Not in window.ini, whose writing waits for the disk: where one was is not worth that. The window itself
waits for neither: the file is written beside it. Drafts and letters stand in window.ini.
"""

import json
import logging
import os
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TypeGuard

from PySide6.QtCore import QObject, QSettings, QTimer

from app.config.paths import DataFolder

LOG = logging.getLogger("app.ui")
SAVE_MS = 400
WINDOW = "window"
"""The window's own place, beside those of its pages."""
OF_NOBODY = ("templates", "memory", "settings")
"""Pages on which what is half typed belongs to no account; it goes with the last one."""
SavedPosition = dict[str, str | int]
"""What a page calls its place: ids as text, numbers, and what was typed. What came from the file is read through `number`,
`long_number` and `long_numbers`: it may be damaged, and a damaged place is none."""
LARGEST, LARGEST_LONG = 2**31 - 1, 2**63 - 1
"""What Qt takes for a pixel or a character's place, and what SQLite and Qt take for an id or a time."""


def parts_of(page: str) -> str:
    """The name under which a page's parts stand (`app.ui.session.restorable_parts`)."""
    return f"{page}.parts"


def whereabouts_file(state: QSettings) -> Path:
    """The file, beside window.ini."""
    return DataFolder(Path(state.fileName()).parent).whereabouts


def number(spot: SavedPosition, key: str) -> int:
    """A place in pixels or characters; 0 where the spot has none that Qt could go to."""
    found = long_number(spot, key)
    return found if 0 <= found <= LARGEST else 0


def long_number(spot: SavedPosition, key: str) -> int:
    """An id or a time, written as a number or in digits; 0 where the spot has none."""
    try:
        found = int(spot.get(key, 0))
    except ValueError:
        return 0
    return found if abs(found) <= LARGEST_LONG else 0


def long_numbers(spot: SavedPosition, key: str) -> list[int]:
    """Several, with spaces between them; what is no number is left out."""
    words = str(spot.get(key, "")).split()
    return [long_number({key: one}, key) for one in words if one.isascii() and one.isdigit()]


def kept_spot(found: dict[object, object]) -> SavedPosition:
    """What of an object in JSON is what we write: numbers that are not beyond all ids, and text that can be written again."""
    return {key: value for key, value in found.items() if isinstance(key, str) and _writable(key) and _ours(value)}


def last_page(state: QSettings) -> str:
    """The page that was open last; earlier versions noted it in window.ini."""
    kept = _read(whereabouts_file(state)).get(WINDOW, {}).get("page")
    return str(kept or state.value("window/page", "review"))


class SessionStore(QObject):
    """Places by page. An unreadable file counts as none."""

    def __init__(self, file: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._file = file
        self._places = _read(file)
        self._readers: dict[str, Callable[[], SavedPosition]] = {}
        self._moved: set[str] = set()
        self._writing: Thread | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SAVE_MS)
        self._timer.timeout.connect(self._save_beside)

    def at(self, name: str) -> SavedPosition:
        """Where the user was on a page; empty if nobody knows."""
        return self._places.get(name, {})

    def follow(self, name: str, read: Callable[[], SavedPosition]) -> Callable[[], None]:
        """Keep what `read` gives; the returned function is called whenever that may have changed, and costs nothing."""
        self._readers[name] = read
        return partial(self._touch, name)

    def save(self) -> None:
        """Write what changed, if anything did; it is on the disk's way when this returns."""
        self._timer.stop()
        changed = self._take_up()
        self._wait()
        if changed:
            _write(self._file, json.dumps(self._places, ensure_ascii=False))

    def _save_beside(self) -> None:
        """The same, without waiting."""
        if self._writing is not None and self._writing.is_alive():
            self._timer.start()
        elif self._take_up():
            text = json.dumps(self._places, ensure_ascii=False)
            self._writing = Thread(target=_write, args=(self._file, text), name="whereabouts")
            self._writing.start()

    def _take_up(self) -> bool:
        """Read the places of those that moved; whether any is another."""
        moved, self._moved = self._moved, set()
        now = {name: self._readers[name]() for name in moved}
        if all(self._places.get(name, {}) == place for name, place in now.items()):
            return False
        self._places.update(now)
        return True

    def _wait(self) -> None:
        """For what is being written."""
        if self._writing is not None:
            self._writing.join()
            self._writing = None

    def forget(self, stays: Collection[str] = ()) -> None:
        """An account's mail is taken from this computer, and with it every place and every word but those that `stays` names."""
        self._timer.stop()
        self._wait()
        self._moved.clear()
        self._places = {name: place for name, place in self._places.items() if name in stays}
        if self._places:
            _write(self._file, json.dumps(self._places, ensure_ascii=False))
        else:
            self._file.unlink(missing_ok=True)

    def _touch(self, name: str) -> None:
        self._moved.add(name)
        if not self._timer.isActive():
            self._timer.start()


def _write(file: Path, text: str) -> None:
    """Beside the file, then in its place: whoever kills the window leaves the old one or the new one."""
    fresh = file.with_suffix(".new")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            out.write(text)
        fresh.replace(file)
    except OSError as error:
        LOG.warning("Where the user is could not be kept: %s", error.__class__.__name__)


def _read(file: Path) -> dict[str, SavedPosition]:
    """What the file says, as far as it is what we write."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    places = found.items() if isinstance(found, dict) else ()
    return {str(name): kept_spot(place) for name, place in places if isinstance(place, dict)}


def _ours(value: object) -> TypeGuard[str | int]:
    return _writable(value) if isinstance(value, str) else isinstance(value, int) and abs(value) <= LARGEST_LONG


def _writable(text: str) -> bool:
    """Half a character, which JSON lets pass, is in no file of ours."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
