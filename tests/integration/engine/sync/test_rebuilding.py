"""After an expired cursor: exactly the server's messages and labels, for the price of lists; lists that lag delete nothing."""

from pathlib import Path

import pytest

from app.domain.errors import ServerError
from app.domain.ids import GmailId
from app.engine.runtime.event_bus import EventBus
from app.engine.sync.listing import NEW
from app.engine.sync.mirror import MailboxMirror
from app.engine.sync.rebuilding import REBUILT_PRIORITY, rebuild
from app.engine.sync.syncer import poll
from app.store.mail.sync_page import SyncPage
from fakes.engine.sync import SyncStage, row, sync_stage

ARRIVED = b"From: Ann <ann@example.org>\r\nTo: me@example.com\r\nSubject: Late\r\nMessage-ID: <late@example.org>\r\n\r\nHello\r\n"


async def mirrored(stage: SyncStage) -> None:
    """Bring everything into the mirror."""
    await stage.note()
    await stage.drained(stage.fetcher())


async def test_labels_news_and_deletions_come_from_lists(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 150) as stage:
        await mirrored(stage)
        ids = sorted(stage.served())
        stage.sandbox.mail.label(*ids[:60], add=["STARRED", "TRASH"], remove=["UNREAD", "INBOX"])
        stage.sandbox.mail.delete(*ids[60:65])
        stage.sandbox.deliver(ARRIVED)
        stage.sandbox.expire_history()
        stage.sandbox.admin.call("DELETE", "counters")
        cursor = await rebuild(stage.client, stage.mirror)
        assert stage.sandbox.counters()["units"] < 250, "two messages a label would cost more"
        await stage.drained(stage.fetcher())
        assert stage.labels() == stage.served()
        assert (await stage.mirror.state()).cursor == cursor
        assert not await poll(stage.client, stage.mirror, cursor), "nothing happened since"


async def test_mail_that_the_lists_do_not_show_yet_is_not_deleted(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 20) as stage:
        await mirrored(stage)
        cursor = (await stage.client.profile()).history_id
        stage.sandbox.clock.advance(7200)
        stage.sandbox.set_lag(3600)
        late = GmailId(stage.sandbox.deliver(ARRIVED)["id"])
        await poll(stage.client, stage.mirror, cursor)
        await stage.drained(stage.fetcher())
        assert late in stage.mirror.have
        await rebuild(stage.client, stage.mirror)
        assert late in stage.labels()
        await stage.drained(stage.fetcher())
        assert stage.labels() == stage.served()
        assert stage.waiting() == ()


def watched(stage: SyncStage) -> tuple[MailboxMirror, list[SyncPage]]:
    """Another mirror of the account, and the pages written through it."""
    pages: list[SyncPage] = []
    told = EventBus(stage.events.append)
    return MailboxMirror(stage.account, stage.tables, told, lambda _account, page, _applied: pages.append(page)), pages


async def test_what_happens_while_lists_are_read_is_told_by_the_next_poll(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 10) as stage:
        await mirrored(stage)
        ids = sorted(stage.served())
        stage.sandbox.mail.label(ids[0], add=["STARRED"])

        def meanwhile(_account: object, page: SyncPage, _applied: object) -> None:
            if page.add_labels and page.cursor is None:
                stage.sandbox.mail.label(ids[0], remove=["STARRED"])
                stage.sandbox.mail.delete(ids[1])

        mirror = MailboxMirror(stage.account, stage.tables, EventBus(stage.events.append), meanwhile)
        await mirror.load()
        await rebuild(stage.client, mirror)
        noted = (await mirror.state()).cursor
        assert noted is not None
        await poll(stage.client, mirror, noted)
        assert stage.labels() == stage.served()


async def test_an_empty_list_deletes_nothing(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 5) as stage:
        await mirrored(stage)
        stage.sandbox.mail.delete(*stage.served())
        with pytest.raises(ServerError):
            await rebuild(stage.client, stage.mirror)
        assert len(stage.labels()) == 5


