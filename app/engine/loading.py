"""Slow imports, and waiting for people, on a thread that nobody has to wait for: an engine that is told to end meanwhile ends at
once."""

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from types import ModuleType
from typing import TypeVar, cast

log = logging.getLogger(__name__)

T = TypeVar("T")

NAME = "loading"

SPARED = ("httpx._main",)
"""Command lines of libraries, which import them where they can and do without them where they cannot. httpx's brings rich and
Pygments along: 0.08 s of CPU, ninety modules and 4 MB that no engine uses."""


async def load(work: Callable[[], T]) -> T:
    """The result of `work`, done on a daemon thread of its own."""
    outcome: Future[T] = Future()
    threading.Thread(target=_settle, args=(outcome, work), name=NAME, daemon=True).start()
    return await asyncio.wrap_future(outcome)


def spare(names: Iterable[str] = SPARED) -> None:
    """From now on these modules cannot be imported in this process; those that are there stay."""
    for name in names:
        sys.modules.setdefault(name, cast(ModuleType, None))  # an import that finds None raises ModuleNotFoundError


def still_loading() -> bool:
    """Whether such a thread is alive; the interpreter must not be torn down under it."""
    return any(thread.name == NAME for thread in threading.enumerate())


def _settle(outcome: Future[T], work: Callable[[], T]) -> None:
    """Do `work` and put its outcome, unless nobody waits any more."""
    if not outcome.set_running_or_notify_cancel():
        return
    try:
        outcome.set_result(work())
    except Exception as error:
        log.info("loading failed with %s", type(error).__name__, exc_info=True)
        outcome.set_exception(error)
