"""Numbers in window.ini. A hand or a crash may have left nonsense there: it counts as nothing remembered."""

from PySide6.QtCore import QSettings


def remembered(state: QSettings, key: str, otherwise: int) -> int:
    """The whole number under a key."""
    try:
        return int(str(state.value(key, otherwise)))
    except ValueError:
        return otherwise
