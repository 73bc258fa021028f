"""The local default reaches its goals on the sample mailbox."""

from datetime import UTC, datetime

import pytest
from ruamel.yaml import YAML

from app.agent.retrieval import MiniLm
from app.agent.triage.classifier import LocalTriage
from app.config.paths import resource
from app.domain.mail.triage import UNSURE_BELOW, Category, Decision, Triage
from app.evals.mail_files import read_sample
from app.evals.triage import JudgedMail, judge_sample, report, share, table, wrong
from fakes.gmail.messages import mail


@pytest.fixture(scope="module")
def judged() -> list[JudgedMail]:
    """The sample, judged."""
    embedder = MiniLm.open()
    expected = YAML(typ="safe", pure=True).load(resource("sample", "expected.yaml"))
    box = read_sample(resource("sample"), datetime(2026, 3, 10, 12, tzinfo=UTC))
    return judge_sample(box, expected, LocalTriage(), embedder)


def test_decisions_and_categories_reach_their_goals(judged: list[JudgedMail]) -> None:
    assert share([one.given.decision == one.decision for one in judged]) >= 0.84
    assert share([one.given.category == one.category for one in judged]) >= 0.75


def test_spam_is_never_answered_and_confidence_means_something(judged: list[JudgedMail]) -> None:
    answered = [one for one in judged if one.category == "spam" and one.given.decision is Decision.RESPOND]
    assert not [one.file for one in answered if one.given.confidence >= UNSURE_BELOW]
    sure = [one.given.decision == one.decision for one in judged if one.given.confidence >= 0.8]
    assert share(sure) >= 0.9
    assert len(sure) > len(judged) / 2


def test_the_report_counts() -> None:
    right = JudgedMail("a", mail(), "respond", "inquiry", Triage(Decision.RESPOND, Category.INQUIRY, 0.9, "", "local:1"))
    off = JudgedMail("b", mail(), "ignore", "spam", Triage(Decision.NOTIFY, Category.SPAM, 0.5, "Seen.", "local:1"))
    assert "2 mails, decision 50.0%, category 100.0%" in report([right, off])
    assert wrong([right, off]).startswith("b ")
    assert table([("x", "y")], ["x", "y"]).splitlines()[1].split() == ["x", ".", "1"]
    assert share([]) == 0.0
