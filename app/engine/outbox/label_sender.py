"""Carries out label changes. Changes that wait one behind the other are sent together in as few requests as possible.

Repeating them is safe, since they set the same labels again. `ReadMarks` queues changes that mark mail as read after an agent's
replies were sent, once per run.
"""

import logging
from collections.abc import Sequence

from app.domain.errors import NotAllowed, NotFound, PermissionMissing, RejectedByServer
from app.domain.ids import GmailId, OutboxId
from app.domain.mail.message import Label, Message, SystemLabel
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


class LabelChangeRows:
    """The rows of queued label changes, for one sender."""

    def __init__(self, tables: Tables, announcer: EventBus) -> None:
        self._tables, self._announcer = tables, announcer

    async def take_behind(self, head: OutboxItem) -> tuple[OutboxItem, ...]:
        """Leases the label changes that wait right behind `head`."""
        return await self._tables.run(take_behind, self._tables.db, head)

    async def give_back(self, items: Sequence[OutboxItem]) -> None:
        """Releases items so that they wait again."""
        if items:
            await self._tables.run(give_back, self._tables.db, items)

    async def sent(self, items: Sequence[OutboxItem]) -> None:
        """Marks all items as sent. The user may have cancelled some of them meanwhile. Their messages are fetched again."""
        withdrawn = await self._tables.run(all_sent, self._tables.db, items, self._tables.clock())
        for one in withdrawn:
            await self.reread(one)
        self._announcer.tell(OutboxChanged(tuple(one.id for one in items)))

    async def reread(self, item: OutboxItem) -> None:
        """Fetches the item's messages again, since the local copy may differ from the server."""
        rows = tuple(ToFetch(one, item.gmail_thread_id, REREAD, REREAD_PRIORITY) for one in item.message_gmail_ids)
        await self._tables.run(self._tables.messages.apply, item.account_id, SyncPage(to_fetch=rows))

    async def adopt(self, item: OutboxItem, label: Label) -> None:
        """Replaces our temporary label id by the server's."""
        threads = await self._tables.run(self._tables.local_labels.adopt, item.account_id, item.add_labels[0], label)
        self._announcer.mail(item.account_id, threads, Initiator.SENDER)


class LabelSender:
    """Carries out the label changes of one account. `steps` writes the current item's state, `rows` everything else."""

    def __init__(self, server: MailServer, steps: OutboxWriter, rows: LabelChangeRows) -> None:
        self._server, self._steps, self._rows = server, steps, rows

    async def advance(self, item: OutboxItem) -> OutboxItem | RetryLater:
        """Carries out the item with those behind it. Returns it sent or held, or `RetryLater`.

        Raises the errors of the Gmail port; then nothing was decided.
        """
        if item.kind is OutboxKind.CREATE_LABEL:
            return await self._create(item)
        behind = await self._rows.take_behind(item)
        try:
            await self._send_all([item, *behind])
        except (RejectedByServer, PermissionMissing) as error:
            if self._passes([item, *behind], error):
                await self._rows.give_back(behind)
                return RetryLater()
            return await self._one_by_one(item, behind, error)
        except Exception:
            await self._rows.give_back(behind)
            raise
        return replace(item, state=OutboxState.SENT)

    def _passes(self, items: Sequence[OutboxItem], error: RejectedByServer | PermissionMissing) -> bool:
        """Whether the first item may be retried.

        Counts the rejection for all items, since it is unknown which one caused it. So those behind it wait less in their turn.
        """
        first, *_ = [self._steps.passes(one, error) for one in items]
        return first

    async def _send_all(self, items: Sequence[OutboxItem]) -> None:
        """Sends the changes and marks them as sent. Messages that the server does not find are fetched again: they are gone, or
        their labels are not what the local copy says. Before that it would keep what still waits to be sent.
        """
        missing = await self._send(items)
        await self._rows.sent(items)
        for one in items:
            if missing & set(one.message_gmail_ids):
                await self._rows.reread(one)

    async def _send(self, items: Sequence[OutboxItem]) -> set[GmailId]:
        """Sends the combined changes, group by group. Returns the messages that the server does not find."""
        missing: set[GmailId] = set()
        for change in fold(LabelChange(one.message_gmail_ids, one.add_labels, one.remove_labels) for one in items):
            try:
                await self._server.modify(change.gmail_ids, change.add, change.remove)
            except NotFound:
                log.info("outbox %d: the server does not find the messages", items[0].id)
                missing |= set(change.gmail_ids)
        return missing

    async def _one_by_one(
        self, item: OutboxItem, behind: Sequence[OutboxItem], error: RejectedByServer | PermissionMissing
    ) -> OutboxItem:
        """Sends the first item alone to find out whether it was the one rejected. The others wait for their own turn."""
        await self._rows.give_back(behind)
        if behind:
            try:
                await self._send_all([item])
                return replace(item, state=OutboxState.SENT)
            except (RejectedByServer, PermissionMissing) as own:
                error = own
        held = await self._steps.hold(item, hold_reason(error))
        await self._rows.reread(item)
        return held

    async def _create(self, item: OutboxItem) -> OutboxItem | RetryLater:
        """Creates the label. Items that wait with our temporary id get the server's."""
        try:
            label = await self._server.create_label(item.subject)
        except (RejectedByServer, PermissionMissing) as error:
            if self._passes([item], error):
                return RetryLater()
            return await self._steps.hold(item, hold_reason(error))
        await self._rows.adopt(item, label)
        return await self._steps.move(item, OutboxState.SENT)


class ReadMarks:
    """Queues changes that mark mail as read. The store knows what is due, so a restart loses nothing."""

    def __init__(self, tables: Tables, announcer: EventBus) -> None:
        self._tables, self._announcer = tables, announcer

    async def settle(self) -> int:
        """Queues what is due. Returns how many."""
        wishes = await self._tables.run(read_wishes, self._tables.db)
        for wish in wishes:
            queued = await self._tables.run(self._queue, wish)
            if queued is not None:
                message, outbox_id = queued
                self._announcer.mail(message.account_id, (message.thread_id,), Initiator.AGENT)
                self._announcer.tell(OutboxChanged((outbox_id,)))
        return len(wishes)

    def _queue(self, wish: ReadWish) -> tuple[Message, OutboxId] | None:
        """Queues one change. Returns None if it was queued before or the message is gone.

        The outbox row comes first, because its marker makes a second one of the same run fail.
        """
        try:
            message = self._tables.messages.get(wish.message_id)
            outbox_id = self._tables.outbox.add(self._item(wish, message))
        except (NotFound, NotAllowed):
            return None
        self._tables.messages.modify_local((message.id,), (), (SystemLabel.UNREAD.value,))
        return message, outbox_id

    def _item(self, wish: ReadWish, message: Message) -> NewOutbox:
        return NewOutbox(
            account_id=message.account_id,
            kind=OutboxKind.MODIFY,
            thread_id=message.thread_id,
            gmail_thread_id=message.gmail_thread_id,
            subject=message.subject,
            marker=wish.marker,
            not_before=self._tables.clock(),
            remove_labels=(SystemLabel.UNREAD.value,),
            message_gmail_ids=(message.gmail_id,),
        )
