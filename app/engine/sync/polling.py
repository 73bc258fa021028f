"""Polling of Gmail's history. One transaction stores labels, deletions, what is to be fetched, and the new cursor.

So no change is lost: a new message is on the to-fetch list before the cursor passes it.
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
"""Reason of a message that is known only from a change of its labels."""


async def poll(server: MailServer, mirror: MailboxMirror, cursor: HistoryId, *, limited: bool = False) -> bool:
    """Reads the history from `cursor` and stores it. Returns whether anything changed.

    With `limited`, changed messages that are neither stored nor on the to-fetch list are not fetched. Raises `CursorExpired` and
    the errors of the Gmail port.
    """
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
    """Reads all pages. A page token may expire, so the read starts again once. A second refusal counts as an expired cursor."""
    try:
        return await _pages(server, cursor)
    except RejectedByServer:
        pass
    try:
        return await _pages(server, cursor)
    except RejectedByServer as error:
        raise CursorExpired(error.detail) from error


async def _pages(server: MailServer, cursor: HistoryId) -> tuple[list[HistoryChange], HistoryId]:
    """Returns the changes and the next cursor. It is the first page's, since later pages may not contain what came after it."""
    page = await server.history(cursor)
    changes, newest = list(page.changes), max(cursor, page.history_id)
    while page.next_page_token:
        page = await server.history(cursor, page.next_page_token)
        changes += page.changes
    return changes, newest


def _rows(wanted: tuple[Listed, ...], reason: str, priority: int) -> tuple[ToFetch, ...]:
    return tuple(ToFetch(one.gmail_id, one.gmail_thread_id, reason, priority) for one in wanted)
