"""Rebuilds the local copy after an expired cursor: labels from label lists (5 units for 500 messages), new and deleted messages.

Every stored message gets the labels it is listed under. Only differences are written.
"""

import logging
from collections import defaultdict
from collections.abc import Sequence

from app.config.settings import SyncSettings
from app.domain.errors import NotFound, RejectedByServer, ServerError
from app.domain.ids import GmailId, GmailThreadId, HistoryId
from app.domain.mail.message import Label, SystemLabel
from app.domain.ports.gmail import MailServer
from app.domain.sync import Listed
from app.engine.sync.backfill import MOST_WAITING
from app.engine.sync.fetching import NEW_PRIORITY
from app.engine.sync.listing import NEW, terms_of
from app.engine.sync.mirror import MailboxMirror
from app.store.mail.sync_page import SyncPage, ToFetch
from app.store.outbox import REREAD

log = logging.getLogger(__name__)

MESSAGES_A_PAGE = 300
REBUILT_PRIORITY = NEW_PRIORITY - 10
MOST_DOUBTED = 100
"""How many of the newest missing messages are asked for one by one: at 20 units each, twenty seconds of the quota."""
SHORT_BY = 0.01
"""A listing that lacks more than this part of the mailbox's count deletes nothing by itself. One that lacks less deletes nothing
older than its oldest message."""

USERS_OWN = "Label_"
"""Prefix of the ids of the owner's labels. One that is in no list was deleted."""

Labels = dict[GmailId, frozenset[str]]


async def rebuild(
    server: MailServer, mirror: MailboxMirror, limits: SyncSettings | None = None, *, all_listed: bool = True
) -> HistoryId:
    """Makes labels and messages of the local copy those of the server. Returns the new cursor.

    Missing messages are fetched only within `limits`. During a first listing (not `all_listed`) only messages that came since
    count as new. The cursor is read before listing and written last. Raises `ServerError` when the server lists no mail although
    some is stored.
    """
    profile = await server.profile()
    everything = await _listed(server, ())
    if mirror.have and not everything:
        raise ServerError("The server lists no mail at all while the mirror has some; nothing was deleted.")
    names, labels, short = await _labels(server)
    ids = {entry.gmail_id for entry in everything}
    held = await mirror.labels()
    here = mirror.have & ids
    sent = {one for one in here if SystemLabel.SENT in labels[one] - held.get(one, frozenset())}
    known = {name.gmail_label_id for name in names} | {one for own in held.values() for one in own if one.startswith(USERS_OWN)}
    for page in _label_pages(sorted(here - sent), held, labels, frozenset(known - short)):
        await mirror.apply(page)
    unsure = {one for one in here - sent if held.get(one, frozenset()) & short - labels[one]}
    terms = terms_of(limits) if limits is not None else ""
    within = await _listed(server, (), terms) if terms else everything
    missing = [entry for entry in within if entry.gmail_id not in mirror.have]
    gone = mirror.have - ids
    doubted = _doubted(gone, ids, profile.messages_total)
    wanted = [*missing, *(entry for entry in everything if entry.gmail_id in sent)]
    wanted += [Listed(gmail_id, GmailThreadId(gmail_id)) for gmail_id in doubted]
    reread = [  # stored messages with unsure labels: the newest are read at once, the rest in turn
        ToFetch(one.gmail_id, one.gmail_thread_id, REREAD, REBUILT_PRIORITY if place < MOST_DOUBTED else 0)
        for place, one in enumerate(one for one in everything if one.gmail_id in unsure)
    ]
    await mirror.apply(
        SyncPage(
            delete=(*sorted(gone - set(doubted)), *sent),
            to_fetch=(*await _rows(mirror, wanted, all_listed), *reread),
            cursor=profile.history_id,
            labels=names,
        )
    )
    return profile.history_id


def _doubted(gone: set[GmailId], listed: set[GmailId], total: int) -> list[GmailId]:
    """The stored messages that are not `listed` and may still exist, in a mailbox that reports `total` messages.

    Gmail's ids grow with the time of arrival. Lists lag behind with the newest, and one that ends too early lacks the oldest.
    """
    missing = sorted(gone, key=_age)
    lacking = total - len(listed)
    if lacking > total * SHORT_BY:
        return missing
    oldest = min(map(_age, listed)) if lacking > 0 else (0, "")
    cut_off = [one for one in missing if _age(one) < oldest]
    return list(dict.fromkeys((*cut_off, *missing[-MOST_DOUBTED:])))


