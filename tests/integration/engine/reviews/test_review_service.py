"""Decisions as rows: composed before, written once, told, taken back."""

import hashlib
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from email import message_from_bytes

import msgspec
import pytest

from app.config.settings import AutoCategory, AutomationSettings
from app.domain.drafting.draft import Span, SpanKind
from app.domain.drafting.meeting import SCHEDULE_MEETING
from app.domain.drafting.review import Action, Review, ReviewKind, ReviewStatus
from app.domain.errors import NotAllowed, OpenSlots, StaleDecision
from app.domain.ids import GmailDraftId, GmailId, MessageId, ReviewId, RunId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import Message
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxKind, OutboxState
from app.domain.protocol.changes import CreateLabel
from app.domain.protocol.commands import Decide
from app.domain.protocol.events import MailChanged, OutboxChanged, ReviewDecided
from app.domain.record import replace
from app.engine.outbox.outbox_writer import SWEEP, OutboxWriter
from app.engine.reviews.outbox_composer import OutboxComposer
from app.engine.reviews.review_service import ReviewService
from app.engine.runtime.workers import WakeUp
from app.store.requests.artifacts import ArtifactFolder
from fakes.engine.engine_parts import DecisionLog, FixedSettings, Parts
from fakes.engine.store.rows import account_labels
from fakes.engine.store.values import ANA, ME, draft, new_outbox, proposal, remote

UNDO_S = 10


def _ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)


