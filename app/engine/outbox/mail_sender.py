"""Sends one mail or stores one Gmail draft, from state to state. Each step is written before it happens.

`drafts.create` with a fixed marker is followed by one `drafts.send`, right after the draft was read back and carries that marker.
For an item found in `sending`, the server is asked what happened; `drafts.send` is not called again. Lists and searches only show
where to look; only a message or draft that was read and carries the marker counts. Right before, it is checked whether the
conversation changed, the chosen time passed long ago, or the sender address is gone: Gmail then silently sends from the main one.
"""

import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import datetime, timedelta
from email.parser import BytesHeaderParser
from email.utils import parseaddr

from app.domain.errors import ExpectedError, LoginNeeded, NotFound, PermissionMissing, QuotaReached, RejectedByServer
from app.domain.ids import GmailDraftId, GmailId, GmailThreadId
from app.domain.mail.message import SystemLabel
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxKind, OutboxState
from app.domain.ports.gmail import MailServer, ReadDraft, RemoteDraft, ThreadMessage
from app.domain.record import Record
from app.engine.outbox.outbox_writer import OutboxWriter, hold_reason

log = logging.getLogger(__name__)

_OUT_OF_SIGHT = frozenset({SystemLabel.DRAFT, SystemLabel.SPAM, SystemLabel.TRASH})


class PreflightVerdict(Record):
    """What to do with an item in view of its conversation.

    `sent` is set if its own mail is already there, `hold` if the user has to look first.
    """

    sent: GmailId = GmailId("")
    hold: HoldReason | None = None


def judge(item: OutboxItem, thread: Sequence[ThreadMessage]) -> PreflightVerdict:
    """Judges `item` by its current conversation, oldest message first. Pure."""
    sent = own_sent(item.marker, thread)
    if sent:
        return PreflightVerdict(sent=sent)
    if not item.expected_tip:
        return PreflightVerdict()
    seen = next((place for place, one in enumerate(thread) if one.gmail_id == item.expected_tip), None)
    if seen is None:
        return PreflightVerdict(hold=HoldReason.THREAD_GONE)
    newer = [one for one in thread[seen + 1 :] if not one.labels & _OUT_OF_SIGHT]
    if any(SystemLabel.SENT in one.labels for one in newer):
        return PreflightVerdict(hold=HoldReason.ANSWERED_ELSEWHERE)
    return PreflightVerdict(hold=HoldReason.NEWER_MAIL) if newer else PreflightVerdict()


def own_sent(marker: str, thread: Sequence[ThreadMessage]) -> GmailId:
    """The sent message that carries `marker`, empty if there is none."""
    found = (one.gmail_id for one in thread if carries(one, marker) and is_sent(one))
    return next(found, GmailId(""))


def carries(message: ThreadMessage, marker: str) -> bool:
    """Whether a message is ours, by our header or by the Message-ID where the server kept it."""
    return bool(marker) and marker in (message.marker, message.rfc822_id)


def is_sent(message: ThreadMessage) -> bool:
    return SystemLabel.SENT in message.labels and SystemLabel.DRAFT not in message.labels


HEAD_END = b"\r\n\r\n"


async def reason_to_hold(server: MailServer, steps: OutboxWriter, item: OutboxItem) -> HoldReason | None:
    """Why the user has to look first, apart from the conversation. None to go on. Raises the errors of the Gmail port."""
    if item.kind is not OutboxKind.SEND:
        return None
    reason, sender = HoldReason.LATE, sender_of(item.mime)
    if not steps.late(item):
        if not sender or sender == await steps.own_address(item):
            return None
        try:
            own = {one.email.lower() for one in await server.send_as()}
        except (PermissionMissing, RejectedByServer, NotFound) as error:  # a server without an answer holds nothing
            log.warning("outbox %d: the account's names to send under cannot be read: %s", item.id, error.code)
            return None
        if not own or sender in own:
            return None
        reason = HoldReason.SENDER_GONE
    return None if await steps.was_held(item, reason) else reason


