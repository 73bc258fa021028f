"""Fetching: each message once and at the lowest price, nothing forgotten, nothing in the way of new mail."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from app.domain.errors import QuotaReached, ServerError
from app.domain.ids import GmailId
from app.domain.sync import UNITS
from app.engine.sync.backfill import HEAD_START
from app.engine.sync.fetching import MOST_ALONE, NEW_PRIORITY, UNITS_AT_FIRST, UNITS_AT_ONCE
from app.engine.sync.listing import NEW
from app.mail.gmail.pacing import BACKGROUND
from app.mail.gmail.wire.errors import DAILY_WAIT_S
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


async def test_the_rest_of_a_thread_comes_with_its_newest_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rows stand between them on the list."""
    monkeypatch.setattr("app.engine.sync.fetching.UNITS_A_ROW", UNITS_AT_FIRST)
    async with sync_stage(tmp_path, 60) as stage:
        rows = await stage.note()
        sizes = Counter(one.gmail_thread_id for one in rows)
        thread = sizes.most_common(1)[0][0]
        newest = next(one for one in rows if one.gmail_thread_id == thread)
        await stage.mirror.apply(_page(row(newest.gmail_id, thread, priority=40)))
        assert await stage.fetcher().fetch(all_listed=True) == 0.0
        assert len(stage.labels()) == sizes[thread]
        assert stage.requests("threads.get") == [f"/gmail/v1/users/me/threads/{thread}"]


async def test_what_a_thread_brings_beyond_the_list_is_kept(tmp_path: Path) -> None:
    """It is paid for: mail of the thread that was not listed yet."""
    async with sync_stage(tmp_path, 60) as stage:
        page = await stage.client.list_messages("", (), "", include_spam_trash=True)
        thread, size = Counter(one.gmail_thread_id for one in page.entries).most_common(1)[0]
        known = [row(one.gmail_id, thread) for one in page.entries if one.gmail_thread_id == thread][:2]
        await stage.mirror.apply(_page(*known))
        await stage.drained(stage.fetcher(), all_listed=False)
        assert len(stage.labels()) == size > len(known)


async def test_while_listing_two_messages_make_a_thread(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 120) as stage:
        rows = await stage.note()
        pairs = [thread for thread, size in Counter(one.gmail_thread_id for one in rows).items() if size == 2]
        assert pairs
        await stage.drained(stage.fetcher(), all_listed=False)
        asked = {path.rpartition("/")[2] for path in stage.requests("threads.get")}
        assert set(pairs) <= asked


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


async def test_a_large_quota_is_used_in_large_fetches_once_there_is_mail_to_read(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 330) as stage:
        await stage.note()
        spent = [stage.sandbox.counters()["units"]]
        for have in (0, HEAD_START):
            stage.mirror.have.update(GmailId(f"earlier{number}") for number in range(have))
            assert await stage.fetcher().fetch(all_listed=True) == 0.0
            spent.append(stage.sandbox.counters()["units"])
        small, large = (after - before for before, after in pairwise(spent))
        assert 1000 < small <= 1200 < large <= 2400


async def test_what_is_left_of_a_minutes_quota_is_spent_too(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 330, budget=6000) as stage:
        await stage.note()
        stage.mirror.have.update(GmailId(f"earlier{number}") for number in range(HEAD_START))
        left = 2000
        await stage.bucket.take(int(6000 * BACKGROUND) - left - stage.sandbox.counters()["units"])
        stage.sandbox.admin.call("DELETE", "counters")
        fetcher = stage.fetcher()
        while (wait_s := await fetcher.fetch(all_listed=True)) == 0.0:
            pass
        assert wait_s is not None, "the quota had room for everything"
        assert left - min(UNITS_AT_ONCE) < stage.sandbox.counters()["units"] <= left


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


