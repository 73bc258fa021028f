"""Own replies are offered where they are right and nowhere else, measured on the sample mailbox."""

from datetime import UTC, datetime

import pytest
from ruamel.yaml import YAML

from app.agent.retrieval import MiniLm
from app.config.paths import resource
from app.domain.drafting.draft import Draft, Span, SpanKind
from app.evals.drafting import DraftCase, draft_sample, report, shown
from app.evals.mail_files import read_sample


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
