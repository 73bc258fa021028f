"""The audit: one row a call, whose end stands, and an export that anybody can read."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from app.domain.agents.runs import AgentRun, AgentStatus, CallAudit, CallOutcome, LoggedCall, ModelCall
from app.domain.drafting.review import FlagKind
from app.domain.ids import MessageId, RunId
from app.domain.policy.policy import Effect, PolicyReason, Verdict
from app.store.db.database import Database
from app.store.runs.audit import AuditTable, export_lines
from app.store.runs.runs import Runs
from fakes.engine.store.rows import audited_calls
from fakes.engine.store.values import HandClock

AT = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
WAITING = CallAudit(
    RunId("r"),
    "c1",
    "send_reply",
    Effect.SEND,
    "ab",
    Verdict.ASK,
    PolicyReason.SEND_ASKS,
    (FlagKind.BCC,),
    CallOutcome.WAITING,
    AT,
)
RAN = replace(WAITING, outcome=CallOutcome.RAN, approved_by="user", approved_at=AT, at=AT + timedelta(hours=1))


def test_a_call_that_waited_gets_its_end_and_an_end_stands(db: Database, clock: HandClock) -> None:
    table = AuditTable(db, clock)
    table.note(WAITING)
    assert audited_calls(table, RunId("r")) == (WAITING,)
    table.note(RAN)
    table.note(WAITING)
    table.note(replace(RAN, outcome=CallOutcome.DENIED))
    assert audited_calls(table, RunId("r")) == (RAN,)


def test_sends_of_an_hour_are_those_that_ran(db: Database, clock: HandClock) -> None:
    table = AuditTable(db, clock)
    table.note(RAN)
    table.note(replace(WAITING, call_id="c2"))
    table.note(replace(RAN, call_id="c3", effect=Effect.READ))
    table.note(replace(RAN, call_id="c4", tool="nonsense", effect=None))
    assert table.sends_since(AT) == 1
    assert table.sends_since(RAN.at) == 0


def test_the_export_has_a_line_for_every_row(db: Database, clock: HandClock) -> None:
    runs, table = Runs(db, clock), AuditTable(db, clock)
    made = (LoggedCall("search_drugs", {"query": "ibuprofen"}, {"drugs": []}, 1),)
    table.finish(AgentRun(RunId("r"), "pharmacy", AgentStatus.COMPLETED, made, "Hotovo", 2), MessageId(7))
    runs.model_call(ModelCall(RunId("r"), "agent", "m", 1, 2, 0.0, 3.0, "h", 4, "", clock.now))
    table.note(replace(RAN, at=clock.now))
    lines = [json.loads(one) for one in export_lines(db, clock.now)]
    assert [one["record"] for one in lines] == ["agent_run", "llm_call", "tool_audit", "email_event"]
    assert lines[0]["tool_calls_log"][0]["tool"] == "search_drugs"
    assert lines[2]["approved_by"] == "user"
    assert lines[2]["at"] == clock.now.isoformat()
    assert lines[3]["detail"]["profile"] == "pharmacy"
    assert list(export_lines(db, clock.now + timedelta(seconds=1))) == []
