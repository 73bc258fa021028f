"""The order in which a mailbox is listed, and how far an unfinished listing came.

Pure. Early steps are what the user wants first; the last one is everything, so nothing depends on the early ones.
"""

import re
from dataclasses import dataclass

import msgspec

from app.domain.ids import GmailId
from app.domain.syncing import ListPage
from app.store.pages import ToFetch


@dataclass(frozen=True, slots=True)
class Step:
    """One listing; `priority` orders what it finds on the to-fetch list."""

    query: str
    priority: int
    spam_trash: bool = False


STEPS = (
    Step("in:inbox newer_than:14d", 40),
    Step("newer_than:14d", 30),
    Step("in:sent newer_than:1y", 20),
    Step("in:inbox", 10),
    Step("", 0, spam_trash=True),
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


class Progress(msgspec.Struct, frozen=True):
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
    def current(self) -> Step:
        """The step at hand."""
        return STEPS[self.step]

    def after(self, page: ListPage) -> "Progress":
        """How far it is once `page` is noted."""
        if page.next_page_token:
            return Progress(self.step, page.next_page_token, self.total, self.terms)
        return Progress(self.step + 1, "", self.total, self.terms)

    def again(self) -> "Progress":
        """The same step from its first page: a page token does not live for ever."""
        return Progress(self.step, "", self.total, self.terms)

    def packed(self) -> str:
        """As JSON."""
        return msgspec.json.encode(self).decode()


def unpacked(text: str) -> Progress | None:
    """The stored progress; None when no listing was ever started (or its note is of another age: it starts again)."""
    try:
        return msgspec.json.decode(text, type=Progress) if text else None
    except msgspec.MsgspecError:
        return None


def wanted(page: ListPage, have: set[GmailId], priority: int) -> tuple[ToFetch, ...]:
    """What of a listed page is still to be fetched."""
    return tuple(
        ToFetch(entry.gmail_id, entry.gmail_thread_id, "listed", priority) for entry in page.entries if entry.gmail_id not in have
    )
