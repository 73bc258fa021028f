"""Faults of our own: into the log with their traceback, and one quiet sentence in the window. Nothing is swallowed.

Expected trouble that nobody on its way had words for, such as a damaged file that a click met, is told as what it is.
"""

import logging
import sys
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from app.domain.errors import ExpectedError

if TYPE_CHECKING:
    import asyncio

LOG = logging.getLogger("app.ui")


class ErrorBoundary:
    """A fault inside ends there: it is told as one in a slot is, and what comes behind goes on."""

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool:
        """Hand the fault to whoever watches."""
        if kind is None or not isinstance(error, Exception):
            return False
        sys.excepthook(kind, error, trace)
        return True


def watch_faults(tell: Callable[[str, str], None], loop: "asyncio.AbstractEventLoop") -> Callable[[], None]:
    """Hear of exceptions in slots and tasks; `tell(code, detail)` is called with `bug` and the class, or with the
    code and detail of expected trouble. Returns the way to stop."""
    before = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            before(kind, error, trace)
            return
        if isinstance(error, ExpectedError):
            LOG.warning("Trouble in the window: %s", error.code)
            tell(error.code, error.detail)
            return
        LOG.error("A fault in the window", exc_info=(kind, error, trace))
        tell("bug", kind.__name__)

    def in_a_task(_loop: "asyncio.AbstractEventLoop", context: dict[str, object]) -> None:
        error = context.get("exception")
        if isinstance(error, BaseException):
            hook(type(error), error, error.__traceback__)
        else:
            LOG.error("A fault in the window: %s", context.get("message"))

    def stop() -> None:
        sys.excepthook = before
        loop.set_exception_handler(None)

    sys.excepthook = hook
    loop.set_exception_handler(in_a_task)
    return stop
