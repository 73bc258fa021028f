"""The order in which a mailbox is listed, the progress of a listing, its limits, and which mail is triaged. Pure.

Early steps list what the user needs first. The last step lists everything, so nothing depends on the early ones.
"""

import re

import msgspec

from app.config.settings import SyncSettings
from app.domain.ids import GmailId
from app.domain.mail.message import Message, RemoteMessage, SystemLabel
from app.domain.record import Record
from app.domain.sync import ListPage
from app.engine.runtime.settings_watcher import LiveSettings
from app.store.mail.sync_page import ToFetch


class ListingStep(Record):
    """One listing. `priority` orders its messages on the to-fetch list."""

    query: str
    priority: int
    spam_trash: bool = False


STEPS = (
    ListingStep("in:inbox newer_than:14d", 40),
    ListingStep("newer_than:14d", 30),
    ListingStep("in:sent newer_than:1y", 20),
    ListingStep("in:inbox", 10),
    ListingStep("", 0, spam_trash=True),
)
"""The owner's answers come early, because drafting learns from them."""
RECENT_STEPS = 3
"""Number of steps that list the recent mail and the owner's answers."""
RECENT_PRIORITY = STEPS[RECENT_STEPS - 1].priority
"""Lowest priority of those messages."""


def terms_of(limits: SyncSettings) -> str:
    """The limits on older mail as terms of a Gmail query, empty without limits. Labels are in lower case with dashes."""
    names = [name.strip() for name in limits.skip_labels.split(",")]
    terms = [f"newer_than:{limits.backfill_days}d"] if limits.backfill_days else []
    terms += [f"smaller:{limits.largest_mb}M"] if limits.largest_mb else []
    return " ".join([*terms, *("-label:" + re.sub(r"[\s/&()\"]+", "-", name.lower()) for name in names if name)])


class ListingProgress(msgspec.Struct, frozen=True):
    """Stored in the sync state as JSON.

    `step` is an index into `STEPS`, equal to their number when the listing is finished. `token` is the next page's. `total` is
    the mailbox's number of messages at the start, 0 where limits make it unknown. `terms` are the limits of this listing.
    """

    step: int = 0
    token: str = ""
    total: int = 0
    terms: str = ""

    @property
    def finished(self) -> bool:
        return self.step >= len(STEPS)

    @property
    def current(self) -> ListingStep:
        return STEPS[self.step]

    def after(self, page: ListPage) -> "ListingProgress":
        """The progress after `page` was stored."""
        return self.at(self.step if page.next_page_token else self.step + 1, page.next_page_token)

    def at(self, step: int, token: str = "") -> "ListingProgress":
        return ListingProgress(step, token, self.total, self.terms)

    def packed(self) -> str:
        return msgspec.json.encode(self).decode()


def unpacked(text: str) -> ListingProgress | None:
    """Decodes a stored progress. None if there is none or it is unreadable; then the listing starts again."""
    try:
        return msgspec.json.decode(text, type=ListingProgress) if text else None
    except msgspec.MsgspecError:
        return None


def wanted(page: ListPage, have: set[GmailId], priority: int) -> tuple[ToFetch, ...]:
    """The messages of a listed page that are still to be fetched."""
    missing = (one for one in page.entries if one.gmail_id not in have)
    return tuple(ToFetch(one.gmail_id, one.gmail_thread_id, "listed", priority) for one in missing)


UNATTENDED = 3
"""Factor on the poll interval while nobody looks at the window."""


class SyncPace:
    """How often accounts poll, and how much older mail they store, by the settings. `attended` is whether the user looks."""

    def __init__(self, settings: LiveSettings) -> None:
        self._settings = settings
        self.attended = True

    def poll_s(self) -> float:
        """Seconds between two polls."""
        wished_s = float(self._settings.now.sync.poll_s)
        return wished_s if self.attended else wished_s * UNATTENDED

    def budget_units(self) -> int:
        """Quota units per minute and account."""
        return self._settings.now.sync.budget_units

    def limits(self) -> SyncSettings:
        return self._settings.now.sync


NEW = "new"
"""Reason of a message that arrived during sync."""

_NEVER = frozenset({SystemLabel.SENT, SystemLabel.DRAFT, SystemLabel.SPAM, SystemLabel.TRASH})


def wants_triage(message: RemoteMessage | Message, since_ms: int | None, arrived: bool) -> bool:
    """Whether to triage a message.

    It must be in the inbox, not from the owner, dated after consent, and unread or just `arrived`. `since_ms` is the time of
    consent; without consent (None) nothing is triaged.
    """
    if since_ms is None or message.labels & _NEVER or SystemLabel.INBOX not in message.labels:
        return False
    return message.date.timestamp() * 1000 >= since_ms and (arrived or SystemLabel.UNREAD in message.labels)
