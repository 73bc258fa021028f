"""Limits of the first listing: what is beyond them stays on the server, and a change of mind is followed.

Listing: what the user sees first is fetched first, everything is listed before the archive is fetched, a crash goes on.
"""

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.config.settings import Settings, SyncSettings
from app.domain.errors import RejectedByServer
from app.domain.ids import GmailId
from app.domain.protocol.events import SyncPhase, SyncProgress
from app.domain.sync import ListPage
from app.engine.runtime.workers import WakeUp
from app.engine.sync.backfill import HEAD_START, RECHECK_PRIORITY, Backfill
from app.engine.sync.fetching import NEW_PRIORITY
from app.engine.sync.listing import NEW, STEPS, ListingProgress, SyncPace, terms_of, unpacked
from app.engine.sync.rebuilding import rebuild
from app.engine.sync.syncer import Syncer
from app.store.mail.sync_page import SyncPage
from fakes.engine.engine_parts import FixedSettings
from fakes.engine.sync import SyncStage, row, sync_stage
from fakes.gmail.sending import question


@pytest.mark.parametrize(
    ("limits", "terms"),
    [
        (SyncSettings(), ""),
        (SyncSettings(backfill_days=30), "newer_than:30d"),
        (SyncSettings(largest_mb=5, skip_labels=" News , Old/Mail 2009,,"), "smaller:5M -label:news -label:old-mail-2009"),
    ],
)
def test_limits_are_written_in_the_words_of_the_search(limits: SyncSettings, terms: str) -> None:
    assert terms_of(limits) == terms


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


async def test_narrower_limits_forget_what_waits_and_keep_what_is_here(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 80) as stage:
        now = SyncSettings()
        backfill = Backfill(stage.client, stage.mirror, lambda: now)
        await backfill.begin()
        while not backfill.progress.finished:
            await backfill.advance()
        await stage.fetcher().fetch(all_listed=True)
        here = set(stage.labels())
        now = SyncSettings(backfill_days=1)
        assert await backfill.follow_limits()
        assert stage.waiting() == ()
        await listed(stage, backfill)
        assert here <= set(stage.labels()) != set(stage.served())


async def test_narrower_limits_forget_neither_new_mail_nor_what_is_to_be_read_again(tmp_path: Path) -> None:
    """The history of new mail is behind the cursor: nothing would bring it again. Labels of stored mail may be wrong."""
    async with sync_stage(tmp_path, 3) as stage:
        now = SyncSettings()
        backfill = Backfill(stage.client, stage.mirror, lambda: now)
        await backfill.begin()
        await listed(stage, backfill)
        new, missed = row("new", reason=NEW, priority=NEW_PRIORITY), row("missed", priority=RECHECK_PRIORITY)
        again, old = row(sorted(stage.served())[0]), row("old", priority=40)
        await stage.mirror.apply(SyncPage(to_fetch=(new, missed, again, old)))
        now = SyncSettings(backfill_days=1)
        assert await backfill.follow_limits()
        assert [one.gmail_id for one in stage.waiting()] == [new.gmail_id, missed.gmail_id, again.gmail_id]


async def test_looking_again_keeps_the_limits(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 80) as stage:
        await Backfill(stage.client, stage.mirror, lambda: SyncSettings(backfill_days=1)).recheck()
        few = len(stage.waiting())
        await Backfill(stage.client, stage.mirror).recheck()
        assert 0 < few < len(stage.waiting()) == 80


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


async def test_everything_is_listed_and_noted_with_the_cursor_from_before(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 40) as stage:
        hidden = sorted(stage.served())[:2]
        stage.sandbox.mail.label(hidden[0], add=["SPAM"], remove=["INBOX"])
        stage.sandbox.mail.label(hidden[1], add=["TRASH"], remove=["INBOX"])
        backfill = Backfill(stage.client, stage.mirror)
        cursor = await backfill.begin()
        assert cursor == int(stage.sandbox.dump()["historyId"])
        while not backfill.progress.finished:
            await backfill.advance()
        assert {one.gmail_id for one in stage.waiting()} == set(stage.served())
        priorities = [one.priority for one in stage.waiting()]
        assert priorities == sorted(priorities, reverse=True)
        assert len(set(priorities)) > 1, "the newest mail comes first"
        assert (await stage.mirror.state()).cursor == cursor


async def test_the_newest_is_fetched_before_the_rest_is_listed(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 1) as stage:
        backfill = Backfill(stage.client, stage.mirror)
        await backfill.begin()
        order = []
        while backfill.comes_first():
            order.append(backfill.progress.step)
            await backfill.advance()
        assert order == [0, 1]
        stage.mirror.have.update(GmailId(str(number)) for number in range(HEAD_START))
        assert backfill.comes_first()
        while backfill.comes_first():
            await backfill.advance()
        assert backfill.progress.finished


async def test_another_start_goes_on_at_the_same_page(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 3) as stage:
        backfill = Backfill(stage.client, stage.mirror)
        await backfill.begin()
        for step in range(2):
            again = Backfill(stage.client, stage.mirror)
            await again.load()
            assert again.progress == backfill.progress == ListingProgress(step, "", 3)
            await backfill.advance()


async def test_what_is_here_is_not_put_on_the_list(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 6) as stage:
        await stage.note()
        await stage.drained(stage.fetcher())
        stage.sandbox.deliver(question(1))
        backfill = Backfill(stage.client, stage.mirror)
        await backfill.begin()
        while not backfill.progress.finished:
            await backfill.advance()
        assert len(stage.waiting()) == 1


async def test_a_page_token_that_died_begins_its_step_again(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 3) as stage:
        await stage.mirror.apply(SyncPage(backfill_state=ListingProgress(4, "no-such-token", 3).packed()))
        backfill = Backfill(stage.client, stage.mirror)
        await backfill.load()
        await backfill.advance()
        assert backfill.progress == ListingProgress(4, "", 3)
        await backfill.advance()
        assert backfill.progress.finished
        assert len(stage.waiting()) == 3


async def test_a_token_that_dies_each_time_is_no_listing_without_end(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 501) as stage:
        await stage.mirror.apply(SyncPage(backfill_state=ListingProgress(4, "", 501).packed()))
        listing = stage.client.list_messages

        async def first_only(query: str = "", labels: tuple[str, ...] = (), token: str = "", **more: bool) -> ListPage:
            if token:
                raise RejectedByServer("Invalid pageToken")
            return await listing(query, labels, token, **more)

        stage.client.list_messages = first_only  # type: ignore[method-assign, assignment]
        backfill = Backfill(stage.client, stage.mirror)
        await backfill.load()
        for _ in range(2):
            for _page in ("first", "second", "first"):
                await backfill.advance()
            with pytest.raises(RejectedByServer):
                await backfill.advance()
            assert backfill.progress == ListingProgress(4, "", 501)
        stage.client.list_messages = listing  # type: ignore[method-assign]
        for _page in ("first", "second"):
            await backfill.advance()
        assert backfill.progress.finished


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


def test_a_note_of_another_age_starts_again() -> None:
    assert unpacked('{"step": "x"}') is None
    assert unpacked("") is None
    assert unpacked(ListingProgress(len(STEPS)).packed()) == ListingProgress(len(STEPS))
