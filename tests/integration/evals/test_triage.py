"""The local default reaches its goals on the sample mailbox."""

from datetime import UTC, datetime

import pytest

from app.domain.mail.triage import UNSURE_BELOW, Category, Decision
from app.domain.record import replace
from app.evals.judgement import JudgedLabelled, judge_labelled, report, table, wrong
from app.evals.judgement_mail import read_sample_labels


@pytest.fixture(scope="module")
def judged() -> list[JudgedLabelled]:
    """The sample, judged."""
    return judge_labelled(read_sample_labels(datetime(2026, 3, 10, 12, tzinfo=UTC)))


def share(hits: list[bool]) -> float:
    return sum(hits) / len(hits)


def test_decisions_and_categories_reach_their_goals(judged: list[JudgedLabelled]) -> None:
    assert share([one.right for one in judged]) >= 0.84
    assert share([one.given.category == one.mail.category for one in judged]) >= 0.75


def test_spam_is_never_answered_and_confidence_means_something(judged: list[JudgedLabelled]) -> None:
    answered = [one for one in judged if one.mail.spam and one.given.decision is Decision.RESPOND]
    assert not [one.mail.name for one in answered if one.given.confidence >= UNSURE_BELOW]
    sure = [one.right for one in judged if one.given.confidence >= 0.8]
    assert share(sure) >= 0.9
    assert len(sure) > len(judged) / 2


def test_the_report_counts(judged: list[JudgedLabelled]) -> None:
    right = next(one for one in judged if one.right and one.given.category == one.mail.category)
    given = replace(right.given, decision=Decision.NOTIFY, category=Category.SPAM)
    off = replace(right, mail=replace(right.mail, name="b", decision="ignore"), given=given)
    lines = report([right, off]).splitlines()
    assert lines[0] == "2 mails"
    assert "decision_accuracy           0.500 (1/2, 0.095 to 0.905)" in lines
    assert any(line.startswith("categories: 0.500 (1/2") for line in lines)
    assert wrong([right, off]).startswith("b ")
    assert table([("x", "y")], ["x", "y"]).splitlines()[1].split() == ["x", "0", "1"]
