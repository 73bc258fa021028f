"""Triage as a whole: obvious mail, corrections, and what it must never say.

Triage that follows the user: rules above the classifier, and a refit on corrections.
"""

from datetime import UTC, datetime

import numpy as np
import pytest

from app.agent.retrieval import MiniLm
from app.agent.triage.classifier import Correction, LocalTriage, TaughtTriage, text_of
from app.agent.triage.evidence import gather
from app.agent.triage.explanation import explanation
from app.agent.triage.linear_model import fit
from app.domain.agents.memory import MAKER, Preference, PreferenceRule, RuleKind, lesson_of
from app.domain.ids import ReviewId
from app.domain.mail.message import Address, Message
from app.domain.mail.triage import Category, Decision, Triage, reason_text
from app.domain.ports.agents import Contact
from fakes.engine.store.accounts import ACCOUNT, message
from fakes.gmail.messages import OWNER, card, mail


def judged(triage: LocalTriage, embedder: MiniLm, message: Message, contact: Contact | None = None) -> Triage:
    """The verdict on a mail that stands alone."""
    return triage.judge(message, (message,), OWNER, embedder.embed([text_of(message)])[0], contact)


@pytest.mark.parametrize(
    ("message", "contact", "decision", "category"),
    [
        (
            mail("Hello, do you glaze tiles to order, and what would twenty of them cost?", subject="Tiles"),
            None,
            "respond",
            "inquiry",
        ),
        (mail("Dobrý den, děláte i velké květináče a kolik stojí? Děkuji", subject="Dotaz"), None, "respond", "inquiry"),
        (
            mail("Could we meet on Thursday at three to talk about the fair?", subject="Meeting"),
            card(),
            "respond",
            "meeting_request",
        ),
        (
            mail("The vase came broken and nobody answers. I want my money back.", subject="Broken vase"),
            None,
            "respond",
            "complaint",
        ),
        (
            mail("Just checking whether you received my list last week. Any news?", subject="Re: List"),
            card(),
            "respond",
            "follow_up",
        ),
        (
            mail("You won 500,000 dollars in our lottery! Send your bank details to claim the prize today.", subject="WINNER"),
            None,
            "ignore",
            "spam",
        ),
        (
            mail(
                "Your order has shipped. Thank you for your purchase.",
                subject="Order 5521 shipped",
                sender=Address("noreply@shop.example", "Shop"),
            ),
            None,
            "ignore",
            "other",
        ),
    ],
)
def test_plain_cases(
    triage: LocalTriage, embedder: MiniLm, message: Message, contact: Contact | None, decision: str, category: str
) -> None:
    verdict = judged(triage, embedder, message, contact)
    assert (verdict.decision, verdict.category) == (decision, category)
    assert 0.0 < verdict.confidence <= 1.0
    assert verdict.maker == triage.maker == f"local:{triage.examples}"
    assert reason_text(verdict.reason).endswith(".")


@pytest.mark.parametrize("sender", ["noreply@shop.example", "do-not-reply@bank.example"])
def test_a_machine_is_never_answered(triage: LocalTriage, embedder: MiniLm, sender: str) -> None:
    asking = mail("Would you rate your purchase? How did you like it? Can you tell us more?", sender=Address(sender))
    assert judged(triage, embedder, asking).decision is not Decision.RESPOND


def test_a_question_on_a_discussion_list_is_not_for_the_owner(triage: LocalTriage, embedder: MiniLm) -> None:
    listed = mail(
        "Does anybody know a good kiln?", to=("potters@lists.example",), headers=(("List-Id", "<potters.lists.example>"),)
    )
    verdict = judged(triage, embedder, listed)
    assert verdict.decision == "ignore"


def test_the_rule_alone_settles_headers_only(triage: LocalTriage) -> None:
    settled = triage.rule(mail("Away", headers=(("Auto-Submitted", "auto-replied"),)), OWNER)
    assert settled.maker == "rule:auto-submitted"
    assert triage.rule(mail("When do you open?"), OWNER) is None


def corrected(embedder: MiniLm, message: Message, decision: Decision, category: Category) -> Correction:
    """A user's word on a mail that stands alone."""
    return Correction(message, (message,), OWNER, None, tuple(embedder.embed([text_of(message)])[0]), decision, category)


