"""Expected trouble, as classes with fields; the window turns each into a sentence.

Anything that is not an `ExpectedError` is a bug: it reaches the log with its traceback.
"""

from datetime import datetime

from app.domain.ids import AccountId


class ExpectedError(Exception):
    """Trouble a user can meet. `code` names the sentence; `detail` names what was wrong, without mail text; `account_id` whose
    it was, where whoever raised it knew that and others do not (else 0)."""

    code = "trouble"
    account_id = AccountId(0)

    def __init__(self, detail: str = "", remedy: str = "") -> None:
        super().__init__(detail)
        self.detail = detail
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.detail} {self.remedy}".strip() or self.code


class Offline(ExpectedError):
    """The server cannot be reached; everything stays queued."""

    code = "offline"


class Intercepted(Offline):
    """Something between here and the server answers in its place: a network that wants a sign-in of its own, or a program that
    reads encrypted connections. Nothing of it is believed."""

    code = "intercepted"


class LoginNeeded(ExpectedError):
    """The account's sign-in is missing, expired or revoked."""

    code = "login_needed"


class QuotaReached(ExpectedError):
    """Google's quota is used up; `retry_after_s` says for how long, when the server told."""

    code = "quota_reached"

    def __init__(self, detail: str = "", retry_after_s: float | None = None) -> None:
        super().__init__(detail)
        self.retry_after_s = retry_after_s


class PermissionMissing(ExpectedError):
    """Google refuses the call for this account's scopes or rights."""

    code = "permission_missing"


class ApiOff(PermissionMissing):
    """The API is not enabled in the project that the owner's OAuth client belongs to."""

    code = "api_off"


class PolicyForbids(PermissionMissing):
    """The administrator of the account's organisation does not let this program in."""

    code = "policy_forbids"


class NotFound(ExpectedError):
    """The server has no such thing (404)."""

    code = "not_found"


class CursorExpired(ExpectedError):
    """`history.list` answered 404: the mirror is rebuilt through label lists."""

    code = "cursor_expired"


class ServerError(ExpectedError):
    """The server failed (5xx, a cut or unreadable answer). Reads may be tried again, a send never blindly."""

    code = "server_trouble"


class RejectedByServer(ExpectedError):
    """The server understood and refused (400 and the like); the same call will fail again."""

    code = "rejected"


class TemporarilyRejected(RejectedByServer):
    """Refused for the moment: 400 or 412 `failedPrecondition`, as Gmail answers while two changes meet. Nothing was done."""


class ModelUnavailable(ExpectedError):
    """The configured model cannot be reached, has no key, or answers nothing usable."""

    code = "model_unavailable"


class CapReached(ExpectedError):
    """The daily or monthly cap on model calls is used up."""

    code = "cap_reached"


class AgentsPaused(ExpectedError):
    """The owner has stopped all agents; what they were doing goes on later."""

    code = "paused"


class KeyringUnavailable(ExpectedError):
    """No safe keyring answers on this machine."""

    code = "keyring_unavailable"


class DiskFull(ExpectedError):
    """A write did not fit on the disk; nothing was half written."""

    code = "disk_full"


class StoreTooNew(ExpectedError):
    """The database was written by a newer program; it was not touched."""

    code = "store_too_new"


class StoreDamaged(ExpectedError):
    """SQLite reports a damaged file."""

    code = "store_damaged"


class StoreRestored(ExpectedError):
    """The database was damaged and another took its place. `kept` names the damaged file; `copy_of` is when the copy that took
    its place was made, in the user's time, None for an empty database; `doubted` counts approved mails that may have left."""

    code = "store_restored"

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
        self.kept = kept
        self.copy_of = copy_of
        self.doubted = doubted


class StoreCopied(ExpectedError):
    """The database is a copy, put in its place by hand or brought from another machine. `doubted` counts approved mails that may
    have left or been taken back since."""

    code = "store_copied"

    def __init__(self, doubted: int) -> None:
        super().__init__(
            f"{doubted} approved mails wait until it is known whether they left.",
            "Look through the Outbox and your sent mail before you approve an answer again.",
        )
        self.doubted = doubted


class IndexLost(ExpectedError):
    """The embeddings are damaged: a cache, built anew from the mail; nothing of the user's is lost."""

    code = "index_lost"


class AlreadyRunning(ExpectedError):
    """Another instance holds the data folder's lock."""

    code = "already_running"


class BadFile(ExpectedError):
    """A file the user wrote is wrong: `path`, `line` (1-based, 0 if unknown) and the remedy say where and how to mend it."""

    code = "bad_file"

    def __init__(self, path: str, line: int, detail: str, remedy: str) -> None:
        super().__init__(detail, remedy)
        self.path = path
        self.line = line

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.detail} {self.remedy}".strip()


class WipeUnclear(ExpectedError):
    """An account was to be forgotten, but the note that says which cannot be read: nothing was deleted. `detail` is the file that
    the note is kept in; it is told at each start until an account is forgotten, or the file deleted."""

    code = "wipe_unclear"


class FileGone(ExpectedError):
    """A letter's file came with a mail that is no longer there: it was taken off the letter. `detail` is its name."""

    code = "file_gone"


class DraftSimplified(ExpectedError):
    """A draft of another program became a letter without some of its looks, which a letter cannot have."""

    code = "draft_simplified"


class SlowPattern(ExpectedError):
    """A header pattern of a routing rule took too long on a mail and counted as no match. `detail` is `rule/header`."""

    code = "slow_pattern"


class StaleDecision(ExpectedError):
    """A decision named a review revision that is no longer the pending one; nothing was changed."""

    code = "stale_decision"


class OpenSlots(ExpectedError):
    """A draft with unfilled slots cannot be approved. `slots` holds their prompts."""

    code = "open_slots"

    def __init__(self, slots: tuple[str, ...]) -> None:
        super().__init__("; ".join(slots))
        self.slots = slots


class NotAllowed(ExpectedError):
    """A command that the rules do not allow in this state (nothing to undo, bad recipient ...)."""

    code = "refused"
