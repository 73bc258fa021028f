"""What becomes of a fetch: which mail is routed, when its text is indexed, when what failed comes again and what is told."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.domain.ids import GmailId, GmailThreadId
from app.engine.runtime.event_bus import EventBus
from app.engine.sync.backfill import HEAD_START
from app.engine.sync.fetching import (
    FIRST_RETRY_S,
    LONGEST_RETRY_S,
    NEW_PRIORITY,
    STUBBORN,
    UNITS_AT_FIRST,
    UNITS_AT_ONCE,
    Fetcher,
)
from app.engine.sync.listing import NEW
from app.engine.sync.mirror import MailboxMirror
from app.mail.gmail.pacing import BACKGROUND
from app.store.mail.sync_page import SyncPage, ToFetch
from app.store.outbox import REREAD
from fakes.engine.sync import SyncStage, row, sync_stage
from fakes.gmail.sending import question

REFUSED = "permission_missing"


@dataclass
class Bringing:
    """A fetcher over a stage. `pages` are what it wrote."""

    stage: SyncStage
    pages: list[SyncPage] = field(default_factory=list)

    def __post_init__(self) -> None:
        stage, told = self.stage, EventBus(self.stage.events.append)
        self.mirror = MailboxMirror(stage.account, stage.tables, told, lambda _account, page, _applied: self.pages.append(page))
        self.fetcher = Fetcher(stage.client, self.mirror, lambda: stage.now, lambda *told: stage.told.append(told))

    async def once(self, all_listed: bool = True) -> SyncPage:
        """The page of one fetch."""
        assert await self.fetcher.fetch(all_listed) == 0.0
        return self.pages[-1]

    async def put(self, *rows: ToFetch) -> None:
        """Put rows on the list."""
        await self.stage.mirror.apply(SyncPage(to_fetch=rows))

    def refuse(self, *ids: str) -> None:
        """The server refuses these messages from now on, and no others."""
        self.stage.sandbox.faults.clear()
        for one in ids:
            self.stage.sandbox.faults.add("403-permission", "gmail.users.messages.get", place="inner", times=0, about=one)

    async def fail(self, times: int) -> None:
        """Try what is due so many times, each in its time."""
        for _ in range(times):
            self.stage.now += LONGEST_RETRY_S
            await self.stage.drained(self.fetcher)


@asynccontextmanager
async def bringing(folder: Path, messages: int, budget: int = 10_000_000) -> AsyncIterator[Bringing]:
    """A stage with a fetcher, and everything the server has on the list."""
    async with sync_stage(folder, messages, budget) as stage:
        yield Bringing(stage)


def singles(rows: Iterable[ToFetch]) -> list[ToFetch]:
    """The rows of messages that are alone in their thread."""
    sizes = Counter(one.gmail_thread_id for one in rows)
    return [one for one in rows if sizes[one.gmail_thread_id] == 1]


def largest(rows: Iterable[ToFetch]) -> list[ToFetch]:
    """The rows of the largest thread."""
    ((thread, _),) = Counter(one.gmail_thread_id for one in rows).most_common(1)
    return [one for one in rows if one.gmail_thread_id == thread]


async def test_unread_mail_and_what_has_just_come_is_routed_and_nothing_before_consent(tmp_path: Path) -> None:
    async with bringing(tmp_path, 0) as it:
        stage = it.stage
        ids = [GmailId(stage.sandbox.deliver(question(number))["id"]) for number in range(4)]
        stage.sandbox.mail.label(ids[2], ids[3], remove=["UNREAD"])
        stage.tables.accounts.set_consent(stage.account, None)
        await it.put(row(ids[0], reason=NEW, priority=NEW_PRIORITY))
        assert (await it.once()).route == frozenset()
        stage.tables.accounts.set_consent(stage.account, 0)
        await it.put(row(ids[1]), row(ids[2]), row(ids[3], reason=NEW))
        assert (await it.once()).route == {ids[1], ids[3]}
        jobs = stage.tables.db.read("SELECT key FROM jobs WHERE kind = 'route'", ())
        assert len(jobs) == 2


async def test_where_there_is_no_room_the_least_is_waited_for(tmp_path: Path) -> None:
    async with bringing(tmp_path, 330, budget=6000) as it:
        await it.stage.note()
        it.mirror.have.update(GmailId(f"earlier{number}") for number in range(HEAD_START))
        await it.stage.bucket.take(2000)
        await asyncio.sleep(0.5)
        await it.stage.bucket.take(3500)
        least_s = it.stage.client.room_s(min(UNITS_AT_ONCE))
        wait_s = await it.fetcher.fetch(all_listed=True)
        assert wait_s is not None
        assert 50 < wait_s <= least_s < it.stage.client.room_s(max(UNITS_AT_ONCE))


async def test_what_is_tried_again_waits_for_room_as_well(tmp_path: Path) -> None:
    async with bringing(tmp_path, 0, budget=6000) as it:
        await it.put(*(ToFetch(GmailId(f"f{number}"), GmailThreadId("f"), REFUSED, 0, 1) for number in range(5)))
        await it.stage.bucket.take(int(6000 * BACKGROUND) - 60)
        wait_s = await it.fetcher.fetch(all_listed=True)
        assert wait_s is not None and 50 < wait_s <= 60


async def test_mirrored_mail_that_is_to_be_read_again_comes_with_its_thread_and_leaves_the_list(tmp_path: Path) -> None:
    """Its labels are in doubt; of a thread that comes for another's sake, what is here is not written again."""
    async with bringing(tmp_path, 60) as it:
        stage, rows = it.stage, await it.stage.note()
        await stage.drained(it.fetcher)
        thread = largest(rows)
        assert len(thread) > 3
        stage.sandbox.mail.label(*(one.gmail_id for one in thread), add=["STARRED"])
        await it.put(*(row(one.gmail_id, one.gmail_thread_id, reason=REREAD) for one in thread[:3]))
        page = await it.once()
        assert stage.requests("threads.get")[-1].endswith(thread[0].gmail_thread_id)
        assert {one.gmail_id for one in page.messages} == {one.gmail_id for one in thread[:3]}
        assert stage.waiting() == ()
        assert all("STARRED" in stage.labels()[one.gmail_id] for one in thread[:3])


