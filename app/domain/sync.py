"""Types and plans for sync: pages of listings and history, and what to fetch for how many quota units. Pure functions.

`app.engine.sync.syncer` carries the plans out. The costs are Google's of May 2026 for new projects.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import NamedTuple

from app.domain.ids import GmailId, GmailThreadId, HistoryId
from app.domain.mail.message import SystemLabel
from app.domain.record import Record

UNITS: dict[str, int] = {
    "getProfile": 1,
    "labels.list": 1,
    "labels.get": 1,
    "labels.create": 5,
    "history.list": 2,
    "messages.list": 5,
    "messages.get": 20,
    "threads.get": 40,
    "messages.attachments.get": 20,
    "drafts.list": 5,
    "drafts.get": 20,
    "drafts.create": 10,
    "drafts.update": 15,
    "drafts.delete": 10,
    "drafts.send": 100,
    "messages.modify": 5,
    "messages.batchModify": 50,
    "messages.trash": 20,
    "messages.untrash": 20,
    "messages.insert": 25,
    "messages.import": 25,
    "messages.send": 100,
    "settings.sendAs.list": 1,
    "settings.sendAs.patch": 100,
    "settings.getVacation": 1,
    "settings.updateVacation": 5,
}
"""Quota units per call."""

THREAD_FETCH_FROM = 3
"""From this number of wanted messages on, one `threads.get` is cheaper."""


class Listed(NamedTuple):
    """An entry of `messages.list`. A named tuple, because there are very many of them."""

    gmail_id: GmailId
    gmail_thread_id: GmailThreadId


class ListPage(Record):
    """A page of `messages.list`, newest first. `next_page_token` is empty on the last page."""

    entries: tuple[Listed, ...]
    next_page_token: str
    result_size_estimate: int


class ChangeKind(StrEnum):
    ADDED = "added"
    DELETED = "deleted"
    LABELS_ADDED = "labels_added"
    LABELS_REMOVED = "labels_removed"


class HistoryChange(Record):
    """One history entry about one message.

    `labels` are those added or removed. For `added` they are those it came with, if known.

    `number` grows with time, 0 if unknown.
    """

    kind: ChangeKind
    gmail_id: GmailId
    gmail_thread_id: GmailThreadId
    labels: frozenset[str] = frozenset()
    number: int = 0


class HistoryPage(Record):
    """A page of `history.list`, oldest first. `history_id` is the mailbox's newest one."""

    changes: tuple[HistoryChange, ...]
    history_id: HistoryId
    next_page_token: str


class FetchPlan(Record):
    """Threads to fetch whole and messages to fetch singly, in order; `units` is the cost."""

    threads: tuple[GmailThreadId, ...]
    messages: tuple[GmailId, ...]
    units: int


def plan_fetch(wanted: Iterable[Listed], thread_from: int = THREAD_FETCH_FROM) -> FetchPlan:
    """Plans the cheapest way to fetch messages.

    Threads are fetched whole from `thread_from` wanted messages on. Two cost the same either way, so use 2 if a thread may have
    more messages than are known.
    """
    by_thread: dict[GmailThreadId, list[GmailId]] = defaultdict(list)
    seen: set[GmailId] = set()
    for entry in wanted:
        if entry.gmail_id not in seen:
            seen.add(entry.gmail_id)
            by_thread[entry.gmail_thread_id].append(entry.gmail_id)
    threads = tuple(thread for thread, ids in by_thread.items() if len(ids) >= thread_from)
    messages = tuple(gmail_id for ids in by_thread.values() if len(ids) < thread_from for gmail_id in ids)
    units = len(threads) * UNITS["threads.get"] + len(messages) * UNITS["messages.get"]
    return FetchPlan(threads, messages, units)


class SetAside(Record):
    """A message that could not be fetched. `code` is of `domain.errors`, or `new`."""

    gmail_id: GmailId
    code: str
    attempts: int


class SyncPlan(Record):
    """What a piece of history requires.

    `fetch` are messages that arrived, `fetch_older` other unknown messages that changed, `forget` messages that need not be
    fetched any more. Labels are changed and messages deleted in the local copy.
    """

    fetch: tuple[Listed, ...]
    fetch_older: tuple[Listed, ...]
    add_labels: tuple[tuple[GmailId, frozenset[str]], ...]
    remove_labels: tuple[tuple[GmailId, frozenset[str]], ...]
    delete: tuple[GmailId, ...]
    forget: tuple[GmailId, ...]


def plan_sync(changes: Iterable[HistoryChange], have: Collection[GmailId]) -> SyncPlan:
    """Folds history into one step per message; later changes win.

    A label change of an unknown message means to fetch it, with low priority unless it came into the inbox. A message that
    reappears after its deletion is fetched again. So is a draft that was sent under its id, since its content and date change;
    its old version is deleted first.
    """
    fetch: dict[GmailId, Listed] = {}
    older: dict[GmailId, Listed] = {}
    labels: dict[GmailId, dict[str, bool]] = defaultdict(dict)
    gone: dict[GmailId, None] = {}
    for change in changes:
        gid = change.gmail_id
        if change.kind is ChangeKind.DELETED:
            gone[gid] = None
            fetch.pop(gid, None)
            older.pop(gid, None)
            labels.pop(gid, None)
        elif change.kind is ChangeKind.ADDED or gid not in have:
            if gid not in have or gid in gone:
                wanted = fetch if _arrived(change) else older
                wanted[gid] = Listed(gid, change.gmail_thread_id)
            gone.pop(gid, None)
        elif _was_sent(change):
            gone[gid] = None
            labels.pop(gid, None)
            fetch[gid] = Listed(gid, change.gmail_thread_id)
        elif gid not in gone:
            present = change.kind is ChangeKind.LABELS_ADDED
            labels[gid].update(dict.fromkeys(change.labels, present))
    return SyncPlan(
        fetch=tuple(fetch.values()),
        fetch_older=tuple(listed for gid, listed in older.items() if gid not in fetch),
        add_labels=_chosen(labels, True),
        remove_labels=_chosen(labels, False),
        delete=tuple(gid for gid in gone if gid in have),
        forget=tuple(gid for gid in gone if gid not in fetch),
    )


def _arrived(change: HistoryChange) -> bool:
    """Whether the message is new, or came into the inbox."""
    return change.kind is ChangeKind.ADDED or (change.kind is ChangeKind.LABELS_ADDED and SystemLabel.INBOX in change.labels)


def _was_sent(change: HistoryChange) -> bool:
    """Whether a known draft was sent under its id, as scheduled mail is."""
    sent = SystemLabel.SENT if change.kind is ChangeKind.LABELS_ADDED else SystemLabel.DRAFT
    return sent in change.labels


def _chosen(labels: dict[GmailId, dict[str, bool]], present: bool) -> tuple[tuple[GmailId, frozenset[str]], ...]:
    """The labels of each message whose last change was `present`, without empty sets."""
    picked = ((gid, frozenset(name for name, value in names.items() if value is present)) for gid, names in labels.items())
    return tuple((gid, names) for gid, names in picked if names)
