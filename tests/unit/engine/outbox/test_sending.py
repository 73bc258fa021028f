"""Freshness as a pure judgement, and the sender's rows; the flows test it against a real server."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import AccountId, GmailId, GmailThreadId, OutboxId, ReviewId, ThreadId
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxKind, OutboxState
from app.domain.ports.gmail import ThreadMessage
from app.engine.outbox.mail_sender import judge, own_sent
from app.engine.outbox.outbox_writer import SWEEP, OutboxWriter
from app.engine.runtime.workers import WakeUp
from fakes.engine.engine_parts import Parts
from fakes.engine.store.values import new_outbox

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


@pytest.mark.anyio
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


@pytest.mark.anyio
async def test_a_draft_is_fresh_once_and_only_in_this_process(parts: Parts) -> None:
    steps = OutboxWriter(parts.tables, parts.announcer, WakeUp())
    queued = parts.tables.outbox.get(parts.tables.outbox.add(new_outbox()))
    steps.fresh(queued)
    assert steps.take_fresh(queued)
    assert not steps.take_fresh(queued)
