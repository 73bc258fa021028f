"""Floods are folded without losing anything; what the user waits for is sent at once and in order."""

import asyncio

import pytest

from app.domain.events import Event, IndexProgress, Initiator, MailChanged, OutboxChanged, SyncPhase, SyncProgress, Trouble
from app.domain.ids import AccountId, OutboxId, ThreadId
from app.engine.announcer import MANY, Announcer

pytestmark = pytest.mark.anyio
ME = AccountId(1)


async def test_changed_threads_are_united_and_many_become_all() -> None:
    sent: list[Event] = []
    announcer = Announcer(sent.append)
    announcer.mail(ME, (ThreadId(1), ThreadId(2)), Initiator.SYNC)
    announcer.mail(ME, (ThreadId(2), ThreadId(3)), Initiator.SYNC)
    announcer.mail(ME, (ThreadId(9),), Initiator.USER)
    announcer.mail(ME, (), Initiator.SYNC)
    assert sent == []
    announcer.flush()
    assert MailChanged(ME, (ThreadId(1), ThreadId(2), ThreadId(3)), Initiator.SYNC) in sent
    assert MailChanged(ME, (ThreadId(9),), Initiator.USER) in sent
    for number in range(MANY + 1):
        announcer.mail(ME, (ThreadId(number),), Initiator.SYNC)
    announcer.mail(ME, (ThreadId(1),), Initiator.SYNC)
    announcer.flush()
    assert sent[-1] == MailChanged(ME, (), Initiator.SYNC)


async def test_only_the_newest_progress_is_sent_and_soon() -> None:
    sent: list[Event] = []
    announcer = Announcer(sent.append)
    for done in range(1000):
        announcer.tell(SyncProgress(ME, SyncPhase.BACKFILL, done, 1000, -1.0))
        announcer.tell(IndexProgress(done, 1000))
    assert sent == []
    async with asyncio.timeout(60):
        while len(sent) < 2:
            await asyncio.sleep(0.02)
    assert sent == [SyncProgress(ME, SyncPhase.BACKFILL, 999, 1000, -1.0), IndexProgress(999, 1000)]


async def test_urgent_events_come_after_what_waited() -> None:
    sent: list[Event] = []
    announcer = Announcer(sent.append)
    announcer.tell(OutboxChanged((OutboxId(1),)))
    announcer.tell(OutboxChanged((OutboxId(2), OutboxId(1))))
    announcer.tell(Trouble("offline", "", ""))
    assert sent == [OutboxChanged((OutboxId(1), OutboxId(2))), Trouble("offline", "", "")]


async def test_who_listens_hears_everything_at_once_until_it_leaves() -> None:
    heard: list[Event] = []
    announcer = Announcer(lambda _event: None)
    announcer.listen(heard.append)
    announcer.tell(OutboxChanged((OutboxId(1),)))
    assert heard == [OutboxChanged((OutboxId(1),))]
    announcer.unlisten(heard.append)
    announcer.tell(OutboxChanged((OutboxId(2),)))
    assert len(heard) == 1
    announcer.flush()
