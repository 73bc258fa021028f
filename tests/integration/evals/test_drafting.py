"""Verdicts and drafts by code reach their goals on the sample mailbox and on the labelled set."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from app.agent.retrieval import MiniLm
from app.config.paths import resource
from app.domain.mail.triage import UNSURE_BELOW, Decision
from app.evals.drafting import DraftCase, draft_sample
from app.evals.judgement import JudgedLabelled, judge_labelled, report
from app.evals.judgement_mail import read_sample_labels
from app.evals.mail_files import read_sample
from app.evals.replies import DraftResult, WaitingResult, rates, read_drafts, read_sent

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def judged() -> list[JudgedLabelled]:
    return judge_labelled(read_sample_labels(NOW))


def share(hits: list[bool]) -> float:
    return sum(hits) / len(hits)


def test_decisions_and_categories_reach_their_goals(judged: list[JudgedLabelled]) -> None:
    assert share([one.right for one in judged]) >= 0.84
    assert share([one.given.category == one.mail.category for one in judged]) >= 0.75
    assert report(judged).splitlines()[0] == f"{len(judged)} mails"


def test_spam_is_never_answered_and_confidence_means_something(judged: list[JudgedLabelled]) -> None:
    answered = [one for one in judged if one.mail.spam and one.given.decision is Decision.RESPOND]
    assert not [one.mail.name for one in answered if one.given.confidence >= UNSURE_BELOW]
    sure = [one.right for one in judged if one.given.confidence >= 0.8]
    assert share(sure) >= 0.9
    assert len(sure) > len(judged) / 2


@pytest.fixture(scope="module")
def drafted() -> list[DraftCase]:
    """The sample's mails that want an answer, drafted."""
    expected = YAML(typ="safe", pure=True).load(resource("sample", "expected.yaml"))
    return draft_sample(read_sample(resource("sample"), NOW), expected, MiniLm.open())


def test_most_answered_questions_get_the_right_reply_complete(drafted: list[DraftCase]) -> None:
    wanted = [one for one in drafted if one.wanted]
    assert len(wanted) >= 12
    assert sum(one.right and one.draft.complete for one in wanted) >= 12
    assert not [(one.file, one.used) for one in drafted if one.used and not one.right]


LABELLED = Path(__file__).parents[2] / "data" / "judgement"


@pytest.fixture(scope="module")
def drafts() -> list[DraftResult]:
    return read_drafts(LABELLED, "tuning", MiniLm.open())


@pytest.fixture(scope="module")
def sent() -> list[WaitingResult]:
    return read_sent(LABELLED, "tuning")


def test_what_is_offered_as_complete_may_leave_as_it_stands(drafts: list[DraftResult]) -> None:
    assert [one.name for one in drafts if one.draft.complete and not one.right] == []
    assert sum(one.draft.complete for one in drafts) >= 2
    assert [(one.name, one.told_wrong, one.flags) for one in drafts if one.told_wrong or one.flags] == []


def test_waiting_knows_what_was_asked_and_promised(sent: list[WaitingResult]) -> None:
    found = rates((), sent)
    assert found["waiting_precision"] >= 0.9
    assert found["waiting_recall"] >= 0.9
    promised = [one for one in sent if one.promise]
    told = [one for one in promised if one.promised]
    assert len(told) >= 0.8 * len(promised)
    assert sum(one.due == one.found_due for one in told) >= 0.8 * len(told)