class Desk:
    """A reviewer with its surroundings, and a mail that asks."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.log, self.wake_up = DecisionLog(), WakeUp()
        self.steps = OutboxWriter(parts.tables, parts.announcer, self.wake_up)
        self.artifacts = ArtifactFolder(parts.tables.db.path.parent / "artifacts")
        outgoing = OutboxComposer(parts.tables, self.artifacts)
        self.settings = FixedSettings.undo_s(UNDO_S)
        self.allow_a_day(1)
        self.reviewer = ReviewService(parts.tables, parts.announcer, outgoing, self.settings, self.steps, self.log)

    def allow_a_day(self, approvals: int) -> None:
        """Sets how many approvals policy may give a day, 0 for none."""
        categories: tuple[AutoCategory, ...] = ("inquiry",) if approvals else ()
        automation = AutomationSettings(categories, max(approvals, 1))
        self.settings.now = msgspec.structs.replace(self.settings.now, automation=automation)

    def review(self, message: Message, kind: ReviewKind = ReviewKind.REPLY) -> Review:
        """A review of `message`, put up now."""
        what = replace(draft(), reply_to=message.id) if kind is ReviewKind.REPLY else None
        put_up = proposal(f"run-{message.id}-{kind}", kind=kind, thread=message.thread_id, message=message.id, what=what)
        return self.stored(self.parts.tables.reviews.open(put_up, "key"))

    def stored(self, review_id: ReviewId) -> Review:
        """The review as it stands."""
        return self.parts.tables.reviews.review(review_id)

    def item(self, review: Review) -> OutboxItem:
        """Its newest outbox item."""
        found = self.parts.tables.outbox.for_review(review.id)
        assert found is not None
        return found


@pytest.fixture
def desk(parts: Parts) -> Desk:
    return Desk(parts)


@pytest.fixture
def question(parts: Parts) -> Message:
    """A mail, a minute old."""
    (message,) = parts.mail(remote("a", "t"))
    parts.clock.pass_s(60)
    return message


async def test_an_approval_carries_the_exact_bytes_their_digest_and_a_marker(desk: Desk, question: Message) -> None:
    review = desk.review(question)
    await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT))
    item = desk.item(review)
    assert (item.kind, item.state) == (OutboxKind.SEND, OutboxState.QUEUED)
    assert item.sha256 == hashlib.sha256(item.mime).hexdigest()
    parsed = message_from_bytes(item.mime)
    assert parsed["Message-ID"] == parsed["X-Replyroom-Outbox"] == item.marker
    assert parsed["In-Reply-To"] == question.rfc822_id
    assert (item.gmail_thread_id, item.expected_tip) == ("t", "a")
    assert item.not_before == desk.parts.clock() + timedelta(seconds=UNDO_S)
    decided = desk.parts.events(ReviewDecided)[0]
    assert decided.undo_until_ms == int(item.not_before.timestamp() * 1000)
    assert (decided.status, decided.outbox_id) == (ReviewStatus.APPROVED, item.id)
    assert desk.log.woken == [(review.proposal.run_id, review.id)]
    assert await desk.wake_up.wait(0), "the sender looks for it"


async def test_what_the_user_wrote_is_what_leaves(desk: Desk, question: Message) -> None:
    review = desk.review(question)
    assert review.proposal.draft is not None
    mine = replace(review.proposal.draft, body="On Monday, sorry.")
    await desk.reviewer.decide(Decide(review.id, 1, Action.EDIT, mine))
    assert b"On Monday, sorry." in desk.item(review).mime
    assert desk.stored(review.id).revision == 2


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda one: replace(one, body=""), NotAllowed),
        (lambda one: replace(one, spans=(Span(0, 0, SpanKind.OPEN_SLOT, "Which day?"),)), OpenSlots),
        (lambda one: replace(one, to=()), NotAllowed),
        (lambda one: replace(one, to=(replace(ANA, email="a@b.c\r\nBcc: x@y.z"),)), NotAllowed),
    ],
)
async def test_what_cannot_be_sent_changes_nothing(
    desk: Desk, question: Message, change: Callable[[object], object], error: type[Exception]
) -> None:
    review = desk.review(question)
    with pytest.raises(error):
        await desk.reviewer.decide(Decide(review.id, 1, Action.EDIT, change(review.proposal.draft)))  # type: ignore[arg-type]
    assert desk.stored(review.id) == review
    assert desk.parts.tables.outbox.for_review(review.id) is None
    assert desk.parts.told == []


async def test_the_second_of_two_decisions_is_stale(desk: Desk, question: Message) -> None:
    review = desk.review(question)
    await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT))
    with pytest.raises(StaleDecision):
        await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT))
    assert len(desk.log.woken) == 1


@pytest.mark.parametrize(
    ("kind", "action", "status"),
    [
        (ReviewKind.REPLY, Action.IGNORE, ReviewStatus.REJECTED),
        (ReviewKind.REPLY, Action.RESPOND, ReviewStatus.ANSWERED),
        (ReviewKind.REPLY, Action.SAVE_DRAFT, ReviewStatus.SAVED_AS_DRAFT),
        (ReviewKind.NOTIFY, Action.IGNORE, ReviewStatus.DISMISSED),
        (ReviewKind.NOTIFY, Action.RESPOND, ReviewStatus.ANSWERED),
        (ReviewKind.QUESTION, Action.RESPOND, ReviewStatus.ANSWERED),
    ],
)
async def test_each_action_leaves_its_status(
    desk: Desk, question: Message, kind: ReviewKind, action: Action, status: ReviewStatus
) -> None:
    review = desk.review(question, kind)
    await desk.reviewer.decide(Decide(review.id, 1, action, text="shorter"))
    assert desk.stored(review.id).status is status
    sends = desk.parts.tables.outbox.for_review(review.id)
    assert (sends is not None) == (action is Action.SAVE_DRAFT)
    decided = desk.parts.events(ReviewDecided)[0]
    assert bool(decided.outbox_id) == bool(decided.undo_until_ms) == (action is Action.SAVE_DRAFT)


async def test_an_approved_letter_leaves_at_the_time_that_was_chosen(desk: Desk, question: Message) -> None:
    review, clock = desk.review(question), desk.parts.tables.clock
    at = clock() + timedelta(days=1)
    await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT, draft=review.proposal.draft, send_at_ms=_ms(at)))
    item = desk.item(review)
    assert (item.state, item.kind, _ms(item.not_before)) == (OutboxState.QUEUED, OutboxKind.SEND, _ms(at))
    assert desk.parts.events(ReviewDecided)[-1].undo_until_ms == _ms(at)
    desk.parts.clock.pass_s(3600)
    assert desk.parts.tables.outbox.claim_due("sender", 60) is None
    await desk.reviewer.undo(review.id)
    assert (desk.item(review).state, desk.stored(review.id).status) == (OutboxState.CANCELLED, ReviewStatus.PENDING)
    again = desk.stored(review.id)
    await desk.reviewer.decide(Decide(review.id, again.revision, Action.ACCEPT, draft=review.proposal.draft, send_at_ms=_ms(at)))
    await desk.reviewer.send_now(desk.item(review).id)
    assert desk.item(review).not_before <= clock()


async def test_a_time_already_past_waits_for_the_undo_delay(desk: Desk, question: Message) -> None:
    review, now = desk.review(question), desk.parts.tables.clock()
    await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT, send_at_ms=1))
    assert desk.item(review).not_before == now + timedelta(seconds=UNDO_S)


@pytest.mark.parametrize(
    ("action", "days"),
    [(Action.ACCEPT, 400), (Action.ACCEPT, 10**9), (Action.SAVE_DRAFT, 1), (Action.IGNORE, 1), (Action.RESPOND, 1)],
)
async def test_no_other_decision_and_no_time_too_far_away_is_taken(
    desk: Desk, question: Message, action: Action, days: int
) -> None:
    review = desk.review(question)
    at_ms = _ms(desk.parts.tables.clock()) + days * 86_400_000
    with pytest.raises(NotAllowed):
        await desk.reviewer.decide(Decide(review.id, 1, action, text="x", send_at_ms=at_ms))
    assert desk.stored(review.id).status is ReviewStatus.PENDING
    assert desk.parts.tables.outbox.for_review(review.id) is None


async def test_undo_brings_it_back_and_a_draft_left_in_gmail_goes(desk: Desk, question: Message) -> None:
    review = desk.review(question)
    await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT))
    item = desk.item(review)
    for state in (OutboxState.DRAFTING, OutboxState.DRAFTED):
        item = await desk.steps.move(item, state, draft_id=GmailDraftId("d1"))
    with pytest.raises(NotAllowed):
        await desk.reviewer.undo(review.id)
    await desk.steps.hold(item, HoldReason.DRAFT_EDITED)
    await desk.reviewer.cancel(item.id)
    assert desk.item(review).state is OutboxState.CANCELLED
    assert desk.stored(review.id).status is ReviewStatus.PENDING
    assert desk.parts.tables.jobs.counts()[SWEEP] == 1
    assert desk.parts.events(ReviewDecided)[-1].status == ReviewStatus.PENDING
    assert desk.parts.events(OutboxChanged)
    assert (len(desk.log.woken), desk.log.undone) == (1, 1), "what it taught is forgotten"


async def test_an_approval_may_archive_and_one_undo_takes_both_back(desk: Desk, question: Message) -> None:
    review, messages = desk.review(question), desk.parts.tables.messages
    await desk.reviewer.decide(Decide(review.id, desk.stored(review.id).revision, Action.ACCEPT, archive=True))
    assert "INBOX" not in messages.get(question.id).labels
    await desk.reviewer.undo(review.id)
    assert "INBOX" in messages.get(question.id).labels
    assert desk.stored(review.id).status is ReviewStatus.PENDING
    await desk.reviewer.decide(Decide(review.id, desk.stored(review.id).revision, Action.ACCEPT))
    assert "INBOX" in messages.get(question.id).labels, "only on wish"
    await desk.reviewer.undo(review.id)
    await desk.reviewer.decide(Decide(review.id, desk.stored(review.id).revision, Action.ACCEPT, archive=True))
    await desk.reviewer.cancel(desk.item(review).id)
    assert "INBOX" in messages.get(question.id).labels, "cancelling in the Outbox undoes it whole too"
    await desk.reviewer.decide(Decide(review.id, desk.stored(review.id).revision, Action.ACCEPT, archive=True))
    await desk.steps.hold(desk.item(review), HoldReason.NEWER_MAIL)
    assert "INBOX" in messages.get(question.id).labels, "what was not sent is not done"


async def test_what_came_after_the_review_is_not_taken_as_seen(desk: Desk, question: Message) -> None:
    review = desk.review(question)
    desk.parts.clock.pass_s(60)
    desk.parts.mail(remote("b", "t", minutes=2), remote("mine", "t", sender=ME, labels=("SENT",), minutes=3))
    await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT))
    assert desk.item(review).expected_tip == "a"


async def test_a_clock_that_is_ahead_makes_nothing_seen(desk: Desk, question: Message) -> None:
    desk.parts.clock.pass_s(7200)
    review = desk.review(question)
    desk.parts.mail(remote("b", "t", minutes=2))
    await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT))
    assert desk.item(review).expected_tip == "a"


async def test_a_draft_for_an_older_mail_counts_the_newer_ones_as_seen(desk: Desk, parts: Parts) -> None:
    older, _, _ = parts.mail(remote("a", "t"), remote("b", "t", minutes=1), remote("d", "t", labels=("DRAFT",), minutes=2))
    parts.clock.pass_s(3600)
    review = desk.review(older)
    await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT))
    assert desk.item(review).expected_tip == "b"


async def test_a_held_item_goes_after_the_user_saw_why(desk: Desk, question: Message) -> None:
    review = desk.review(question)
    await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT))
    desk.parts.mail(remote("b", "t", minutes=5), remote("d", "t", labels=("DRAFT",), minutes=6))
    await desk.steps.hold(desk.item(review), HoldReason.NEWER_MAIL)
    await desk.reviewer.send_now(desk.item(review).id)
    again = desk.item(review)
    assert (again.state, again.expected_tip) == (OutboxState.QUEUED, "b")
    assert again.not_before == desk.parts.clock()


async def test_newer_mail_that_was_not_what_held_it_is_not_taken_as_seen(desk: Desk, question: Message) -> None:
    review = desk.review(question)
    await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT))
    await desk.steps.hold(desk.item(review), HoldReason.REJECTED_BY_SERVER)
    desk.parts.mail(remote("b", "t", minutes=5))
    await desk.reviewer.send_now(desk.item(review).id)
    assert desk.item(review).expected_tip == "a"


async def test_approving_again_after_a_hold_counts_the_newer_mail_as_seen(desk: Desk, question: Message) -> None:
    review = desk.review(question)
    await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT))
    desk.parts.mail(remote("b", "t", minutes=5))
    held = await desk.steps.hold(desk.item(review), HoldReason.NEWER_MAIL)
    await desk.reviewer.cancel(held.id)
    await desk.reviewer.decide(Decide(review.id, desk.stored(review.id).revision, Action.ACCEPT))
    assert desk.item(review).expected_tip == "b"


@pytest.mark.parametrize(
    ("reason", "goes_on"),
    [
        (HoldReason.NEWER_MAIL, OutboxState.DRAFTED),
        (HoldReason.REJECTED_BY_SERVER, OutboxState.DRAFTED),
        (HoldReason.DRAFT_EDITED, OutboxState.QUEUED),
        (HoldReason.DRAFT_DELETED, OutboxState.QUEUED),
    ],
)
async def test_a_draft_that_is_not_the_approved_one_any_longer_is_not_what_goes(
    desk: Desk, question: Message, reason: HoldReason, goes_on: OutboxState
) -> None:
    review = desk.review(question)
    await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT))
    item = desk.item(review)
    for state in (OutboxState.DRAFTING, OutboxState.DRAFTED):
        item = await desk.steps.move(item, state, draft_id=GmailDraftId("d1"))
    await desk.steps.hold(item, reason)
    await desk.reviewer.send_now(item.id)
    assert desk.item(review).state is goes_on


@pytest.mark.parametrize(
    "way",
    [
        (OutboxState.SENT,),
        (OutboxState.DRAFTING,),
        (OutboxState.DRAFTING, OutboxState.DRAFTED),
        (OutboxState.DRAFTING, OutboxState.DRAFTED, OutboxState.SENDING),
        (OutboxState.DRAFTING, OutboxState.DRAFTED, OutboxState.SENDING, OutboxState.UNCERTAIN),
        (OutboxState.CANCELLED,),
    ],
    ids=lambda way: str(way[-1]),
)
async def test_nothing_hastens_what_is_on_its_way_or_over(desk: Desk, question: Message, way: tuple[OutboxState, ...]) -> None:
    review = desk.review(question)
    await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT))
    for state in way:
        await desk.steps.move(desk.item(review), state)
    before = desk.item(review)
    with pytest.raises(NotAllowed):
        await desk.reviewer.send_now(before.id)
    assert desk.item(review) == before


async def test_a_cancelled_item_does_not_take_the_next_one_of_its_review_along(desk: Desk, question: Message) -> None:
    review = desk.review(question)
    await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT))
    first = desk.item(review)
    await desk.reviewer.cancel(first.id)
    await desk.reviewer.decide(Decide(review.id, desk.stored(review.id).revision, Action.ACCEPT))
    with pytest.raises(NotAllowed):
        await desk.reviewer.cancel(first.id)
    assert (desk.item(review).state, desk.stored(review.id).status) == (OutboxState.QUEUED, ReviewStatus.APPROVED)


async def test_a_meeting_is_booked_in_the_owners_own_name_only(desk: Desk, question: Message) -> None:
    def asked(organizer: str) -> Review:
        args = {
            "attendees": ["ann@partner.org"],
            "title": "Order talk",
            "start_time": "2026-11-26T15:00:00",
            "end_time": "2026-11-26T16:00:00",
            "organizer_email": organizer,
            "timezone": "Europe/Prague",
        }
        put_up = proposal(organizer, kind=ReviewKind.TOOL_CALL, thread=question.thread_id, message=question.id)
        request = json.dumps({"action": SCHEDULE_MEETING, "args": args})
        return desk.stored(desk.parts.tables.reviews.open(replace(put_up, request_json=request), "key"))

    theirs = asked("boss@partner.org")
    with pytest.raises(NotAllowed, match="organizer_email"):
        await desk.reviewer.decide(Decide(theirs.id, 1, Action.ACCEPT))
    assert desk.stored(theirs.id).status is ReviewStatus.PENDING
    assert desk.parts.tables.outbox.for_review(theirs.id) is None
    ours = asked(ME.email)
    await desk.reviewer.decide(Decide(ours.id, 1, Action.ACCEPT))
    assert (desk.item(ours).kind, desk.item(ours).to) == (OutboxKind.CALENDAR, "ann@partner.org")


async def test_auto_approval_makes_a_gmail_draft_once(desk: Desk, question: Message) -> None:
    review = desk.review(question)
    assert await desk.reviewer.approve(review.id)
    assert await desk.reviewer.approve(review.id)
    assert desk.item(review).kind is OutboxKind.GMAIL_DRAFT
    assert len(desk.parts.events(ReviewDecided)) == 1


async def test_switched_off_meanwhile_nothing_is_approved(desk: Desk, question: Message) -> None:
    review = desk.review(question)
    desk.allow_a_day(0)
    assert not await desk.reviewer.approve(review.id)
    assert desk.stored(review.id).status is ReviewStatus.PENDING
    assert desk.parts.events(ReviewDecided) == []


async def test_a_cancelled_label_change_is_read_again_and_a_cancelled_mail_takes_its_draft_along(desk: Desk) -> None:
    parts = desk.parts
    outbox = parts.tables.outbox
    change = replace(new_outbox(marker="", kind=OutboxKind.MODIFY), add_labels=("STARRED",), message_gmail_ids=(GmailId("a"),))
    await desk.reviewer.cancel(outbox.add(change))
    assert [one.gmail_id for one in parts.tables.messages.to_fetch(parts.account_id, 10)] == ["a"]
    mail = outbox.get(outbox.add(new_outbox()))
    for state in (OutboxState.DRAFTING, OutboxState.DRAFTED, OutboxState.HELD):
        mail = await desk.steps.move(mail, state, draft_id=GmailDraftId("d"))
    await desk.reviewer.cancel(mail.id)
    assert parts.tables.jobs.counts()[SWEEP] == 1
    sent = await desk.steps.move(outbox.get(outbox.add(new_outbox(marker="sent"))), OutboxState.SENT)
    with pytest.raises(NotAllowed, match="too late"):
        await desk.reviewer.cancel(sent.id)


async def test_cancelling_a_new_label_takes_it_from_its_mail(desk: Desk, question: Message) -> None:
    tables = desk.parts.tables
    made = tables.local_labels.create(CreateLabel("k", desk.parts.account_id, "Trips", (question.thread_id,)))
    assert "local:k" in desk.parts.labels(question.id)
    await desk.reviewer.cancel(made.outbox_ids[0])
    assert "local:k" not in desk.parts.labels(question.id)
    assert account_labels(tables.accounts, desk.parts.account_id) == ()
    assert {tables.outbox.get(one).state for one in made.outbox_ids} == {OutboxState.CANCELLED}
    assert [one.thread_ids for one in desk.parts.events(MailChanged)] == [(question.thread_id,)]
    assert set(desk.parts.events(OutboxChanged)[0].ids) == set(made.outbox_ids)


def asked_for(desk: Desk, *files: ArtifactHandle, maker: str = "openai/gpt", number: int = 1) -> Review:
    """A new mail that the assistant proposes on the user's request, put up now."""
    what = replace(draft(), reply_to=MessageId(0), subject="Report", maker=maker, attachments=files)
    put_up = proposal(f"ask-{number}", message=0, thread=-number, what=what)
    return desk.stored(desk.parts.tables.reviews.open(put_up, "step-1"))