async def test_a_crash_in_the_middle_keeps_the_old_cursor(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 30) as stage:
        await mirrored(stage)
        stage.sandbox.mail.label(*stage.served(), add=["STARRED"])
        stage.sandbox.faults.add("403-permission", "gmail.users.messages.list", nth=4)
        before = (await stage.mirror.state()).cursor
        with pytest.raises(Exception, match="403"):
            await rebuild(stage.client, stage.mirror)
        assert (await stage.mirror.state()).cursor == before
        await rebuild(stage.client, stage.mirror)
        assert stage.labels() == stage.served()


async def test_a_list_that_ends_too_early_takes_nothing_away(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 150) as stage:
        await mirrored(stage)
        deleted = sorted(stage.served())[0]
        stage.sandbox.mail.delete(deleted)
        stage.sandbox.set_habits(lists_end_after=20)
        await rebuild(stage.client, stage.mirror)
        assert len(stage.mirror.have) == 150
        stage.sandbox.set_habits()
        await stage.drained(stage.fetcher())
        assert stage.labels().keys() == stage.served().keys(), "each was asked for, and one was gone"


async def test_a_list_that_lacks_only_a_few_deletes_nothing_older_than_what_it_has(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 620) as stage:
        await mirrored(stage)
        ids = sorted(stage.served())
        stage.sandbox.mail.delete(*ids[300:420])
        stage.sandbox.set_habits(lists_end_after=497)
        await rebuild(stage.client, stage.mirror)
        assert len(stage.mirror.have) == 600, "120 are gone, of which the newest hundred are asked for"
        stage.sandbox.set_habits()
        await stage.drained(stage.fetcher())
        assert stage.labels() == stage.served()


async def test_a_labels_list_that_ends_too_early_takes_the_label_off_nothing(tmp_path: Path) -> None:
    """What it lacks is asked for by itself, the newest first; what it has is believed."""
    async with sync_stage(tmp_path, 150) as stage:
        ids = [GmailId(one) for one in sorted(stage.served())]
        stage.sandbox.mail.label(*ids, add=["STARRED"])
        await mirrored(stage)
        stage.sandbox.mail.label(ids[0], ids[149], remove=["STARRED"])
        stage.sandbox.mail.label(*ids[145:], add=["IMPORTANT"])
        stage.sandbox.set_habits(label_lists_end_after=20)
        await rebuild(stage.client, stage.mirror)
        told = stage.labels()
        assert all("STARRED" in told[one] for one in ids)
        assert all("IMPORTANT" in told[one] for one in ids[145:])
        waiting = stage.waiting()
        assert len(waiting) == 130, "20 were listed, 19 of them with the star"
        assert {one.gmail_id for one in waiting[:100]} == set(ids[30:129]) | {ids[149]}
        assert [one.priority for one in waiting] == [REBUILT_PRIORITY] * 100 + [0] * 30
        await stage.drained(stage.fetcher())
        assert stage.labels() == stage.served()


async def test_a_draft_sent_meanwhile_comes_back_as_the_mail_it_became(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 3) as stage:
        draft = GmailId(stage.sandbox.deliver(ARRIVED, labels=["DRAFT"])["id"])
        await mirrored(stage)
        mirror, pages = watched(stage)
        await mirror.load()
        later = row("f" * 16, priority=30)
        await mirror.apply(SyncPage(to_fetch=(later,)))
        stage.sandbox.mail.label(draft, add=["SENT"], remove=["DRAFT"])
        await rebuild(stage.client, mirror, all_listed=False)
        assert not any(one.add_labels for one in pages), "with the label and without the rest a crash would leave a draft"
        waiting = [(one.gmail_id, one.reason, one.priority) for one in stage.waiting()]
        assert waiting == [(draft, NEW, REBUILT_PRIORITY), (later.gmail_id, "listed", 30)]
        await stage.mirror.load()
        await stage.drained(stage.fetcher())
        found = stage.tables.messages.by_gmail_id(stage.account, draft)
        assert found is not None
        indexed = [key for (key,) in stage.tables.db.read("SELECT key FROM jobs WHERE kind = 'index'")]
        assert str(found.id) in indexed, "the owner's own words are a source for answers"
        assert stage.labels() == stage.served()
        assert stage.outgoing(draft)
