"""What the user, the correspondent and other devices do between approval and dispatch."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from app.domain.drafting.review import Action, ReviewStatus
from app.domain.ids import GmailId
from app.domain.mail.outbox import HoldReason, OutboxState
from app.domain.protocol.changes import ChangeLabels
from app.domain.protocol.commands import CancelSend, Decide, DraftReply, SendNow, Undo
from app.domain.protocol.events import CommandFailed, ConnectionChanged, ConnectionState, MailChanged, ReviewDecided, ReviewReady
from app.domain.record import replace
from fakes.engine.engine_process import QUICK
from fakes.gmail.sending import Stage, follow_up, own_answer, staged

WITH_UNDO = QUICK.replace("undo_s = 0", "undo_s = 60")


@pytest.fixture(scope="module")
async def engine(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One engine for all tests here; each has a thread of its own."""
    async with staged(tmp_path_factory.mktemp("choices") / "data", WITH_UNDO) as stage:
        yield stage


@pytest.fixture
def stage(engine: Stage) -> Iterator[Stage]:
    """The stage with nothing seen and no faults."""
    engine.engine.seen.clear()
    yield engine
    engine.sandbox.faults.clear()


async def test_undo_takes_it_back_and_nothing_leaves(stage: Stage) -> None:
    review = await stage.approved()
    decided = await stage.engine.event(ReviewDecided)
    assert decided.undo_until_ms > 0
    await stage.engine.do(Undo(review.id))
    back = stage.engine.reader.review(review.id)
    assert (back.status, back.revision) == (ReviewStatus.PENDING, 2)
    item = stage.item(review.id)
    assert item.state is OutboxState.CANCELLED
    assert (stage.copies(item), stage.drafts_of(item)) == (0, 0)
    await stage.decide(back)
    await stage.engine.do(SendNow(stage.item(review.id).id))  # type: ignore[union-attr]
    assert (await stage.rested(review.id)).state is OutboxState.SENT


async def test_undo_after_dispatch_is_refused(stage: Stage) -> None:
    review = await stage.approved()
    item = stage.item(review.id)
    await stage.engine.do(SendNow(item.id))
    await stage.in_state(review.id, OutboxState.SENT)
    await stage.engine.do(Undo(review.id))
    failed = await stage.engine.event(CommandFailed)
    assert (failed.command, failed.code) == ("Undo", "refused")
    assert stage.copies(item) == 1


async def test_two_decisions_at_once_count_once(stage: Stage) -> None:
    review = stage.propose(await stage.ask())
    draft = replace(review.proposal.draft, body="Another text.")  # type: ignore[type-var]
    first = stage.engine.client.send(Decide(review.id, review.revision, Action.ACCEPT))
    second = stage.engine.client.send(Decide(review.id, review.revision, Action.EDIT, draft))
    await asyncio.gather(first, second)
    failed = await stage.engine.event(CommandFailed)
    assert failed.code == "stale_decision"
    item = stage.item(review.id)
    await stage.engine.do(SendNow(item.id))
    sent = await stage.rested(review.id)
    assert stage.copies(sent) == 1
    assert stage.sent_in(review) == 1


async def test_a_newer_mail_holds_the_answer_until_the_user_says_so(stage: Stage) -> None:
    message = await stage.ask()
    review = stage.propose(message)
    await stage.decide(review)
    newer = stage.sandbox.deliver(follow_up(message, "Never mind, it arrived."))
    assert newer["threadId"] == message.gmail_thread_id
    await stage.engine.do(SendNow(stage.item(review.id).id))  # type: ignore[union-attr]
    item = await stage.rested(review.id)
    assert (item.state, item.reason, stage.copies(item)) == (OutboxState.HELD, HoldReason.NEWER_MAIL, 0)
    assert stage.drafts_of(item) == 0
    await stage.mirrored(GmailId(newer["id"]))
    await stage.engine.do(SendNow(item.id))
    assert (await stage.in_state(review.id, OutboxState.SENT)).reason == ""
    assert stage.copies(item) == 1


