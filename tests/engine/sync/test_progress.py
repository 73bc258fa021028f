"""Progress: real counts, and an estimate only where there is an honest one."""

from pathlib import Path

import pytest

from app.domain.events import Event, SyncPhase, SyncProgress
from app.domain.ids import GmailId
from app.engine.announcer import Announcer
from app.engine.sync.listing import STEPS, Progress
from app.engine.sync.progress import LEAST_S, ProgressMeter
from app.store.pages import SyncPage
from fakes.sync_stage import row, sync_stage

pytestmark = pytest.mark.anyio
LISTED = Progress(step=len(STEPS), total=100)


async def test_counts_are_real_and_the_estimate_is_the_last_minutes_pace(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 1) as stage:
        told: list[Event] = []
        announcer = Announcer(told.append)
        meter = ProgressMeter(stage.mirror, announcer, lambda: stage.now)

        async def said(progress: Progress, mirrored: int, after_s: float = LEAST_S) -> SyncProgress:
            stage.now += after_s
            stage.mirror.have = {GmailId(f"m{number}") for number in range(mirrored)}
            await meter.tell(progress)
            announcer.flush()
            last = told[-1]
            assert isinstance(last, SyncProgress)
            return last

        await stage.mirror.apply(SyncPage(to_fetch=tuple(row(f"w{number}") for number in range(60))))
        first = await said(Progress(total=100), 0)
        assert (first.phase, first.done, first.total, first.eta_s) == (SyncPhase.LISTING, 0, 100, -1.0)
        assert (await said(Progress(total=100), 10)).eta_s == pytest.approx(90 * LEAST_S / 10)
        assert (await said(Progress(terms="newer_than:7d"), 20)).eta_s == -1.0, "how many are within is not known yet"
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
