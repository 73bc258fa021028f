"""Tool calls of a run: in order, once each, and apart from its steps."""

import pytest

from app.domain.agents.runs import Route, Run, RunRecord, RunStatus, StepLog, ToolExecution
from app.domain.errors import NotFound
from app.domain.ids import AccountId, MessageId, RunId, ThreadId
from app.store.db.database import Database
from app.store.runs.runs import Runs
from fakes.engine.store.rows import start_run
from fakes.engine.store.values import NOON, HandClock

ONE, TWO = RunId("mail-1-0"), RunId("mail-1-1")


def call(run_id: RunId, call_id: str, result: str = '"found"') -> ToolExecution:
    """A tool call."""
    return ToolExecution(run_id, call_id, "search", '{"q": 1}', result, "", 2.0, NOON)


def test_calls_and_steps_keep_apart(db: Database, clock: HandClock) -> None:
    """Each run has its own calls in order; the log knows nothing of them; the first word on a call stands."""
    runs = Runs(db, clock)
    for name in (ONE, TWO):
        identity = (name, AccountId(1), MessageId(1), ThreadId(1))
        start_run(runs, Run(*identity, Route.PIPELINE, "", "", RunStatus.QUEUED, 1, NOON))
        step = StepLog(name, "n", 1, "{}", "{}", 1.0, "", NOON)
        runs.keep(RunRecord(name, (step,), (call(name, "z"), call(name, "a"), call(name, "z", "again"))))
    runs.tool(call(ONE, "m"))
    rows = db.read("SELECT run_id, call_id, result FROM tool_calls ORDER BY run_id, seq")
    assert [row[1] for row in rows if row[0] == ONE] == ["z", "a", "m"]
    assert [row[1] for row in rows if row[0] == TWO] == ["z", "a"]
    assert {row[2] for row in rows} == {'"found"'}
    assert runs.tool_result(TWO, "a") == call(TWO, "a")
    assert runs.tool_result(TWO, "m") is None
    assert [one.step_name for one in runs.steps(ONE)] == ["n"]
    assert [row[0] for row in db.read("SELECT step_name FROM run_steps")] == ["n", "n"]


def test_a_call_belongs_to_a_run(db: Database, clock: HandClock) -> None:
    with pytest.raises(NotFound):
        Runs(db, clock).tool(call(ONE, "z"))
