"""Fetching: each message once and at the lowest price, nothing forgotten, nothing in the way of new mail."""

from collections import Counter
from pathlib import Path

import pytest

from app.domain.errors import ServerError
from app.domain.sync import UNITS
from app.engine.sync.fetching import NEW_PRIORITY
from app.engine.sync.listing import NEW
from app.store.mail.sync_page import SyncPage, ToFetch
from fakes.engine.sync import row, sync_stage


async def test_everything_comes_once_and_cheapest(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 120) as stage:
        sizes = Counter(one.gmail_thread_id for one in await stage.note())
        stage.sandbox.admin.call("DELETE", "counters")
        await stage.drained(stage.fetcher())
        assert stage.labels() == stage.served()
        assert stage.waiting() == ()
        counted = stage.sandbox.counters()
        single = sum(size for size in sizes.values() if size < 3)
        assert counted["methods"]["gmail.users.threads.get"] == sum(size >= 3 for size in sizes.values())
        assert counted["methods"]["gmail.users.messages.get"] == single
        assert counted["units"] == sum(min(size * UNITS["messages.get"], UNITS["threads.get"]) for size in sizes.values())


async def test_the_background_waits_for_quota_and_new_mail_does_not(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 10, budget=6000) as stage:
        rows = await stage.note()
        await stage.bucket.take(5600)
        fetcher = stage.fetcher()
        wait_s = await fetcher.fetch(all_listed=True)
        assert wait_s is not None and 50 < wait_s <= 60
        assert stage.requests("messages.get") == stage.requests("threads.get") == []
        new = rows[0]
        await stage.mirror.apply(_page(row(new.gmail_id, new.gmail_id, reason=NEW, priority=NEW_PRIORITY)))
        assert await fetcher.fetch(all_listed=True) == 0.0
        assert new.gmail_id in stage.labels()


async def test_a_poisonous_message_is_set_aside_longer_and_longer_and_told_of(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 12) as stage:
        rows = await stage.note()
        rule = stage.sandbox.faults.add("403-permission", "gmail.users.messages.get", place="inner", times=0)
        single = [one.gmail_id for one in rows if Counter(r.gmail_thread_id for r in rows)[one.gmail_thread_id] < 3]
        fetcher = stage.fetcher()
        waits: list[float] = []
        for _ in range(4):
            await stage.drained(fetcher)
            due_s = fetcher.next_due_s()
            assert due_s is not None
            waits.append(due_s)
            stage.now += due_s + 0.001
        assert waits == [pytest.approx(5 * 4**attempt) for attempt in range(4)]
        assert len(stage.labels()) == len(rows) - len(single), "the others came"
        assert {(one.gmail_id, one.reason, one.attempts) for one in stage.waiting()} == {
            (one, "permission_missing", 4) for one in single
        }
        assert stage.told == [(number + 1, "permission_missing") for number in range(len(single))]
        await stage.drained(fetcher)
        stage.sandbox.faults.remove(rule)
        await stage.drained(fetcher)
        assert len(stage.waiting()) == len(single), "not before their time"
        fetcher.retry()
        await stage.drained(fetcher)
        assert stage.labels() == stage.served()
        assert fetcher.next_due_s() is None


@pytest.mark.parametrize("kind", ["500", "cut", "400-token"])
async def test_a_message_that_spoils_each_whole_answer_stands_alone_in_the_end(tmp_path: Path, kind: str) -> None:
    """Google answers a batch as a whole: one message must not keep the others from coming, nor be lost itself."""
    async with sync_stage(tmp_path, 60) as stage:
        rows = await stage.note()
        sizes = Counter(one.gmail_thread_id for one in rows)
        bad = next(one for one in rows if sizes[one.gmail_thread_id] == 1)
        stage.sandbox.faults.add(kind, "batch", about=bad.gmail_id, times=0)
        fetcher = stage.fetcher()
        await stage.drained(fetcher)
        assert {(one.gmail_id, one.attempts) for one in stage.waiting()} == {(bad.gmail_id, 1)}
        assert len(stage.labels()) == len(rows) - 1
        for _ in range(2):
            stage.now += 3600
            await stage.drained(fetcher)
        asked = sum(one["method"] == "batch" for one in stage.sandbox.log())
        stage.now += 3600
        await stage.drained(fetcher)
        tries = sum(one["method"] == "batch" for one in stage.sandbox.log()) - asked
        assert tries <= 10, "it is not looked for among others again"
        stage.sandbox.faults.clear()
        stage.now += 3600
        await stage.drained(fetcher)
        assert stage.labels() == stage.served()


async def test_what_came_before_the_connection_broke_is_kept(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 60) as stage:
        rows = await stage.note()
        sizes = Counter(one.gmail_thread_id for one in rows)
        stage.sandbox.faults.add("cut", nth=2, times=0)
        with pytest.raises(ServerError):
            await stage.drained(stage.fetcher())
        mirrored = stage.labels()
        assert mirrored
        assert len(mirrored) + len(stage.waiting()) == len(rows)
        assert all(sizes[one.gmail_thread_id] < 3 for one in rows if one.gmail_id in mirrored)
        stage.sandbox.faults.clear()
        await stage.drained(stage.fetcher())
        assert stage.labels() == stage.served()


def _page(*rows: ToFetch) -> SyncPage:
    return SyncPage(to_fetch=rows)
