"""Finding out: where a mail with our marker is now."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from app.domain.errors import NotFound
from app.domain.ids import GmailDraftId, GmailId, GmailThreadId
from app.domain.mail import SystemLabel
from app.domain.outbox import OutboxItem
from app.domain.ports.gmail import MailServer, RemoteDraft
from app.engine.sending.freshness import own_sent

RECENT_SENT = 25
SKEW = timedelta(days=1)
"""The server's clock and ours may differ; a day earlier costs a few entries more."""


async def find_sent(server: MailServer, item: OutboxItem) -> GmailId:
    """The item's mail among the sent ones, empty if it is not there. A new mail's thread is looked for among all that were sent
    since it was approved."""
    threads = [item.gmail_thread_id] if item.gmail_thread_id else await _threads_sent_since(server, item.created_at - SKEW)
    for thread_id in threads:
        try:
            found = own_sent(item.marker, await server.thread_state(thread_id))
        except NotFound:
            continue
        if found:
            return found
    return GmailId("")


async def other_drafts(server: MailServer, marker: str, keep: GmailDraftId, known: Sequence[RemoteDraft] | None = None) -> int:
    """Delete drafts with our marker other than `keep`; how many. Empty `keep` deletes all of them."""
    drafts = await server.find_drafts(marker) if known is None else known
    extra = [draft for draft in drafts if draft.draft_id != keep]
    for draft in extra:
        await server.delete_draft(draft.draft_id)
    return len(extra)


async def _threads_sent_since(server: MailServer, since: datetime) -> list[GmailThreadId]:
    """The last ones whatever the server's clock says, and all since then."""
    page = await server.list_messages(label_ids=(SystemLabel.SENT,))
    found = dict.fromkeys(entry.gmail_thread_id for entry in page.entries[:RECENT_SENT])
    token = ""
    while True:
        page = await server.list_messages(f"after:{int(since.timestamp())}", (SystemLabel.SENT,), token)
        found.update(dict.fromkeys(entry.gmail_thread_id for entry in page.entries))
        token = page.next_page_token
        if not token:
            return list(found)