def sender_of(mime: bytes) -> str:
    """The address in From in lower case, empty if there is none."""
    head = mime[: mime.find(HEAD_END) + len(HEAD_END)]
    return parseaddr(str(BytesHeaderParser().parsebytes(head).get("From", "")))[1].lower()


RECENT_SENT = 25
"""Number of newest sent mails that are read whatever their date. After as many too old ones in a row, a search result is not
trusted."""
MOST_PAGES = 100
"""A bound: nobody sends fifty thousand mails after an approval."""
SKEW = timedelta(days=1)
"""Allows for a difference between the server's clock and ours. A day costs only a few more entries."""


async def find_sent(server: MailServer, item: OutboxItem) -> GmailId:
    """Finds the item's mail among sent mail, empty if it is not there.

    An answer is looked for in its conversation first, but Gmail moves it to another one where the subject was changed. Then all
    conversations that were sent to since the approval are searched.
    """
    own = item.gmail_thread_id
    found = own_sent(item.marker, await _read(server, own)) if own else GmailId("")
    if found:
        return found
    since, read, old = item.created_at - SKEW, {own, GmailThreadId("")}, 0
    # The server's clock does not matter for the newest. Spam and trash count, since the owner may have deleted the mail.
    newest = await server.list_messages(label_ids=(SystemLabel.SENT,), include_spam_trash=True)
    for thread_id in [entry.gmail_thread_id for entry in newest.entries[:RECENT_SENT]]:
        if thread_id not in read:
            read.add(thread_id)
            found = own_sent(item.marker, await _read(server, thread_id))
            if found:
                return found
    async for thread_id in _sent_since(server, since):
        if thread_id in read:
            continue
        read.add(thread_id)
        thread = await _read(server, thread_id)
        found = own_sent(item.marker, thread)
        if found:
            return found
        old = 0 if any(is_sent(one) and one.date >= since for one in thread) else old + 1
        if old >= RECENT_SENT:
            break
    return GmailId("")


async def own_drafts(server: MailServer, item: OutboxItem) -> tuple[ReadDraft, ...]:
    """The item's drafts, without those that somebody changed in Gmail."""
    return tuple(one for one in await server.find_drafts(item.marker) if one.draft_id not in item.theirs)


async def delete_others(server: MailServer, drafts: Iterable[ReadDraft], keep: GmailDraftId) -> int:
    """Deletes these drafts other than `keep` (empty: all). Returns how many were deleted.

    A draft that was replaced by another stays.
    """
    return sum([await server.delete_draft(one) for one in drafts if one.draft_id != keep])


async def _read(server: MailServer, thread_id: GmailThreadId) -> Sequence[ThreadMessage]:
    """Reads a conversation as it is now, empty if it is gone."""
    try:
        return await server.thread_state(thread_id)
    except NotFound:
        return ()


async def _sent_since(server: MailServer, since: datetime) -> AsyncIterator[GmailThreadId]:
    """Lists the conversations that were sent to since then, newest first. Stops at a page token that was already used."""
    query, token, tokens = f"after:{int(since.timestamp())}", "", {""}
    for _ in range(MOST_PAGES):
        page = await server.list_messages(query, (SystemLabel.SENT,), token, include_spam_trash=True)
        for entry in page.entries:
            yield entry.gmail_thread_id
        token = page.next_page_token
        if token in tokens:
            return
        tokens.add(token)


LOOKS = 2
"""How often to look for a lost draft before creating it again."""
CONFIRMATIONS = 3
"""How often to look for a mail that is neither draft nor sent before asking the user."""
LOOK_AGAIN_S = 2.0
NOT_DONE = (QuotaReached, LoginNeeded)
"""Errors after which nothing was done and a retry may succeed."""


class RetryLater(Record):
    """The item has to wait, at least `wait_s` seconds and as long as the sender's own backoff says."""

    wait_s: float | None = None


