"""Notices for discarded text and for failed reads outside a refresh, and what reports exceptions."""

import logging
import sys
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QCoreApplication

from app.domain.error_texts import ErrorText
from app.domain.errors import ExpectedError
from app.domain.ids import AccountId
from app.domain.mail.message import Account
from app.domain.ports.window import MailboxReader
from app.ui.context import Notices
from app.ui.i18n.error_messages import sentence

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


def tell_discarded(notices: Notices, way_back: str, take_up: Callable[[], object], for_ms: int = 5000) -> None:
    """Shows "Discarded." for `for_ms` milliseconds with a button `way_back` that calls `take_up`."""
    notices.tell(QCoreApplication.translate("ComposePage", "Discarded."), way_back, take_up, for_ms)


T = TypeVar("T")


class ShowsWords(Protocol):
    def tell(self, words: str, /) -> None: ...


class ErrorNotice:
    """Context manager that turns an `ExpectedError` into a notice. The code after it goes on. `failed` tells whether that
    happened.
    """

    def __init__(self, notices: ShowsWords) -> None:
        self._notices = notices
        self.failed = False

    def __enter__(self) -> "ErrorNotice":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool:
        if not isinstance(error, ExpectedError):
            return False
        self.failed = True
        self._notices.tell(sentence(error.code, error.text))
        return True


class OnceNotice:
    """For reads at each key press. Shows a notice for the first `ExpectedError` only, until a read succeeds again."""

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self._silent = False

    def read(self, work: Callable[[], T]) -> T | None:
        try:
            found = work()
        except ExpectedError as error:
            if not self._silent:
                self._notices.tell(sentence(error.code, error.text))
            self._silent = True
            return None
        self._silent = False
        return found


def account_by_id(reader: MailboxReader, account_id: AccountId) -> Account | None:
    return next((one for one in reader.accounts() if one.id == account_id), None)


def may_have_account(accounts: Callable[[], Sequence[Account]]) -> bool:
    """Whether there is an account. True while the database cannot be read."""
    try:
        return bool(accounts())
    except ExpectedError:
        return True


def said_of(error: ExpectedError, reader: MailboxReader) -> str:
    """Sentence about an engine error. If the database cannot be read the engine does not run, so that error is reported
    instead.
    """
    try:
        reader.accounts()
    except ExpectedError as cause:
        error = cause
    return sentence(error.code, error.text)
