"""Parts of a page that survive a restart besides its list. Unfinished input, scroll positions, open and unfolded sections.

Each part has a name in whereabouts.json. A part that cannot be restored yet (its mail, rule or section is not there) stays in the
file and is tried again. Typed text waits without limit.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from app.domain.errors import ExpectedError
from app.ui.session.session_store import SavedPosition, kept_spot, number

COMES_BACK = "comes_back"
"""Property of a field whose text survives a restart, here or in window.ini."""


@dataclass(frozen=True, slots=True)
class _Part:
    read: Callable[[], SavedPosition]
    put_back: Callable[[SavedPosition], bool]
    fleeting: bool


class RestorableParts(QObject):
    """The parts of one page. Emits `moved` when one may have changed."""

    moved = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._parts: dict[str, _Part] = {}
        self._waiting: dict[str, list[SavedPosition]] = {}

    def add(
        self,
        name: str,
        read: Callable[[], SavedPosition],
        put_back: Callable[[SavedPosition], bool],
        *changed: SignalInstance,
        fleeting: bool = False,
    ) -> None:
        """Adds a part. `read` returns its state, empty if nothing is to be kept; `put_back` returns whether it could restore a
        state now. A waiting state of a `fleeting` part is dropped as soon as there is a newer one; typed text is not.
        """
        self._parts[name] = _Part(read, put_back, fleeting)
        for signal in changed:
            signal.connect(lambda *_: self.moved.emit())
        self.retry(name)

    def place(self) -> SavedPosition:
        """State of all parts, to be saved."""
        found: SavedPosition = {name: json.dumps(spots, ensure_ascii=False) for name, spots in self._waiting.items()}
        for name, part in self._parts.items():
            now = part.read()
            waiting = self._waiting.get(name, [])
            if now and part.fleeting:
                waiting = []
            if spots := [*waiting, *([now] if now else [])]:
                found[name] = json.dumps(spots, ensure_ascii=False)
        return found

    def begin_at(self, place: SavedPosition) -> None:
        """Loads the saved state and restores what it can."""
        self._waiting = {name: spots for name, text in place.items() if (spots := _spots(text))}
        self.retry()

    def retry(self, name: str = "") -> None:
        """Restores what is possible now, of one part or of all."""
        for one in [name] if name else list(self._parts):
            part, waiting = self._parts.get(one), self._waiting.pop(one, [])
            still = [spot for spot in waiting if part is None or not _put_back(part, spot)]
            if still:
                self._waiting[one] = still

    def waits(self, name: str) -> bool:
        """Whether a state of this part is not restored yet."""
        return name in self._waiting

    def forget(self) -> None:
        """Drops what waits, after an account was forgotten."""
        self._waiting = {}


def comes_back(*fields: QWidget) -> None:
    """Marks fields whose text survives a restart. A test fails on unmarked fields."""
    for field in fields:
        field.setProperty(COMES_BACK, True)


def _put_back(part: _Part, spot: SavedPosition) -> bool:
    """Whether it was restored. False while the database cannot be read."""
    try:
        return part.put_back(spot)
    except ExpectedError:
        return False


def _spots(text: str | int) -> list[SavedPosition]:
    """Reads saved states and skips what is damaged."""
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return []
    return [kept_spot(one) for one in found if isinstance(one, dict)] if isinstance(found, list) else []


class ScrollPosition(QObject):
    """Vertical scroll position of an area, restored once there is enough content. It counts the area's own steps, mostly pixels.
    Emits `moved`.
    """

    moved = Signal()

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._bar = area.verticalScrollBar()
        self._wanted = 0
        self._ours = False
        self._bar.rangeChanged.connect(lambda _low, _high: self._pull())
        self._bar.valueChanged.connect(self._moved)

    @property
    def at(self) -> int:
        """Current position, or the one still to be restored."""
        return self._wanted or self._bar.value()

    def go(self, at: int) -> None:
        """Scrolls there now and again while the range changes; 0 stops that."""
        self._wanted = max(0, at)
        self._pull()

    def _pull(self) -> None:
        if self._wanted:
            self._ours = True
            self._bar.setValue(min(self._wanted, self._bar.maximum()))
            self._ours = False

    def _moved(self, value: int) -> None:
        if not self._ours and value != min(self._wanted, self._bar.maximum()):
            self._wanted = 0
        self.moved.emit()


def keep_scroll(parts: RestorableParts, name: str, area: QAbstractScrollArea) -> None:
    """Adds the scroll position of an area as a part."""
    place = ScrollPosition(area)

    def read() -> SavedPosition:
        return {"y": place.at} if place.at else {}

    def put_back(spot: SavedPosition) -> bool:
        place.go(number(spot, "y"))
        return True

    parts.add(name, read, put_back, place.moved, fleeting=True)