async def test_an_answer_from_the_phone_holds_ours(stage: Stage) -> None:
    message = await stage.ask()
    review = stage.propose(message)
    await stage.decide(review)
    stage.sandbox.mail.send_from_phone(own_answer(message, "Sent from my phone."), message.gmail_thread_id)
    await stage.engine.do(SendNow(stage.item(review.id).id))  # type: ignore[union-attr]
    item = await stage.rested(review.id)
    assert (item.state, item.reason, stage.copies(item)) == (OutboxState.HELD, HoldReason.ANSWERED_ELSEWHERE, 0)
    await stage.engine.do(CancelSend(item.id))
    assert (await stage.rested(review.id)).state is OutboxState.CANCELLED
    assert stage.sent_in(review) == 1


async def test_an_answer_from_the_phone_closes_a_pending_review(stage: Stage) -> None:
    message = await stage.ask()
    review = stage.propose(message)
    stage.sandbox.mail.send_from_phone(own_answer(message, "Done."), message.gmail_thread_id)
    decided = await stage.engine.event(ReviewDecided, lambda one: one.review_id == review.id)
    assert decided.status == ReviewStatus.SUPERSEDED


async def test_approving_works_offline_and_is_sent_when_the_server_is_back(stage: Stage) -> None:
    review = stage.propose(await stage.ask())
    rule = stage.sandbox.faults.add("cut", "*", times=0)
    await stage.engine.event(ConnectionChanged, lambda one: one.state is ConnectionState.OFFLINE)
    await stage.decide(review)
    item = stage.item(review.id)
    await stage.engine.do(SendNow(item.id))
    assert stage.copies(item) == 0
    stage.sandbox.faults.remove(rule)
    assert (await stage.rested(review.id)).state is OutboxState.SENT
    assert stage.copies(item) == 1
    await stage.engine.event(ConnectionChanged, lambda one: one.state is ConnectionState.ONLINE)


async def test_saving_as_draft_puts_one_draft_into_gmail_and_sends_nothing(stage: Stage) -> None:
    review = stage.propose(await stage.ask())
    await stage.decide(review, Action.SAVE_DRAFT)
    item = stage.item(review.id)
    await stage.engine.do(SendNow(item.id))
    item = await stage.rested(review.id)
    assert (item.state, stage.drafts_of(item), stage.copies(item)) == (OutboxState.SENT, 1, 0)
    assert item.draft_id


async def test_a_draft_that_vanished_while_sending_is_held_and_not_made_up(stage: Stage) -> None:
    review = await stage.approved()
    item = stage.item(review.id)
    assert item is not None
    rule = stage.sandbox.faults.add("slow", "gmail.users.drafts.send", seconds=2)
    await stage.engine.do(SendNow(item.id))
    await stage.fired(rule)
    for draft in stage.sandbox.mail.drafts():
        stage.sandbox.mail.delete(draft["message"]["id"])
    await stage.in_state(review.id, OutboxState.UNCERTAIN)
    await stage.crash()
    await stage.restart()
    item = await stage.rested(review.id)
    assert (item.state, item.reason, stage.copies(item)) == (OutboxState.HELD, HoldReason.DRAFT_DELETED, 0)
    await stage.engine.do(SendNow(item.id))
    item = await stage.in_state(review.id, OutboxState.SENT)
    assert stage.copies(item) == 1


async def test_a_draft_edited_in_gmail_is_held(stage: Stage) -> None:
    message = await stage.ask()
    review = stage.propose(message)
    await stage.decide(review)
    item = stage.item(review.id)
    assert item is not None
    stage.sandbox.faults.add("503", "gmail.users.drafts.send")
    stage.sandbox.faults.add("503", "gmail.users.threads.get", times=2, nth=2)
    await stage.engine.do(SendNow(item.id))
    drafted = await stage.in_state(review.id, OutboxState.DRAFTED)
    await stage.crash()
    stage.sandbox.mail.edit_draft(drafted.draft_id, own_answer(message, "My own words."))
    await stage.restart()
    item = await stage.rested(review.id)
    assert (item.state, item.reason, stage.copies(item)) == (OutboxState.HELD, HoldReason.DRAFT_EDITED, 0)


