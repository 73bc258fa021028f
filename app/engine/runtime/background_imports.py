"""Slow imports, and waiting for people, on a thread that nobody has to wait for: an engine that is told to end meanwhile ends at
once."""

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from importlib import import_module
from types import ModuleType
from typing import TypeVar, cast

log = logging.getLogger(__name__)

T = TypeVar("T")

NAME = "loading"

SPARED = ("httpx._main", "rfc3987_syntax")
"""What libraries import where they can and do without where they cannot. httpx's command line brings rich and Pygments along:
0.08 s of CPU, ninety modules and 4 MB that no engine uses. jsonschema's check of internationalised addresses compiles a grammar
when it is imported: a second of CPU, 1.77 s for chromadb instead of 0.70, for a check that is never made here."""


PUT_OFF = ("httplib2.auth", "google.oauth2.service_account", "google.oauth2.challenges", "google.auth.jwt")
"""Modules that nearly no engine uses, and that their libraries cannot do without: imported when something of them is asked for.
httplib2 reads the challenge of a 401 with pyparsing: 0.05 s of CPU and 4 MB at each start. Accounts of services, whose keys take
cryptography, and second factors within a sign-in are not for a person's mailbox: 0.08 s and 9 MB."""


class _Later(ModuleType):
    """Stands for a module until something of it is asked for, from whatever thread."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._importing = threading.Lock()

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # what the import system looks for in every module
            raise AttributeError(name)
        with self._importing:
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
            module = import_module(self.__name__)
        found: object = getattr(module, name)
        return found


async def load(work: Callable[[], T]) -> T:
    """The result of `work`, done on a daemon thread of its own."""
    outcome: Future[T] = Future()
    threading.Thread(target=_settle, args=(outcome, work), name=NAME, daemon=True).start()
    return await asyncio.wrap_future(outcome)


def spare(names: Iterable[str] = SPARED) -> None:
    """From now on these modules cannot be imported in this process; those that are there stay."""
    for name in names:
        sys.modules.setdefault(name, cast(ModuleType, None))  # an import that finds None raises ModuleNotFoundError


def put_off(names: Iterable[str] = PUT_OFF) -> None:
    """Import these modules when something of them is asked for; those that are there stay."""
    for name in names:
        sys.modules.setdefault(name, _Later(name))


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
