"""What of a page comes back besides its list: half-typed fields, how far an area is scrolled, what is unfolded or open.

Each is a part under a name, in whereabouts.json. What cannot be put back yet (its mail, rule or section is not there) waits in
the file and is tried again; words wait as long as it takes.

How far an area is scrolled, put back when there is enough in it to scroll: contents and sizes come one after the other.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from app.domain.errors import ExpectedError
from app.ui.session.session_store import SavedPosition, kept_spot, number

COMES_BACK = "comes_back"
"""The property of a field whose words outlive the window, here or in window.ini."""


@dataclass(frozen=True, slots=True)
class _Part:
    read: Callable[[], SavedPosition]
    put_back: Callable[[SavedPosition], bool]
    fleeting: bool


class RestorableParts(QObject):
    """The parts of one page; `moved` when one may be another."""

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
        """`read` gives the part as it stands, empty where nothing is to come back; `put_back` says whether it could take one up
        now. A `fleeting` one that waits is dropped as soon as there is another; words are not."""
        self._parts[name] = _Part(read, put_back, fleeting)
        for signal in changed:
            signal.connect(lambda *_: self.moved.emit())
        self.retry(name)

    def place(self) -> SavedPosition:
        """All of them, for the next start."""
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
        """How they stood before."""
        self._waiting = {name: spots for name, text in place.items() if (spots := _spots(text))}
        self.retry()

    def retry(self, name: str = "") -> None:
        """Put back what waits and can be put back now: of one part, or of all."""
        for one in [name] if name else list(self._parts):
            part, waiting = self._parts.get(one), self._waiting.pop(one, [])
            still = [spot for spot in waiting if part is None or not _put_back(part, spot)]
            if still:
                self._waiting[one] = still

    def waits(self, name: str) -> bool:
        """Whether something of this part could not be put back yet."""
        return name in self._waiting

    def forget(self) -> None:
        """What waits goes with the account."""
        self._waiting = {}


def comes_back(*fields: QWidget) -> None:
    """Say of fields that their words outlive the window; a test finds those of which nobody says so."""
    for field in fields:
        field.setProperty(COMES_BACK, True)


def _put_back(part: _Part, spot: SavedPosition) -> bool:
    """Whether it could be taken up; what it needs of a file that cannot be read now is waited for."""
    try:
        return part.put_back(spot)
    except ExpectedError:
        return False


def _spots(text: str | int) -> list[SavedPosition]:
    """What was written, as far as it is what we write."""
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return []
    return [kept_spot(one) for one in found if isinstance(one, dict)] if isinstance(found, list) else []


class ScrollPosition(QObject):
    """Of one area, up and down, in its own steps (pixels for most). `moved` when it was scrolled."""

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
        """Where it is, or is to be."""
        return self._wanted or self._bar.value()

    def go(self, at: int) -> None:
        """Scroll there, now and while the range still changes; 0 lets it be."""
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
    """Let how far an area is scrolled come back."""
    place = ScrollPosition(area)

    def read() -> SavedPosition:
        return {"y": place.at} if place.at else {}

    def put_back(spot: SavedPosition) -> bool:
        place.go(number(spot, "y"))
        return True

    parts.add(name, read, put_back, place.moved, fleeting=True)
