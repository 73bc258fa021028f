"""Verdicts and drafts by code reach their goals on the sample mailbox and on the labelled set."""

import json
from pathlib import Path

import msgspec
import pytest

from app.agent.retrieval import MiniLm
from app.domain.language.sent_mail import promises_in
from app.domain.mail.message import SystemLabel
from app.domain.mail.triage import UNSURE_BELOW, Decision
from app.evals.judgement import JudgedLabelled, judge_labelled, report
from app.evals.judgement_mail import LabelledMail, LabelledText, labelled_message
from app.evals.replies import DraftResult, rates, read_drafts, read_sent
from integration.evals.conftest import DraftCase


@pytest.fixture(scope="module")
def judged(labelled: list[LabelledMail]) -> list[JudgedLabelled]:
    return judge_labelled(labelled)


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


def test_most_answered_questions_get_the_right_reply_complete(drafted: list[DraftCase]) -> None:
    wanted = [one for one in drafted if one.wanted]
    assert len(wanted) >= 12
    assert sum(one.used == one.wanted and one.draft.complete for one in wanted) >= 12
    assert not [(one.file, one.used) for one in drafted if one.used not in ("", one.wanted)]


LABELLED = Path(__file__).parents[2] / "data" / "judgement"


@pytest.fixture(scope="module")
def drafts() -> list[DraftResult]:
    return read_drafts(LABELLED, "tuning", MiniLm.open())


def test_what_is_offered_as_complete_may_leave_as_it_stands(drafts: list[DraftResult]) -> None:
    assert [one.name for one in drafts if one.draft.complete and not one.right] == []
    assert sum(one.draft.complete for one in drafts) >= 2
    assert [(one.name, one.told_wrong, one.flags) for one in drafts if one.told_wrong or one.flags] == []


def test_waiting_knows_what_was_asked() -> None:
    found = rates((), read_sent(LABELLED, "tuning"))
    assert found["waiting_precision"] >= 0.9
    assert found["waiting_recall"] >= 0.9


def test_promises_are_found_with_their_day() -> None:
    rows = [json.loads(line) for line in (LABELLED / "sent-tuning.jsonl").read_text(encoding="utf-8").splitlines()]
    promised = [row for row in rows if row["gold"]["promise"]]
    found = []
    for row in promised:
        mail = labelled_message(msgspec.convert(row["mail"], LabelledText), 1, SystemLabel.SENT)
        if told := promises_in(mail.body_text, mail.date):
            found.append((told[0].due.isoformat() if told[0].due else None) == row["gold"]["promise"]["due"])
    assert len(found) >= 0.8 * len(promised)
    assert share(found) >= 0.8
