"""The local copy of one account as sync uses it: reads its state and writes pages with their events."""

from collections.abc import Callable

from app.domain.ids import AccountId, GmailId
from app.domain.protocol.events import Initiator
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.store.accounts import SyncState
from app.store.mail.messages import label_sets
from app.store.mail.sync_page import Applied, SyncPage, ToFetch


class MailboxMirror:
    """The stored mail of one account. `watch` is called with each page after it was written.

    The set of stored ids is kept in memory, since reading it at every poll would cost more than the poll.
    """

    def __init__(
        self, account_id: AccountId, tables: Tables, announcer: EventBus, watch: Callable[[AccountId, SyncPage, Applied], None]
    ) -> None:
        self.account_id = account_id
        self.have: set[GmailId] = set()
        self.names_missing = False
        """Whether mail came with a label that was not in the last list of labels."""
        self._named: set[str] | None = None
        self._tables, self.announcer, self._watch = tables, announcer, watch

    async def load(self) -> None:
        """Reads the ids of the stored messages into `have`."""
        self.have = await self._tables.run(self._tables.messages.have, self.account_id)

    async def state(self) -> SyncState:
        return await self._tables.run(self._tables.accounts.sync_state, self.account_id)

    async def set_phase(self, phase: str) -> None:
        """Stores a `SyncPhase` value."""
        await self._tables.run(self._tables.accounts.set_phase, self.account_id, phase)

    async def to_fetch(self, limit: int) -> tuple[ToFetch, ...]:
        """The next messages to fetch, followed by the rest of their conversations."""
        return await self._tables.run(self._tables.messages.to_fetch, self.account_id, limit, whole_threads=True)

    async def fetch_count(self) -> int:
        """Number of messages that wait to be fetched."""
        return await self._tables.run(self._tables.messages.fetch_count, self.account_id)

    async def labels(self) -> dict[GmailId, frozenset[str]]:
        """The labels of every stored message that has any."""
        return await self._tables.run(label_sets, self._tables.db, self.account_id)

    async def apply(self, page: SyncPage) -> Applied:
        """Writes a page and tells the window which conversations changed."""
        applied = await self._tables.run(self._tables.messages.apply, self.account_id, page)
        self.have.update(message.gmail_id for message in page.messages)
        self.have.difference_update(page.delete)
        self._look_for_names(page)
        self._watch(self.account_id, page, applied)
        self.announcer.mail(self.account_id, applied.thread_ids, Initiator.SYNC)
        return applied

    def _look_for_names(self, page: SyncPage) -> None:
        """Sets `names_missing` once for each unknown label, since a label may never appear in the server's list."""
        if page.labels is not None:
            self._named = {*(self._named or ()), *(label.gmail_label_id for label in page.labels)}
            self.names_missing = False
        if self._named is None:
            return
        for labels in (*(one.labels for one in page.messages), *(labels for _, labels in page.add_labels)):
            if not labels <= self._named:
                self._named |= labels
                self.names_missing = True
