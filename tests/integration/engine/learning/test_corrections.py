"""The owner says what a message should have been: it comes back or goes, triage follows, and Undo restores everything.

The trial of triage on past mail in the engine: it looks only backwards, tells how far it is, and can be cancelled.
"""

from functools import partial

import pytest

from app.agent.triage.backtest import Backtest
from app.agent.triage.classifier import LocalTriage, TaughtTriage
from app.domain.agents.backtest import figures, limits_for
from app.domain.agents.memory import Namespace, RuleKind
from app.domain.agents.runs import RunStatus
from app.domain.drafting.review import ReviewKind, ReviewStatus
from app.domain.errors import NotAllowed
from app.domain.ids import ReviewId
from app.domain.mail.message import Address, Message, RemoteMessage
from app.domain.mail.triage import OWNER_MAKER, Category, Decision, OwnerVerdict, ReasonCode, Triage
from app.domain.protocol.agent_commands import BacktestDone, RunBacktest
from app.domain.protocol.changes import CorrectVerdict, UndoCorrection
from app.domain.protocol.events import BacktestProgress, MailChanged, MemoryChanged, ReviewDecided
from app.domain.record import replace
from app.engine.commands.corrections import CorrectionService
from app.engine.learning.backtest import BacktestService
from app.engine.learning.learner import Learner
from app.engine.learning.memory import StoredMemory
from app.engine.outbox.outbox_writer import OutboxWriter
from app.engine.reviews.outbox_composer import OutboxComposer
from app.engine.reviews.review_service import ReviewService
from app.engine.runs.router import MailRouter
from app.engine.runtime.workers import WakeUp
from app.store.requests.artifacts import ArtifactFolder
from fakes.engine.agent_mailbox import LetterEmbedder
from fakes.engine.engine_parts import DecisionLog, FixedSettings, Parts
from fakes.engine.store.values import ME, proposal, remote

SPAM = Triage(Decision.IGNORE, Category.SPAM, 0.9, "whole", "local:1")


class Correcting:
    """The service with its surroundings."""

    def __init__(self, parts: Parts) -> None:
        self.parts, self.calls = parts, list[bool]()
        tables = parts.tables
        steps = OutboxWriter(tables, parts.announcer, WakeUp())
        composer = OutboxComposer(tables, ArtifactFolder(tables.db.path.parent / "artifacts"))
        reviews = ReviewService(tables, parts.announcer, composer, FixedSettings.undo_s(10), steps, DecisionLog())
        router = MailRouter(tables, parts.announcer, lambda: None, WakeUp(), 1)  # type: ignore[arg-type, return-value]
        self.service = CorrectionService(tables, parts.announcer, reviews, router, (WakeUp(), WakeUp()), self)
        self.memory = StoredMemory(tables.preferences)
        self.triage = TaughtTriage(LocalTriage(), partial(self.memory.rules, Namespace.TRIAGE), self.memory.note)
        self.learner = Learner(tables, parts.announcer, self.triage, LetterEmbedder(), self.memory, lambda _message: None)

    def corrected(self, agents: bool) -> None:
        self.calls.append(agents)

    def fetched(self) -> None:
        """Mail came out of Spam."""

    async def say(self, message: Message, verdict: OwnerVerdict, key: str = "k") -> None:
        await self.service.do(CorrectVerdict(key, (message.thread_id,), verdict))

    def stored(self, message: Message) -> Triage | None:
        return self.parts.tables.messages.triage(message.id)

    def runs(self, message: Message) -> list[tuple[bool, RunStatus]]:
        return [(run.answer, run.status) for run in self.parts.tables.runs.by_message(message.id)]

    def review(self, message: Message, kind: ReviewKind) -> ReviewId:
        put_up = proposal(f"run-{message.id}", kind=kind, thread=message.thread_id, message=message.id)
        return self.parts.tables.reviews.open(put_up, "key")

    def judge(self, message: Message) -> Triage:
        vector = LetterEmbedder().embed([message.body_text])[0]
        return self.triage.judge(message, (message,), self.parts.account, vector, None)

    def lessons(self) -> list[str]:
        active = self.parts.tables.preferences.active(Namespace.TRIAGE)
        return [one.text for one in active if one.rule is not None and one.rule.kind is RuleKind.CORRECTION]


@pytest.fixture
def correcting(parts: Parts) -> Correcting:
    return Correcting(parts)


async def test_mail_wrongly_dropped_as_spam_comes_back_with_a_run_and_is_judged_as_no_spam(correcting: Correcting) -> None:
    (dropped,) = correcting.parts.mail(remote("a", text="Win a prize of 500,000 dollars in our lottery, claim it now!"))
    correcting.parts.tables.messages.set_triage(dropped.id, SPAM)
    await correcting.say(dropped, OwnerVerdict.NOT_SPAM)
    told = correcting.stored(dropped)
    assert told is not None and (told.decision, told.category, told.maker) == (Decision.NOTIFY, Category.OTHER, OWNER_MAKER)
    assert correcting.runs(dropped) == [(False, RunStatus.QUEUED)]
    assert correcting.calls == [True]
    judged = correcting.judge(dropped)
    assert judged.decision is not Decision.IGNORE and judged.category is not Category.SPAM
    assert judged.reason == ReasonCode.NOT_SPAM
    assert correcting.parts.events(MailChanged) and correcting.parts.events(MemoryChanged)


