"""Changes since the cursor: one transaction takes labels, deletions, what is to be fetched, and the new cursor.

So the cursor never passes a hole: a new message is on the to-fetch list before the history that named it is forgotten.
"""

from app.domain.ids import HistoryId
from app.domain.ports.gmail import MailServer
from app.domain.syncing import Change, plan_sync
from app.engine.sync.choosing import NEW
from app.engine.sync.fetching import NEW_PRIORITY
from app.engine.sync.mirror import Mirror
from app.store.pages import SyncPage, ToFetch


async def poll(server: MailServer, mirror: Mirror, cursor: HistoryId) -> bool:
    """Read the history from `cursor` on and note it; whether anything changed. Raises `CursorExpired` and the port's errors."""
    changes: list[Change] = []
    newest, token = cursor, ""
    while True:
        page = await server.history(cursor, token)
        changes += page.changes
        newest = max(newest, page.history_id)
        token = page.next_page_token
        if not token:
            break
    if newest == cursor and not changes:
        return False
    plan = plan_sync(changes, mirror.have)
    await mirror.apply(
        SyncPage(
            add_labels=plan.add_labels,
            remove_labels=plan.remove_labels,
            delete=plan.delete,
            to_fetch=tuple(ToFetch(one.gmail_id, one.gmail_thread_id, NEW, NEW_PRIORITY) for one in plan.fetch),
            cursor=newest,
        )
    )
    return bool(changes)
