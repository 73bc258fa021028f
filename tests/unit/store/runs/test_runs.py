"""Runs and their trace."""

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.agents.runs import (
    CallAudit,
    CallOutcome,
    Route,
    Run,
    RunStatus,
    StepLog,
)
from app.domain.drafting.review import FlagKind
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, RunId, ThreadId
from app.domain.policy.policy import Effect, PolicyReason, Verdict
from app.domain.record import replace
from app.store.db.database import Database
from app.store.db.jobs import Jobs
from app.store.runs.audit import AuditTable
from app.store.runs.runs import FINAL, Runs
from fakes.engine.store.rows import add_step, audited_calls, start_run
from fakes.engine.store.values import NOON, HandClock


def run(name: str = "run-1", *, minutes: int = 0, status: RunStatus = RunStatus.QUEUED) -> Run:
    """A run of message 1."""
    return Run(
        id=RunId(name),
        account_id=AccountId(1),
        message_id=MessageId(1),
        thread_id=ThreadId(1),
        route=Route.PIPELINE,
        rule="invoices",
        profile="",
        status=status,
        graph_version=1,
        created_at=NOON + timedelta(minutes=minutes),
        answer=True,
    )


def step(order: int, name: str = "triage", error: str = "") -> StepLog:
    """A node log."""
    return StepLog(RunId("run-1"), name, order, '{"a": 1}', '{"b": 2}', 1.5, error, NOON)


@pytest.mark.parametrize("final", FINAL)
def test_final_is_final(db: Database, clock: HandClock, final: RunStatus) -> None:
    """A final run stays; saying the same again is fine."""
    runs = Runs(db, clock)
    start_run(runs, run())
    runs.set_status(RunId("run-1"), final)
    runs.set_status(RunId("run-1"), final)
    with pytest.raises(NotAllowed):
        runs.set_status(RunId("run-1"), RunStatus.RUNNING)


def test_running_is_shown_only_while_the_job_is_there(db: Database, clock: HandClock) -> None:
    runs, jobs = Runs(db, clock), Jobs(db, clock)
    started = run()
    start_run(runs, started)
    jobs.put("classify", "1", "")
    (job,) = jobs.due(("classify",), 1, ())
    assert runs.show_running(started, job.id)
    assert runs.get(started.id).status is RunStatus.RUNNING
    assert not runs.show_running(started, job.id)  # it is not where the stretch found it
    runs.set_status(started.id, RunStatus.QUEUED)
    jobs.done(job.id)
    assert not runs.show_running(started, job.id)
    assert runs.get(started.id).status is RunStatus.QUEUED


def test_a_failed_attempt_stays_beside_the_later_one(db: Database, clock: HandClock) -> None:
    runs = Runs(db, clock)
    start_run(runs, run())
    failed = [replace(step(2, "retrieve", error), output_state="{}") for error in ("offline", "model down")]
    add_step(runs, step(1))
    for one in failed:
        add_step(runs, one)
    add_step(runs, step(2, "retrieve"))
    add_step(runs, step(3, "decide"))
    add_step(runs, step(3, "decide"))
    stored = [(one.step_order, one.step_name, one.error) for one in runs.steps(RunId("run-1"))]
    assert stored == [
        (1, "triage", ""),
        (2, "retrieve", "offline"),
        (3, "retrieve", "model down"),
        (4, "retrieve", ""),
        (5, "decide", ""),
    ]


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