async def test_what_failed_waits_also_behind_a_long_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.sync.fetching.UNITS_A_ROW", UNITS_AT_FIRST // 2)
    async with bringing(tmp_path, 30) as it:
        first = singles(await it.stage.note())[0]
        await it.put(row(first.gmail_id, first.gmail_thread_id, priority=40))
        it.refuse(first.gmail_id)
        await it.once()
        await it.stage.mirror.apply(SyncPage(fetched=(first.gmail_id,)))
        await it.put(ToFetch(first.gmail_id, first.gmail_thread_id, REFUSED, 0, 1))
        await it.stage.drained(it.fetcher)
        assert [(one.gmail_id, one.attempts) for one in it.stage.waiting()] == [(first.gmail_id, 1)]
        assert it.fetcher.next_due_s() == FIRST_RETRY_S


async def test_how_many_keep_failing_counts_those_that_still_do(tmp_path: Path) -> None:
    async with bringing(tmp_path, 40) as it:
        one, two, three, four = (found.gmail_id for found in singles(await it.stage.note())[:4])
        it.refuse(one, two)
        await it.fail(STUBBORN + 1)
        assert it.stage.told == [(1, REFUSED), (2, REFUSED)]
        it.refuse(two)
        await it.fail(1)
        await it.put(row(three), row(four))
        await it.stage.mirror.apply(SyncPage(delete=(three, four)))
        it.refuse(two, three)
        await it.fail(STUBBORN)
        assert it.stage.told[2:] == [(2, REFUSED)], "the first came, the second did not"


async def test_what_was_told_before_a_restart_still_counts(tmp_path: Path) -> None:
    async with bringing(tmp_path, 30) as it:
        known, other = singles(await it.stage.note())[:2]
        it.refuse(known.gmail_id, other.gmail_id)
        await it.put(ToFetch(known.gmail_id, known.gmail_thread_id, REFUSED, 0, STUBBORN + 2))
        await it.fail(STUBBORN)
        assert it.stage.told == [(2, REFUSED)]


async def test_a_message_that_failed_and_is_gone_then_is_no_failure(tmp_path: Path) -> None:
    async with bringing(tmp_path, 1) as it:
        (only,) = await it.stage.note()
        it.refuse(only.gmail_id)
        await it.fail(STUBBORN - 1)
        it.stage.sandbox.mail.delete(only.gmail_id)
        it.refuse()
        it.stage.now += LONGEST_RETRY_S
        assert (await it.once()).to_fetch == ()
        assert it.fetcher.next_due_s() is None
        assert it.stage.told == []
        assert it.stage.waiting() == ()


async def test_a_failed_thread_dearer_than_one_fetch_comes_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.sync.fetching.UNITS_AT_ONCE", (20,))
    async with bringing(tmp_path, 60) as it:
        thread = largest(await it.stage.note())
        await it.put(*(ToFetch(one.gmail_id, one.gmail_thread_id, REFUSED, 40, 1) for one in thread))
        page = await it.once()
        assert {one.gmail_id for one in page.messages} == {one.gmail_id for one in thread}
