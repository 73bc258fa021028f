"""Changes since the cursor: one transaction takes labels, deletions, what is to be fetched, and the new cursor.

So the cursor never passes a hole: a new message is on the to-fetch list before the history that named it is forgotten.
"""

from app.domain.errors import CursorExpired, RejectedByServer
from app.domain.ids import HistoryId
from app.domain.ports.gmail import MailServer
from app.domain.sync import HistoryChange, Listed, plan_sync
from app.engine.sync.fetching import NEW_PRIORITY
from app.engine.sync.listing import NEW
from app.engine.sync.mirror import MailboxMirror
from app.store.mail.sync_page import SyncPage, ToFetch

OLDER = "changed"
"""Why a message is to be fetched that was listed by nothing but a change of its labels."""


async def poll(server: MailServer, mirror: MailboxMirror, cursor: HistoryId, *, limited: bool = False) -> bool:
    """Read the history from `cursor` on and note it; whether anything changed. With `limited` older mail that is neither here nor
    waited for is not wanted, whatever happens to it. Raises `CursorExpired` and the port's errors."""
    changes, newest = await _read(server, cursor)
    if newest == cursor and not changes:
        return False
    plan = plan_sync(changes, mirror.have)
    older = () if limited else plan.fetch_older
    await mirror.apply(
        SyncPage(
            add_labels=plan.add_labels,
            remove_labels=plan.remove_labels,
            delete=plan.delete,
            to_fetch=(*_rows(plan.fetch, NEW, NEW_PRIORITY), *_rows(older, OLDER, 0)),
            fetched=plan.forget,
            cursor=newest,
        )
    )
    return bool(changes)


async def _read(server: MailServer, cursor: HistoryId) -> tuple[list[HistoryChange], HistoryId]:
    """All pages. A page's token may have died meanwhile: then from the first once more; a history that is refused twice is as
    good as expired."""
    try:
        return await _pages(server, cursor)
    except RejectedByServer:
        pass
    try:
        return await _pages(server, cursor)
    except RejectedByServer as error:
        raise CursorExpired(error.detail) from error


async def _pages(server: MailServer, cursor: HistoryId) -> tuple[list[HistoryChange], HistoryId]:
    """The changes, and the cursor to go on from: the first page's, since no later page need tell what came after it."""
    page = await server.history(cursor)
    changes, newest = list(page.changes), max(cursor, page.history_id)
    while page.next_page_token:
        page = await server.history(cursor, page.next_page_token)
        changes += page.changes
    return changes, newest


def _rows(wanted: tuple[Listed, ...], reason: str, priority: int) -> tuple[ToFetch, ...]:
    return tuple(ToFetch(one.gmail_id, one.gmail_thread_id, reason, priority) for one in wanted)
