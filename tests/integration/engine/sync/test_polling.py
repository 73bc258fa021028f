"""Polling: every change once, whatever becomes of pages and their tokens, and nothing dearer than it has to be."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.errors import CursorExpired
from app.domain.ids import GmailId, GmailThreadId, HistoryId
from app.domain.sync import ChangeKind, HistoryChange, HistoryPage
from app.engine.sync.fetching import NEW_PRIORITY
from app.engine.sync.listing import NEW
from app.engine.sync.syncer import OLDER, poll
from app.store.mail.sync_page import SyncPage, ToFetch
from fakes.engine.sync import SyncStage, row, sync_stage

pytestmark = pytest.mark.anyio

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


async def test_a_page_token_that_dies_begins_the_history_again(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, LONG) as stage:
        cursor = await mirrored(stage)
        ids = sorted(stage.served())
        stage.sandbox.mail.label(*ids, add=["STARRED"])
        stage.sandbox.mail.label(*ids, add=["IMPORTANT"])
        stage.sandbox.faults.add("400-token", "gmail.users.history.list", nth=2)
        assert await poll(stage.client, stage.mirror, cursor)  # type: ignore[arg-type]
        assert stage.labels() == stage.served()


async def test_a_history_that_is_refused_twice_is_rebuilt_from_lists(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 1) as stage:
        cursor = await mirrored(stage)
        stage.sandbox.faults.add("400-token", "gmail.users.history.list", times=0)
        with pytest.raises(CursorExpired):
            await poll(stage.client, stage.mirror, cursor)  # type: ignore[arg-type]


async def test_older_mail_that_somebody_files_waits_for_its_turn(tmp_path: Path) -> None:
    """Filing thousands of old mails elsewhere must not spend the quota that new mail needs."""
    async with sync_stage(tmp_path, 6) as stage:
        cursor = (await stage.client.profile()).history_id
        ids = [GmailId(one) for one in sorted(stage.served())]
        await stage.mirror.apply(SyncPage(to_fetch=(row(ids[0], priority=30),)))
        stage.sandbox.mail.label(*ids[:4], add=["STARRED"])
        stage.sandbox.mail.label(ids[4], remove=["INBOX"])
        stage.sandbox.mail.label(ids[4], add=["INBOX"])
        await poll(stage.client, stage.mirror, cursor)
        listed = {one.gmail_id: (one.priority, one.reason) for one in stage.waiting()}
        assert listed.pop(ids[4]) == (NEW_PRIORITY, NEW), "it came into the inbox"
        assert listed == {ids[0]: (30, OLDER), **dict.fromkeys(ids[1:4], (0, OLDER))}
        await stage.drained(stage.fetcher())
        assert {one: stage.served()[one] for one in ids[:5]} == stage.labels()


async def test_beyond_the_limits_nothing_is_fetched_for_being_filed(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 4) as stage:
        cursor = (await stage.client.profile()).history_id
        ids = [GmailId(one) for one in sorted(stage.served())]
        await stage.mirror.apply(SyncPage(to_fetch=(row(ids[0]),)))
        stage.sandbox.mail.label(*ids, add=["STARRED"])
        await poll(stage.client, stage.mirror, cursor, limited=True)
        assert [one.gmail_id for one in stage.waiting()] == ids[:1]


async def test_what_is_deleted_before_it_was_fetched_costs_nothing(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 8) as stage:
        cursor = (await stage.client.profile()).history_id
        await stage.note()
        stage.sandbox.mail.delete(*sorted(stage.served())[:5])
        await poll(stage.client, stage.mirror, cursor)
        assert {one.gmail_id for one in stage.waiting()} == set(stage.served())


async def test_what_is_new_stays_new_however_often_it_is_listed(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 1) as stage:
        (listed,) = await stage.note(reason=NEW, priority=NEW_PRIORITY)
        await stage.note(reason="listed", priority=50)
        assert stage.waiting() == (ToFetch(listed.gmail_id, listed.gmail_thread_id, NEW, NEW_PRIORITY),)


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


async def test_what_a_phone_takes_out_of_spam_is_looked_at_like_new_mail(tmp_path: Path) -> None:
    """Read already, and moved to and fro: one job each."""
    async with sync_stage(tmp_path, 2) as stage:
        spam = GmailId(stage.sandbox.deliver(ARRIVED, labels=["SPAM"])["id"])
        cursor = await mirrored(stage)
        stage.tables.accounts.set_consent(stage.account, 0)
        stage.sandbox.mail.label(spam, add=["INBOX"], remove=["SPAM", "UNREAD"])
        await poll(stage.client, stage.mirror, cursor)  # type: ignore[arg-type]
        for add, remove in (("SPAM", "INBOX"), ("INBOX", "SPAM")):
            stage.sandbox.mail.label(spam, add=[add], remove=[remove])
            noted = (await stage.mirror.state()).cursor
            await poll(stage.client, stage.mirror, noted)  # type: ignore[arg-type]
        found = stage.tables.messages.by_gmail_id(stage.account, spam)
        assert found is not None
        assert [one.key for one in stage.tables.jobs.claim_many("route", 60, 9)] == [str(found.id)]
        assert str(found.id) in {one.key for one in stage.tables.jobs.claim_many("index", 60, 99)}
