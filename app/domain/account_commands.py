"""What the window asks about connected accounts, and about the mail of theirs that it is about to show."""

from dataclasses import dataclass
from pathlib import Path

from app.domain.ids import AccountId, MessageId


@dataclass(frozen=True, slots=True)
class PrepareHtml:
    """Clean the HTML of a mail that the user opened (`Message.html_waits`); `MailChanged` says that it can be read."""

    message_id: MessageId


@dataclass(frozen=True, slots=True)
class PauseAccount:
    """Stop syncing an account, or go on. Its mail stays, and what was approved leaves when it goes on."""

    account_id: AccountId
    paused: bool


@dataclass(frozen=True, slots=True)
class RecolourAccount:
    """The colour that marks an account's mail, as #rrggbb."""

    account_id: AccountId
    colour: str


@dataclass(frozen=True, slots=True)
class SignInAgain:
    """Ask in the browser with the client that the account was connected with; review goes on meanwhile."""

    account_id: AccountId


@dataclass(frozen=True, slots=True)
class Attend:
    """Whether the user looks at the window: new mail is asked for at once then and at the pace of the settings, else less often.
    Without a word the engine takes it that somebody looks."""

    looked_at: bool


@dataclass(frozen=True, slots=True)
class CheckClientFile:
    """Look at an OAuth client file before it is used; answered by `ClientFileChecked`."""

    path: Path


@dataclass(frozen=True, slots=True)
class ClientFileChecked:
    """What is wrong with the file and what to do; both empty when it is fine. `line` is 0 where no line is at fault."""

    fault: str
    remedy: str
    line: int = 0


AccountCommand = PrepareHtml | PauseAccount | RecolourAccount | SignInAgain | Attend
