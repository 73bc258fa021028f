"""After an expired cursor: exactly the server's messages and labels, for the price of lists; lists that lag delete nothing."""

from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import RejectedByServer, ServerError
from app.domain.ids import GmailId
from app.domain.ports.gmail import MailServer
from app.engine.runtime.event_bus import EventBus
from app.engine.sync.listing import NEW
from app.engine.sync.mirror import MailboxMirror
from app.engine.sync.rebuilding import REBUILT_PRIORITY, _age, rebuild
from app.engine.sync.syncer import poll
from app.store.mail.sync_page import SyncPage
from fakes.engine.store.values import remote
from fakes.engine.sync import SyncStage, row, sync_stage
from fakes.gmail.google_client import google_service

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


async def test_only_what_differs_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.sync.rebuilding.MESSAGES_A_PAGE", 3)
    async with sync_stage(tmp_path, 40) as stage:
        await mirrored(stage)
        changed = [GmailId(one) for one in sorted(stage.served())[7:15]]
        stage.sandbox.mail.label(*changed, add=["STARRED"])
        mirror, pages = watched(stage)
        await mirror.load()
        await rebuild(stage.client, mirror)
        written = [page.add_labels for page in pages if page.add_labels]
        assert [len(page) for page in written] == [3, 3, 2]
        assert [change for page in written for change in page] == [(one, frozenset({"STARRED"})) for one in changed]
        assert not any(page.remove_labels or page.delete for page in pages)


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


async def test_many_that_are_gone_go_at_once_and_only_the_newest_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.engine.sync.rebuilding.MOST_DOUBTED", 3)
    async with sync_stage(tmp_path, 40) as stage:
        await mirrored(stage)
        ids = [GmailId(one) for one in sorted(stage.served())]
        stage.sandbox.mail.label(*ids[20:30], add=["TRASH"], remove=["INBOX"])
        stage.sandbox.mail.label(*ids[30:], add=["SPAM"], remove=["INBOX"])
        stage.sandbox.mail.delete(*ids[:8])
        await rebuild(stage.client, stage.mirror)
        assert set(stage.labels()) == set(ids[5:])
        assert [one.gmail_id for one in stage.waiting()] == ids[5:8]
        await stage.drained(stage.fetcher())
        assert stage.labels() == stage.served()


@given(st.lists(st.integers(1, 1 << 62)))
def test_ids_are_in_the_order_of_time_whatever_their_length(numbers: list[int]) -> None:
    """Those of the first years are a digit shorter."""
    ids = [GmailId(f"{number:x}") for number in numbers]
    assert sorted(ids, key=_age) == [GmailId(f"{number:x}") for number in sorted(numbers)]


async def test_the_mail_of_the_first_years_is_not_taken_for_the_newest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.sync.rebuilding.MOST_DOUBTED", 1)
    async with sync_stage(tmp_path, 3) as stage:
        await mirrored(stage)
        newest = GmailId(sorted(stage.served())[-1])
        await stage.mirror.apply(SyncPage((remote("f" * (len(newest) - 1)),)))
        stage.sandbox.mail.delete(newest)
        await rebuild(stage.client, stage.mirror)
        assert [one.gmail_id for one in stage.waiting()] == [newest]


async def test_a_mailbox_that_was_and_is_empty_is_no_trouble(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 0) as stage:
        cursor = await rebuild(stage.client, stage.mirror)
        assert (await stage.mirror.state()).cursor == cursor


async def test_a_label_that_cannot_be_listed_and_is_there_is_no_lost_label(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 5) as stage:
        await mirrored(stage)
        before = (await stage.mirror.state()).cursor
        stage.sandbox.faults.add("400-token", "gmail.users.messages.list", nth=2, times=2)
        with pytest.raises(RejectedByServer):
            await rebuild(stage.client, stage.mirror)
        assert (await stage.mirror.state()).cursor == before


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


async def test_a_label_that_is_deleted_while_it_is_listed_stops_nothing(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 20) as stage:
        await mirrored(stage)
        labels = google_service("gmail.v1", stage.sandbox.url, stage.sandbox.token).users().labels()
        made = labels.create(userId="me", body={"name": "Trips"}).execute()
        ids = sorted(stage.served())
        stage.sandbox.mail.label(*ids[:3], add=[made["id"]])
        await rebuild(stage.client, stage.mirror)
        assert stage.labels() == stage.served()

        class Meanwhile:
            """The same server, on which the label goes as soon as it was named."""

            def __getattr__(self, name: str) -> object:
                return getattr(stage.client, name)

            async def labels(self) -> object:
                named = await stage.client.labels()
                if any(one.gmail_label_id == made["id"] for one in named):
                    labels.delete(userId="me", id=made["id"]).execute()
                return named

        await rebuild(cast(MailServer, Meanwhile()), stage.mirror)
        assert stage.labels() == stage.served()
        assert all(made["id"] not in own for own in stage.labels().values())
        assert not stage.tables.db.read("SELECT name FROM labels WHERE kind = 'user'", ()), "nor is it offered any more"


async def test_a_label_that_was_deleted_before_it_was_ever_listed_goes(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 5) as stage:
        labels = google_service("gmail.v1", stage.sandbox.url, stage.sandbox.token).users().labels()
        made = labels.create(userId="me", body={"name": "Trips"}).execute()
        stage.sandbox.mail.label(sorted(stage.served())[0], add=[made["id"]])
        await mirrored(stage)
        labels.delete(userId="me", id=made["id"]).execute()
        await rebuild(stage.client, stage.mirror)
        assert stage.labels() == stage.served()


