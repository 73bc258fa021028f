"""Label changes of a thread: in the mirror at once, on the server through the outbox."""

from collections.abc import Callable

from app.domain.errors import NotFound, Refused
from app.domain.events import Initiator, OutboxChanged
from app.domain.ids import AccountId, GmailId, OutboxId, ReviewId, ThreadId
from app.domain.mail import Message, SystemLabel
from app.domain.outbox import OutboxKind
from app.engine.announcer import Announcer
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables
from app.store.outbox import NewOutbox

_FIXED = frozenset({SystemLabel.SENT, SystemLabel.DRAFT})
"""Gmail refuses to put these on or take them off."""


class Labeller:
    """`queued` wakes whoever carries out the outbox."""

    def __init__(self, tables: Tables, threads: StoreThreads, announcer: Announcer, queued: Callable[[], None]) -> None:
        self._tables = tables
        self._threads = threads
        self._announcer = announcer
        self._queued = queued

    async def modify(self, thread_id: ThreadId, add: tuple[str, ...], remove: tuple[str, ...]) -> bool:
        """Change labels of a thread's messages; whether there was anything to change. Raises `NotFound`, `Refused`."""
        if _FIXED & {*add, *remove}:
            raise Refused("Gmail does not let anybody change the labels SENT and DRAFT.")
        changed = await self._threads.run(self._write, thread_id, frozenset(add), frozenset(remove))
        if changed is None:
            return False
        account_id, outbox_id, threads = changed
        self._announcer.mail(account_id, threads, Initiator.USER)
        self._announcer.tell(OutboxChanged((outbox_id,)))
        self._queued()
        return True

    def _write(
        self, thread_id: ThreadId, add: frozenset[str], remove: frozenset[str]
    ) -> tuple[AccountId, OutboxId, tuple[ThreadId, ...]] | None:
        """The outbox row first: if this dies in between, the server's labels come back by sync."""
        thread = self._tables.messages.thread(thread_id)
        if not thread:
            raise NotFound(f"There is no thread {thread_id}.")
        messages = [one for one in thread if SystemLabel.DRAFT not in one.labels and (add - one.labels or remove & one.labels)]
        if not messages:
            return None
        outbox_id = self._tables.outbox.add_modify(self._item(messages, add, remove))
        threads = self._tables.messages.modify_local([one.id for one in messages], add, remove)
        return messages[0].account_id, outbox_id, threads

    def _item(self, messages: list[Message], add: frozenset[str], remove: frozenset[str]) -> NewOutbox:
        first = messages[0]
        return NewOutbox(
            account_id=first.account_id,
            review_id=ReviewId(0),
            kind=OutboxKind.MODIFY,
            thread_id=first.thread_id,
            gmail_thread_id=first.gmail_thread_id,
            to="",
            subject=first.subject,
            mime=b"",
            sha256="",
            marker="",
            expected_tip=GmailId(""),
            not_before=self._tables.clock(),
            add_labels=tuple(sorted(add)),
            remove_labels=tuple(sorted(remove)),
            message_gmail_ids=tuple(one.gmail_id for one in messages),
        )
