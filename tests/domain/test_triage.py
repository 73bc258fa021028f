"""Spam: certain spam is ignored, doubtful spam is shown."""

import pytest

from app.domain.triage import Category, Decision, Triage, settle_spam


@pytest.mark.parametrize(
    ("category", "confidence", "given", "settled"),
    [
        (Category.SPAM, 0.80, Decision.RESPOND, Decision.IGNORE),
        (Category.SPAM, 0.7999, Decision.IGNORE, Decision.NOTIFY),
        (Category.SPAM, 1.0, Decision.NOTIFY, Decision.IGNORE),
        (Category.OTHER, 0.99, Decision.IGNORE, Decision.IGNORE),
        (Category.INQUIRY, 0.2, Decision.RESPOND, Decision.RESPOND),
    ],
)
def test_spam_is_settled_by_its_certainty(category: Category, confidence: float, given: Decision, settled: Decision) -> None:
    verdict = settle_spam(Triage(given, category, confidence, "seen", "test"))
    assert verdict.decision is settled
    assert (verdict.category, verdict.confidence, verdict.reason, verdict.maker) == (category, confidence, "seen", "test")
