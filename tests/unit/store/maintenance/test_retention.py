"""What grows is swept; what is open, decided or the user's own stays."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.agents.memory import Namespace
from app.domain.agents.runs import AgentRun, AgentStatus, ModelCall, Route, Run, RunStatus, StepLog, ToolExecution
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.errors import NotAllowed, StoreDamaged
from app.domain.ids import AccountId, MessageId, RunId, ThreadId
from app.domain.mail.outbox import OutboxState
from app.domain.protocol.commands import Decide
from app.store.db.database import Database
from app.store.db.errors import VERSION
from app.store.db.jobs import Jobs
from app.store.learning.preferences import Preferences
from app.store.mail.label_actions import Actions
from app.store.mail.messages import Messages
from app.store.mail.snoozes import Snoozes
from app.store.mail.sync_page import SyncPage
from app.store.maintenance.reporting import row_counts, verdicts
from app.store.maintenance.retention import sweep
from app.store.outbox import Outbox
from app.store.reviews.reviews import Reviews
from app.store.runs.audit import AuditTable
from app.store.runs.runs import Runs
from fakes.engine.store.rows import add_step, all_preferences, start_run
from fakes.engine.store.values import NOON, HandClock, new_outbox, proposal, remote

LATER = NOON + timedelta(days=100)


def leave_traces(db: Database, clock: HandClock, name: str, status: RunStatus) -> None:
    """A run with one row in each log."""
    runs = Runs(db, clock)
    identity = (RunId(name), AccountId(1), MessageId(1), ThreadId(1))
    start_run(runs, Run(*identity, Route.AGENT, "", "", status, 1, clock.now))
    add_step(runs, StepLog(RunId(name), "n", 1, "", "", 1, "", clock.now))
    runs.tool(ToolExecution(RunId(name), "c", "t", "", "", "", 1, clock.now))
    runs.model_call(ModelCall(RunId(name), "t", "m", 1, 1, 0, 1, "h", 1, "", clock.now))
    AuditTable(db, clock).finish(AgentRun(RunId(name), "p", AgentStatus.COMPLETED, (), "", 1), MessageId(1))


def counts(db: Database) -> dict[str, int]:
    """Rows per growing table."""
    names = ("run_steps", "tool_calls", "llm_calls", "email_events", "agent_runs", "outbox_steps", "preferences", "jobs")
    return {name: int(db.read(f"SELECT count(*) FROM {name}")[0][0]) for name in names}


def test_young_rows_stay(db: Database, clock: HandClock) -> None:
    """Nothing is swept before its time."""
    leave_traces(db, clock, "run-1", RunStatus.DONE)
    before = counts(db)
    assert sweep(db, NOON + timedelta(days=29)) == 0
    assert counts(db) == before


def test_the_steps_of_a_run_go_together(db: Database, clock: HandClock) -> None:
    """A decision after weeks keeps the whole log."""
    leave_traces(db, clock, "run-1", RunStatus.DONE)
    add_step(Runs(db, clock), StepLog(RunId("run-1"), "gate", 2, '{"a": 1}', "{}", 1, "", NOON + timedelta(days=20)))
    sweep(db, NOON + timedelta(days=45))
    assert counts(db)["run_steps"] == 2
    sweep(db, NOON + timedelta(days=51))
    assert counts(db)["run_steps"] == 0


def test_old_logs_go_but_not_those_of_open_runs(db: Database, clock: HandClock) -> None:
    """A waiting run keeps its trace however long it waits; model calls stay longer than logs."""
    leave_traces(db, clock, "done", RunStatus.DONE)
    leave_traces(db, clock, "open", RunStatus.WAITING)
    sweep(db, LATER)
    assert [row[0] for row in db.read("SELECT run_id FROM run_steps")] == ["open"]
    assert [row[0] for row in db.read("SELECT run_id FROM tool_calls")] == ["open"]
    assert counts(db)["llm_calls"] == 2
    assert counts(db)["email_events"] == 0
    sweep(db, NOON + timedelta(days=401))
    assert counts(db)["llm_calls"] == 0
    assert db.read("SELECT count(*) FROM runs")[0][0] == 2


def test_what_was_sent_keeps_its_row(db: Database, clock: HandClock) -> None:
    """Bytes and history of a sent item go, the item and the decision stay; an open item keeps everything."""
    reviews, outbox = Reviews(db, clock), Outbox(db, clock)
    sent_review = reviews.open(proposal(), "reply")
    reviews.decide(Decide(sent_review, 1, Action.ACCEPT), new_outbox(), ReviewStatus.APPROVED, None)
    sent = outbox.for_review(sent_review)
    outbox.move(sent.id, OutboxState.QUEUED, OutboxState.SENT)
    waiting = outbox.add(new_outbox(marker="<2@x>"))
    sweep(db, LATER)
    assert outbox.get(sent.id).mime == b""
    assert outbox.steps(sent.id) == ()
    assert outbox.get(waiting).mime == new_outbox().mime
    assert len(outbox.steps(waiting)) == 1
    assert reviews.decision(sent_review) is not None
    assert db.read("SELECT count(*) FROM kept_drafts")[0][0] == 1
    assert sweep(db, LATER) == 0


def test_failed_jobs_and_deleted_preferences(db: Database, clock: HandClock) -> None:
    """Open jobs and living preferences stay."""
    jobs, preferences = Jobs(db, clock), Preferences(db, clock)
    jobs.put("route", "1", "")
    jobs.put("route", "2", "")
    failing = jobs.claim("route", 1)
    jobs.fail(failing.id, "for good", None)
    gone = preferences.add(Namespace.RESPONSE, "gone")
    preferences.add(Namespace.RESPONSE, "stays")
    preferences.delete(gone)
    sweep(db, LATER)
    assert jobs.counts() == {"route": 1}
    assert counts(db)["jobs"] == 1
    assert [one.text for one in all_preferences(preferences)] == ["stays"]


def test_what_taught_a_deleted_rule_goes_with_it(db: Database, clock: HandClock) -> None:
    """Otherwise its corrections would come back with the row's end."""
    with db.transaction() as connection:
        connection.execute("PRAGMA defer_foreign_keys = ON")
        connection.execute("INSERT INTO reviews VALUES (4, 'r', 'k', 1, 1, 1, 'reply', 'rejected', 1, 0, 0, 0, 0, 0)")
        rule = '["sender", "sender:a@b.example", "ignore"]'
        connection.execute(
            "INSERT INTO preferences (namespace, text, source_review, created_at, deleted_at, rule, evidence)"
            " VALUES ('triage_preferences', 't', 4, 0, 1, ?, '[4]')",
            (rule,),
        )
        connection.execute("INSERT INTO teachings VALUES ('4:1', 4, 1, 'a', 'rejected', 'ignore', 'other', 'm', x'', 0)")
        connection.execute("INSERT INTO lessons (memory_key, review_id, preference_id, before, at) VALUES ('4:1', 4, 1, '', 0)")
    sweep(db, LATER)
    for table in ("preferences", "teachings", "lessons"):
        assert db.read(f"SELECT count(*) FROM {table}")[0][0] == 0, table


