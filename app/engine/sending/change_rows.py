"""The rows of label changes that leave together, and what the mirror has to learn from the server's answers.

Refuses to talk to the server.
"""

from collections.abc import Sequence

from app.domain.events import Initiator, OutboxChanged
from app.domain.mail import Label
from app.domain.outbox import OutboxItem
from app.engine.announcer import Announcer
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables
from app.store.doubts import REREAD, REREAD_PRIORITY
from app.store.pages import SyncPage, ToFetch
from app.store.waiting_changes import all_sent, give_back, take_behind


class ChangeRows:
    """One sender's hand on queued label changes."""

    def __init__(self, tables: Tables, threads: StoreThreads, announcer: Announcer) -> None:
        self._tables = tables
        self._threads = threads
        self._announcer = announcer

    async def take_behind(self, head: OutboxItem) -> tuple[OutboxItem, ...]:
        """The label changes that wait right behind `head`, leased with it."""
        return await self._threads.run(take_behind, self._tables.db, head)

    async def give_back(self, items: Sequence[OutboxItem]) -> None:
        """They wait again."""
        if items:
            await self._threads.run(give_back, self._tables.db, items)

    async def sent(self, items: Sequence[OutboxItem]) -> None:
        """All of them stand on the server now, those too that the owner withdrew while they were on their way: their messages
        are fetched again."""
        withdrawn = await self._threads.run(all_sent, self._tables.db, items, self._tables.clock())
        for one in withdrawn:
            await self.reread(one)
        self._announcer.tell(OutboxChanged(tuple(one.id for one in items)))

    async def reread(self, item: OutboxItem) -> None:
        """The mirror may show what the server does not: the item's messages are fetched again."""
        rows = tuple(ToFetch(one, item.gmail_thread_id, REREAD, REREAD_PRIORITY) for one in item.message_gmail_ids)
        await self._threads.run(self._tables.messages.apply, item.account_id, SyncPage(to_fetch=rows))

    async def adopt(self, item: OutboxItem, label: Label) -> None:
        """The server's id takes the place of ours."""
        threads = await self._threads.run(self._tables.local_labels.adopt, item.account_id, item.add_labels[0], label)
        self._announcer.mail(item.account_id, threads, Initiator.SENDER)