async def test_a_new_mail_leaves_with_its_files_and_belongs_to_no_conversation(desk: Desk) -> None:
    made = desk.artifacts.write("report.pdf", b"%PDF \x00\xff")
    review = asked_for(desk, made)
    await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT))
    item = desk.item(review)
    assert (item.thread_id, item.gmail_thread_id, item.expected_tip) == (0, "", "")
    sent = message_from_bytes(item.mime)
    assert (sent["Subject"], sent["In-Reply-To"], sent["References"]) == ("Report", None, None)
    (file,) = [one for one in sent.walk() if one.get_filename()]
    assert (file.get_filename(), file.get_payload(decode=True)) == ("report.pdf", b"%PDF \x00\xff")
    assert desk.log.woken == [(RunId("ask-1"), review.id)]
    assert desk.parts.tables.jobs.counts() == {}
    await desk.reviewer.undo(review.id)
    assert desk.stored(review.id).proposal.draft == review.proposal.draft
    assert desk.item(review).state is OutboxState.CANCELLED


async def test_a_file_that_is_gone_is_refused_and_one_taken_off_is_not_missed(desk: Desk) -> None:
    made = desk.artifacts.write("report.pdf", b"%PDF")
    review = asked_for(desk, made)
    (desk.parts.tables.db.path.parent / "artifacts" / made.id / made.name).unlink()
    with pytest.raises(NotAllowed, match=r"report\.pdf is no longer available"):
        await desk.reviewer.decide(Decide(review.id, 1, Action.ACCEPT))
    assert desk.stored(review.id).allowed
    assert review.proposal.draft is not None
    without = replace(review.proposal.draft, attachments=())
    await desk.reviewer.decide(Decide(review.id, 1, Action.EDIT, without))
    assert b"report.pdf" not in desk.item(review).mime
    kept = desk.stored(review.id)
    assert kept.proposal.draft == without
    assert kept.proposed == review.proposal.draft


