"""Drafts and replies by code: scores and warnings."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from app.agent.retrieval import MiniLm
from app.config.paths import resource
from app.domain.drafting.draft import Draft, Span, SpanKind
from app.evals.drafting import DraftCase, draft_sample, report, shown
from app.evals.mail_files import read_sample
from app.evals.replies import DraftResult, Rates, WaitingResult, rates, read_drafts, read_sent


@pytest.fixture(scope="module")
def drafted() -> list[DraftCase]:
    """The sample's mails that want an answer, drafted."""
    expected = YAML(typ="safe", pure=True).load(resource("sample", "expected.yaml"))
    return draft_sample(read_sample(resource("sample"), datetime(2026, 3, 10, 12, tzinfo=UTC)), expected, MiniLm.open())


def test_most_answered_questions_get_the_right_reply_complete(drafted: list[DraftCase]) -> None:
    wanted = [one for one in drafted if one.wanted]
    assert len(wanted) >= 12
    assert sum(one.right and one.draft.complete for one in wanted) >= 12


def test_no_reply_is_taken_where_it_would_be_wrong(drafted: list[DraftCase]) -> None:
    assert not [(one.file, one.used) for one in drafted if one.used and not one.right]


def test_the_report_names_what_went_wrong() -> None:
    draft = Draft(
        (), (), (), "", "AB", "template", spans=(Span(0, 1, SpanKind.FROM_SOURCE), Span(2, 2, SpanKind.OPEN_SLOT, "Say"))
    )
    text = report([DraftCase("a", "x", draft, ""), DraftCase("b", "", draft, "")])
    assert "a: used none, wanted x" in text
    assert shown(draft) == "(template)\n«A»B[Say]"


LABELLED = Path(__file__).parents[2] / "data" / "judgement"


@pytest.fixture(scope="module")
def drafts() -> list[DraftResult]:
    return read_drafts(LABELLED, "tuning", MiniLm.open())


@pytest.fixture(scope="module")
def sent() -> list[WaitingResult]:
    return read_sent(LABELLED, "tuning")


def test_what_is_offered_as_complete_may_leave_as_it_stands(drafts: list[DraftResult]) -> None:
    assert [one.name for one in drafts if one.offered and not one.right] == []
    assert sum(one.offered for one in drafts) >= 2


def test_nothing_of_an_earlier_answer_is_told_where_it_would_be_wrong(drafts: list[DraftResult]) -> None:
    assert [(one.name, one.told_wrong) for one in drafts if one.told_wrong] == []


def test_answers_to_the_sender_carry_no_warning(drafts: list[DraftResult]) -> None:
    assert [(one.name, one.flags) for one in drafts if one.flags] == []


def test_waiting_knows_what_was_asked(sent: list[WaitingResult]) -> None:
    found = rates((), sent)
    assert found.shares["waiting_precision"] >= 0.9
    assert found.shares["waiting_recall"] >= 0.9


def test_promises_are_found_with_their_day(sent: list[WaitingResult]) -> None:
    promised = [one for one in sent if one.promise]
    found = [one for one in promised if one.promised]
    assert len(found) >= 0.8 * len(promised)
    assert sum(one.due == one.found_due for one in found) >= 0.8 * len(found)


def test_a_share_of_nothing_is_no_fault() -> None:
    found = Rates()
    found.put("waiting_precision", 0, 0)
    found.put("flagged_share", 0, 0)
    assert found.shares == {"waiting_precision": 1.0, "flagged_share": 0.0}
