"""Errors that a user can meet, as classes with fields; the window has a sentence for each class.

Anything that is not an `ExpectedError` is a bug and is logged with its traceback.
"""

import re
from datetime import datetime

from app.domain.error_texts import Cause, ErrorText
from app.domain.ids import AccountId


class ExpectedError(Exception):
    """An error that a user can meet.

    `code` selects the window's sentence; it is the class's name in snake case unless the class sets it. `text` tells what was
    wrong, without mail text. `account_id` is set only where the raiser alone knows the account (else 0).
    """

    code = "trouble"
    account_id = AccountId(0)

    def __init_subclass__(cls) -> None:
        cls.code = cls.__dict__.get("code") or re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def __init__(self, what: Cause | ErrorText | str = "", *values: object) -> None:
        """`what` and `values` as in `ErrorText.of`."""
        self.text = ErrorText.of(what, *values)
        super().__init__(self.detail)

    @property
    def detail(self) -> str:
        """The text in English, for logs and the command line."""
        return str(self.text)

    def __str__(self) -> str:
        return self.detail or self.code


class Offline(ExpectedError):
    """The server cannot be reached. Everything stays queued."""


class Intercepted(Offline):
    """Something answers in place of the server.

    Either a captive portal or a program that intercepts TLS. Its answers are ignored.
    """


class LoginNeeded(ExpectedError):
    """The account's sign-in is missing, expired or revoked."""


class SignInCancelled(ExpectedError):
    """The user cancelled a sign-in that waited at the browser."""


class QuotaReached(ExpectedError):
    """Google's quota is used up. `retry_after_s` is how long, if the server said so."""

    def __init__(self, detail: str = "", retry_after_s: float | None = None) -> None:
        super().__init__(detail)
        self.retry_after_s = retry_after_s


class PermissionMissing(ExpectedError):
    """Google rejects the call for lack of scopes or rights."""


class ApiOff(PermissionMissing):
    """The API is not enabled in the Google Cloud project of the owner's OAuth client."""


class PolicyForbids(PermissionMissing):
    """The organisation's administrator does not allow this program."""


class NotFound(ExpectedError):
    """The requested object does not exist (404)."""


class CursorExpired(ExpectedError):
    """`history.list` answered 404. The local copy is rebuilt from label lists."""


class ServerError(ExpectedError):
    """The server failed (5xx, a cut or unreadable answer). Reads may be repeated; a send never without checking first."""

    code = "server_trouble"


class RejectedByServer(ExpectedError):
    """The server rejected the call (400 and the like). Repeating it fails again."""

    code = "rejected"


class TemporarilyRejected(RejectedByServer):
    """Rejected for the moment: 400 or 412 `failedPrecondition`.

    Gmail answers this when two changes collide. Nothing was changed.
    """

    code = "rejected"


class ModelUnavailable(ExpectedError):
    """The configured model cannot be reached, has no key, or gives unusable answers."""


class CapReached(ExpectedError):
    """The daily or monthly cap on model calls is used up."""


class AgentsPaused(ExpectedError):
    """The owner has paused all agents. Their runs continue later."""

    code = "paused"


class KeyringUnavailable(ExpectedError):
    """There is no secure keyring on this machine."""


class DiskFull(ExpectedError):
    """The disk is full. Nothing was written in part."""


class StoreTooNew(ExpectedError):
    """The database was written by a newer version. It was not changed."""


class StoreDamaged(ExpectedError):
    """SQLite reports a damaged file."""


class StoreRestored(ExpectedError):
    """The database was damaged and has been replaced.

    `kept` is the damaged file; `copy_of` is the time of the copy that replaced it, in the user's time zone, None for an empty
    database; `doubted` counts approved mails that may have been sent.
    """

    def __init__(self, kept: str, copy_of: datetime | None, doubted: int) -> None:
        since = f"{copy_of:%Y-%m-%d %H:%M}" if copy_of else ""
        place = f"The copy of {since} took its place" if since else "There was no good copy, so an empty one took its place"
        missing = (
            f"Decisions made since {since} may be missing" if since else "Decisions and drafts made here are missing from it"
        )
        left = f" {doubted} approved mails wait until it is known whether they left." if doubted else ""
        super().__init__(
            f"{place}; the damaged file is kept as {kept}. {missing}; mail is fetched again.{left}",
            "Look through the Outbox and your sent mail before you approve an answer again.",
        )
        self.kept, self.copy_of, self.doubted = kept, copy_of, doubted


class StoreCopied(ExpectedError):
    """The database was copied into place by hand or from another machine.

    `doubted` counts approved mails that may have been sent or cancelled since.
    """

    def __init__(self, doubted: int) -> None:
        super().__init__(
            f"{doubted} approved mails wait until it is known whether they left.",
            "Look through the Outbox and your sent mail before you approve an answer again.",
        )
        self.doubted = doubted


class IndexLost(ExpectedError):
    """The embeddings are damaged. They are rebuilt from the mail; no user data is lost."""


class AlreadyRunning(ExpectedError):
    """Another instance holds the data folder's lock."""


class BadFile(ExpectedError):
    """A file of the user has an error. `path` and `line` (1-based, 0 if unknown) tell where it is."""

    def __init__(self, path: str, line: int, what: Cause | ErrorText | str, *values: object) -> None:
        super().__init__(what, *values)
        self.path, self.line = path, line

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.detail}"


class WipeUnclear(ExpectedError):
    """The note on which account to wipe cannot be read. Nothing was deleted.

    `detail` is the note's file. Reported at every start until an account is wiped or the file is deleted.
    """


class FileGone(ExpectedError):
    """A file was removed from a letter, because the message it came with is gone. `detail` is its name."""


class DraftSimplified(ExpectedError):
    """A draft of another program lost formatting that a letter cannot have."""


class SlowPattern(ExpectedError):
    """A header pattern of a routing rule timed out and counted as no match. `detail` is `rule/header`."""


class StaleDecision(ExpectedError):
    """A decision named a review revision that is no longer pending. Nothing was changed."""


class OpenSlots(ExpectedError):
    """A draft with open slots cannot be approved. `slots` holds their prompts."""

    def __init__(self, slots: tuple[str, ...]) -> None:
        super().__init__("; ".join(slots))
        self.slots = slots


class NotAllowed(ExpectedError):
    """The command is not allowed in this state (nothing to undo, bad recipient ...)."""

    code = "refused"
