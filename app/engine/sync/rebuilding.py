"""After an expired cursor: labels by label lists (5 units for 500 messages), then what is new and what is gone.

Every mirrored message gets exactly the labels it is listed under; only what differs is written. Refuses to delete a mirror
because a listing came back empty, and to delete on the word of a list that may lag: what is missing from it and recent is
asked for by itself.
"""

from collections import defaultdict
from collections.abc import Sequence

from app.domain.errors import ServerTrouble
from app.domain.ids import GmailId, GmailThreadId, HistoryId
from app.domain.ports.gmail import MailServer
from app.domain.syncing import Listed
from app.engine.sync.choosing import NEW
from app.engine.sync.fetching import NEW_PRIORITY
from app.engine.sync.listing import Limits
from app.engine.sync.mirror import Mirror
from app.store.pages import SyncPage, ToFetch

MESSAGES_A_PAGE = 300
REBUILT_PRIORITY = NEW_PRIORITY - 10
MOST_DOUBTED = 100
"""So many of the newest missing messages are asked for one by one: at 20 units each, twenty seconds of the quota."""


async def rebuild(server: MailServer, mirror: Mirror, limits: Limits | None = None) -> HistoryId:
    """Make the mirror's labels and messages those of the server; of what is missing only what is within `limits` is wanted. The
    new cursor is taken before listing and written last."""
    cursor = (await server.profile()).history_id
    names = await server.labels()
    everything = await _listed(server, ())
    if mirror.have and not everything:
        raise ServerTrouble("The server lists no mail at all while the mirror has some; nothing was deleted.")
    labels: dict[GmailId, set[str]] = defaultdict(set)
    for name in names:
        for entry in await _listed(server, (name.gmail_label_id,)):
            labels[entry.gmail_id].add(name.gmail_label_id)
    ids = {entry.gmail_id for entry in everything}
    for page in await _label_pages(mirror, sorted(mirror.have & ids), labels):
        await mirror.apply(page)
    terms = limits.terms if limits is not None else ""
    within = await _listed(server, (), terms) if terms else everything
    missing = [entry for entry in within if entry.gmail_id not in mirror.have]
    gone = sorted(mirror.have - ids)
    doubted = gone[-MOST_DOUBTED:]  # Gmail's ids grow with the time of arrival
    wanted = (*missing, *(Listed(gmail_id, GmailThreadId(gmail_id)) for gmail_id in doubted))
    await mirror.apply(
        SyncPage(
            delete=tuple(gone[:-MOST_DOUBTED]),
            to_fetch=tuple(ToFetch(one.gmail_id, one.gmail_thread_id, NEW, REBUILT_PRIORITY) for one in wanted),
            cursor=cursor,
            labels=names,
        )
    )
    return cursor


async def _listed(server: MailServer, label_ids: tuple[str, ...], query: str = "") -> list[Listed]:
    """Every message under these labels that the query finds, spam and trash included."""
    found: dict[GmailId, Listed] = {}
    token = ""
    while True:
        page = await server.list_messages(query, label_ids, token, include_spam_trash=True)
        found.update((entry.gmail_id, entry) for entry in page.entries)
        token = page.next_page_token
        if not token:
            return list(found.values())


async def _label_pages(mirror: Mirror, ids: Sequence[GmailId], labels: dict[GmailId, set[str]]) -> list[SyncPage]:
    """Pages that give those messages their labels that have others, and take all others away."""
    held = await mirror.labels()
    changed = [gid for gid in ids if held.get(gid, frozenset()) != labels[gid]]
    return [
        SyncPage(
            add_labels=tuple((gid, added) for gid in chunk if (added := frozenset(labels[gid] - held.get(gid, frozenset())))),
            remove_labels=tuple((gid, gone) for gid in chunk if (gone := frozenset(held.get(gid, frozenset()) - labels[gid]))),
        )
        for chunk in (changed[at : at + MESSAGES_A_PAGE] for at in range(0, len(changed), MESSAGES_A_PAGE))
    ]
