"""Progress: real counts, and an estimate only where there is an honest one."""

from pathlib import Path

import pytest

from app.domain.ids import GmailId
from app.domain.protocol.events import Event, SyncPhase, SyncProgress
from app.engine.runtime.event_bus import EventBus
from app.engine.sync.listing import STEPS, ListingProgress
from app.engine.sync.status import LEAST_S, ProgressMeter
from app.store.mail.sync_page import SyncPage
from fakes.engine.sync import row, sync_stage

pytestmark = pytest.mark.anyio
LISTED = ListingProgress(step=len(STEPS), total=500)


async def test_counts_are_real_and_the_estimate_is_the_last_minutes_pace(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 1) as stage:
        told: list[Event] = []
        announcer = EventBus(told.append)
        meter = ProgressMeter(stage.mirror, announcer, lambda: stage.now)

        async def said(progress: ListingProgress, mirrored: int, after_s: float = LEAST_S) -> SyncProgress:
            stage.now += after_s
            stage.mirror.have = {GmailId(f"m{number}") for number in range(mirrored)}
            await meter.tell(progress)
            announcer.flush()
            last = told[-1]
            assert isinstance(last, SyncProgress)
            return last

        await stage.mirror.apply(SyncPage(to_fetch=tuple(row(f"w{number}") for number in range(60))))
        first = await said(ListingProgress(total=100), 0)
        assert (first.phase, first.done, first.total, first.eta_s) == (SyncPhase.LISTING, 0, 100, -1.0)
        assert (await said(ListingProgress(total=100), 10)).eta_s == pytest.approx(90 * LEAST_S / 10)
        within = await said(ListingProgress(terms="newer_than:7d"), 20)
        assert (within.total, within.eta_s) == (80, -1.0), "how many are within is not known yet"
        listed = await said(LISTED, 40)
        assert (listed.phase, listed.total) == (SyncPhase.BACKFILL, 100)
        assert listed.eta_s == pytest.approx(60 * 3 * LEAST_S / 40)
        assert (await said(LISTED, 40, after_s=61)).eta_s == -1.0, "nothing came for a minute"
        count = len(told)
        await said(LISTED, 41, after_s=0.1)
        assert len(told) == count, "not at every turn"
        await meter.done()
        announcer.flush()
        assert told[-1] == SyncProgress(stage.mirror.account_id, SyncPhase.CURRENT, 41, 101, 0.0)


async def test_while_older_mail_is_paused_its_number_is_what_is_known_of_it(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 1) as stage:
        told: list[Event] = []
        announcer = EventBus(told.append)
        meter = ProgressMeter(stage.mirror, announcer, lambda: stage.now)
        await stage.mirror.apply(SyncPage(to_fetch=tuple(row(f"w{number}") for number in range(60))))
        stage.mirror.have = {GmailId(f"m{number}") for number in range(10)}
        totals = []
        for progress in (ListingProgress(total=100), ListingProgress(total=50), LISTED):
            await meter.paused(progress)
            announcer.flush()
            last = told[-1]
            assert isinstance(last, SyncProgress)
            assert (last.phase, last.done, last.eta_s) == (SyncPhase.PAUSED, 10, -1.0)
            totals.append(last.total)
        assert totals == [100, 70, 70]
