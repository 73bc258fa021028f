"""What the user does changes what the next mail gets: a real engine over a real server, without a language model."""

from collections.abc import AsyncIterator

import pytest

from app.domain.agents.memory import Namespace, Preference, RejectionReason, RuleKind
from app.domain.drafting.draft import fill_slots
from app.domain.drafting.review import Action, Review, ReviewKind, ReviewStatus
from app.domain.ids import GmailId, ReviewId
from app.domain.mail.message import Message
from app.domain.mail.triage import OwnerVerdict, ReasonCode
from app.domain.protocol.agent_commands import BacktestDone, RunBacktest
from app.domain.protocol.changes import CorrectVerdict, UndoCorrection
from app.domain.protocol.commands import (
    AddPreference,
    Decide,
    DeletePreference,
    EditPreference,
    RestorePreference,
    StartDrafting,
    Undo,
)
from app.domain.protocol.events import BacktestProgress, CommandFailed, MemoryChanged
from app.domain.record import replace
from app.store.maintenance.reporting import verdicts
from fakes.engine.engine_process import QUICK
from fakes.gmail.sending import Stage, staged

pytestmark = pytest.mark.timeout(120)

SETTINGS = QUICK.replace("undo_s = 0", "undo_s = 300").replace("paused = true", "paused = false")


