"""Mail that the assistant proposes on request, through the real engine and a real server: it answers none, and has a file."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import count
from pathlib import Path

import pytest

from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Action, Proposal, Review, ReviewKind, ReviewStatus
from app.domain.ids import MessageId, RunId, ThreadId
from app.domain.mail.outbox import OutboxItem, OutboxState
from app.domain.protocol.commands import CancelSend, Decide, Undo
from app.domain.protocol.events import CommandFailed
from app.domain.record import replace
from app.store.requests.artifacts import ArtifactFolder
from app.store.reviews.reviews import Reviews
from fakes.engine.engine_process import QUICK
from fakes.gmail.sending import ANN, Stage, opened, staged

WITH_UNDO = QUICK.replace("undo_s = 0", "undo_s = 120")
REPORT = b"%PDF-1.7 \x00\xff report" * 50
NUMBERS = count(1)


@pytest.fixture
async def slow(tmp_path: Path) -> AsyncIterator[Stage]:
    """With two minutes to take a decision back."""
    async with staged(tmp_path / "data", WITH_UNDO) as stage:
        yield stage


def proposed(stage: Stage, body: str = "Here is the report.") -> Review:
    """A new mail with a file, put up as the assistant does: no run, no mail, a thread of its own."""
    number = next(NUMBERS)
    file = ArtifactFolder(stage.data / "artifacts").write("Report (1).pdf", REPORT)
    draft = Draft((ANN,), (), (), f"Report {number}", body, "openai/gpt", MessageId(0), attachments=(file,))
    account_id = stage.engine.reader.accounts()[0].id
    run_id, thread_id = RunId(f"ask-{number}"), ThreadId(-number)
    about = (account_id, run_id, MessageId(0), thread_id, ReviewKind.REPLY, "", "", 0.0, "You asked for it.", "openai/gpt", draft)
    with opened(stage.data) as db:
        reviews = Reviews(db, lambda: datetime.now(UTC))
        return reviews.review(reviews.open(Proposal(*about), "step-1"))


def stored(stage: Stage, review: Review) -> Review:
    """The review as the window reads it."""
    found = stage.engine.reader.review(review.id)
    assert found is not None
    return found


def arrived(stage: Stage, item: OutboxItem) -> EmailMessage:
    """The one mail on the server that carries the item's marker."""
    assert stage.copies(item) == 1
    raws = (stage.sandbox.mail.raw(one["id"]) for one in stage.sandbox.sent())
    raw = next(one for one in raws if item.marker.encode() in one)
    found = message_from_bytes(raw, policy=policy.default)
    assert isinstance(found, EmailMessage)
    return found


async def test_it_arrives_once_with_exactly_the_file_that_was_approved(stage: Stage) -> None:
    first, second = proposed(stage), proposed(stage, "And again.")
    await stage.decide(first)
    item = await stage.rested(first.id)
    assert (item.state, item.thread_id, item.gmail_thread_id) == (OutboxState.SENT, 0, "")
    mail = arrived(stage, item)
    assert (mail["Subject"], mail["In-Reply-To"], mail["To"].addresses[0].addr_spec) == (
        first.proposal.draft.subject,  # type: ignore[union-attr]
        None,
        "ann@partner.org",
    )
    (file,) = mail.iter_attachments()
    assert (file.get_filename(), file.get_content_type()) == ("Report (1).pdf", "application/pdf")
    assert file.get_payload(decode=True) == REPORT
    assert stored(stage, second).status is ReviewStatus.PENDING
    assert len(stage.sandbox.sent()) == 1
    mirrored = await stage.mirrored(item.sent_gmail_id)
    assert [one.filename for one in mirrored.attachments] == ["Report (1).pdf"]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("method", ["drafts.create", "drafts.send"])
