"""What the window asks about connected accounts, and about the mail of theirs that it is about to show.

How long a sign-in to Google lives. Pure.

A consent screen in Testing takes the refresh token back after seven days; nothing but its death tells. Once that was seen, the
next one's end is known beforehand.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
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
class WindowAttention:
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


AccountCommand = PrepareHtml | PauseAccount | RecolourAccount | SignInAgain | WindowAttention


TESTING_LIFE = timedelta(days=7)
WARNED_BEFORE = timedelta(hours=24)
SLACK_BEFORE = timedelta(hours=12)
SLACK_AFTER = timedelta(hours=48)
"""A dead token is noticed when it is used next, which may be after a weekend."""


def ended_as_in_testing(signed_in_at: datetime | None, now: datetime) -> bool:
    """Whether a sign-in that Google refuses now died at the age at which Testing ends it."""
    return signed_in_at is not None and TESTING_LIFE - SLACK_BEFORE <= now - signed_in_at <= TESTING_LIFE + SLACK_AFTER


def ends_at(signed_in_at: datetime | None, short_lived: bool) -> datetime | None:
    """When the sign-in is going to end, None if nothing says that it does."""
    return signed_in_at + TESTING_LIFE if short_lived and signed_in_at is not None else None


def ends_soon(signed_in_at: datetime | None, short_lived: bool, now: datetime) -> bool:
    """Whether the owner is to be told that the sign-in ends within a day; also after it has."""
    end = ends_at(signed_in_at, short_lived)
    return end is not None and now >= end - WARNED_BEFORE
