"""Carries out label changes. Changes that wait one behind the other are sent together in as few requests as possible.

Repeating them is safe, since they set the same labels again. `queue_read_marks` queues changes that mark mail as read after an
agent's replies were sent, once per run.
"""

import logging
from collections.abc import Sequence

from app.domain.errors import NotAllowed, NotFound, PermissionMissing, RejectedByServer
from app.domain.ids import GmailId, OutboxId
from app.domain.mail.message import Message, SystemLabel
from app.domain.mail.outbox import OutboxItem, OutboxKind, OutboxState
from app.domain.ports.gmail import MailServer
from app.domain.protocol.changes import LabelChange, fold
from app.domain.protocol.events import Initiator, OutboxChanged
from app.domain.record import replace
from app.engine.outbox.mail_sender import RetryLater
from app.engine.outbox.outbox_writer import OutboxWriter, hold_reason
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.store.mail.label_rows import all_sent, give_back, take_behind
from app.store.mail.sync_page import SyncPage, ToFetch
from app.store.outbox import REREAD, REREAD_PRIORITY, NewOutbox
from app.store.reviews.reviews import ReadWish, read_wishes

log = logging.getLogger(__name__)


async def reread(tables: Tables, item: OutboxItem) -> None:
    """Fetches the messages of a label change again, since the local copy may differ from the server."""
    rows = tuple(ToFetch(one, item.gmail_thread_id, REREAD, REREAD_PRIORITY) for one in item.message_gmail_ids)
    await tables.run(tables.messages.apply, item.account_id, SyncPage(to_fetch=rows))


class LabelSender:
    """Carries out the label changes of one account. `steps` writes the current item's state."""

    def __init__(self, server: MailServer, steps: OutboxWriter, tables: Tables, announcer: EventBus) -> None:
        self._server, self._steps, self._tables, self._announcer = server, steps, tables, announcer

    async def advance(self, item: OutboxItem) -> OutboxItem | RetryLater:
        """Carries out the item with those behind it. Returns it sent or held, or `RetryLater`.

        Raises the errors of the Gmail port; then nothing was decided.
        """
        if item.kind is OutboxKind.CREATE_LABEL:
            return await self._create(item)
        behind = await self._tables.run(take_behind, self._tables.db, item)
        try:
            await self._send_all([item, *behind])
        except (RejectedByServer, PermissionMissing) as error:
            await self._give_back(behind)
            # It is unknown which item caused the rejection, so it counts for all. Those behind wait less in their turn.
            passes = [self._steps.passes(one, error) for one in (item, *behind)]
            return RetryLater() if passes[0] else await self._send_alone(item, bool(behind), error)
        except Exception:
            await self._give_back(behind)
            raise
        return replace(item, state=OutboxState.SENT)

    async def _give_back(self, items: Sequence[OutboxItem]) -> None:
        """Releases items so that they wait again."""
        if items:
            await self._tables.run(give_back, self._tables.db, items)

    async def _send_all(self, items: Sequence[OutboxItem]) -> None:
        """Sends the combined changes, group by group, and marks them as sent. The user may have cancelled some of them meanwhile.

        Messages of those and messages that the server does not find are fetched again: they are gone, or their labels are not
        what the local copy says. Before the change counts as sent, the copy would keep what still waits.
        """
        missing: set[GmailId] = set()
        for change in fold(LabelChange(one.message_gmail_ids, one.add_labels, one.remove_labels) for one in items):
            try:
                await self._server.modify(change.gmail_ids, change.add, change.remove)
            except NotFound:
                log.info("outbox %d: the server does not find the messages", items[0].id)
                missing |= set(change.gmail_ids)
        withdrawn = await self._tables.run(all_sent, self._tables.db, items, self._tables.clock())
        for one in (*withdrawn, *(one for one in items if missing & set(one.message_gmail_ids))):
            await reread(self._tables, one)
        self._announcer.tell(OutboxChanged(tuple(one.id for one in items)))

    async def _send_alone(self, item: OutboxItem, had_others: bool, error: RejectedByServer | PermissionMissing) -> OutboxItem:
        """Sends the first item alone to find out whether it was the one rejected. The others wait for their own turn."""
        if had_others:
            try:
                await self._send_all([item])
                return replace(item, state=OutboxState.SENT)
            except (RejectedByServer, PermissionMissing) as own:
                error = own
        held = await self._steps.hold(item, hold_reason(error))
        await reread(self._tables, item)
        return held

    async def _create(self, item: OutboxItem) -> OutboxItem | RetryLater:
        """Creates the label. Items that wait with our temporary id get the server's."""
        try:
            label = await self._server.create_label(item.subject)
        except (RejectedByServer, PermissionMissing) as error:
            if self._steps.passes(item, error):
                return RetryLater()
            return await self._steps.hold(item, hold_reason(error))
        adopt = self._tables.local_labels.adopt  # our temporary label id becomes the server's
        threads = await self._tables.run(adopt, item.account_id, item.add_labels[0], label)
        self._announcer.mail(item.account_id, threads, Initiator.SENDER)
        return await self._steps.move(item, OutboxState.SENT)


async def queue_read_marks(tables: Tables, announcer: EventBus) -> int:
    """Queues changes that mark mail as read. Returns how many are due. The store knows them, so a restart loses nothing."""
    wishes = await tables.run(read_wishes, tables.db)
    for wish in wishes:
        queued = await tables.run(_queue, tables, wish)
        if queued is not None:
            message, outbox_id = queued
            announcer.mail(message.account_id, (message.thread_id,), Initiator.AGENT)
            announcer.tell(OutboxChanged((outbox_id,)))
    return len(wishes)


def _queue(tables: Tables, wish: ReadWish) -> tuple[Message, OutboxId] | None:
    """Queues one change. Returns None if it was queued before or the message is gone.

    The outbox row comes first, because its marker makes a second one of the same run fail.
    """
    unread = (SystemLabel.UNREAD.value,)
    try:
        message = tables.messages.get(wish.message_id)
        new = NewOutbox(
            account_id=message.account_id,
            kind=OutboxKind.MODIFY,
            thread_id=message.thread_id,
            gmail_thread_id=message.gmail_thread_id,
            subject=message.subject,
            marker=wish.marker,
            not_before=tables.clock(),
            remove_labels=unread,
            message_gmail_ids=(message.gmail_id,),
        )
        outbox_id = tables.outbox.add(new)
    except (NotFound, NotAllowed):
        return None
    tables.messages.modify_local((message.id,), (), unread)
    return message, outbox_id