class MailSender:
    """Carries out mail items of one account. `steps` writes their states."""

    def __init__(self, server: MailServer, steps: OutboxWriter) -> None:
        self._server, self._steps = server, steps

    async def advance(self, item: OutboxItem) -> OutboxItem | RetryLater:
        """Does one step. Returns the item in its new state, or `RetryLater`.

        Raises the errors of the Gmail port where nothing was decided.
        """
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

    async def _start(self, item: OutboxItem) -> OutboxItem | RetryLater:
        """Checks the conversation again and creates the draft."""
        if stopped := await self._stopped(item):
            return stopped
        # The owner may send a mail again after its draft was not found, and it may be in Sent by now. A new mail that was
        # approved a while ago may come from a restored database and may have been sent after the copy was made.
        doubtful = item.draft_id or (not item.gmail_thread_id and self._steps.old(item))
        if doubtful and (sent := await find_sent(self._server, item)):
            return await self._sent(item, sent)
        reason = await reason_to_hold(self._server, self._steps, item)
        if reason is not None:
            return await self._steps.hold(item, reason)
        return await self._create(await self._steps.move(item, OutboxState.DRAFTING))

    async def _stopped(self, item: OutboxItem) -> OutboxItem | None:
        """Reads the conversation again. Returns the item held or found sent, None to go on."""
        if not item.gmail_thread_id:
            return None
        try:
            verdict = judge(item, await self._server.thread_state(item.gmail_thread_id))
        except NotFound:
            return await self._steps.hold(item, HoldReason.THREAD_GONE)
        if verdict.sent:
            return await self._sent(item, verdict.sent)
        return await self._steps.hold(item, verdict.hold) if verdict.hold else None

    async def _find_restored(self, item: OutboxItem) -> OutboxItem | RetryLater:
        """Settles an item from a copy of the database. It is never sent automatically."""
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
            return RetryLater(LOOK_AGAIN_S)
        return await self._steps.hold(item, HoldReason.FROM_COPY)

    async def _create(self, item: OutboxItem) -> OutboxItem | RetryLater:
        """Calls `drafts.create` once. After a lost answer the item stays `drafting` and its draft is looked for."""
        try:
            draft = await self._server.create_draft(item.mime, item.gmail_thread_id)
        except NotFound:
            return await self._steps.hold(item, HoldReason.THREAD_GONE)
        except (RejectedByServer, PermissionMissing) as error:
            if not self._steps.passes(item, error):
                return await self._steps.hold(item, hold_reason(error))
            await self._steps.move(item, OutboxState.QUEUED)
            return RetryLater()
        except NOT_DONE:
            await self._steps.move(item, OutboxState.QUEUED)
            raise
        except ExpectedError as error:
            log.info("outbox %d: the draft's fate is unknown (%s)", item.id, error.code)
            self._steps.doubt(item)
            return RetryLater(LOOK_AGAIN_S)
        return await self._drafted(item, draft)

    async def _drafted(self, item: OutboxItem, draft: RemoteDraft | ReadDraft) -> OutboxItem:
        """Notes the created draft. A mail is sent next; a Gmail draft is done once it was read back."""
        if item.kind is not OutboxKind.GMAIL_DRAFT:
            return await self._noted(item, draft)
        there = await self._server.get_draft(draft.draft_id)
        if not there.carries(item.marker):
            return await self._not_ours(item, there)
        return await self._sent(item, there.message_gmail_id, draft.draft_id)

    async def _noted(self, item: OutboxItem, draft: RemoteDraft | ReadDraft) -> OutboxItem:
        """Stores the ids of the draft and of its message, which changes with each edit."""
        return await self._steps.move(item, OutboxState.DRAFTED, draft_id=draft.draft_id, draft_message=draft.message_gmail_id)

    async def _find_draft(self, item: OutboxItem) -> OutboxItem | RetryLater:
        """Settles a draft whose creation was not confirmed.

        It exists, was sent by hand, is not visible yet, or was never made.
        """
        found = await own_drafts(self._server, item)
        if found:
            await delete_others(self._server, found, found[0].draft_id)
            return await self._drafted(item, found[0])
        sent = await find_sent(self._server, item)
        if sent:
            return await self._sent(item, sent)
        if self._steps.missed(item) < LOOKS:
            return RetryLater(LOOK_AGAIN_S)
        return await self._steps.move(item, OutboxState.QUEUED)

    async def _look_and_send(self, item: OutboxItem) -> OutboxItem | RetryLater:
        """Checks the conversation again, reads the draft, then calls `drafts.send` once."""
        draft = await self._stopped(item) or await self._approved_draft(item)
        if not isinstance(draft, ReadDraft):
            return draft
        item = await self._steps.move(item, OutboxState.SENDING)
        try:
            sent = await self._server.send_draft(draft)
        except ExpectedError as error:  # anything but a clear success is looked into
            log.info("outbox %d: sending answered %s, finding out", item.id, error.code)
            return await self._find_out(item, error)
        return await self._sent(item, sent)

    async def _approved_draft(self, item: OutboxItem) -> ReadDraft | OutboxItem | RetryLater:
        """Reads the item's draft. Without it, returns the item found sent or held, or `RetryLater`."""
        try:
            draft = await self._server.get_draft(item.draft_id)
        except NotFound:
            sent = await find_sent(self._server, item)
            if sent:
                return await self._sent(item, sent)
            if self._steps.missed(item) < CONFIRMATIONS:
                return RetryLater(LOOK_AGAIN_S)
            return await self._steps.hold(item, HoldReason.DRAFT_DELETED)
        # Unedited: if its message was not noted, the marker alone decides.
        as_made = draft.carries(item.marker) and item.draft_message in ("", draft.message_gmail_id)
        return draft if as_made else await self._not_ours(item, draft)

    async def _not_ours(self, item: OutboxItem, draft: ReadDraft) -> OutboxItem:
        """Holds the item and leaves a draft alone that somebody changed or that is not ours."""
        await self._steps.disown(item, draft.draft_id)
        return await self._steps.hold(item, HoldReason.DRAFT_EDITED)

    async def _find_out(self, item: OutboxItem, error: ExpectedError | None) -> OutboxItem | RetryLater:
        """Finds out what happened to a mail in `sending` or `uncertain`. Its draft exists (not sent), it was sent, or neither."""
        try:
            await self._server.get_draft(item.draft_id)
        except NotFound:
            sent = await find_sent(self._server, item)
            if sent:
                return await self._sent(item, sent)
            if self._steps.missed(item) >= CONFIRMATIONS:
                return await self._steps.hold(item, HoldReason.DRAFT_DELETED)
            if item.state is OutboxState.SENDING:
                await self._steps.move(item, OutboxState.UNCERTAIN, reason=HoldReason.NOT_CONFIRMED)
            return RetryLater(LOOK_AGAIN_S)
        drafted = await self._steps.move(item, OutboxState.DRAFTED)
        if isinstance(error, RejectedByServer | PermissionMissing) and not self._steps.passes(item, error):
            return await self._steps.hold(drafted, hold_reason(error))
        return RetryLater(error.retry_after_s if isinstance(error, QuotaReached) else None)

    async def _sent(self, item: OutboxItem, sent: GmailId, draft_id: GmailDraftId | None = None) -> OutboxItem:
        """Marks the item as sent with Gmail's id. Also queues a sweep for drafts that a repeated or late request left behind."""
        if item.state is OutboxState.DRAFTED:  # somebody else sent it, or the server answered late
            item = await self._steps.move(item, OutboxState.SENDING)
        done = await self._steps.move(item, OutboxState.SENT, draft_id=draft_id, sent_gmail_id=sent)
        await self._steps.sweep(done)
        return done
