"""What comes over a wire is refused where it is no context and no proposal."""

from typing import Any

import pytest

from app.agent.agents.gmail.state import (
    TaskContext,
    TaskDocument,
    given_of,
    proposed_of,
)
from app.agent.llm.turns import UnusableAnswer
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, RunId


def test_the_least_context_names_account_and_run_and_whatever_else_stands_in_it_is_left_alone() -> None:
    context = {"account_id": 1, "run_id": "ask-1", "plan": ["gmail"], "documents": [{"handle": "h", "name": "a.md"}]}
    assert given_of(context) == TaskContext(AccountId(1), RunId("ask-1"), documents=(TaskDocument("h", "a.md"),))


@pytest.mark.parametrize(
    "context",
    [
        {"account_id": "1", "run_id": "ask-1"},
        {"account_id": 1, "run_id": "ask-1", "documents": ["/etc/passwd"]},
        {"account_id": 1, "run_id": "ask-1", "before": {"to": "ann@partner.org"}},
    ],
)
def test_a_context_of_another_form_is_an_error(context: dict[str, Any]) -> None:
    with pytest.raises(NotAllowed):
        given_of(context)


@pytest.mark.parametrize(
    "value",
    [
        None,
        "sent",
        {"action": "gmail_send"},
        {"action": "delete", "args": {"to": [], "subject": "", "body": ""}, "plan_hash": "h"},
    ],
)
def test_what_is_no_proposal_is_not_taken_for_one(value: object) -> None:
    with pytest.raises(UnusableAnswer):
        proposed_of(value)
