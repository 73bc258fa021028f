"""What was written and given up can be had back for a while: one notice for every editor. Refuses to keep the words itself."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from app.ui.context import Notices


def tell_discarded(notices: Notices, way_back: str, take_up: Callable[[], object], for_ms: int = 5000) -> None:
    """Say so, for `for_ms` milliseconds; the button says `way_back` and calls `take_up`."""
    notices.tell(QCoreApplication.translate("ComposePage", "Discarded."), way_back, take_up, for_ms)