def test_it_learns_from_corrections_and_forgets_them(triage: LocalTriage, embedder: MiniLm) -> None:
    report = mail("Kiln report: cone six reached at 04:10, cooling normal.", subject="Kiln", sender=Address("kiln@home.example"))
    again = mail("Kiln report: cone six reached at 05:25, cooling normal.", subject="Kiln", sender=Address("kiln@home.example"))
    wanted = Decision.IGNORE if judged(triage, embedder, again).decision is not Decision.IGNORE else Decision.NOTIFY
    taught = triage.learn([corrected(embedder, report, wanted, Category.OTHER)])
    assert judged(taught, embedder, again).decision is wanted
    assert taught.examples == triage.examples + 1
    assert judged(taught.learn([]), embedder, again) == judged(triage, embedder, again)


def test_a_correction_outranks_a_rule_for_the_same_list(triage: LocalTriage, embedder: MiniLm) -> None:
    headers = (("List-Id", "<council.lists.example>"),)
    first = mail("The road is closed on Monday", to=("council@lists.example",), headers=headers)
    second = mail(
        "Water will be off on Friday", number=2, to=("council@lists.example",), headers=headers, sender=Address("b@c.example")
    )
    taught = triage.learn([corrected(embedder, first, Decision.NOTIFY, Category.OTHER)])
    assert judged(triage, embedder, second).decision is Decision.IGNORE
    assert judged(taught, embedder, second).decision is Decision.NOTIFY


def test_quoted_history_is_not_judged(triage: LocalTriage, embedder: MiniLm) -> None:
    quoted = mail("Thanks, that is all I wanted to know.\n\n> When do you open?\n> Can we meet?", subject="Re: Hours")
    plain = mail("Thanks, that is all I wanted to know.", subject="Re: Hours")
    assert judged(triage, embedder, quoted, card()) == judged(triage, embedder, plain, card())


def test_rules_and_corrections_change_the_verdict() -> None:
    embedder = MiniLm.open()
    rules: list[Preference] = []
    used: list[int] = []
    triage = TaughtTriage(LocalTriage(), lambda: rules, used.extend)
    mail = message(
        subject="Weekly figures", body_text="Hello,\n\nhere are the figures of the week. Could you have a look?\n\nBob"
    )
    (vector,) = embedder.embed([text_of(mail)])
    before = triage.judge(mail, (mail,), ACCOUNT, vector, None)
    assert (before.decision, triage.rule(mail, ACCOUNT)) == (Decision.RESPOND, None)

    triage.learn((Correction(mail, (mail,), ACCOUNT, None, tuple(vector), Decision.NOTIFY, Category.OTHER),))
    corrected = triage.judge(mail, (mail,), ACCOUNT, vector, None)
    assert (corrected.decision, corrected.maker) == (Decision.NOTIFY, f"local:{triage.examples}")

    rule = PreferenceRule(RuleKind.SENDER, "sender:bob@example.org", "ignore")
    lesson = lesson_of(rule)
    rules.append(Preference(9, lesson.namespace, lesson.text, ReviewId(1), datetime(2026, 11, 1, tzinfo=UTC), 0, rule))
    ruled = triage.judge(mail, (mail,), ACCOUNT, vector, None)
    settled = triage.rule(mail, ACCOUNT)
    assert (ruled.decision, ruled.maker, settled.maker, used) == (Decision.IGNORE, MAKER, MAKER, [9])


@pytest.mark.parametrize(
    ("body", "contact", "decision", "category", "wanted"),
    [
        (
            "Is it blue? Is it big?",
            card(),
            "respond",
            "inquiry",
            "Asks two questions and you have written to this address before.",
        ),
        ("Is it blue?", None, "respond", "inquiry", "Asks one question and it was sent only to you."),
        ("Can we meet on Friday?", None, "respond", "meeting_request", "Asks for a time to meet and asks one question."),
        ("The jug is broken.", None, "respond", "complaint", "Reports that something went wrong and it was sent only to you."),
        (
            "The parcel comes on Friday.",
            None,
            "notify",
            "other",
            "Mentions a date or an amount you may want to know and doesn't ask you for anything.",
        ),
        ("Good.", None, "ignore", "other", "Doesn't ask you for anything."),
    ],
)
def test_sentence(body: str, contact: Contact | None, decision: str, category: str, wanted: str) -> None:
    seen = gather(mail(body), (), OWNER, contact, body)
    assert reason_text(explanation(Decision(decision), Category(category), seen, ())) == wanted


RANDOM = np.random.default_rng(7)
ROWS = RANDOM.normal(size=(200, 6))
WANTED = (ROWS[:, 0] > 0).astype(np.float64)
EVEN = np.ones(200)


def test_it_learns() -> None:
    weights, bias = fit(ROWS, WANTED, EVEN, 1.0)
    assert ((ROWS @ weights + bias > 0) == (WANTED > 0)).mean() > 0.95
    assert int(np.abs(weights).argmax()) == 0
