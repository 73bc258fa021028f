"""What sync hands to the store in one piece, and what it gets back."""

from dataclasses import dataclass
from typing import NamedTuple

from app.domain.ids import GmailId, GmailThreadId, HistoryId, MessageId, ThreadId
from app.domain.mail import Label, RemoteMessage


class ToFetch(NamedTuple):
    """A message known but not mirrored yet. Higher `priority` is fetched earlier, then fewer `attempts`, then the order of
    arrival. Putting one on the list again keeps the higher priority and adds `attempts`: 1 after a failed fetch."""

    gmail_id: GmailId
    gmail_thread_id: GmailThreadId
    reason: str
    priority: int = 0
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class SyncPage:
    """One transaction's worth of sync; 20 to 50 messages are a good size.

    Applied in this order: messages, label changes, deletions, to-fetch list (`fetched` comes off after `to_fetch` went on),
    labels, cursor. `cursor` and `backfill_state` stay as they are when None, `labels` replaces the account's label table
    unless None. `route` are the new messages that want a `route` job; without `index` none is embedded.
    With `index_later` the full text of its messages may be indexed with that of a page to come, which is cheaper; an empty page
    without it indexes all that waits.
    """

    messages: tuple[RemoteMessage, ...] = ()
    add_labels: tuple[tuple[GmailId, frozenset[str]], ...] = ()
    remove_labels: tuple[tuple[GmailId, frozenset[str]], ...] = ()
    delete: tuple[GmailId, ...] = ()
    cursor: HistoryId | None = None
    to_fetch: tuple[ToFetch, ...] = ()
    fetched: tuple[GmailId, ...] = ()
    backfill_state: str | None = None
    route: frozenset[GmailId] = frozenset()
    labels: tuple[Label, ...] | None = None
    index: bool = True
    index_later: bool = False


@dataclass(frozen=True, slots=True)
class Applied:
    """What a page changed: threads to show again, messages that are new, messages that are gone (their vectors may go), messages
    that came out of spam or trash and have jobs now."""

    thread_ids: tuple[ThreadId, ...]
    new_ids: tuple[MessageId, ...]
    gone_ids: tuple[MessageId, ...]
    rescued_ids: tuple[MessageId, ...]
