"""What of a page comes back besides its list: half-typed fields, how far an area is scrolled, what is unfolded or open.

Each is a part under a name, in whereabouts.json. What cannot be put back yet (its mail, rule or section is not there) waits in
the file and is tried again; words wait as long as it takes. Refuses secrets: a field for one is never made a part.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from app.domain.errors import ExpectedError
from app.ui.whereabouts import Spot, kept_spot

COMES_BACK = "comes_back"
"""The property of a field whose words outlive the window, here or in window.ini."""


@dataclass(frozen=True, slots=True)
class _Part:
    read: Callable[[], Spot]
    put_back: Callable[[Spot], bool]
    fleeting: bool


class Parts(QObject):
    """The parts of one page; `moved` when one may be another."""

    moved = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._parts: dict[str, _Part] = {}
        self._waiting: dict[str, list[Spot]] = {}

    def add(
        self,
        name: str,
        read: Callable[[], Spot],
        put_back: Callable[[Spot], bool],
        *changed: SignalInstance,
        fleeting: bool = False,
    ) -> None:
        """`read` gives the part as it stands, empty where nothing is to come back; `put_back` says whether it could take one up
        now. A `fleeting` one that waits is dropped as soon as there is another; words are not."""
        self._parts[name] = _Part(read, put_back, fleeting)
        for signal in changed:
            signal.connect(lambda *_: self.moved.emit())
        self.retry(name)

    def place(self) -> Spot:
        """All of them, for the next start."""
        found: Spot = {name: json.dumps(spots, ensure_ascii=False) for name, spots in self._waiting.items()}
        for name, part in self._parts.items():
            now = part.read()
            waiting = self._waiting.get(name, [])
            if now and part.fleeting:
                waiting = []
            if spots := [*waiting, *([now] if now else [])]:
                found[name] = json.dumps(spots, ensure_ascii=False)
        return found

    def begin_at(self, place: Spot) -> None:
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


def _put_back(part: _Part, spot: Spot) -> bool:
    """Whether it could be taken up; what it needs of a file that cannot be read now is waited for."""
    try:
        return part.put_back(spot)
    except ExpectedError:
        return False


def _spots(text: str | int) -> list[Spot]:
    """What was written, as far as it is what we write."""
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return []
    return [kept_spot(one) for one in found if isinstance(one, dict)] if isinstance(found, list) else []