async def test_many_that_fail_hide_none_of_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More have failed than are looked at in one go: what stands behind them comes all the same."""
    monkeypatch.setattr("app.engine.sync.fetching.UNITS_A_ROW", UNITS_AT_FIRST // 2)
    async with sync_stage(tmp_path, 30) as stage:
        page = await stage.client.list_messages("", (), "", include_spam_trash=True)
        singly = Counter(one.gmail_thread_id for one in page.entries)
        first = [one for one in page.entries if singly[one.gmail_thread_id] == 1][:4]
        await stage.mirror.apply(_page(*(row(one.gmail_id, one.gmail_thread_id, priority=40) for one in first)))
        for one in first:
            stage.sandbox.faults.add("403-permission", "gmail.users.messages.get", place="inner", times=0, about=one.gmail_id)
        await stage.note()
        await stage.drained(stage.fetcher())
        assert {one.gmail_id for one in stage.waiting()} == {one.gmail_id for one in first}
        assert len(stage.labels()) == 26


async def test_nobody_waits_for_what_is_on_the_list_no_more(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 1) as stage:
        (only,) = await stage.note()
        stage.sandbox.faults.add("403-permission", "gmail.users.messages.get", place="inner")
        fetcher = stage.fetcher()
        await stage.drained(fetcher)
        assert fetcher.next_due_s()
        await stage.mirror.apply(SyncPage(fetched=(only.gmail_id,)))
        stage.now += 3600
        assert await fetcher.fetch(all_listed=True) is None
        assert fetcher.next_due_s() is None


async def test_a_thread_that_cannot_be_had_whole_is_asked_for_message_by_message(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 12) as stage:
        rows = await stage.note()
        stage.sandbox.faults.add("403-permission", "gmail.users.threads.get", place="inner", times=0)
        fetcher = stage.fetcher()
        await stage.drained(fetcher)
        assert any(one.attempts for one in stage.waiting()), "there is no thread of three to fail"
        due_s = fetcher.next_due_s()
        assert due_s is not None
        stage.now += due_s + 0.001
        await stage.drained(fetcher)
        assert stage.waiting() == ()
        assert len(stage.labels()) == len(rows)


async def test_a_new_message_that_fails_stays_new(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 1) as stage:
        await stage.note(reason=NEW, priority=NEW_PRIORITY)
        stage.sandbox.faults.add("403-permission", "gmail.users.messages.get", place="inner")
        await stage.fetcher().fetch(all_listed=True)
        assert [(one.reason, one.attempts) for one in stage.waiting()] == [(NEW, 1)]


async def test_what_is_gone_leaves_the_list_and_the_mirror(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 20) as stage:
        rows = await stage.note()
        await stage.drained(stage.fetcher())
        gone = [one.gmail_id for one in rows[:4]]
        stage.sandbox.mail.delete(*gone)
        await stage.mirror.apply(_page(*(row(one) for one in gone)))
        await stage.drained(stage.fetcher())
        assert stage.labels() == stage.served()
        assert stage.waiting() == ()


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


async def test_a_thread_that_spoils_each_whole_answer_is_asked_for_message_by_message(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 60) as stage:
        rows = await stage.note()
        bad = Counter(one.gmail_thread_id for one in rows).most_common(1)[0][0]
        stage.sandbox.faults.add("500", "batch", about=f"threads/{bad}", times=0)
        fetcher = stage.fetcher()
        await stage.drained(fetcher)
        stage.now += 3600
        await stage.drained(fetcher)
        assert stage.labels() == stage.served()


async def test_no_message_is_blamed_for_a_server_that_is_down(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 10) as stage:
        await stage.note()
        stage.sandbox.faults.add("503", times=0)
        for _ in range(4):
            with pytest.raises(ServerError):
                await stage.fetcher().fetch(all_listed=True)
        assert {one.attempts for one in stage.waiting()} == {0}


async def test_batches_that_never_work_are_the_servers_trouble(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 40) as stage:
        await stage.note()
        stage.sandbox.faults.add("500", "batch", times=0)
        with pytest.raises(ServerError):
            await stage.drained(stage.fetcher())
        assert sum(one.attempts for one in stage.waiting()) == MOST_ALONE
        stage.sandbox.faults.clear()
        stage.now += 60
        await stage.drained(stage.fetcher())
        assert stage.labels() == stage.served()


@pytest.mark.parametrize(("kind", "rest_s"), [("403-daily", DAILY_WAIT_S), ("429", None)])
async def test_a_quota_that_stays_spent_is_rested_from_and_blames_nobody(tmp_path: Path, kind: str, rest_s: float | None) -> None:
    """Refusals inside batches that outlast their repeats: asking for the next hundred would only be refused as well."""
    async with sync_stage(tmp_path, 30) as stage:
        await stage.note()
        stage.sandbox.faults.add(kind, "gmail.users.*.get", place="inner", times=0)
        with pytest.raises(QuotaReached) as caught:
            await stage.fetcher().fetch(all_listed=True)
        assert caught.value.retry_after_s == rest_s
        assert len(stage.waiting()) == 30
        assert {one.attempts for one in stage.waiting()} == {0}


@pytest.mark.parametrize("hidden", ["TRASH", "SPAM"])
async def test_what_a_thread_comes_without_is_asked_for_by_itself(tmp_path: Path, hidden: str) -> None:
    """Nobody promises that a thread brings what lies in trash or spam: to be missing from it is not to be gone."""
    async with sync_stage(tmp_path, 60) as stage:
        stage.sandbox.set_habits(hidden_in_threads=[hidden])
        rows = await stage.note()
        (first, _), (second, size) = Counter(one.gmail_thread_id for one in rows).most_common(2)
        aside = [one.gmail_id for one in rows if one.gmail_thread_id == first][:1]
        aside += [one.gmail_id for one in rows if one.gmail_thread_id == second]
        stage.sandbox.mail.label(*aside, add=[hidden], remove=["INBOX"])
        await stage.drained(stage.fetcher())
        assert stage.labels() == stage.served()
        assert stage.waiting() == ()
        assert len(stage.requests("messages.get")) >= 1 + size


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
