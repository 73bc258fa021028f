"""Before a send: what is fresh, what was missed, and what was sent already."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import ExpectedError, NotFound, PermissionMissing, RejectedByServer
from app.domain.ids import AccountId, GmailDraftId, GmailId, GmailThreadId, OutboxId, ReviewId, ThreadId
from app.domain.mail.message import SendAs
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxKind, OutboxState
from app.domain.ports.gmail import MailServer, ThreadMessage
from app.domain.record import replace
from app.domain.sync import Listed, ListPage
from app.engine.outbox.mail_sender import (
    MOST_PAGES,
    RECENT_SENT,
    delete_others,
    find_sent,
    judge,
    own_drafts,
    own_sent,
    reason_to_hold,
)
from app.engine.outbox.outbox_writer import SWEEP, OutboxWriter
from app.engine.runtime.workers import WakeUp
from fakes.engine.engine_parts import Parts
from fakes.engine.store.values import new_outbox
from fakes.gmail.gmail_port import ITEM, NOW, SmallGmail

HEAD = "To: ann@x.example\r\nFrom: {}\r\nSubject: Hi\r\n\r\nFrom: nobody@x.example\r\n"


class Names:
    """A server that tells under which addresses one may send, and how often it was asked."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = addresses
        self.asked = 0

    async def send_as(self) -> Sequence[SendAs]:
        self.asked += 1
        return [SendAs(one, "", False, "") for one in self.addresses]


@pytest.fixture
def steps(parts: Parts) -> OutboxWriter:
    return OutboxWriter(parts.tables, parts.announcer, WakeUp())


def waiting(parts: Parts, sender: str = "me@example.org", later: timedelta = timedelta(0)) -> OutboxItem:
    """An approved mail that is to leave so much later."""
    new = replace(new_outbox(), mime=HEAD.format(sender).encode(), not_before=parts.clock() + later, account_id=parts.account_id)
    return parts.tables.outbox.get(OutboxId(parts.tables.outbox.add(new)))


async def held(steps: OutboxWriter, item: OutboxItem, *addresses: str) -> HoldReason | None:
    return await reason_to_hold(cast(MailServer, Names(*addresses)), steps, item)


@pytest.mark.parametrize(
    ("later", "passed", "reason"),
    [
        (timedelta(hours=2), timedelta(hours=25), None),
        (timedelta(hours=2), timedelta(hours=27), HoldReason.LATE),
        (timedelta(seconds=120), timedelta(days=9), None),
    ],
    ids=["a night late", "days late", "approved while offline"],
)
async def test_only_a_chosen_time_can_be_missed(
    parts: Parts, steps: OutboxWriter, later: timedelta, passed: timedelta, reason: HoldReason | None
) -> None:
    item = waiting(parts, later=later)
    parts.clock.pass_s(passed.total_seconds())
    assert await held(steps, item) is reason


async def test_tries_in_between_do_not_make_it_less_late(parts: Parts, steps: OutboxWriter) -> None:
    item = waiting(parts, later=timedelta(hours=2))
    for _ in range(3):
        parts.clock.pass_s(86_400)
        claimed = parts.tables.outbox.claim_due("sender", 60.0)
        assert claimed is not None
        parts.tables.outbox.release(item.id, parts.clock() + timedelta(seconds=60))
    assert await held(steps, parts.tables.outbox.get(item.id)) is HoldReason.LATE


@pytest.mark.parametrize(
    ("sender", "reason", "asked"),
    [
        ("Me <me@example.org>", None, 0),
        ("Sales <Sales@Example.org>", None, 1),
        ("Old name <old@example.org>", HoldReason.SENDER_GONE, 1),
    ],
)
async def test_an_address_that_was_taken_off_the_account_holds_its_mail(
    parts: Parts, steps: OutboxWriter, sender: str, reason: HoldReason | None, asked: int
) -> None:
    names = Names("me@example.org", "sales@example.org")
    assert await reason_to_hold(cast(MailServer, names), steps, waiting(parts, sender)) is reason
    assert names.asked == asked


