"""Reports unexpected exceptions: log with traceback, one sentence in the window. None is swallowed.

An `ExpectedError` that nothing on its way handled, such as a damaged file met by a click, is shown with its own text.
"""

import logging
import sys
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from app.domain.error_texts import ErrorText
from app.domain.errors import ExpectedError

if TYPE_CHECKING:
    import asyncio

LOG = logging.getLogger("app.ui")


class ErrorBoundary:
    """Context manager that reports an exception like one in a slot. The code after it goes on."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool:
        if kind is None or not isinstance(error, Exception):
            return False
        sys.excepthook(kind, error, trace)
        return True


def watch_exceptions(tell: Callable[[str, ErrorText], None], loop: "asyncio.AbstractEventLoop") -> Callable[[], None]:
    """Catches exceptions in slots and tasks. Calls `tell(code, text)` with `bug` and the class name, or with an
    `ExpectedError`'s code and text. Returns a function that stops it.
    """
    before = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            before(kind, error, trace)
            return
        if isinstance(error, ExpectedError):
            LOG.warning("Trouble in the window: %s", error.code)
            tell(error.code, error.text)
            return
        LOG.error("A fault in the window", exc_info=(kind, error, trace))
        tell("bug", ErrorText.of(kind.__name__))

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
