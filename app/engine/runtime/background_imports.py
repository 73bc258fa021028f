"""Slow imports on daemon threads, so that the engine can end while one is under way.

Also blocks or defers imports that the engine rarely or never needs.
"""

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import TypeVar, cast

log = logging.getLogger(__name__)

T = TypeVar("T")

NAME = "loading"

SPARED = ("httpx._main", "rfc3987_syntax")
"""Optional imports of libraries, which work without them. httpx's command line imports rich and Pygments: 0.08 s of CPU, ninety
modules and 4 MB. jsonschema's check of internationalised addresses compiles a grammar at import: 1 s of CPU (chromadb imports
in 0.70 s instead of 1.77), for a check that is never made here."""


PUT_OFF = ("httplib2.auth", "google.oauth2.service_account", "google.oauth2.challenges", "google.auth.jwt")
"""Modules that their libraries require and the engine hardly ever uses. httplib2 reads the challenge of a 401 with pyparsing:
0.05 s of CPU and 4 MB at each start. Service accounts, whose keys need cryptography, and second factors during a sign-in do
not apply to a personal mailbox: 0.08 s and 9 MB."""


class _Later(ModuleType):
    """Stands for a module and imports it at the first attribute access. Thread-safe."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._importing = threading.Lock()

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # the import system reads these from every module
            raise AttributeError(name)
        with self._importing:
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
            module = import_module(self.__name__)
        found: object = getattr(module, name)
        return found


async def load(work: Callable[[], T]) -> T:
    """Runs `work` on its own daemon thread and returns its result."""
    outcome: Future[T] = Future()
    threading.Thread(target=_settle, args=(outcome, work), name=NAME, daemon=True).start()
    return await asyncio.wrap_future(outcome)


async def preload(module: str) -> None:
    """Imports a module on its own daemon thread. An import statement then gets it at once."""
    await load(partial(import_module, module))


def spare(names: Iterable[str] = SPARED) -> None:
    """Makes these modules impossible to import in this process. Modules already imported stay."""
    for name in names:
        sys.modules.setdefault(name, cast(ModuleType, None))  # an import that finds None raises ModuleNotFoundError


def put_off(names: Iterable[str] = PUT_OFF) -> None:
    """Defers the import of these modules to their first use. Modules already imported stay."""
    for name in names:
        sys.modules.setdefault(name, _Later(name))


def still_loading() -> bool:
    """Whether a `load` thread is alive. The interpreter must not be torn down while one runs."""
    return any(thread.name == NAME for thread in threading.enumerate())


def _settle(outcome: Future[T], work: Callable[[], T]) -> None:
    """Runs `work` and sets its outcome, unless the future was cancelled."""
    if not outcome.set_running_or_notify_cancel():
        return
    try:
        outcome.set_result(work())
    except Exception as error:
        log.info("loading failed with %s", type(error).__name__, exc_info=True)
        outcome.set_exception(error)
