"""Commands on connected accounts, the check of a client file, and the lifetime of a Google sign-in.

A consent screen in testing mode revokes the refresh token after seven days. Only its failure shows this; from then on the next
end is known in advance.
"""

from datetime import datetime, timedelta
from pathlib import Path

from app.domain.error_texts import NO_TEXT, ErrorText
from app.domain.ids import AccountId, MessageId
from app.domain.mail.message import Vacation
from app.domain.record import Record
from app.domain.wire import Answer, Command, Query


class PrepareHtml(Command):
    """Cleans the HTML of an opened message (`Message.html_waits`). `MailChanged` follows when it can be read."""

    message_id: MessageId


class PauseAccount(Command):
    """Pauses or resumes the sync of an account. Its mail stays, and approved mail is sent after resuming."""

    account_id: AccountId
    paused: bool


class RecolourAccount(Command):
    """Sets the colour that marks an account's mail, as #rrggbb."""

    account_id: AccountId
    colour: str


class SignInAgain(Command):
    """Asks for consent in the browser, with the client the account was connected with."""

    account_id: AccountId


class CancelSignIn(Command):
    """Ends the sign-ins that wait for the user at a browser. Each then fails with `SignInCancelled`."""


class WindowAttention(Command):
    """Whether the user looks at the window.

    If not, the mailbox is polled less often. Without this command the engine assumes that the user looks.
    """

    looked_at: bool


class CheckClientFile(Query):
    """Checks an OAuth client file; answered by `ClientFileChecked`."""

    path: Path


class ClientFileChecked(Answer):
    """What is wrong with the file; empty if it is fine. `line` is 0 if no line is to blame."""

    error: ErrorText = NO_TEXT
    line: int = 0


class Signature(Record):
    """The signature of an address, as HTML."""

    email: str
    html: str


class ReadMailSettings(Query):
    """Reads an account's signatures and vacation responder from Gmail; answered by `MailSettings`."""

    account_id: AccountId


class ChangeMailSettings(Query):
    """Writes a signature, the vacation responder or both to Gmail; answered by `MailSettings`.

    The first time Google's page asks for the permission. Nothing is written twice.
    """

    account_id: AccountId
    signature: Signature | None = None
    vacation: Vacation | None = None


class MailSettings(Answer):
    """What Gmail has now."""

    signatures: tuple[Signature, ...]
    vacation: Vacation


AccountCommand = PrepareHtml | PauseAccount | RecolourAccount | SignInAgain | CancelSignIn | WindowAttention


TESTING_LIFE = timedelta(days=7)
WARNED_BEFORE = timedelta(hours=24)
SLACK_BEFORE = timedelta(hours=12)
SLACK_AFTER = timedelta(hours=48)
"""A revoked token is noticed at its next use, which may be after a weekend."""


def ended_as_in_testing(signed_in_at: datetime | None, now: datetime) -> bool:
    """Whether a rejected sign-in ended at the age at which testing mode ends it."""
    return signed_in_at is not None and TESTING_LIFE - SLACK_BEFORE <= now - signed_in_at <= TESTING_LIFE + SLACK_AFTER


def ends_at(signed_in_at: datetime | None, short_lived: bool) -> datetime | None:
    """When the sign-in is going to end, None if nothing says so."""
    return signed_in_at + TESTING_LIFE if short_lived and signed_in_at is not None else None


def ends_soon(signed_in_at: datetime | None, short_lived: bool, now: datetime) -> bool:
    """Whether the sign-in ends within a day or has ended."""
    end = ends_at(signed_in_at, short_lived)
    return end is not None and now >= end - WARNED_BEFORE