async def test_a_draft_edited_in_gmail_that_kept_our_mark_is_held_and_stays_the_owners(stage: Stage) -> None:
    """Whatever headers Gmail keeps: words that nobody approved here do not leave, and those typed there are not swept away."""
    message = await stage.ask()
    review = stage.propose(message)
    await stage.decide(review)
    item = stage.item(review.id)
    assert item is not None
    stage.sandbox.faults.add("503", "gmail.users.drafts.send")
    stage.sandbox.faults.add("503", "gmail.users.threads.get", times=2, nth=2)
    await stage.engine.do(SendNow(item.id))
    drafted = await stage.in_state(review.id, OutboxState.DRAFTED)
    await stage.crash()
    made = next(
        stage.sandbox.mail.raw(one["message"]["id"]) for one in stage.sandbox.mail.drafts() if one["id"] == drafted.draft_id
    )
    stage.sandbox.mail.edit_draft(drafted.draft_id, made.replace(b"on Friday", b"on the phone I wrote never"))
    await stage.restart()
    item = await stage.rested(review.id)
    assert (item.state, item.reason, stage.copies(item)) == (OutboxState.HELD, HoldReason.DRAFT_EDITED, 0)
    await stage.engine.do(SendNow(item.id))
    item = await stage.in_state(review.id, OutboxState.SENT)
    assert stage.copies(item) == 1
    assert b"on Friday" in stage.sandbox.mail.raw(item.sent_gmail_id)
    await stage.engine.until(lambda: not stage.jobs("sweep"))
    assert drafted.draft_id in [one["id"] for one in stage.sandbox.mail.drafts()]
    assert stage.drafts_of(item) == 1


async def test_an_answer_under_another_subject_is_known_to_be_sent_when_googles_answer_is_lost(stage: Stage) -> None:
    """Gmail puts it into a thread of its own; it is not called deleted, and not sent again."""
    message = await stage.ask()
    review = stage.propose(message)
    assert review.proposal.draft is not None
    await stage.decide(review, Action.EDIT, replace(review.proposal.draft, subject="Something else altogether"))
    stage.sandbox.faults.add("cut", "gmail.users.drafts.send", when="after")
    await stage.engine.do(SendNow(stage.item(review.id).id))  # type: ignore[union-attr]
    item = await stage.rested(review.id)
    assert (item.state, stage.copies(item)) == (OutboxState.SENT, 1)


async def test_a_label_change_is_seen_at_once_and_reaches_the_server(stage: Stage) -> None:
    message = await stage.ask()
    stage.engine.seen.clear()
    await stage.engine.do(ChangeLabels("k1", (message.thread_id,), add=("STARRED",), remove=("INBOX", "UNREAD")))
    changed = await stage.engine.event(MailChanged)
    assert message.thread_id in changed.thread_ids
    local = stage.engine.reader.message(message.id)
    assert local.labels == {"STARRED"}

    def labels() -> set[str]:
        return next(set(one["labelIds"]) for one in stage.sandbox.dump()["messages"] if one["id"] == message.gmail_id)

    await stage.engine.until(lambda: labels() == {"STARRED"})


@pytest.mark.soak
async def test_a_held_answer_is_drafted_anew_to_the_newer_mail(stage: Stage) -> None:
    """As the Outbox offers it: cancelled, and the newer mail answered in its stead; one review is left, and nothing went out."""
    message = await stage.ask()
    review = stage.propose(message)
    await stage.decide(review)
    newer = stage.sandbox.deliver(follow_up(message, "One more thing: do you deliver on Saturdays?"))
    await stage.engine.do(SendNow(stage.item(review.id).id))  # type: ignore[union-attr]
    held = await stage.rested(review.id)
    later = await stage.mirrored(GmailId(newer["id"]))
    await stage.engine.do(CancelSend(held.id))
    await stage.engine.do(DraftReply(later.id))
    ready = await stage.engine.event(ReviewReady, lambda one: one.review_id != review.id)
    fresh = stage.engine.reader.review(ready.review_id)
    assert fresh is not None and fresh.proposal.message_id == later.id
    before = stage.engine.reader.review(review.id)
    assert before is not None and before.status is ReviewStatus.SUPERSEDED
    pending = [stage.engine.reader.review(one) for one in stage.engine.reader.review_ids()]  # type: ignore[arg-type]
    assert [one.id for one in pending if one is not None and one.proposal.thread_id == message.thread_id] == [fresh.id]
    assert stage.sent_in(review) == 0
