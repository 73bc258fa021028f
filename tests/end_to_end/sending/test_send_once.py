"""What the user approved arrives exactly once, whatever happens on the way: crashes, lost answers, doubled requests, lag."""

import pytest

from app.domain.mail.outbox import OutboxState
from fakes.gmail.sending import Stage


async def test_an_approved_answer_is_sent_once_in_its_thread_with_the_approved_bytes(stage: Stage) -> None:
    message = await stage.ask()
    review = stage.propose(message)
    await stage.decide(review)
    item = await stage.rested(review.id)
    assert item.state is OutboxState.SENT
    assert stage.copies(item) == 1
    sent = next(one for one in stage.sandbox.sent() if one["id"] == item.sent_gmail_id)
    assert sent["threadId"] == message.gmail_thread_id
    assert b"It arrives on Friday." in stage.sandbox.mail.raw(item.sent_gmail_id)
    assert stage.states(item.id) == ["queued", "drafting", "drafted", "sending", "sent"]
    assert stage.sends()["gmail.users.drafts.send"] == 1
    mirrored = await stage.mirrored(item.sent_gmail_id)
    assert mirrored.thread_id == message.thread_id


KILLS = [
    ("drafts.create", "before"),
    ("drafts.create", "after"),
    ("drafts.send", "before"),
    ("drafts.send", "after"),
    ("threads.get", "before"),
]


@pytest.mark.parametrize(("method", "when"), KILLS)
async def test_a_crash_in_the_middle_of_a_request_sends_exactly_one_copy(stage: Stage, method: str, when: str) -> None:
    review = stage.propose(await stage.ask())
    rule = stage.sandbox.faults.add("slow", f"gmail.users.{method}", when=when, seconds=3)
    await stage.decide(review)
    await stage.fired(rule)
    await stage.crash()
    await stage.restart()
    item = await stage.rested(review.id)
    assert (item.state, stage.copies(item)) == (OutboxState.SENT, 1)
    await stage.no_drafts(item)
    assert stage.copies(item) == 1
