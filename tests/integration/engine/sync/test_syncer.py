"""The loop that syncs an account, rest by rest: what it does, what it leaves alone, and how long it rests after it.

Polling: every change once, whatever becomes of pages and their tokens, and nothing dearer than it has to be.
"""

from pathlib import Path

import pytest

from app.config.settings import SyncSettings
from app.domain.errors import CursorExpired
from app.domain.ids import GmailId, GmailThreadId, HistoryId
from app.domain.protocol.events import ConnectionState, ErrorReported, SyncPhase
from app.domain.record import replace
from app.domain.sync import ChangeKind, HistoryChange, HistoryPage
from app.engine.sync.fetching import NEW_PRIORITY
from app.engine.sync.listing import NEW, RECENT_STEPS, STEPS
from app.engine.sync.syncer import BUG_PAUSE_S, LABELS_EVERY_S, OLDER, poll
from app.store.mail.sync_page import SyncPage, ToFetch
from fakes.clock.stepped_sync import POLL_S, Syncing, running
from fakes.engine.sync import SyncStage, row, sync_stage
from fakes.gmail.google_client import google_service
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


async def test_a_server_that_is_away_is_offline_until_it_answers(tmp_path: Path) -> None:
    """Between two polls nothing is asked, which says nothing about the connection."""
    async with sync_stage(tmp_path, 3) as stage, running(syncing := Syncing(stage)):
        await syncing.until(stage.now + 5 * POLL_S)
        rule = stage.sandbox.faults.add("cut", "*", times=0)
        await syncing.until(stage.now + 5 * POLL_S)
        assert syncing.states() == [ConnectionState.ONLINE, ConnectionState.OFFLINE]
        stage.sandbox.faults.remove(rule)
        await syncing.until(stage.now + 3 * POLL_S)
        assert syncing.states() == [ConnectionState.ONLINE, ConnectionState.OFFLINE, ConnectionState.ONLINE]


async def test_a_first_listing_that_ended_too_early_is_made_again(tmp_path: Path) -> None:
    """Also what is older than a look at the newest shows."""
    async with sync_stage(tmp_path, 700) as stage:
        stage.sandbox.set_habits(lists_end_after=40)
        async with running(syncing := Syncing(stage)):
            assert len(stage.labels()) < 200
            stage.sandbox.set_habits()
            await syncing.on()
            assert stage.labels() == stage.served()
            assert syncing.phases()[-1] is SyncPhase.CURRENT


async def test_lists_that_are_shorter_than_the_count_for_good_are_read_once_more(tmp_path: Path) -> None:
    """Who deletes or gets mail meanwhile changes the count, and costs no listing either."""
    async with sync_stage(tmp_path, 60) as stage:
        stage.sandbox.set_habits(lists_end_after=20)
        began = stage.now
        async with running(syncing := Syncing(stage)):
            await syncing.on()
            listed = len(stage.requests("messages.list"))
            assert listed == len(STEPS) + 1 + 1
            stage.sandbox.mail.delete(*sorted(stage.served())[:3])
            stage.sandbox.deliver(question(1))
            await syncing.until(began + 1100)
            assert len(stage.requests("messages.list")) == listed + 3, "three more looks at the newest"


