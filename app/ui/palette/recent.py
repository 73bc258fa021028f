"""What was done last from the palette, newest first, kept in window.ini: names of commands and pages, never mail or people."""

from PySide6.QtCore import QSettings

RECENT = "palette/recent"
MOST_RECENT = 5


def recent(state: QSettings) -> list[str]:
    """The names."""
    found = state.value(RECENT)
    return list(map(str, found)) if isinstance(found, list) else [str(found)] if found else []


def remember(state: QSettings, name: str) -> None:
    """This one was done now; what has no name is not remembered."""
    if name:
        state.setValue(RECENT, [name, *(one for one in recent(state) if one != name)][:MOST_RECENT])