@pytest.mark.expects_warnings
@pytest.mark.parametrize("error", [PermissionMissing, RejectedByServer, NotFound])
async def test_a_server_that_does_not_tell_the_names_holds_nothing_up(
    parts: Parts, steps: OutboxWriter, error: type[ExpectedError], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(_self: Names) -> Sequence[SendAs]:
        raise error("not for this account")

    monkeypatch.setattr(Names, "send_as", refused)
    assert await held(steps, waiting(parts, "old@example.org")) is None


async def test_what_the_user_sends_on_after_the_question_goes(parts: Parts, steps: OutboxWriter) -> None:
    item = waiting(parts, "old@example.org")
    await steps.hold(item, HoldReason.SENDER_GONE)
    assert await held(steps, item) is None


async def test_only_what_is_sent_is_thought_over(parts: Parts, steps: OutboxWriter) -> None:
    item = replace(waiting(parts, "old@example.org"), kind=OutboxKind.GMAIL_DRAFT)
    assert await held(steps, item) is None


MARKER = "<item@replyroom.invalid>"


def item(tip: str = "a") -> OutboxItem:
    """An item whose user saw the thread up to `tip`."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return OutboxItem(
        OutboxId(1),
        AccountId(1),
        ReviewId(1),
        OutboxKind.SEND,
        OutboxState.QUEUED,
        ThreadId(1),
        GmailThreadId("t"),
        "ann@partner.org",
        "Re: x",
        b"",
        "",
        MARKER,
        GmailId(tip),
        now,
        now,
    )


def message(gmail_id: str, *labels: str, marker: str = "", rfc822_id: str = "") -> ThreadMessage:
    """A message of the thread as the server has it."""
    return ThreadMessage(
        GmailId(gmail_id), frozenset(labels), rfc822_id, "ann@partner.org", datetime(2026, 1, 1, tzinfo=UTC), marker
    )


@pytest.mark.parametrize(
    ("thread", "hold"),
    [
        ([message("a", "INBOX")], None),
        ([message("0", "SENT"), message("a", "INBOX")], None),
        ([message("a"), message("b", "INBOX")], HoldReason.NEWER_MAIL),
        ([message("a"), message("b", "SENT")], HoldReason.ANSWERED_ELSEWHERE),
        ([message("a"), message("b", "INBOX"), message("c", "SENT")], HoldReason.ANSWERED_ELSEWHERE),
        ([message("a"), message("b", "DRAFT")], None),
        ([message("a"), message("b", "TRASH")], None),
        ([message("a"), message("b", "SPAM", "INBOX")], None),
        ([message("b", "INBOX")], HoldReason.THREAD_GONE),
        ([], HoldReason.THREAD_GONE),
    ],
)
def test_what_came_after_the_tip_decides(thread: list[ThreadMessage], hold: HoldReason | None) -> None:
    assert judge(item(), thread).hold is hold


def test_our_own_sent_mail_is_found_by_either_mark_and_never_as_a_draft() -> None:
    by_header = [message("a"), message("b", "SENT", marker=MARKER)]
    by_id = [message("a"), message("b", "SENT", rfc822_id=MARKER)]
    assert judge(item(), by_header).sent == judge(item(), by_id).sent == "b"
    assert own_sent(MARKER, [message("b", "DRAFT", marker=MARKER)]) == ""


def test_without_a_tip_only_our_own_mail_stops_it() -> None:
    assert judge(item(""), [message("z", "SENT")]).hold is None


messages = st.builds(
    message,
    st.sampled_from("abcde"),
    st.sampled_from(["SENT", "INBOX", "DRAFT", "TRASH"]),
    marker=st.sampled_from(["", MARKER, "<other@x>"]),
)


@settings(max_examples=2 * settings.default.max_examples)
@given(st.lists(messages, max_size=6))
def test_whatever_is_in_the_thread_it_goes_only_when_nothing_of_weight_is_new(thread: list[ThreadMessage]) -> None:
    verdict = judge(item(), thread)
    places = [place for place, one in enumerate(thread) if one.gmail_id == "a"]
    newer = thread[places[0] + 1 :] if places else thread
    weighty = [one for one in newer if not one.labels & {"DRAFT", "TRASH", "SPAM"}]
    if verdict.sent:
        assert any(one.marker == MARKER and "SENT" in one.labels for one in thread)
    elif verdict.hold is None:
        assert places
        assert not weighty


async def test_a_doubtful_item_is_swept_twice_and_a_plain_one_once(parts: Parts) -> None:
    wake_up = WakeUp()
    steps = OutboxWriter(parts.tables, parts.announcer, wake_up)
    sent = []
    for number in range(2):
        queued = parts.tables.outbox.get(parts.tables.outbox.add(new_outbox(marker=f"<m{number}@x>")))
        sent.append(await steps.move(queued, OutboxState.SENT))
    steps.doubt(sent[1])
    await steps.sweep(sent[0])
    assert parts.tables.jobs.counts()[SWEEP] == 1
    await steps.sweep(sent[1])
    assert parts.tables.jobs.counts()[SWEEP] == 3
    assert await wake_up.wait(0)


NEW = replace(ITEM, gmail_thread_id=GmailThreadId(""))


class Pages(SmallGmail):
    """Sent mail over pages: `recent` are the newest, `since` what a search by time gives page by page. Ours is in thread `t9`."""

    def __init__(self, recent: list[str], since: list[list[str]]) -> None:
        super().__init__()
        self.recent = recent
        self.since = since
        self.asked: list[int] = []
        self.deliver(ITEM.marker)

    async def list_messages(
        self, query: str = "", label_ids: tuple[str, ...] = (), page_token: str = "", include_spam_trash: bool = False
    ) -> ListPage:
        assert include_spam_trash, "the owner may have thrown the sent mail away"
        threads, token = self.recent, "more"
        if query:
            self.asked.append(int(query.removeprefix("after:")))
            at = int(page_token or 0)
            threads, token = self.since[at], str(at + 1) if at + 1 < len(self.since) else ""
        return ListPage(tuple(Listed(GmailId(one), GmailThreadId(one)) for one in threads), token, 0)

    async def thread_state(self, gmail_thread_id: str) -> tuple[ThreadMessage, ...]:
        if gmail_thread_id == "gone":
            raise NotFound
        return tuple(self.thread) if gmail_thread_id == "t9" else ()


@pytest.mark.parametrize(
    ("recent", "since"),
    [(["t9"], [[]]), (["a", "t9"], [["a"]]), (["a"], [["a", "gone", "t9"]]), (["a"] * 30, [["b"], ["c"], ["t9"]])],
    ids=["server's clock behind", "among the newest", "since the approval", "on a later page"],
)
async def test_a_new_mail_is_found_among_all_that_were_sent(recent: list[str], since: list[list[str]]) -> None:
    gmail = Pages(recent, since)
    assert await find_sent(cast(MailServer, gmail), NEW) == gmail.thread[-1].gmail_id
    assert all(one <= NOW.timestamp() - 12 * 3600 for one in gmail.asked), "clocks differ"


async def test_what_is_not_there_is_not_found_and_old_mail_is_not_gone_through() -> None:
    gmail = Pages([f"x{number}" for number in range(RECENT_SENT)] + ["t9"], [["b"]])
    assert await find_sent(cast(MailServer, gmail), NEW) == ""


async def test_drafts_beside_the_one_that_stays_go() -> None:
    gmail = SmallGmail(drafts={"d1": ITEM.marker, "d2": ITEM.marker, "d3": "<other@x>"})
    server = cast(MailServer, gmail)
    assert await delete_others(server, await own_drafts(server, ITEM), GmailDraftId("d2")) == 1
    assert sorted(gmail.drafts) == ["d2", "d3"]
    assert await delete_others(server, await own_drafts(server, ITEM), GmailDraftId("")) == 1
    assert sorted(gmail.drafts) == ["d3"]


async def test_a_draft_that_somebody_changed_is_none_of_the_items() -> None:
    gmail = SmallGmail(drafts={"d1": ITEM.marker, "d2": ITEM.marker})
    found = await own_drafts(cast(MailServer, gmail), replace(ITEM, theirs=(GmailDraftId("d1"),)))
    assert [one.draft_id for one in found] == ["d2"]


async def test_an_answer_that_gmail_put_into_another_thread_is_found_there() -> None:
    """As it does where the user changed the subject."""
    gmail, answer = Pages(["a", "t9"], [["a"]]), replace(ITEM, gmail_thread_id=GmailThreadId("t1"))
    assert await find_sent(cast(MailServer, gmail), answer) == gmail.thread[-1].gmail_id


class Deaf(Pages):
    """Ignores what is asked for: every page of the whole of Sent, from a mailbox of old mail, and always one more page."""

    def __init__(self, threads: int, ours: int) -> None:
        super().__init__([], [])
        self.threads, self.ours, self.read, self.pages = threads, ours, 0, 0

    async def list_messages(
        self, query: str = "", label_ids: tuple[str, ...] = (), page_token: str = "", include_spam_trash: bool = False
    ) -> ListPage:
        self.pages += 1
        at = int(page_token or 0) % self.threads
        names = [f"x{one}" for one in range(at, min(at + 10, self.threads))]
        return ListPage(tuple(Listed(GmailId(one), GmailThreadId(one)) for one in names), str(int(page_token or 0) + 10), 0)

    async def thread_state(self, gmail_thread_id: str) -> tuple[ThreadMessage, ...]:
        self.read += 1
        number = int(gmail_thread_id.removeprefix("x"))
        if number == self.ours:
            return tuple(self.thread)
        days = -1 if number < self.ours else 400
        return (replace(self.thread[-1], date=NOW - timedelta(days=days), marker="", rfc822_id=f"<{number}@x>"),)


@pytest.mark.parametrize("ours", [3, 60, 130])
async def test_a_server_that_ignores_the_question_is_read_as_far_as_its_mail_is_new(ours: int) -> None:
    gmail = Deaf(1000, ours)
    assert await find_sent(cast(MailServer, gmail), NEW) == gmail.thread[-1].gmail_id


async def test_a_server_that_ignores_the_question_is_not_read_to_its_end() -> None:
    gmail = Deaf(1000, -1)
    assert await find_sent(cast(MailServer, gmail), NEW) == ""
    assert gmail.read <= 2 * RECENT_SENT + 10
    round_and_round = Deaf(20, -1)
    assert await find_sent(cast(MailServer, round_and_round), NEW) == ""
    assert round_and_round.pages <= MOST_PAGES + 1
