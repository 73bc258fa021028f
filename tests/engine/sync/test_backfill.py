"""Listing: what the user sees first is fetched first, everything is listed before the archive is fetched, a crash goes on."""

from pathlib import Path

import pytest

from app.domain.errors import RejectedByServer
from app.domain.ids import GmailId
from app.domain.syncing import ListPage
from app.engine.sync.backfill import HEAD_START, RECHECK_PRIORITY, Backfill
from app.engine.sync.listing import STEPS, Progress, unpacked
from app.store.pages import SyncPage
from fakes.send_stage import question
from fakes.sync_stage import sync_stage

pytestmark = pytest.mark.anyio


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
            assert again.progress == backfill.progress == Progress(step, "", 3)
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
        await stage.mirror.apply(SyncPage(backfill_state=Progress(4, "no-such-token", 3).packed()))
        backfill = Backfill(stage.client, stage.mirror)
        await backfill.load()
        await backfill.advance()
        assert backfill.progress == Progress(4, "", 3)
        await backfill.advance()
        assert backfill.progress.finished
        assert len(stage.waiting()) == 3


async def test_page_tokens_that_die_again_and_again_are_told_and_rested_from(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 3) as stage:
        await stage.mirror.apply(SyncPage(backfill_state=Progress(4, "no-such-token", 3).packed()))
        stage.sandbox.faults.add("400-token", "gmail.users.messages.list", times=3)
        backfill = Backfill(stage.client, stage.mirror)
        await backfill.load()
        await backfill.advance()
        for _ in range(2):
            with pytest.raises(RejectedByServer):
                await backfill.advance()
        await backfill.advance()
        assert backfill.progress.finished


async def test_a_token_that_dies_each_time_is_no_listing_without_end(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 501) as stage:
        await stage.mirror.apply(SyncPage(backfill_state=Progress(4, "", 501).packed()))
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
            assert backfill.progress == Progress(4, "", 501)
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
    assert unpacked(Progress(len(STEPS)).packed()) == Progress(len(STEPS))
