"""Python's search for cyclic garbage, on the window's thread only.

Python collects on whichever thread happens to make the object that passes a threshold. Qt's objects may end only on their own
thread, so that a collection beside the window (an import, the pipe to the engine, the keyring) could stop their timers from
there or crash. Here it is off by itself and done between two events of the window, at Python's own thresholds.
"""

import gc

from PySide6.QtCore import QObject, Qt, QTimer

LOOK_MS = 500


def collect_due() -> int | None:
    """Collect the oldest generation whose threshold is passed, on the thread that calls; its number, or None when none is due."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    due = [generation for generation in range(3) if counts[generation] > thresholds[generation]]
    # The older ones count collections of the younger: with none of the youngest due there is nothing new to look through.
    if not due or due[0] != 0:
        return None
    gc.collect(due[-1])
    return due[-1]


class GarbageCollection(QObject):
    """In force from `start` to `stop`."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.CoarseTimer)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(collect_due)

    def start(self) -> None:
        """From now on no other thread collects. What lives already (modules, the first page) is not looked through again."""
        gc.disable()
        gc.freeze()
        self._timer.start()

    def settle(self) -> None:
        """The pages stand now and stay: they are not looked through again either, which took 30 ms every few minutes."""
        gc.collect(1)
        gc.freeze()

    def stop(self) -> None:
        """Python's own ways again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
