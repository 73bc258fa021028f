"""What was written and given up can be had back for a while: one notice for every editor.

What a click or a key reads outside a page's own reading: where the file cannot be read now, a notice says so, and what was to
be done is left undone.
"""

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TypeVar

from PySide6.QtCore import QCoreApplication

from app.domain.errors import ExpectedError
from app.domain.ids import AccountId
from app.domain.mail.message import Account
from app.domain.ports.window import MailboxReader
from app.ui.context import Notices
from app.ui.i18n.error_messages import sentence


def tell_discarded(notices: Notices, way_back: str, take_up: Callable[[], object], for_ms: int = 5000) -> None:
    """Say so, for `for_ms` milliseconds; the button says `way_back` and calls `take_up`."""
    notices.tell(QCoreApplication.translate("ComposePage", "Discarded."), way_back, take_up, for_ms)


T = TypeVar("T")


class ErrorNotice:
    """`with Told(notices):` what stands inside ends where something could not be read, and what comes behind goes on.
    `failed` says whether it did."""

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self.failed = False

    def __enter__(self) -> "ErrorNotice":
        """Nothing is told yet."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool:
        """Say what could not be read."""
        if not isinstance(error, ExpectedError):
            return False
        self.failed = True
        self._notices.tell(sentence(error.code, error.detail, error.remedy))
        return True


class OnceNotice:
    """For what is read with each key: where it cannot be read a notice says so once, until it can be read again."""

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self._silent = False

    def read(self, work: Callable[[], T]) -> T | None:
        """What `work` reads, None where it cannot be read now."""
        try:
            found = work()
        except ExpectedError as error:
            if not self._silent:
                self._notices.tell(sentence(error.code, error.detail, error.remedy))
            self._silent = True
            return None
        self._silent = False
        return found


def account_by_id(reader: MailboxReader, account_id: AccountId) -> Account | None:
    """One account, None where it is gone."""
    return next((one for one in reader.accounts() if one.id == account_id), None)


def may_have_account(accounts: Callable[[], Sequence[Account]]) -> bool:
    """Whether there is an account; one may be there while the file cannot be read."""
    try:
        return bool(accounts())
    except ExpectedError:
        return True


def said_of(error: ExpectedError, reader: MailboxReader) -> str:
    """Why the engine did not answer. It does not run over a file that cannot be read, and then the file is what to tell of."""
    try:
        reader.accounts()
    except ExpectedError as cause:
        error = cause
    return sentence(error.code, error.detail, error.remedy)