async def test_a_crash_between_approval_and_sending_sends_it_once(stage: Stage, method: str, when: str) -> None:
    review = proposed(stage)
    rule = stage.sandbox.faults.add("slow", f"gmail.users.{method}", when=when, seconds=3)
    await stage.decide(review)
    await stage.fired(rule)
    await stage.crash()
    made = review.proposal.draft.attachments[0]  # type: ignore[union-attr]
    (stage.data / "artifacts" / made.id / made.name).unlink()
    await stage.restart()
    item = await stage.rested(review.id)
    assert item.state is OutboxState.SENT
    (file,) = arrived(stage, item).iter_attachments()
    assert file.get_payload(decode=True) == REPORT
    await stage.no_drafts(item)


async def test_undo_brings_it_back_with_its_file_and_it_leaves_when_approved_again(slow: Stage) -> None:
    review = proposed(slow)
    await slow.decide(review)
    item = await slow.in_state(review.id, OutboxState.QUEUED)
    await slow.engine.do(Undo(review.id))
    back = stored(slow, review)
    assert (back.status, back.revision, back.proposal.draft) == (ReviewStatus.PENDING, 2, review.proposal.draft)
    assert (await slow.rested(review.id)).id == item.id
    await slow.decide(back)
    await slow.engine.do(CancelSend((await slow.in_state(review.id, OutboxState.QUEUED)).id))
    assert stored(slow, review).status is ReviewStatus.PENDING
    assert slow.sandbox.sent() == []


async def test_rejected_and_asked_for_again_nothing_leaves(stage: Stage) -> None:
    rejected, asked = proposed(stage), proposed(stage)
    await stage.decide(rejected, Action.IGNORE)
    await stage.engine.do(Decide(asked.id, 1, Action.RESPOND, text="shorter"))
    assert stored(stage, rejected).status is ReviewStatus.REJECTED
    assert stored(stage, asked).status is ReviewStatus.ANSWERED
    assert stage.item(rejected.id) is None and stage.item(asked.id) is None
    await stage.engine.do(Undo(rejected.id))
    assert stored(stage, rejected).status is ReviewStatus.PENDING
    assert stage.sandbox.sent() == []


async def test_saved_as_a_draft_it_stands_in_gmail_with_its_file(stage: Stage) -> None:
    review = proposed(stage)
    await stage.decide(review, Action.SAVE_DRAFT)
    item = await stage.rested(review.id)
    assert item.state is OutboxState.SENT
    (draft,) = stage.sandbox.mail.drafts()
    found = message_from_bytes(stage.sandbox.mail.raw(draft["message"]["id"]), policy=policy.default)
    assert isinstance(found, EmailMessage)
    (file,) = found.iter_attachments()
    assert file.get_payload(decode=True) == REPORT
    assert stage.sandbox.sent() == []


async def test_a_copy_of_its_file_is_opened_and_changing_that_changes_nothing(stage: Stage) -> None:
    review = proposed(stage)
    (document,) = review.proposal.draft.attachments
    copy = stage.engine.reader.document(document)
    assert (copy.name, copy.read_bytes()) == ("Report (1).pdf", REPORT)
    copy.write_bytes(b"scribbled on")
    await stage.decide(review)
    (file,) = arrived(stage, await stage.rested(review.id)).iter_attachments()
    assert file.get_payload(decode=True) == REPORT
    assert stage.engine.reader.document(replace(document, id="../mail.db")) is None


async def test_a_file_that_was_changed_holds_the_approval_back_and_without_it_the_mail_leaves(stage: Stage) -> None:
    review = proposed(stage)
    draft = review.proposal.draft
    made = draft.attachments[0]
    (stage.data / "artifacts" / made.id / made.name).write_bytes(REPORT[:-1] + b"!")
    stage.engine.client.send(Decide(review.id, 1, Action.ACCEPT))
    failed = await stage.engine.event(CommandFailed, lambda one: one.command == "Decide")
    assert "Report (1).pdf was changed" in str(failed.text)
    assert stored(stage, review).status is ReviewStatus.PENDING
    await stage.decide(review, Action.EDIT, replace(draft, attachments=()))
    item = await stage.rested(review.id)
    assert list(arrived(stage, item).iter_attachments()) == []
