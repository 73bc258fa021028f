"""Coalesce bursts: many pokes become one call, at once the first time and then at most every `interval_ms`."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Throttle(QObject):
    """Calls `action` on the event loop after `poke`, never twice within the interval."""

    def __init__(self, action: Callable[[], None], interval_ms: int, parent: QObject) -> None:
        super().__init__(parent)
        self._action = action
        self._again = False
        self._interval_ms = interval_ms
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._fire)

    def poke(self) -> None:
        """Ask for a call."""
        if self._timer.isActive():
            self._again = True
        else:
            self._timer.start(0)

    def cancel(self) -> None:
        """Forget what was asked for."""
        self._timer.stop()
        self._again = False

    def flush(self) -> None:
        """Make the call now, if one is due."""
        if self._timer.isActive() and (self._timer.interval() == 0 or self._again):
            self.cancel()
            self._action()

    def _fire(self) -> None:
        if self._timer.interval() == 0 or self._again:
            self._again = False
            self._timer.start(self._interval_ms)
            self._action()
