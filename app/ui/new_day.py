"""Tells that a new day began: lists show a time for today's mail and a date for older mail. Looked at each minute, because a
computer may have slept over midnight or have been carried into another zone. Refuses to guess from timers alone.
"""

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.domain.ports.agents import Clock

LOOK_MS = 60_000


class NewDay(QObject):
    """`came` is emitted once for each local date that `clock` shows anew."""

    came = Signal()

    def __init__(self, clock: Clock, parent: QObject, look_ms: int = LOOK_MS) -> None:
        super().__init__(parent)
        self._clock = clock
        self._day = clock().astimezone().date()
        timer = QTimer(self)
        timer.setTimerType(Qt.TimerType.VeryCoarseTimer)
        timer.timeout.connect(self._look)
        timer.start(look_ms)

    def _look(self) -> None:
        day = self._clock().astimezone().date()
        if day != self._day:
            self._day = day
            self.came.emit()