async def test_a_draft_that_was_not_needed_goes_and_comes_back(correcting: Correcting) -> None:
    (mail,) = correcting.parts.mail(remote("a"))
    draft = correcting.review(mail, ReviewKind.REPLY)
    await correcting.say(mail, OwnerVerdict.FOR_INFORMATION)
    reviews = correcting.parts.tables.reviews
    assert reviews.standing(draft)[0] is ReviewStatus.REJECTED
    assert correcting.runs(mail) == []
    assert [one.status for one in correcting.parts.events(ReviewDecided)] == [ReviewStatus.REJECTED]
    await correcting.service.do(UndoCorrection("k"))
    assert reviews.standing(draft)[0] is ReviewStatus.PENDING
    with pytest.raises(NotAllowed):
        await correcting.service.do(UndoCorrection("k"))


async def test_a_correction_is_a_lesson_that_teaches_until_it_is_removed(correcting: Correcting) -> None:
    first, second = correcting.parts.mail(remote("a", text="The list is below."), remote("b", text="Another list.", minutes=1))
    await correcting.learner.relearn()
    assert correcting.judge(second).decision is not Decision.RESPOND
    await correcting.say(first, OwnerVerdict.NEEDS_REPLY)
    await correcting.learner.relearn()
    assert correcting.judge(second).decision is Decision.RESPOND
    (lesson,) = correcting.lessons()
    assert lesson == f'The email "{first.subject}" from {first.sender.email} needed a reply.'
    assert lesson in correcting.memory.read(first.account_id, Namespace.TRIAGE)
    await correcting.say(first, OwnerVerdict.NO_ACTION, "k2")
    assert len(correcting.lessons()) == 1, "the second word about a message takes the place of the first"
    (known,) = correcting.parts.tables.preferences.active(Namespace.TRIAGE)
    correcting.parts.tables.preferences.delete(known.id)
    await correcting.learner.relearn()
    assert correcting.judge(second).decision is not Decision.RESPOND
    assert correcting.lessons() == []


DAY = 24 * 60
FRIEND, SHOP = Address("friend@home.example", "Friend"), Address("news@shop.example", "Shop")


def archive(days: int = 120) -> list[RemoteMessage]:
    """The friend's mail is answered the same day, the shop's never."""
    made: list[RemoteMessage] = []
    for day in range(days):
        asked = remote(f"f{day}", f"tf{day}", sender=FRIEND, text="Could you send it?", minutes=day * DAY, labels=("INBOX",))
        answer = remote(f"a{day}", f"tf{day}", sender=ME, to=(FRIEND,), minutes=day * DAY + 60, labels=("SENT",))
        shop = remote(f"s{day}", f"ts{day}", sender=SHOP, text="Our news.", minutes=day * DAY + 90)
        made += [asked, replace(answer, in_reply_to=asked.rfc822_id), shop]
    return made


async def test_each_message_is_judged_and_compared_with_what_was_answered(parts: Parts) -> None:
    mails = {one.id: one for one in parts.mail(*archive(), remote("spam", labels=("SPAM",), minutes=119 * DAY))}
    before = parts.tables.db.read("SELECT decision FROM messages WHERE decision <> ''")
    done = await service_of(parts).answer(RunBacktest(parts.account_id, 2))
    assert isinstance(done, BacktestDone)
    received = [one for one in mails.values() if not one.outgoing]
    since = max(one.date for one in received).timestamp() - 60 * 24 * 3600
    expected = [one.id for one in received if one.date.timestamp() >= since and "SPAM" not in one.labels]
    assert sorted(one.message_id for one in done.rows) == sorted(expected)
    told = {mails[one.message_id].gmail_id: one for one in done.rows}
    assert told["f70"].answered and told["s70"].answered is False
    assert told["s119"].answered is None, "too new to know"
    assert told["f100"].respond > told["s100"].respond
    found = figures(done.rows, limits_for(done.rows, 2))
    assert found.missed <= found.answered * 0.02
    assert done.answered >= 20 and done.strongest
    assert parts.tables.db.read("SELECT decision FROM messages WHERE decision <> ''") == before, "it writes nothing"
    progress = parts.events(BacktestProgress)
    assert progress[-1].done == progress[-1].total > 0


def service_of(parts: Parts) -> BacktestService:
    return BacktestService(parts.tables.db.path.parent, parts.tables, parts.announcer)


def scores(account_mail: list[Message], parts: Parts, until: int) -> dict[int, float]:
    """The scores of the first `until` messages' rows."""
    backtest = Backtest(parts.account, account_mail[0].date)
    for one in account_mail[:until]:
        backtest.add(one)
    return {row.message_id: row.respond for row in backtest.rows()}