async def _rows(mirror: MailboxMirror, wanted: Sequence[Listed], all_listed: bool) -> tuple[ToFetch, ...]:
    """Rows for the to-fetch list, without messages that are on it already.

    Gmail's ids grow with the time of arrival. During a first listing, what is older than the newest known message is not new; the
    listing will reach it.
    """
    waiting = {one.gmail_id for one in await mirror.to_fetch(MOST_WAITING)}
    known = mirror.have | waiting
    newest = (0, "") if all_listed else max(map(_age, known), default=None)  # None: no message is known to compare with
    return tuple(
        ToFetch(one.gmail_id, one.gmail_thread_id, NEW, REBUILT_PRIORITY)
        if one.gmail_id in mirror.have or (newest is not None and _age(one.gmail_id) > newest)
        else ToFetch(one.gmail_id, one.gmail_thread_id, "listed")
        for one in wanted
        if one.gmail_id not in waiting
    )


def _age(gmail_id: GmailId) -> tuple[int, str]:
    """Sort key by time for ids, which are hexadecimal numbers."""
    return len(gmail_id), gmail_id


async def _labels(server: MailServer) -> tuple[tuple[Label, ...], Labels, frozenset[str]]:
    """Returns the mailbox's labels, the labels of each message, and the labels whose lists are too short.

    A label that was deleted meanwhile is left out.
    """
    names = await server.labels()
    found: dict[GmailId, set[str]] = defaultdict(set)
    lost: set[str] = set()
    short: set[str] = set()
    for name in names:
        try:
            entries, whole = await _labelled(server, name.gmail_label_id)
        except (RejectedByServer, NotFound):
            if name.gmail_label_id in {one.gmail_label_id for one in await server.labels()}:
                raise
            lost.add(name.gmail_label_id)
            continue
        short |= set() if whole else {name.gmail_label_id}
        for gmail_id in entries:
            found[gmail_id].add(name.gmail_label_id)
    labels: Labels = defaultdict(frozenset, {gmail_id: frozenset(own) for gmail_id, own in found.items()})
    return tuple(name for name in names if name.gmail_label_id not in lost), labels, frozenset(short)


async def _labelled(server: MailServer, label_id: str) -> tuple[set[GmailId], bool]:
    """Returns the messages under a label, and whether they are as many as the server counts. A short list is read twice. One
    that the server cannot count may be short.
    """
    found: set[GmailId] = set()
    for _ in range(2):
        found |= {entry.gmail_id for entry in await _listed(server, (label_id,))}
        try:
            if len(found) >= await server.label_total(label_id):
                return found, True
        except (NotFound, ServerError) as error:
            log.info("the messages of the label %s are not counted: %s", label_id, error.code)
            break
    return found, False


async def _listed(server: MailServer, label_ids: tuple[str, ...], query: str = "") -> list[Listed]:
    """Lists every message under these labels that the query finds, including spam and trash.

    A page token may expire, so the listing starts again once.
    """
    try:
        return await _pages(server, label_ids, query)
    except RejectedByServer:
        return await _pages(server, label_ids, query)


async def _pages(server: MailServer, label_ids: tuple[str, ...], query: str) -> list[Listed]:
    found: dict[GmailId, Listed] = {}
    token = ""
    while True:
        page = await server.list_messages(query, label_ids, token, include_spam_trash=True)
        found.update((entry.gmail_id, entry) for entry in page.entries)
        token = page.next_page_token
        if not token:
            return list(found.values())


def _label_pages(ids: Sequence[GmailId], held: Labels, labels: Labels, known: frozenset[str]) -> list[SyncPage]:
    """Pages that set the labels of messages where they differ. Only `known` labels are removed, since others were not listed."""
    changes: list[tuple[GmailId, frozenset[str], frozenset[str]]] = []
    for gmail_id in ids:
        own = held.get(gmail_id, frozenset())
        add, remove = labels[gmail_id] - own, (own & known) - labels[gmail_id]
        if add or remove:
            changes.append((gmail_id, add, remove))
    return [
        SyncPage(
            add_labels=tuple((gmail_id, add) for gmail_id, add, _ in chunk if add),
            remove_labels=tuple((gmail_id, remove) for gmail_id, _, remove in chunk if remove),
        )
        for chunk in (changes[at : at + MESSAGES_A_PAGE] for at in range(0, len(changes), MESSAGES_A_PAGE))
    ]
