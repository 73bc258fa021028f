"""Marks mail read, through the outbox, that an agent is done with: after its replies have left, once a run.

Refuses to touch other mails of the thread.
"""

from app.domain.errors import NotFound, Refused
from app.domain.events import Initiator, OutboxChanged
from app.domain.ids import GmailId, OutboxId, ReviewId
from app.domain.mail import Message, SystemLabel
from app.domain.outbox import OutboxKind
from app.engine.announcer import Announcer
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables
from app.store.outbox import NewOutbox
from app.store.read_wishes import ReadWish, read_wishes


class ReadMarks:
    """Looks when it is asked to; the store knows what is due, so that nothing is lost with the process."""

    def __init__(self, tables: Tables, threads: StoreThreads, announcer: Announcer) -> None:
        self._tables = tables
        self._threads = threads
        self._announcer = announcer

    async def settle(self) -> int:
        """Queue what is due; how many."""
        wishes = await self._threads.run(read_wishes, self._tables.db)
        for wish in wishes:
            queued = await self._threads.run(self._queue, wish)
            if queued is not None:
                message, outbox_id = queued
                self._announcer.mail(message.account_id, (message.thread_id,), Initiator.AGENT)
                self._announcer.tell(OutboxChanged((outbox_id,)))
        return len(wishes)

    def _queue(self, wish: ReadWish) -> tuple[Message, OutboxId] | None:
        """The outbox row first: its marker lets a second one of the same run fail. None where it stood already, or the mail is
        gone."""
        try:
            message = self._tables.messages.get(wish.message_id)
            outbox_id = self._tables.outbox.add_modify(self._item(wish, message))
        except (NotFound, Refused):
            return None
        self._tables.messages.modify_local((message.id,), (), (SystemLabel.UNREAD.value,))
        return message, outbox_id

    def _item(self, wish: ReadWish, message: Message) -> NewOutbox:
        return NewOutbox(
            account_id=message.account_id,
            review_id=ReviewId(0),
            kind=OutboxKind.MODIFY,
            thread_id=message.thread_id,
            gmail_thread_id=message.gmail_thread_id,
            to="",
            subject=message.subject,
            mime=b"",
            sha256="",
            marker=wish.marker,
            expected_tip=GmailId(""),
            not_before=self._tables.clock(),
            remove_labels=(SystemLabel.UNREAD.value,),
            message_gmail_ids=(message.gmail_id,),
        )
