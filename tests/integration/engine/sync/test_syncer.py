"""The loop that syncs an account, rest by rest: what it does, what it leaves alone, and how long it rests after it.

Polling: every change once, whatever becomes of pages and their tokens, and nothing dearer than it has to be.
"""

from pathlib import Path

import pytest

from app.domain.ids import GmailId, GmailThreadId, HistoryId
from app.domain.protocol.events import ConnectionState, SyncPhase
from app.domain.record import replace
from app.domain.sync import ChangeKind, HistoryChange, HistoryPage
from app.engine.sync.listing import NEW, RECENT_STEPS, STEPS
from app.engine.sync.syncer import LABELS_EVERY_S, poll
from app.store.mail.sync_page import SyncPage
from fakes.clock.stepped_sync import POLL_S, Syncing, running
from fakes.engine.sync import SyncStage, sync_stage
from fakes.gmail.sending import question


async def test_a_first_sync_brings_everything_and_then_costs_a_poll_a_minute(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 60) as stage:
        syncing = Syncing(stage)
        began = stage.now
        async with running(syncing) as first:
            assert stage.labels() == stage.served()
            assert (await stage.mirror.state()).phase == SyncPhase.CURRENT
            listed = len(stage.requests("messages.list"))
            assert listed == len(STEPS)
            rests = [first, *[await syncing.on() for _ in range(5)]]
            assert rests == pytest.approx([4, 30, 26, 60, 34, 26]), "polls each minute, and four looks at the newest"
            await syncing.until(began + 2 * LABELS_EVERY_S)
            assert len(stage.requests("history.list")) == 1 + 2 * LABELS_EVERY_S / POLL_S
            assert len(stage.requests("labels.list")) == 3
            syncing.syncer.retry()
            await syncing.until(stage.now + POLL_S)
            assert len(stage.requests("labels.list")) == 4, "the user asked for news, which may be the name of a label"
            assert len(stage.requests("messages.list")) == listed + 3
            assert len(stage.requests("getProfile")) == 1 + 3, "before it lists, and with each look"
        assert syncing.phases().count(SyncPhase.CURRENT) == 1
        current = [one for one in syncing.progress() if one.phase is SyncPhase.CURRENT]
        assert [(one.done, one.total) for one in current] == [(60, 60)]
        assert syncing.states() == [ConnectionState.ONLINE]
        assert syncing.syncer.recent_done


async def test_a_cursor_that_expired_is_made_good_from_lists_once(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 40) as stage:
        syncing = Syncing(stage)
        async with running(syncing):
            ids = [GmailId(one) for one in sorted(stage.served())]
            stage.sandbox.mail.label(*ids[:5], add=["STARRED"])
            stage.sandbox.expire_history()
            await syncing.mirror.apply(SyncPage(delete=(ids[9],)))
            began = len(syncing.pages)
            assert await syncing.on(rang=True) > 0
            assert stage.labels() == stage.served()
            reasons = {one.gmail_id: one.reason for page in syncing.pages[began:] for one in page.to_fetch}
            assert reasons == {ids[9]: NEW}, "everything was listed, so what is missing came since"
            lists = len(stage.requests("messages.list"))
            await syncing.on(rang=True)
            assert len(stage.requests("messages.list")) <= lists + 1, "at most a look at the newest"
        assert syncing.states() == [ConnectionState.ONLINE]


async def test_a_history_that_never_works_is_made_good_from_lists_ever_less_often(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 3) as stage, running(syncing := Syncing(stage)):
        rule = stage.sandbox.faults.add("404-history", "gmail.users.history.list", times=0)
        await syncing.until(stage.now + 3600)
        assert len(stage.requests("getProfile")) < 20
        assert len(stage.requests("history.list")) > 50
        stage.sandbox.faults.remove(rule)
        stage.sandbox.mail.label(*stage.served(), add=["STARRED"])
        await syncing.until(stage.now + POLL_S)
        assert stage.labels() == stage.served()


async def test_drafting_may_begin_with_the_recent_mail_and_before_the_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.engine.sync.fetching.UNITS_AT_ONCE", (100,))
    async with sync_stage(tmp_path, 120) as stage:
        stage.sandbox.clock.advance(12.5 * 86_400)
        recent: set[GmailId] = set()
        for step in STEPS[:RECENT_STEPS]:
            page = await stage.client.list_messages(step.query)
            recent |= {one.gmail_id for one in page.entries}
        assert 10 < len(recent) < 110
        syncing, states = Syncing(stage), list[tuple[bool, bool]]()

        def look(page: SyncPage) -> None:
            if any(one.priority == STEPS[RECENT_STEPS].priority for one in page.to_fetch):
                assert syncing.syncer.recent_done, "the archive is not waited for"
            states.append((syncing.syncer.recent_done, recent <= syncing.mirror.have))

        syncing.watch = look
        async with running(syncing):
            assert all(here for done, here in states if done), "nothing recent is missing"
            assert states == sorted(states)
            stage.sandbox.deliver(question(1))
            await syncing.on(rang=True)
            assert syncing.brought[-1], "it stays so when more comes"