async def test_the_end_is_told_again_after_much_new_mail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the window would go on showing how many of it had come when it was told last."""
    monkeypatch.setattr("app.engine.sync.fetching.UNITS_AT_ONCE", (100,))
    async with sync_stage(tmp_path, 3) as stage:
        syncing = Syncing(stage, poll_s=1e6, tick_s=1.0)
        async with running(syncing):
            for number in range(1, 13):
                stage.sandbox.deliver(question(number))
            await syncing.on(rang=True)
            assert stage.labels() == stage.served()
            assert syncing.phases()[-3:] == [SyncPhase.CURRENT, SyncPhase.BACKFILL, SyncPhase.CURRENT]
            last = syncing.progress()[-1]
            assert (last.done, last.total) == (15, 15)


async def test_another_start_goes_on_from_its_cursor(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 30) as stage:
        async with running(Syncing(stage)):
            pass
        gone = sorted(stage.served())[0]
        stage.sandbox.mail.delete(gone)
        arrived = stage.sandbox.deliver(question(1))["id"]
        stage.sandbox.admin.call("DELETE", "counters")
        again = Syncing(stage)
        async with running(again):
            assert stage.labels() == stage.served()
            (page,) = [page for page in again.pages if page.to_fetch]
            assert [(one.gmail_id, one.reason) for one in page.to_fetch] == [(arrived, NEW)]
            methods = stage.sandbox.counters()["methods"]
            assert methods["gmail.users.history.list"] == methods["gmail.users.messages.get"] == 1
            assert not methods.keys() & {"gmail.users.getProfile", "gmail.users.messages.list"}


async def test_each_poll_reads_on_from_the_last(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 3) as stage:
        syncing = Syncing(stage)
        history, asked = stage.client.history, list[int]()

        async def noted(start: int, page_token: str = "") -> object:
            asked.append(start)
            return await history(start, page_token)  # type: ignore[arg-type]

        stage.client.history = noted  # type: ignore[method-assign, assignment]
        async with running(syncing):
            for number in range(1, 4):
                before = (await stage.mirror.state()).cursor
                stage.sandbox.deliver(question(number))
                await syncing.on(rang=True)
                assert asked[-1] == before
                assert stage.labels() == stage.served(), "a ring is a poll at once"


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


@pytest.mark.parametrize("broken", ["history.list", "labels.list"])
async def test_mail_comes_although_one_call_fails_for_ever(tmp_path: Path, broken: str) -> None:
    async with sync_stage(tmp_path, 3) as stage, running(syncing := Syncing(stage)):
        stage.sandbox.faults.add("500", f"gmail.users.{broken}", times=0)
        await syncing.until(stage.now + LABELS_EVERY_S + POLL_S)
        stage.sandbox.deliver(question(1))
        await syncing.until(stage.now + 1000)
        assert stage.labels() == stage.served()


async def test_a_pause_is_told_as_soon_as_one_older_message_waits(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 5) as stage:
        syncing = Syncing(stage)
        async with running(syncing):
            left_out = GmailId(sorted(stage.served())[0])
            syncing.limits = SyncSettings(older_paused=True)
            for number in range(1, 3):
                stage.sandbox.deliver(question(number))
                await syncing.on(rang=True)
                assert stage.labels() == stage.served()
            assert SyncPhase.PAUSED not in syncing.phases(), "no older mail waits"
            await syncing.mirror.apply(SyncPage(delete=(left_out,)))
            await syncing.mirror.apply(SyncPage(to_fetch=(row(left_out),)))
            await syncing.on(rang=True)
            assert syncing.phases()[-1] is SyncPhase.PAUSED
            syncing.limits = SyncSettings()
            await syncing.on(rang=True)
            assert stage.labels() == stage.served()


@pytest.mark.expects_warnings
async def test_a_fault_of_ours_is_told_and_not_repeated_without_end(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 2) as stage:
        syncing = Syncing(stage)
        async with running(syncing):
            history = stage.client.history

            async def broken(_start: object, _page_token: str = "") -> object:
                raise ZeroDivisionError

            stage.client.history = broken  # type: ignore[method-assign, assignment]
            assert await syncing.on(rang=True) == BUG_PAUSE_S
            assert [one.code == "bug" for one in syncing.told if isinstance(one, ErrorReported)] == [True]
            stage.client.history = history  # type: ignore[method-assign]
            stage.sandbox.deliver(question(1))
            await syncing.on(rang=True)
            assert stage.labels() == stage.served()


async def test_a_quota_that_is_spent_does_not_hold_the_next_poll_up(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 10, budget=6000) as stage:
        await stage.bucket.take(5600)
        syncing = Syncing(stage, poll_s=7.0)
        async with running(syncing) as rest:
            assert rest == 7.0
            late = stage.sandbox.deliver(question(1))["id"]
            await syncing.on()
            assert set(stage.labels()) == {late}


async def test_a_label_that_nobody_knew_is_asked_for_once(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 3) as stage:
        syncing = Syncing(stage)
        labels = google_service("gmail.v1", stage.sandbox.url, stage.sandbox.token).users().labels()
        async with running(syncing):
            made = labels.create(userId="me", body={"name": "Trips"}).execute()
            stage.sandbox.mail.label(sorted(stage.served())[0], add=[made["id"]])
            asked = len(stage.requests("labels.list"))
            for _ in range(3):
                await syncing.on(rang=True)
            named = {name for (name,) in stage.tables.db.read("SELECT name FROM labels WHERE kind = 'user'", ())}
            assert named == {"Trips"}
            assert len(stage.requests("labels.list")) == asked + 1


async def test_what_could_not_be_fetched_is_tried_again_in_its_time_or_at_the_owners_word(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 1) as stage:
        rule = stage.sandbox.faults.add("403-permission", "gmail.users.messages.get", place="inner", times=0)
        syncing = Syncing(stage)
        began = stage.now
        async with running(syncing) as rest:
            assert (rest, stage.labels()) == (4.0, {})
            assert await syncing.on() == pytest.approx(1.0)
            await syncing.on()
            assert stage.now == pytest.approx(began + 5)
            stage.sandbox.faults.remove(rule)
            assert stage.labels() == {}
            syncing.syncer.retry()
            await syncing.on(rang=True)
            assert stage.labels() == stage.served()


async def test_two_messages_make_a_thread_while_it_is_not_known_how_many_it_has(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 60) as stage:
        threads: dict[str, int] = {}
        for one in stage.sandbox.dump()["messages"]:
            threads[one["threadId"]] = threads.get(one["threadId"], 0) + 1
        async with running(Syncing(stage)):
            asked = {path.rpartition("/")[2] for path in stage.requests("threads.get")}
        assert {thread for thread, size in threads.items() if size == 2} & asked


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


async def test_the_newest_change_of_a_label_counts_in_whatever_order_they_are_told(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 1) as stage:
        await mirrored(stage)
        one = GmailId(*stage.served())
        kinds = {5: ChangeKind.LABELS_ADDED, 7: ChangeKind.LABELS_REMOVED, 6: ChangeKind.LABELS_ADDED}
        told = [HistoryChange(kind, one, GmailThreadId("t"), frozenset({"STARRED"}), at) for at, kind in kinds.items()]

        async def history(start: HistoryId, page_token: str = "") -> HistoryPage:
            return HistoryPage(tuple(told), HistoryId(9), "")

        stage.client.history = history  # type: ignore[method-assign]
        await poll(stage.client, stage.mirror, HistoryId(4))
        assert "STARRED" not in stage.labels()[one]


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
        assert [one.key for one in stage.tables.jobs.claim_many("route", 60, 9)] == [str(found.id)]
        assert str(found.id) in {one.key for one in stage.tables.jobs.claim_many("index", 60, 99)}
