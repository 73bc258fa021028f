"""Pages ready before they are asked for: their modules are imported beside the window, then each page is built while nobody acts.

A first visit cost 300 ms, most of it imports. They run in a thread: Python hands the interpreter over every few
milliseconds, so that the window goes on. Widgets are made on the window's own thread, in steps that are short.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from threading import Thread

from PySide6.QtCore import QObject, QTimer, Signal

LOOK_MS = 50
REST_MS = 120
"""Between two steps, so that what the user does comes first."""


class Warming(QObject):
    """Begins with `start`; ends by itself, with `finished`."""

    finished = Signal()

    def __init__(self, modules: Sequence[str], steps: Sequence[Callable[[], object]], parent: QObject) -> None:
        super().__init__(parent)
        self._modules = tuple(modules)
        self._steps = list(steps)
        self._stopped = False
        self._thread = Thread(target=self._import, name="warming", daemon=True)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._next)

    @property
    def done(self) -> bool:
        """Whether every step was taken."""
        return not self._steps

    def start(self) -> None:
        """Import beside the window, then build."""
        self._thread.start()
        self._timer.start(LOOK_MS)

    def stop(self) -> None:
        """Build no more and wait for the import at hand."""
        self._stopped = True
        self._timer.stop()
        if self._thread.ident is not None:
            self._thread.join()

    def _import(self) -> None:
        for name in self._modules:
            if self._stopped:
                return
            with suppress(ImportError):  # who needs it says so, with its reason
                import_module(name)

    def _next(self) -> None:
        if self._thread.is_alive():
            self._timer.start(LOOK_MS)
            return
        if self._steps:
            self._timer.start(REST_MS)  # also where a step fails
            self._steps.pop(0)()
        else:
            self.finished.emit()
