"""One outbox item, from state to state: what is about to happen is written first, what happened is found out, never guessed.

`drafts.create` with a fixed marker, then one `drafts.send`. Refuses to call `drafts.send` for an item that is found in
`sending`: it asks the server what became of it.
"""

import logging
from dataclasses import dataclass

from app.domain.errors import (
    ExpectedError,
    LoginNeeded,
    NotFound,
    PermissionMissing,
    QuotaReached,
    RejectedByServer,
)
from app.domain.ids import GmailDraftId, GmailId
from app.domain.outbox import HoldReason, OutboxItem, OutboxKind, OutboxState
from app.domain.ports.gmail import MailServer, RemoteDraft
from app.engine.sending.freshness import carries, judge
from app.engine.sending.lookup import delete_others, find_sent, own_drafts
from app.engine.sending.steps import Steps, hold_reason
from app.engine.sending.still_right import second_thought

log = logging.getLogger(__name__)

LOOKS = 2
"""How often a lost draft is looked for before it is created again."""
CONFIRMATIONS = 3
"""How often a mail that is neither draft nor sent is looked for before the user is asked."""
LOOK_AGAIN_S = 2.0
NOT_DONE = (QuotaReached, LoginNeeded)
"""Answers that mean: nothing was done, and the same may work later."""


@dataclass(frozen=True, slots=True)
class Later:
    """The item needs time: try again in `wait_s` seconds (None: with the sender's own backoff)."""

    wait_s: float | None = None