ARRIVED = b"From: Ann <ann@example.org>\r\nTo: me@example.com\r\nSubject: Late\r\nMessage-ID: <late@example.org>\r\n\r\nHello\r\n"
LONG = 300
"""Messages that change: twice, and there are more records than a page has."""


async def mirrored(stage: SyncStage) -> int:
    """Bring everything into the mirror; the cursor of now."""
    await stage.note()
    await stage.drained(stage.fetcher())
    return (await stage.client.profile()).history_id


async def test_what_happens_between_two_pages_is_told_by_the_next_poll(tmp_path: Path) -> None:
    """The history id is that of now on each page, while what a page tells may end with the first one."""
    async with sync_stage(tmp_path, LONG) as stage:
        cursor = await mirrored(stage)
        ids = sorted(stage.served())
        stage.sandbox.mail.label(*ids, add=["STARRED"], remove=["UNREAD", "INBOX"])
        stage.sandbox.mail.label(*ids, add=["IMPORTANT"])
        stage.sandbox.mail.label(*ids, remove=["IMPORTANT"])
        history = stage.client.history

        async def between(start: object, page_token: str = "") -> object:
            page = await history(start, page_token)  # type: ignore[arg-type]
            if not page_token:
                stage.sandbox.mail.label(ids[0], remove=["STARRED"])
            return page

        stage.client.history = between  # type: ignore[method-assign, assignment]
        assert await poll(stage.client, stage.mirror, cursor)  # type: ignore[arg-type]
        stage.client.history = history  # type: ignore[method-assign]
        assert len(stage.requests("history.list")) > 2
        assert "STARRED" in stage.labels()[ids[0]]
        noted = (await stage.mirror.state()).cursor
        assert noted is not None
        await poll(stage.client, stage.mirror, noted)
        assert stage.labels() == stage.served()


async def test_the_cursor_follows_the_server_also_where_nothing_is_told_and_never_goes_back(tmp_path: Path) -> None:
    """A cursor that stays behind expires some day, and everything is listed again."""
    async with sync_stage(tmp_path, 3) as stage:
        cursor = await mirrored(stage)
        stage.sandbox.mail.label(*stage.served(), add=["STARRED"])
        assert await poll(stage.client, stage.mirror, cursor)  # type: ignore[arg-type]
        newest = (await stage.client.profile()).history_id
        assert cursor < newest == (await stage.mirror.state()).cursor
        history = stage.client.history

        def answering(newest: int, *changes: HistoryChange) -> None:
            async def told(start: HistoryId, page_token: str = "") -> HistoryPage:
                return replace(await history(start, page_token), changes=changes, history_id=HistoryId(newest))

            stage.client.history = told  # type: ignore[method-assign]

        for told, noted in ((newest + 7, newest + 7), (newest, newest + 7)):
            answering(told)
            before = (await stage.mirror.state()).cursor
            assert before is not None
            assert not await poll(stage.client, stage.mirror, before)
            assert (await stage.mirror.state()).cursor == noted
        gone = GmailId(sorted(stage.served())[0])
        answering(newest, HistoryChange(ChangeKind.DELETED, gone, GmailThreadId("t")))
        assert await poll(stage.client, stage.mirror, HistoryId(newest + 7))
        assert gone not in stage.labels(), "what is told counts, however late the history id is"


async def test_a_draft_that_is_sent_under_its_id_becomes_the_owners_own_mail(tmp_path: Path) -> None:
    """As when its sending was scheduled: the labels alone would leave a draft's date and nobody's mail."""
    async with sync_stage(tmp_path, 2) as stage:
        draft = GmailId(stage.sandbox.deliver(ARRIVED, labels=["DRAFT"])["id"])
        cursor = await mirrored(stage)
        assert not stage.outgoing(draft)
        stage.sandbox.mail.label(draft, add=["SENT"], remove=["DRAFT"])
        await poll(stage.client, stage.mirror, cursor)  # type: ignore[arg-type]
        await stage.drained(stage.fetcher())
        assert stage.labels() == stage.served()
        assert stage.outgoing(draft)
