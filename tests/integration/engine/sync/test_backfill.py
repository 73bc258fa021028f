"""Limits of the first listing: what is beyond them stays on the server, and a change of mind is followed.

Listing: what the user sees first is fetched first, everything is listed before the archive is fetched, a crash goes on.
"""

import asyncio
from pathlib import Path
from types import SimpleNamespace

from app.config.settings import Settings, SyncSettings
from app.domain.protocol.events import SyncPhase, SyncProgress
from app.engine.runtime.workers import WakeUp
from app.engine.sync.backfill import RECHECK_PRIORITY, Backfill
from app.engine.sync.listing import SyncPace
from app.engine.sync.rebuilding import rebuild
from app.engine.sync.syncer import Syncer
from fakes.engine.engine_parts import FixedSettings
from fakes.engine.sync import SyncStage, sync_stage
from fakes.gmail.sending import question


async def listed(stage: SyncStage, backfill: Backfill) -> None:
    """List everything and fetch what was listed."""
    while not backfill.progress.finished:
        await backfill.advance()
    await stage.drained(stage.fetcher())


async def test_mail_beyond_the_limits_is_fetched_once_they_are_wider(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 80) as stage:
        now = SyncSettings(backfill_days=1)
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
        now = SyncSettings()
        assert await again.follow_limits()
        assert again.progress.total == 80, "without limits all of it is wanted"
        later = Backfill(stage.client, stage.mirror, lambda: now)
        await later.load()
        assert later.progress == again.progress
        await listed(stage, again)
        assert set(stage.labels()) == set(stage.served())


async def test_older_mail_waits_for_the_owner_and_new_mail_does_not(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 40) as stage:
        settings = FixedSettings()

        def pause(paused: bool) -> None:
            settings.now = Settings(sync=SyncSettings(poll_s=1, older_paused=paused))

        def phases() -> list[tuple[SyncPhase, int, int]]:
            return [(one.phase, one.done, one.total) for one in stage.events if isinstance(one, SyncProgress)]

        pause(True)
        listener = SimpleNamespace(fetched=lambda: None, signed_out=lambda _: None)
        syncer = Syncer(stage.client, stage.mirror, SyncPace(settings), listener, WakeUp())
        syncing = asyncio.create_task(syncer.run())
        try:
            async with asyncio.timeout(60):
                while (SyncPhase.PAUSED, 0, 40) not in phases():
                    await asyncio.sleep(0.02)
                newest = stage.sandbox.deliver(question(1))["id"]
                while set(stage.labels()) != {newest}:
                    await asyncio.sleep(0.02)
                pause(False)
                while phases()[-1] != (SyncPhase.CURRENT, 41, 41):
                    await asyncio.sleep(0.02)
                assert stage.labels() == stage.served()
                pause(True)
                stage.sandbox.deliver(question(2))
                while stage.labels() != stage.served():
                    await asyncio.sleep(0.02)
                assert phases()[-1][0] is SyncPhase.CURRENT, "no older mail waits"
        finally:
            syncing.cancel()
            await asyncio.gather(syncing, return_exceptions=True)


async def test_looking_again_finds_what_the_lists_had_not(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 2) as stage:
        backfill = Backfill(stage.client, stage.mirror)
        stage.sandbox.deliver(question(1), labels=["SPAM"])
        await backfill.recheck()
        assert {one.priority for one in stage.waiting()} == {RECHECK_PRIORITY}
        await stage.drained(stage.fetcher())
        assert stage.labels() == stage.served()
        await backfill.recheck()
        assert stage.waiting() == ()
