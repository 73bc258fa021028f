"""Recent and saved searches, in window.ini. They belong to no account and are removed with any."""

from PySide6.QtCore import QSettings

RECENT = "search/recent"
SAVED = "search/saved"
MOST_RECENT = 20
MOST_SAVED = 20
LONGEST = 300


def recent(state: QSettings) -> list[str]:
    """Newest first."""
    return _list(state, RECENT)


def saved(state: QSettings) -> list[str]:
    """In the order they were saved."""
    return _list(state, SAVED)


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


def _list(state: QSettings, key: str) -> list[str]:
    found = state.value(key)
    return list(map(str, found)) if isinstance(found, list) else [str(found)] if found else []
