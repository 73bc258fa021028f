"""Runs Python's garbage collector on the window's thread only.

Python collects on whichever thread passes a threshold. Qt objects may be destroyed only on their own thread, so a collection on
another thread (an import, the pipe to the engine, the keyring) could stop their timers from there or crash. Automatic collection
is therefore off, and a timer collects between two events at Python's own thresholds.
"""

import gc

from PySide6.QtCore import QObject, Qt, QTimer

LOOK_MS = 500


def collect_due() -> int | None:
    """Collects the oldest generation whose threshold is passed. Returns its number, or None when none is due."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    due = [generation for generation in range(3) if counts[generation] > thresholds[generation]]
    # Older generations count collections of the younger ones, so there is nothing new in them unless the youngest is due.
    if not due or due[0] != 0:
        return None
    gc.collect(due[-1])
    return due[-1]


class GarbageCollection(QObject):
    """Collects garbage on a timer between `start` and `stop`."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, timerType=Qt.TimerType.CoarseTimer, interval=LOOK_MS)
        self._timer.timeout.connect(collect_due)

    def start(self) -> None:
        """Turns automatic collection off and freezes existing objects. Modules and the first page are not scanned again."""
        gc.disable()
        gc.freeze()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