@pytest.fixture(scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One engine, allowed to draft from now on; each test has correspondents of its own."""
    async with staged(tmp_path_factory.mktemp("learning") / "data", SETTINGS) as made:
        await made.engine.do(StartDrafting(made.engine.reader.accounts()[0].id, 7))
        yield made


def mail(number: int, sender: str, text: str, subject: str = "Order") -> bytes:
    """A mail to the owner."""
    return (
        f"From: {sender}\r\nTo: me@example.com\r\nSubject: {subject} {number}\r\n"
        f"Message-ID: <learn{number}@example.org>\r\n\r\n{text}\r\n"
    ).encode()


class Desk:
    """The user at the queue."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.reader = stage.engine.reader

    async def arrives(self, raw: bytes) -> Message:
        """A mail that the engine has."""
        return await self.stage.mirrored(GmailId(self.stage.sandbox.deliver(raw)["id"]))

    async def drafted(self, raw: bytes) -> Review:
        """A mail and the reply that was proposed for it."""
        message = await self.arrives(raw)
        return await self.stage.engine.until(lambda: self._reply(message))

    async def judged(self, raw: bytes) -> tuple[str, str, str]:
        """A mail's decision, maker and reason."""
        message = await self.arrives(raw)

        def look() -> tuple[str, str, str] | None:
            found = (one for one in verdicts(self.stage.data / "mail.db") if one.gmail_id == message.gmail_id and one.decision)
            return next(((one.decision, one.maker, one.reason) for one in found), None)

        return await self.stage.engine.until(look)

    async def edits(self, review: Review, old: str, new: str) -> None:
        """Fill what is open, change some words, approve."""
        draft = review.proposal.draft
        assert draft is not None
        filled = fill_slots(draft, tuple("It arrives on Friday." for _ in draft.open_slots))
        assert old in filled.body
        await self.stage.engine.do(
            Decide(review.id, review.revision, Action.EDIT, replace(filled, body=filled.body.replace(old, new)))
        )

    async def preferences(self, count: int) -> tuple[Preference, ...]:
        """The preferences, once there are so many."""
        return await self.stage.engine.until(lambda: self._counted(count))

    def _counted(self, count: int) -> tuple[Preference, ...] | None:
        found = self.reader.preferences()
        return (found or (None,)) if len(found) == count else None  # type: ignore[return-value]

    async def item(self, message: Message, kind: ReviewKind) -> Review:
        """The pending item about a message."""
        return await self.stage.engine.until(lambda: self._reply(message, kind))

    def _reply(self, message: Message, kind: ReviewKind = ReviewKind.REPLY) -> Review | None:
        reviews = (self.reader.review(ReviewId(key)) for key in self.reader.review_ids())
        mine = (one for one in reviews if one is not None and one.proposal.message_id == message.id)
        return next((one for one in mine if one.proposal.kind is kind), None)


@pytest.fixture
async def desk(stage: Stage) -> AsyncIterator[Desk]:
    """A desk with an empty memory."""
    made = Desk(stage)
    for one in made.reader.preferences():
        await stage.engine.do(DeletePreference(one.id))
    stage.engine.seen.clear()
    yield made


ASKS = "Hello,\r\n\r\ncould you tell me when you would like to have the new catalogue delivered?\r\n\r\nBest regards\r\nJana"


async def test_two_rejections_silence_a_sender(desk: Desk) -> None:
    """The third mail is ignored by the rule; deleting the rule starts over."""
    sender = "Jana Malá <jana@offers.example>"
    reviews = []
    for number in (1, 2):
        review = await desk.drafted(mail(number, sender, ASKS))
        reviews.append(review.id)
        assert desk.reader.preferences() == ()
        await desk.stage.engine.do(Decide(review.id, review.revision, Action.IGNORE))
    (rule,) = await desk.preferences(1)
    await desk.stage.engine.event(MemoryChanged)
    assert set(rule.evidence) == set(reviews)
    decision, maker, reason = await desk.judged(mail(3, sender, ASKS))
    assert (decision, maker) == ("ignore", "rule:preference")
    assert "jana@offers.example" in reason
    await desk.stage.engine.do(DeletePreference(rule.id))
    again = await desk.drafted(mail(4, sender, ASKS))
    assert again.proposal.maker.startswith("local:")
    await desk.stage.engine.do(RestorePreference(rule.id))
    assert (await desk.judged(mail(5, sender, ASKS)))[1] == "rule:preference"


async def test_the_choice_never_to_draft_works_at_once_and_is_undone(desk: Desk) -> None:
    """One rejection with that choice; undo brings the drafts back."""
    sender = "Petr Club <petr@club.example>"
    review = await desk.drafted(mail(11, sender, ASKS))
    await desk.stage.engine.do(Decide(review.id, review.revision, Action.IGNORE, reason=RejectionReason.NEVER_SENDER))
    await desk.preferences(1)
    assert (await desk.judged(mail(12, sender, ASKS)))[:2] == ("ignore", "rule:preference")
    await desk.stage.engine.do(Undo(review.id))
    assert desk.reader.preferences() == ()
    back = desk.reader.review(review.id)
    assert back.status is ReviewStatus.PENDING
    await desk.drafted(mail(13, sender, ASKS))


async def test_a_sign_off_edited_twice_is_in_the_next_draft_until_an_edit_is_undone(desk: Desk) -> None:
    """The user's closing replaces the template's, also for another correspondent."""
    question = "Hello,\r\n\r\ncould you tell me when the order arrives?\r\n\r\nThank you\r\n{}"
    first = await desk.drafted(mail(21, "Ann Berg <ann@partner.example>", question.format("Ann")))
    assert first.proposal.draft.body.endswith("Best regards,\nMia Example") or "Best regards" in first.proposal.draft.body
    await desk.edits(first, "Best regards", "Cheerio")
    (learned,) = await desk.preferences(1)
    assert (learned.namespace, learned.source_review, learned.confirmed) == (Namespace.RESPONSE, first.id, False)
    again = await desk.drafted(mail(22, "Ben Cole <ben@other.example>", question.format("Ben")))
    assert "Best regards" in again.proposal.draft.body
    await desk.edits(again, "Best regards", "Cheerio")
    await desk.stage.engine.until(lambda: desk.reader.preferences()[0].confirmed or None)
    second = await desk.drafted(mail(24, "Dan Fox <dan@fourth.example>", question.format("Dan")))
    assert "Cheerio" in second.proposal.draft.body
    assert "Best regards" not in second.proposal.draft.body
    await desk.stage.engine.do(Undo(again.id))
    assert not desk.reader.preferences()[0].confirmed
    third = await desk.drafted(mail(23, "Cleo Dunn <cleo@third.example>", question.format("Cleo")))
    assert "Best regards" in third.proposal.draft.body


async def test_the_user_has_the_last_word_in_the_memory(desk: Desk) -> None:
    """Added, edited, and refused where it makes no sense."""
    do = desk.stage.engine.do
    await do(AddPreference(Namespace.RESPONSE, "Keep it short."))
    (added,) = desk.reader.preferences()
    assert (added.text, added.typed, added.source_review) == ("Keep it short.", True, 0)
    await do(EditPreference(added.id, "Keep it very short."))
    assert [one.text for one in desk.reader.preferences()] == ["Keep it very short."]
    await do(EditPreference(added.id, "  "))
    failed = await desk.stage.engine.event(CommandFailed)
    assert (failed.command, failed.code) == ("EditPreference", "refused")
    assert [one.text for one in desk.reader.preferences()] == ["Keep it very short."]


PRIZE = (
    "Dear winner, you won 500,000 dollars in our lottery! Claim the prize today: send your bank details and the fee by "
    "Western Union. This is confidential and urgent.\r\n\r\nMr. John Barrister"
)


async def test_mail_dropped_as_spam_is_corrected_and_comes_back_and_the_sender_is_known_since(desk: Desk) -> None:
    """Without a model: the draft is there, the next mail of the sender too, and Undo drops it again."""
    do, sender = desk.stage.engine.do, "Lottery <prize@lottery.example>"
    dropped = await desk.arrives(mail(31, sender, PRIZE, "WINNER"))
    await desk.stage.engine.until(lambda: desk.reader.thread_rows([dropped.thread_id])[dropped.thread_id].decision == "ignore")
    await do(CorrectVerdict("k1", (dropped.thread_id,), OwnerVerdict.NEEDS_REPLY))
    review = await desk.item(dropped, ReviewKind.REPLY)
    assert review.proposal.maker == "rule:owner"
    (lesson,) = desk.reader.preferences()
    assert lesson.rule is not None and lesson.rule.kind is RuleKind.CORRECTION
    await desk.drafted(mail(32, sender, PRIZE, "WINNER"))
    await do(UndoCorrection("k1"))
    assert desk.reader.preferences() == ()
    assert desk.reader.thread_rows([dropped.thread_id])[dropped.thread_id].decision == "ignore"
    closed = desk.reader.review(review.id)
    assert closed is not None and closed.status is ReviewStatus.SUPERSEDED
    assert (await desk.judged(mail(33, sender, PRIZE, "WINNER")))[0] != "respond"


async def test_mail_that_is_not_spam_comes_back_as_a_notice(desk: Desk) -> None:
    dropped = await desk.arrives(mail(41, "Fair <prize@fair.example>", PRIZE, "WINNER"))
    await desk.stage.engine.until(lambda: desk.reader.thread_rows([dropped.thread_id])[dropped.thread_id].decision == "ignore")
    await desk.stage.engine.do(CorrectVerdict("k2", (dropped.thread_id,), OwnerVerdict.NOT_SPAM))
    found = await desk.stage.engine.until(
        lambda: desk._reply(dropped, ReviewKind.NOTIFY) or desk._reply(dropped, ReviewKind.REPLY)
    )
    assert found.proposal.category != "spam"
    assert desk.reader.verdict_reason(dropped.id) == ReasonCode.NOT_SPAM


async def test_triage_is_tried_on_past_mail_in_a_process_of_its_own(desk: Desk) -> None:
    await desk.arrives(mail(51, "Ann Berg <ann@partner.example>", ASKS))
    account_id = desk.reader.accounts()[0].id
    done = await desk.stage.engine.client.ask(RunBacktest(account_id, 12))
    assert isinstance(done, BacktestDone)
    assert done.rows and done.until_ms >= done.since_ms
    assert await desk.stage.engine.event(BacktestProgress)
