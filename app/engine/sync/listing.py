"""The order in which a mailbox is listed, and how far an unfinished listing came.

Pure. Early steps are what the user wants first; the last one is everything, so nothing depends on the early ones.

The user's settings as the limits of a listing.

Which mail is looked at by the agents at all. Pure.
"""

import re
from dataclasses import dataclass

import msgspec

from app.config.settings import SyncSettings
from app.domain.ids import GmailId
from app.domain.mail.message import Message, RemoteMessage, SystemLabel
from app.domain.sync import ListPage
from app.store.mail.sync_page import ToFetch


@dataclass(frozen=True, slots=True)
class ListingStep:
    """One listing; `priority` orders what it finds on the to-fetch list."""

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
"""Own answers come early: drafting learns from them."""
RECENT_STEPS = 3
"""The steps after which the recent mail and the owner's answers are listed."""
RECENT_PRIORITY = STEPS[RECENT_STEPS - 1].priority
"""The priority from which on what is to be fetched belongs to them."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What of older mail is not wanted: beyond so many days, above so many megabytes (0: no bound), under these labels; `paused`:
    none of it now."""

    days: int = 0
    largest_mb: int = 0
    skip_labels: str = ""
    paused: bool = False

    @property
    def terms(self) -> str:
        """In Gmail's own words, for the end of a query; empty without limits."""
        names = [name.strip() for name in self.skip_labels.split(",")]
        terms = [f"newer_than:{self.days}d"] if self.days else []
        terms += [f"smaller:{self.largest_mb}M"] if self.largest_mb else []
        return " ".join([*terms, *(f"-label:{_as_term(name)}" for name in names if name)])

    def query(self, query: str) -> str:
        """`query` within the limits."""
        return f"{query} {self.terms}".strip()


def _as_term(name: str) -> str:
    """A label's name as Gmail's search wants it: in lower case, with dashes for what would end the word."""
    return re.sub(r"[\s/&()\"]+", "-", name.lower())


class ListingProgress(msgspec.Struct, frozen=True):
    """Kept in the sync state as JSON. `step` is an index into `STEPS`, their number when the listing is finished;
    `token` is the next page's; `total` the mailbox's messages as told at the start, 0 where limits keep that unknown; `terms`
    are the limits it was made with."""

    step: int = 0
    token: str = ""
    total: int = 0
    terms: str = ""

    @property
    def finished(self) -> bool:
        """Whether everything was listed."""
        return self.step >= len(STEPS)

    @property
    def current(self) -> ListingStep:
        """The step at hand."""
        return STEPS[self.step]

    def after(self, page: ListPage) -> "ListingProgress":
        """How far it is once `page` is noted."""
        if page.next_page_token:
            return ListingProgress(self.step, page.next_page_token, self.total, self.terms)
        return ListingProgress(self.step + 1, "", self.total, self.terms)

    def again(self) -> "ListingProgress":
        """The same step from its first page: a page token does not live for ever."""
        return ListingProgress(self.step, "", self.total, self.terms)

    def packed(self) -> str:
        """As JSON."""
        return msgspec.json.encode(self).decode()


def unpacked(text: str) -> ListingProgress | None:
    """The stored progress; None when no listing was ever started (or its note is of another age: it starts again)."""
    try:
        return msgspec.json.decode(text, type=ListingProgress) if text else None
    except msgspec.MsgspecError:
        return None


def wanted(page: ListPage, have: set[GmailId], priority: int) -> tuple[ToFetch, ...]:
    """What of a listed page is still to be fetched."""
    return tuple(
        ToFetch(entry.gmail_id, entry.gmail_thread_id, "listed", priority) for entry in page.entries if entry.gmail_id not in have
    )


def limits_of(settings: SyncSettings) -> Limits:
    """What of older mail is wanted."""
    return Limits(settings.backfill_days, settings.largest_mb, settings.skip_labels, settings.older_paused)


NEW = "new"
"""The reason of a message that arrived while the mailbox was mirrored."""

_NEVER = frozenset({SystemLabel.SENT, SystemLabel.DRAFT, SystemLabel.SPAM, SystemLabel.TRASH})


def wants_triage(message: RemoteMessage | Message, since_ms: int | None, arrived: bool) -> bool:
    """Whether a mail is to be triaged: in the inbox, not the owner's, from the time of consent on, and unread or just
    `arrived`. Without consent (`since_ms` None) nothing is."""
    if since_ms is None or message.labels & _NEVER or SystemLabel.INBOX not in message.labels:
        return False
    if message.date.timestamp() * 1000 < since_ms:
        return False
    return arrived or SystemLabel.UNREAD in message.labels
