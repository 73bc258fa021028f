"""Tasks, proposals and results as they cross a wire: each comes back as it was, and nothing else is taken for one."""

import json
from typing import Any

import msgspec
import pytest

from app.agent.agents.gmail.interface import GmailFound, GmailProposed, GmailTask, MailProposal
from app.agent.agents.gmail.state import (
    PendingSend,
    SendArguments,
    TaskContext,
    TaskDocument,
    given_of,
    proposed_of,
    searched_of,
    state_of,
)
from app.agent.llm.turns import UnusableAnswer
from app.domain.drafting.draft import Source, SourceKind
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, RunId
from app.domain.mail.files import ArtifactHandle

MAIL = MailProposal(("ann@partner.org",), "Report", "Hello.", ("bo@x.org",), (), ("h" * 64,), MessageId(7), "openai/scripted")
SOURCE = Source(SourceKind.MESSAGE, "Report", "Words", MessageId(7), frozenset({"ann@partner.org"}))


def a_task(**changes: Any) -> GmailTask:
    """A task with everything."""
    values: dict[str, Any] = {
        "thread": "0b0e8a1e-0000-4000-8000-000000000001",
        "run_id": RunId("ask-1"),
        "account_id": AccountId(1),
        "request": "Send Ann the report.",
        "messages": (("human", "Send Ann the report."), ("ai", '{"completed_capability": "research"}'), ("human", "Send it.")),
        "documents": (ArtifactHandle("h" * 64, "report.md", "h" * 64, 12),),
        "feedback": "Shorter.",
        "before": MAIL,
        **changes,
    }
    return GmailTask(**values)


def test_a_task_is_read_out_of_its_state_as_it_was_also_from_json() -> None:
    state = state_of(a_task())
    assert [(one.type, one.text) for one in state["messages"]] == list(a_task().messages)
    context = json.loads(json.dumps(state["context"]))
    assert given_of(context) == TaskContext(
        AccountId(1), RunId("ask-1"), "Send Ann the report.", (TaskDocument("h" * 64, "report.md", 12),), "Shorter.", MAIL
    )


def test_the_least_context_names_account_and_run_and_whatever_else_stands_in_it_is_left_alone() -> None:
    context = {"account_id": 1, "run_id": "ask-1", "plan": ["gmail"], "documents": [{"handle": "h", "name": "a.md"}]}
    assert given_of(context) == TaskContext(AccountId(1), RunId("ask-1"), documents=(TaskDocument("h", "a.md"),))


@pytest.mark.parametrize(
    "context",
    [
        {},
        {"account_id": 1},
        {"account_id": "1", "run_id": "ask-1"},
        {"account_id": 1, "run_id": "ask-1", "documents": ["/etc/passwd"]},
        {"account_id": 1, "run_id": "ask-1", "before": {"to": "ann@partner.org"}},
    ],
)
def test_any_other_context_is_refused(context: dict[str, Any]) -> None:
    with pytest.raises(NotAllowed):
        given_of(context)


def test_a_proposal_is_read_out_of_its_interrupt() -> None:
    args = SendArguments(MAIL.to, MAIL.subject, MAIL.body, MAIL.attachments, MAIL.cc, MAIL.bcc, MAIL.reply_to)
    value = msgspec.to_builtins(PendingSend("gmail_send", args, "hash", MAIL.model, (SOURCE,)))
    assert proposed_of(json.loads(json.dumps(value))) == GmailProposed(MAIL, (SOURCE,))


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


def test_a_search_is_read_out_of_the_results_and_nothing_else_is() -> None:
    found = GmailFound({"action": "search", "result": "found", "subject": "Report"}, "Ann wrote it [7].", (SOURCE,))
    assert searched_of(json.loads(json.dumps({"results": msgspec.to_builtins(found)}))) == found
    assert searched_of({}) is None
    with pytest.raises(UnusableAnswer):
        searched_of({"results": "found"})
