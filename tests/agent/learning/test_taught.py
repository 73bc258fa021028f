"""Triage that follows the user: rules above the classifier, and a refit on corrections."""

from datetime import UTC, datetime

from app.agent.embedding import MiniLm
from app.agent.learning.taught import TaughtTriage
from app.agent.local.classifier import Correction, LocalTriage, text_of
from app.domain.ids import ReviewId
from app.domain.memory import MAKER, Preference, Rule, RuleKind, lesson_of
from app.domain.triage import Category, Decision
from fakes.letters import ACCOUNT, message


def test_rules_and_corrections_change_the_verdict() -> None:
    embedder = MiniLm.open()
    rules: list[Preference] = []
    used: list[int] = []
    triage = TaughtTriage(LocalTriage.train(embedder), lambda: rules, used.extend)
    mail = message(
        subject="Weekly figures", body_text="Hello,\n\nhere are the figures of the week. Could you have a look?\n\nBob"
    )
    (vector,) = embedder.embed([text_of(mail)])
    before = triage.judge(mail, (mail,), ACCOUNT, vector, None)
    assert (before.decision, triage.rule(mail, ACCOUNT)) == (Decision.RESPOND, None)

    triage.learn((Correction(mail, (mail,), ACCOUNT, None, tuple(vector), Decision.NOTIFY, Category.OTHER),))
    corrected = triage.judge(mail, (mail,), ACCOUNT, vector, None)
    assert (corrected.decision, corrected.maker) == (Decision.NOTIFY, f"local:{triage.examples}")

    rule = Rule(RuleKind.SENDER, "sender:bob@example.org", "ignore")
    lesson = lesson_of(rule)
    rules.append(Preference(9, lesson.namespace, lesson.text, ReviewId(1), datetime(2026, 11, 1, tzinfo=UTC), 0, rule))
    ruled = triage.judge(mail, (mail,), ACCOUNT, vector, None)
    settled = triage.rule(mail, ACCOUNT)
    assert settled is not None
    assert (ruled.decision, ruled.maker, settled.maker, used) == (Decision.IGNORE, MAKER, MAKER, [9])
