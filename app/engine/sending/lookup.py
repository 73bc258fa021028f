"""Finding out: where a mail with our marker is now."""

from collections.abc import Iterable
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
    """The item's mail among the sent ones, empty if it is not there. An answer is looked for in its thread first; Gmail puts it
    into another where the subject was changed. Any other thread is one of those sent to since it was approved."""
    own = [item.gmail_thread_id] if item.gmail_thread_id else []
    found = await _sent_in(server, item, own)
    if found:
        return found
    since = await _threads_sent_since(server, item.created_at - SKEW)
    return await _sent_in(server, item, [one for one in since if one not in own])


async def own_drafts(server: MailServer, item: OutboxItem) -> tuple[RemoteDraft, ...]:
    """The item's drafts, but none that somebody changed in Gmail."""
    return tuple(one for one in await server.find_drafts(item.marker) if one.draft_id not in item.theirs)


async def delete_others(server: MailServer, drafts: Iterable[RemoteDraft], keep: GmailDraftId) -> int:
    """Delete these drafts other than `keep`; how many. Empty `keep` deletes all of them."""
    extra = [draft for draft in drafts if draft.draft_id != keep]
    for draft in extra:
        await server.delete_draft(draft.draft_id)
    return len(extra)


async def _sent_in(server: MailServer, item: OutboxItem, threads: Iterable[GmailThreadId]) -> GmailId:
    for thread_id in threads:
        try:
            found = own_sent(item.marker, await server.thread_state(thread_id))
        except NotFound:
            continue
        if found:
            return found
    return GmailId("")


async def _threads_sent_since(server: MailServer, since: datetime) -> list[GmailThreadId]:
    """The last ones whatever the server's clock says, and all since then; the owner may have put them into the trash."""
    page = await server.list_messages(label_ids=(SystemLabel.SENT,), include_spam_trash=True)
    found = dict.fromkeys(entry.gmail_thread_id for entry in page.entries[:RECENT_SENT])
    token = ""
    while True:
        page = await server.list_messages(f"after:{int(since.timestamp())}", (SystemLabel.SENT,), token, include_spam_trash=True)
        found.update(dict.fromkeys(entry.gmail_thread_id for entry in page.entries))
        token = page.next_page_token
        if not token:
            return list(found)
