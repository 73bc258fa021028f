"""Reasons are stored as codes and read back, and put into words; a model's own sentence stays as it is.

Spam: certain spam is ignored, doubtful spam is shown.
"""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.domain.mail.triage import (
    NUMBERS,
    Category,
    Decision,
    Reason,
    ReasonClause,
    ReasonCode,
    Triage,
    decode_reason,
    encode_reason,
    reason_text,
    settle_spam,
)


@given(st.text() | st.sampled_from(["[1]", "[]", "5", '["ab"]', '{"a": 1}', "[[[], 1]]", "It asks for a price."]))
def test_other_sentences_stay_as_they_are(sentence: str) -> None:
    assume(sentence not in {*ReasonCode, *ReasonClause})
    assert decode_reason(sentence) == ()
    assert reason_text(sentence) == sentence


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ((Reason(ReasonCode.OWN_MAIL),), "You sent this email yourself."),
        ((Reason(ReasonCode.TAUGHT_QUIET, "a@b.example"),), "You usually don't answer emails from a@b.example."),
        ((Reason(ReasonCode.WORDS, "water, kiln"),), "Main signs: water, kiln"),
        ((Reason(ReasonClause.LOOKS_LIKE, "bank.example"),), "The sender looks like bank.example but isn't."),
        (
            (Reason(ReasonClause.HASTE), Reason(ReasonClause.UNPROVEN)),
            "Pressures you to act fast and nothing confirms who sent it.",
        ),
        ((Reason(ReasonClause.QUESTIONS, NUMBERS[2]),), "Asks two questions."),
        ((Reason(ReasonClause.QUESTIONS, NUMBERS[-1]),), "Asks five or more questions."),
    ],
)
def test_reasons_in_words(parts: tuple[Reason, ...], words: str) -> None:
    assert reason_text(encode_reason(*parts)) == words


@pytest.mark.parametrize(
    ("category", "confidence", "given", "settled"),
    [
        (Category.SPAM, 0.80, Decision.RESPOND, Decision.IGNORE),
        (Category.SPAM, 0.7999, Decision.IGNORE, Decision.NOTIFY),
        (Category.SPAM, 1.0, Decision.NOTIFY, Decision.NOTIFY),
        (Category.OTHER, 0.99, Decision.IGNORE, Decision.IGNORE),
        (Category.INQUIRY, 0.2, Decision.RESPOND, Decision.RESPOND),
    ],
)
def test_spam_is_settled_by_its_certainty(category: Category, confidence: float, given: Decision, settled: Decision) -> None:
    verdict = settle_spam(Triage(given, category, confidence, "seen", "test"))
    assert verdict.decision is settled
    assert (verdict.category, verdict.confidence, verdict.reason, verdict.maker) == (category, confidence, "seen", "test")
