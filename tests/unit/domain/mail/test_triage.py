"""What was seen is put into a sentence and read back, part by part; other sentences are nothing.

Spam: certain spam is ignored, doubtful spam is shown.

A ground that was put into a sentence is read back; other sentences are none.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.mail.triage import (
    NUMBERS,
    Category,
    ClassifierReason,
    Decision,
    Ground,
    Reason,
    ReasonClause,
    ReasonCode,
    Triage,
    ground_sentence,
    read_ground,
    read_reason,
    reason_sentence,
    settle_spam,
    told_words,
)

ABOUT = st.sampled_from(["bank.example", "t-mobile", "bank of america", "two", "ann@partner.example"])
PARTS = st.lists(st.sampled_from(ReasonClause), min_size=1, max_size=3, unique=True)


def told(kind: ReasonCode | ReasonClause, about: str) -> Reason:
    return Reason(kind, about if "%1" in kind.value else "")


@given(PARTS, ABOUT)
def test_clauses_are_read_back(parts: list[ReasonClause], about: str) -> None:
    clauses = tuple(told(one, about) for one in parts)
    assert read_reason(reason_sentence(clauses)) == clauses


@pytest.mark.parametrize("kind", ReasonCode)
def test_a_rules_sentence_is_read_back(kind: ReasonCode) -> None:
    one = told(kind, "ann@partner.example")
    assert read_reason(told_words(one)) == (one,)


@pytest.mark.parametrize(
    "sentence",
    ["", ".", "It asks.", "Asks nothing of you", "Asks nothing of you and smiles.", "Asks  questions.", "You sent this mail."],
)
def test_other_sentences_are_nothing(sentence: str) -> None:
    assert read_reason(sentence) == ()


def test_nothing_seen_is_no_sentence() -> None:
    assert reason_sentence(()) == ""
    assert len(set(NUMBERS)) == len(NUMBERS)


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


@pytest.mark.parametrize(
    "because",
    [
        ClassifierReason(Ground.WORDS, ("odstávka",)),
        ClassifierReason(Ground.WORDS, ("partner", "user", "it’s")),
        ClassifierReason(Ground.JUDGED, ("ann@partner.example",)),
        ClassifierReason(Ground.WHOLE),
    ],
)
def test_a_ground_is_read_back(because: ClassifierReason) -> None:
    assert read_ground(ground_sentence(because)) == because


@pytest.mark.parametrize(
    "sentence", ["", "Asks nothing of you.", "Words such as “a” speak for it. And more.", "Most like a mail"]
)
def test_other_sentences_are_none(sentence: str) -> None:
    assert read_ground(sentence) is None