def test_old_changes_of_mail_go_once_they_have_left(db: Database, clock: HandClock, account: AccountId) -> None:
    """A change that waits, and one whose mail sleeps, keep their way back."""
    Messages(db).apply(account, SyncPage(messages=tuple(remote(one, one) for one in ("a", "b", "c"))))
    left, waits, sleeps = (ThreadId(row[0]) for row in db.read("SELECT id FROM threads ORDER BY gmail_thread_id"))
    actions, outbox, snoozes = Actions(db, clock), Outbox(db, clock), Snoozes(db, clock)
    changes = [actions.change(key, [thread], ["STARRED"], []) for key, thread in (("left", left), ("waits", waits))]
    slept = snoozes.put("sleeps", [sleeps], LATER + timedelta(days=1))
    for outbox_id in (*changes[0].outbox_ids, *slept.outbox_ids):
        outbox.move(outbox_id, OutboxState.QUEUED, OutboxState.SENT)
    assert sweep(db, NOON + timedelta(days=29)) == 0
    sweep(db, LATER)
    assert {row[0] for row in db.read("SELECT key FROM actions")} == {"waits", "sleeps"}
    assert {row[0] for row in db.read("SELECT key FROM action_items")} <= {"waits", "sleeps"}
    with pytest.raises(NotAllowed, match="nothing to undo"):
        actions.undo("left")
    assert actions.undo("waits").outbox_ids == changes[1].outbox_ids


def test_every_table_is_counted(db: Database, account: AccountId, tmp_path: Path) -> None:
    """Also while the engine has the file open."""
    Messages(db).apply(account, SyncPage(messages=(remote("a"), remote("b"))))
    counts = row_counts(db.path)
    assert (counts["messages"], counts["accounts"], counts["outbox"], counts["user_version"]) == (2, 1, 0, VERSION)
    assert not [name for name in counts if name.startswith(("sqlite_", "mail_fts"))]
    assert row_counts(tmp_path / "absent.db") == {}
    assert not (tmp_path / "absent.db").exists()


def test_verdicts_are_ids_and_triage(db: Database, account: AccountId) -> None:
    """Messages without a verdict are there with empty fields."""
    Messages(db).apply(account, SyncPage(messages=(remote("a"),)))
    found = verdicts(db.path)
    assert [(one.gmail_id, one.labels, one.decision) for one in found] == [("a", {"INBOX", "UNREAD"}, "")]


def test_garbage_is_said(tmp_path: Path) -> None:
    """Not a traceback of SQLite's."""
    path = tmp_path / "mail.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE a (b)")
    path.write_bytes(b"garbage" * 999)
    with pytest.raises(StoreDamaged):
        row_counts(path)