class Dispatch:
    """Performs items of one account. `steps` writes their states."""

    def __init__(self, server: MailServer, steps: Steps) -> None:
        self._server = server
        self._steps = steps

    async def advance(self, item: OutboxItem) -> OutboxItem | Later:
        """One step of `item`: itself in its new state, or `Later`. Raises the port's errors where nothing was decided."""
        match item.state:
            case OutboxState.QUEUED:
                return await self._start(item)
            case OutboxState.DRAFTING:
                return await self._find_draft(item)
            case OutboxState.DRAFTED:
                return await self._look_and_send(item)
            case OutboxState.UNCERTAIN if not item.draft_id:
                return await self._find_restored(item)
            case _:
                return await self._find_out(item, None)

    async def _start(self, item: OutboxItem) -> OutboxItem | Later:
        """The mail's thread is read again and its draft created."""
        stopped = await self._stopped(item) or await self._sent_before(item)
        if stopped is not None:
            return stopped
        reason = await second_thought(self._server, self._steps, item)
        if reason is not None:
            return await self._steps.hold(item, reason)
        return await self._create(await self._steps.move(item, OutboxState.DRAFTING))

    async def _stopped(self, item: OutboxItem) -> OutboxItem | None:
        """Read the thread again: the item held, or found sent, or None to go on."""
        if not item.gmail_thread_id:
            return None
        try:
            verdict = judge(item, await self._server.thread_state(item.gmail_thread_id))
        except NotFound:
            return await self._steps.hold(item, HoldReason.THREAD_GONE)
        if verdict.sent:
            return await self._sent(item, verdict.sent)
        return await self._steps.hold(item, verdict.hold) if verdict.hold else None

    async def _sent_before(self, item: OutboxItem) -> OutboxItem | None:
        """A mail that had a draft, which the owner sends anyway after it was not found, may be in Sent by now, in any thread; a
        new one that was approved a while ago may come from a restored database, and have left since the copy was made."""
        if not item.draft_id and (item.gmail_thread_id or not self._steps.old(item)):
            return None
        sent = await find_sent(self._server, item)
        return await self._sent(item, sent) if sent else None

    async def _find_restored(self, item: OutboxItem) -> OutboxItem | Later:
        """An item of a copy of the database: whatever became of it since, it does not leave by itself."""
        found = await own_drafts(self._server, item)
        if found and item.kind is OutboxKind.SEND:
            drafted = await self._noted(item, found[0])
            return await self._steps.hold(drafted, HoldReason.FROM_COPY)
        if found:
            return await self._drafted(item, found[0])
        sent = await find_sent(self._server, item)
        if sent:
            return await self._sent(item, sent)
        if self._steps.missed(item) < CONFIRMATIONS:
            return Later(LOOK_AGAIN_S)
        return await self._steps.hold(item, HoldReason.FROM_COPY)

    async def _create(self, item: OutboxItem) -> OutboxItem | Later:
        """`drafts.create` once. After a lost answer the item stays `drafting` and is looked for."""
        try:
            draft = await self._server.create_draft(item.mime, item.gmail_thread_id)
        except NotFound:
            return await self._steps.hold(item, HoldReason.THREAD_GONE)
        except (RejectedByServer, PermissionMissing) as error:
            if not self._steps.passes(item, error):
                return await self._steps.hold(item, hold_reason(error))
            await self._steps.move(item, OutboxState.QUEUED)
            return Later()
        except NOT_DONE:
            await self._steps.move(item, OutboxState.QUEUED)
            raise
        except ExpectedError as error:
            log.info("outbox %d: the draft's fate is unknown (%s)", item.id, error.code)
            self._steps.doubt(item)
            return Later(LOOK_AGAIN_S)
        drafted = await self._drafted(item, draft)
        if drafted.state is OutboxState.DRAFTED:
            self._steps.fresh(drafted)
        return drafted

    async def _drafted(self, item: OutboxItem, draft: RemoteDraft) -> OutboxItem:
        """The draft stands. A Gmail draft is done with that; a mail is sent next."""
        if item.kind is OutboxKind.GMAIL_DRAFT:
            there = await self._server.get_draft(draft.draft_id)
            return await self._sent(item, there.message_gmail_id, draft.draft_id)
        return await self._noted(item, draft)

    async def _noted(self, item: OutboxItem, draft: RemoteDraft) -> OutboxItem:
        """The draft by its id and its message, which no edit leaves as it is."""
        return await self._steps.move(item, OutboxState.DRAFTED, draft_id=draft.draft_id, draft_message=draft.message_gmail_id)

    async def _find_draft(self, item: OutboxItem) -> OutboxItem | Later:
        """A draft whose creation was never confirmed: there, sent by hand, not yet visible, or never made."""
        found = await own_drafts(self._server, item)
        if found:
            await delete_others(self._server, found, found[0].draft_id)
            return await self._drafted(item, found[0])
        sent = await find_sent(self._server, item)
        if sent:
            return await self._sent(item, sent)
        if self._steps.missed(item) < LOOKS:
            return Later(LOOK_AGAIN_S)
        return await self._steps.move(item, OutboxState.QUEUED)

    async def _look_and_send(self, item: OutboxItem) -> OutboxItem | Later:
        """Unless the draft was made a moment ago, everything is looked at again before the one send."""
        if not self._steps.take_fresh(item):
            stopped = await self._changed_draft(item) or await self._stopped(item)
            if stopped is not None:
                return stopped
        return await self._send(await self._steps.move(item, OutboxState.SENDING))

    async def _changed_draft(self, item: OutboxItem) -> OutboxItem | None:
        """The item held, or found sent, when its draft is not the one that was approved."""
        try:
            draft = await self._server.get_draft(item.draft_id)
        except NotFound:
            sent = await find_sent(self._server, item)
            if not sent:
                return await self._steps.hold(item, HoldReason.DRAFT_DELETED)
            return await self._sent(await self._steps.move(item, OutboxState.SENDING), sent)
        if await self._as_made(item, draft):
            return None
        await self._steps.disown(item)
        return await self._steps.hold(item, HoldReason.DRAFT_EDITED)

    async def _as_made(self, item: OutboxItem, draft: RemoteDraft) -> bool:
        """Whether nobody edited the draft. That our mark is there says it only where its message was not noted."""
        if item.draft_message:
            return draft.message_gmail_id == item.draft_message
        thread = await self._server.thread_state(draft.gmail_thread_id)
        own = next((one for one in thread if one.gmail_id == draft.message_gmail_id), None)
        return own is None or carries(own, item.marker)

    async def _send(self, item: OutboxItem) -> OutboxItem | Later:
        """The one `drafts.send`. Whatever is no clear success is found out about."""
        try:
            sent = await self._server.send_draft(item.draft_id)
        except ExpectedError as error:
            log.info("outbox %d: sending answered %s, finding out", item.id, error.code)
            return await self._find_out(item, error)
        return await self._sent(item, sent)

    async def _find_out(self, item: OutboxItem, error: ExpectedError | None) -> OutboxItem | Later:
        """What became of a mail in `sending` or `uncertain`: the draft is there (not sent), or the mail is sent, or neither."""
        try:
            await self._server.get_draft(item.draft_id)
        except NotFound:
            return await self._find_out_without_draft(item)
        drafted = await self._steps.move(item, OutboxState.DRAFTED)
        if isinstance(error, RejectedByServer | PermissionMissing) and not self._steps.passes(item, error):
            return await self._steps.hold(drafted, hold_reason(error))
        return Later(error.retry_after_s if isinstance(error, QuotaReached) else None)

    async def _find_out_without_draft(self, item: OutboxItem) -> OutboxItem | Later:
        sent = await find_sent(self._server, item)
        if sent:
            return await self._sent(item, sent)
        if self._steps.missed(item) >= CONFIRMATIONS:
            return await self._steps.hold(item, HoldReason.DRAFT_DELETED)
        if item.state is OutboxState.SENDING:
            await self._steps.move(item, OutboxState.UNCERTAIN, reason=HoldReason.NOT_CONFIRMED)
        return Later(LOOK_AGAIN_S)

    async def _sent(self, item: OutboxItem, sent: GmailId, draft_id: GmailDraftId | None = None) -> OutboxItem:
        """Sent, with Google's id. A draft that a doubled or late request left behind is swept away later."""
        done = await self._steps.move(item, OutboxState.SENT, draft_id=draft_id, sent_gmail_id=sent)
        await self._steps.sweep(done)
        return done
