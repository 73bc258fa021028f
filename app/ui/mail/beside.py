"""A module that takes long to import, imported beside the window: Python hands the interpreter over every few milliseconds, while
an import on the window's thread stops it from beginning to end. Refuses to say what went wrong: importing it again does.
"""

from contextlib import suppress
from importlib import import_module
from threading import Thread


class Beside:
    """Asked for until it is there; whoever asks first begins it."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._thread: Thread | None = None

    def ready(self) -> bool:
        """Whether importing it now takes no time; if nobody has asked before, not yet."""
        if self._thread is None:
            self._thread = Thread(target=self._import, name="import")
            self._thread.start()
            return False
        return not self._thread.is_alive()

    def _import(self) -> None:
        with suppress(ImportError):
            import_module(self._module)
