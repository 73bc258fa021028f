"""Limits of the first listing: what is beyond them stays on the server, and a change of mind is followed."""

import asyncio
import time
from pathlib import Path

import pytest

from app.config.settings import SyncSettings
from app.domain.events import Event, SyncPhase, SyncProgress
from app.engine.announcer import Announcer
from app.engine.bell import Bell
from app.engine.sync.backfill import RECHECK_PRIORITY, Backfill
from app.engine.sync.choosing import NEW
from app.engine.sync.fetching import NEW_PRIORITY
from app.engine.sync.limiting import limits_of
from app.engine.sync.listing import Limits
from app.engine.sync.rebuilding import rebuild
from app.engine.sync.syncer import Syncer
from app.store.pages import SyncPage
from fakes.send_stage import question
from fakes.sync_stage import SyncStage, row, sync_stage

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("limits", "terms"),
    [
        (Limits(), ""),
        (Limits(days=30), "newer_than:30d"),
        (Limits(largest_mb=5, skip_labels=" News , Old/Mail 2009,,"), "smaller:5M -label:news -label:old-mail-2009"),
    ],
)
def test_limits_are_written_in_the_words_of_the_search(limits: Limits, terms: str) -> None:
    assert limits.terms == terms
    assert limits.query("in:inbox") == f"in:inbox {terms}".strip()


def test_limits_come_from_the_settings() -> None:
    assert limits_of(SyncSettings(backfill_days=7, largest_mb=2, skip_labels="a")) == Limits(7, 2, "a")
    assert limits_of(SyncSettings(older_paused=True)).paused


async def listed(stage: SyncStage, backfill: Backfill) -> None:
    """List everything and fetch what was listed."""
    while not backfill.progress.finished:
        await backfill.advance()
    await stage.drained(stage.fetcher())


async def test_mail_beyond_the_limits_is_fetched_once_they_are_wider(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 80) as stage:
        now = Limits(days=1)
        backfill = Backfill(stage.client, stage.mirror, lambda: now)
        await backfill.begin()
        assert backfill.progress.total == 0, "how many are within is not known beforehand"
        await listed(stage, backfill)
        few = set(stage.labels())
        assert 0 < len(few) < 80
        again = Backfill(stage.client, stage.mirror, lambda: now)
        await again.load()
        assert not await again.follow_limits(), "nothing changed"
        await rebuild(stage.client, stage.mirror, now)
        await stage.drained(stage.fetcher())
        assert set(stage.labels()) == few, "an expired cursor does not fetch what is beyond"
        now = Limits()
        assert await again.follow_limits()
        assert again.progress.total == 80, "without limits all of it is wanted"
        later = Backfill(stage.client, stage.mirror, lambda: now)
        await later.load()
        assert later.progress == again.progress
        await listed(stage, again)
        assert set(stage.labels()) == set(stage.served())


async def test_narrower_limits_forget_what_waits_and_keep_what_is_here(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 80) as stage:
        now = Limits()
        backfill = Backfill(stage.client, stage.mirror, lambda: now)
        await backfill.begin()
        while not backfill.progress.finished:
            await backfill.advance()
        await stage.fetcher().fetch(all_listed=True)
        here = set(stage.labels())
        now = Limits(days=1)
        assert await backfill.follow_limits()
        assert stage.waiting() == ()
        await listed(stage, backfill)
        assert here <= set(stage.labels()) != set(stage.served())


async def test_new_mail_that_waits_is_no_older_mail_that_is_forgotten(tmp_path: Path) -> None:
    """Its history is behind the cursor: nothing would bring it again."""
    async with sync_stage(tmp_path, 40) as stage:
        now = Limits()
        backfill = Backfill(stage.client, stage.mirror, lambda: now)
        await backfill.begin()
        old, new = await stage.note(), row("new", reason=NEW, priority=NEW_PRIORITY)
        missed = row("missed", priority=RECHECK_PRIORITY)
        await stage.mirror.apply(SyncPage(to_fetch=(new, missed)))
        assert len(stage.waiting()) == len(old) + 2
        now = Limits(days=1)
        assert await backfill.follow_limits()
        assert [one.gmail_id for one in stage.waiting()] == [new.gmail_id, missed.gmail_id]


async def test_what_is_here_and_waits_to_be_read_again_still_does(tmp_path: Path) -> None:
    """Its labels may be wrong, whatever is wanted of older mail."""
    async with sync_stage(tmp_path, 3) as stage:
        now = Limits()
        backfill = Backfill(stage.client, stage.mirror, lambda: now)
        await backfill.begin()
        await listed(stage, backfill)
        again = row(sorted(stage.served())[0])
        await stage.mirror.apply(SyncPage(to_fetch=(again,)))
        now = Limits(days=1)
        assert await backfill.follow_limits()
        assert [one.gmail_id for one in stage.waiting()] == [again.gmail_id]


async def test_looking_again_keeps_the_limits(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 80) as stage:
        await Backfill(stage.client, stage.mirror, lambda: Limits(days=1)).recheck()
        few = len(stage.waiting())
        await Backfill(stage.client, stage.mirror).recheck()
        assert 0 < few < len(stage.waiting()) == 80


async def test_older_mail_waits_for_the_owner_and_new_mail_does_not(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 40) as stage:
        now, told = Limits(paused=True), list[Event]()

        def phases() -> list[tuple[SyncPhase, int, int]]:
            return [(one.phase, one.done, one.total) for one in told if isinstance(one, SyncProgress)]

        around = (Announcer(told.append), Bell(), lambda: 0.1, time.monotonic, lambda: None)
        syncer = Syncer(stage.client, stage.mirror, *around, limits=lambda: now)
        syncing = asyncio.create_task(syncer.run())
        try:
            async with asyncio.timeout(60):
                while (SyncPhase.PAUSED, 0, 40) not in phases():
                    await asyncio.sleep(0.02)
                newest = stage.sandbox.deliver(question(1))["id"]
                while set(stage.labels()) != {newest}:
                    await asyncio.sleep(0.02)
                now = Limits()
                while phases()[-1] != (SyncPhase.CURRENT, 41, 41):
                    await asyncio.sleep(0.02)
                assert stage.labels() == stage.served()
                now = Limits(paused=True)
                stage.sandbox.deliver(question(2))
                while stage.labels() != stage.served():
                    await asyncio.sleep(0.02)
                assert phases()[-1][0] is SyncPhase.CURRENT, "no older mail waits"
        finally:
            syncing.cancel()
            await asyncio.gather(syncing, return_exceptions=True)