async def test_labels_that_the_server_does_not_list_stay_where_they_are(tmp_path: Path) -> None:
    """Stars of other colours and the like: what was not asked about was not denied."""
    async with sync_stage(tmp_path, 5) as stage:
        await mirrored(stage)
        starred = GmailId(sorted(stage.served())[0])
        await stage.mirror.apply(SyncPage(add_labels=((starred, frozenset({"YELLOW_STAR"})),)))
        await rebuild(stage.client, stage.mirror)
        assert "YELLOW_STAR" in stage.labels()[starred]


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


@pytest.mark.parametrize("fault", ["404-history", "500"])
async def test_labels_that_the_server_does_not_count_may_be_listed_in_part(tmp_path: Path, fault: str) -> None:
    async with sync_stage(tmp_path, 20) as stage:
        ids = [GmailId(one) for one in sorted(stage.served())]
        stage.sandbox.mail.label(*ids, add=["STARRED"])
        await mirrored(stage)
        stage.sandbox.mail.label(ids[0], remove=["STARRED"])
        stage.sandbox.faults.add(fault, "gmail.users.labels.get", times=0)
        await rebuild(stage.client, stage.mirror)
        assert [one.gmail_id for one in stage.waiting()] == [ids[0]]
        await stage.drained(stage.fetcher())
        assert stage.labels() == stage.served()


async def test_a_labels_list_that_ended_too_early_once_is_read_again(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 60) as stage:
        await mirrored(stage)
        stage.sandbox.mail.label(next(one for one, own in stage.served().items() if "INBOX" in own), remove=["INBOX"])
        stage.sandbox.set_habits(label_lists_end_after=3)
        total = stage.client.label_total

        async def then_whole(label_id: str) -> int:
            if (count := await total(label_id)) > 3:
                stage.sandbox.set_habits()
            return count

        stage.client.label_total = then_whole  # type: ignore[method-assign]
        await rebuild(stage.client, stage.mirror)
        assert stage.waiting() == (), "what a second look tells is not paid for by the message"
        await stage.drained(stage.fetcher())
        assert stage.labels() == stage.served()


async def test_a_page_token_that_dies_begins_its_list_again(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 600) as stage:
        stage.sandbox.faults.add("400-token", "gmail.users.messages.list", nth=2)
        await rebuild(stage.client, stage.mirror)
        assert len(stage.waiting()) == 600


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


async def test_in_the_midst_of_a_first_listing_only_what_came_since_is_new(tmp_path: Path) -> None:
    """Older mail that waits for its turn, or for the owner who paused it, goes on waiting."""
    async with sync_stage(tmp_path, 40) as stage:
        ids = sorted(stage.served())
        recent = [row(one, priority=40) for one in ids[-10:]]
        await stage.mirror.apply(SyncPage(to_fetch=tuple(recent)))
        await stage.drained(stage.fetcher())
        unfetched = ids[20]
        newest = stage.sandbox.deliver(ARRIVED)["id"]
        between = stage.sandbox.deliver(ARRIVED)["id"]
        await stage.mirror.apply(SyncPage(to_fetch=(row(unfetched, priority=20), row(between, priority=20))))
        late = stage.sandbox.deliver(ARRIVED)["id"]
        await rebuild(stage.client, stage.mirror, all_listed=False)
        listed = {one.gmail_id: (one.reason, one.priority) for one in stage.waiting()}
        assert listed.pop(GmailId(late)) == (NEW, REBUILT_PRIORITY)
        assert listed.pop(GmailId(unfetched)) == listed.pop(GmailId(between)) == ("listed", 20)
        assert listed.pop(GmailId(newest)) == ("listed", 0), "one that waits is newer"
        assert set(listed.values()) == {("listed", 0)}
        await stage.drained(stage.fetcher())
        assert stage.labels() == stage.served()


async def test_what_left_spam_while_nobody_looked_is_news_and_what_lies_there_is_not(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 3) as stage:
        spam, other = (GmailId(stage.sandbox.deliver(ARRIVED, labels=["SPAM"])["id"]) for _ in range(2))
        await mirrored(stage)
        stage.tables.accounts.set_consent(stage.account, 0)
        stage.sandbox.mail.label(spam, add=["INBOX"], remove=["SPAM"])
        stage.sandbox.mail.label(other, add=["STARRED"])
        await rebuild(stage.client, stage.mirror)
        found = stage.tables.messages.by_gmail_id(stage.account, spam)
        assert [one.key for one in stage.tables.jobs.claim_many("route", 60, 9)] == [str(found.id)]


async def test_in_the_midst_of_a_first_listing_that_brought_nothing_yet_nothing_is_new(tmp_path: Path) -> None:
    """Else a pause of older mail would end with the cursor, and all of it were looked at as news."""
    async with sync_stage(tmp_path, 10) as stage:
        await rebuild(stage.client, stage.mirror, all_listed=False)
        assert {(one.reason, one.priority) for one in stage.waiting()} == {("listed", 0)}
        assert len(stage.waiting()) == 10


async def test_what_waits_for_its_turn_goes_on_waiting(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 10) as stage:
        await stage.note(priority=10)
        await rebuild(stage.client, stage.mirror)
        assert {(one.reason, one.priority) for one in stage.waiting()} == {("listed", 10)}