async def test_changes_are_asked_for_only_where_a_model_can_make_them(desk: Desk) -> None:
    by_model, by_rule = asked_for(desk), asked_for(desk, maker="template", number=2)
    assert Action.RESPOND in by_model.allowed
    assert Action.RESPOND not in by_rule.allowed
    with pytest.raises(NotAllowed, match="does not allow"):
        await desk.reviewer.decide(Decide(by_rule.id, 1, Action.RESPOND, text="shorter"))
    await desk.reviewer.decide(Decide(by_model.id, 1, Action.RESPOND, text="shorter"))
    assert desk.stored(by_model.id).status is ReviewStatus.ANSWERED
    assert desk.log.woken == [(RunId("ask-1"), by_model.id)]


async def test_what_answers_no_mail_teaches_nothing_about_any(desk: Desk) -> None:
    review = asked_for(desk)
    assert review.proposal.draft is not None
    await desk.reviewer.decide(Decide(review.id, 1, Action.EDIT, replace(review.proposal.draft, body="Hello.")))
    other = asked_for(desk, number=2)
    await desk.reviewer.decide(Decide(other.id, 1, Action.IGNORE))
    assert desk.stored(other.id).status is ReviewStatus.REJECTED
    assert desk.parts.tables.jobs.counts() == {}
