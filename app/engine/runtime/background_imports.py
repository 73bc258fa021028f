"""Slow imports on daemon threads, so that the engine can end while one is under way.

Also blocks imports that the engine never needs.
"""

import asyncio
import logging
import sys
import threading
from collections.abc import Callable
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


async def load(work: Callable[[], T]) -> T:
    """Runs `work` on its own daemon thread and returns its result."""
    outcome: Future[T] = Future()

    def settle() -> None:
        if not outcome.set_running_or_notify_cancel():
            return
        try:
            outcome.set_result(work())
        except Exception as error:
            log.info("loading failed with %s", type(error).__name__, exc_info=True)
            outcome.set_exception(error)

    threading.Thread(target=settle, name=NAME, daemon=True).start()
    return await asyncio.wrap_future(outcome)


async def preload(module: str) -> None:
    """Imports a module on its own daemon thread. An import statement then gets it at once."""
    await load(partial(import_module, module))


def spare() -> None:
    """Makes `SPARED` impossible to import in this process. Modules already imported stay."""
    for name in SPARED:
        sys.modules.setdefault(name, cast(ModuleType, None))  # an import that finds None raises ModuleNotFoundError


def still_loading() -> bool:
    """Whether a `load` thread is alive. The interpreter must not be torn down while one runs."""
    return any(thread.name == NAME for thread in threading.enumerate())
