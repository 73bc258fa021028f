"""Reads and writes rows of a real store that the program itself never needs one by one."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from app.domain.agents.memory import Preference
from app.domain.agents.runs import CallAudit, CallOutcome, Run, RunRecord, StepLog
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import FlagKind
from app.domain.ids import AccountId, MessageId, ReviewId, RunId, ThreadId
from app.domain.mail.message import Label
from app.domain.policy.policy import Effect, PolicyReason, Verdict
from app.store.accounts import Accounts, erase_rows
from app.store.db.codecs import unpack_json
from app.store.db.jobs import Jobs, cancel_row
from app.store.db.times import from_ms, to_ms
from app.store.learning.preferences import Preferences, load_preferences
from app.store.mail.mail_rows import load_labels
from app.store.mail.messages import Messages
from app.store.mail.snoozes import Snoozes
from app.store.reviews.reviews import Reviews
from app.store.runs.audit import AuditTable
from app.store.runs.runs import Runs, insert_run, note_event

_EVENTS = "SELECT message_id, run_id, kind, detail, at FROM email_events WHERE message_id = ? ORDER BY at, id"


@dataclass(frozen=True, slots=True)
class MailEvent:
    """One row of a message's history; `detail_json` is JSON text."""

    message_id: MessageId
    run_id: RunId
    kind: str
    detail_json: str
    at: datetime


def start_run(runs: Runs, run: Run) -> None:
    """Inserts a run without a job."""
    with runs._db.transaction(work_only=True) as connection:
        insert_run(connection, run)


def add_step(runs: Runs, log: StepLog) -> None:
    """Appends one step of a run."""
    runs.keep(RunRecord(log.run_id, (log,)))


def add_event(runs: Runs, message_id: MessageId, run_id: RunId | None, kind: str, detail_json: str) -> None:
    """Appends to a message's history."""
    with runs._db.transaction(work_only=True) as connection:
        note_event(connection, message_id, run_id or RunId(""), kind, detail_json, to_ms(runs._clock()))


def mail_events(runs: Runs, message_id: MessageId) -> tuple[MailEvent, ...]:
    """A message's history, oldest first."""
    rows = runs._db.read(_EVENTS, (message_id,))
    return tuple(MailEvent(row[0], row[1], row[2], row[3], from_ms(row[4])) for row in rows)


def audited_calls(audit: AuditTable, run_id: RunId) -> tuple[CallAudit, ...]:
    """The tool calls of a run in the order in which they were first made."""
    rows = audit._db.read("SELECT * FROM tool_audit WHERE run_id = ? ORDER BY id", (run_id,))
    return tuple(_call(row) for row in rows)


def _call(row: sqlite3.Row) -> CallAudit:
    return CallAudit(
        run_id=RunId(row["run_id"]),
        call_id=row["call_id"],
        tool=row["tool"],
        effect=Effect(row["effect"]) if row["effect"] else None,
        arguments_hash=row["arguments_hash"],
        verdict=Verdict(row["verdict"]),
        why=PolicyReason(row["why"]),
        flags=tuple(FlagKind(one) for one in row["flags"].split(",") if one),
        outcome=CallOutcome(row["outcome"]),
        at=from_ms(row["at"]),
        approved_by=row["approved_by"],
        approved_at=None if row["approved_at"] is None else from_ms(row["approved_at"]),
    )


def snoozed_until(snoozes: Snoozes, thread_id: ThreadId) -> datetime | None:
    """The time when a thread returns, None when it is not snoozed."""
    rows = snoozes._db.read("SELECT until FROM snoozes WHERE thread_id = ?", (thread_id,))
    return from_ms(rows[0][0]) if rows else None


def account_labels(accounts: Accounts, account_id: AccountId) -> tuple[Label, ...]:
    """The labels of an account by name."""
    with accounts._db.reading() as connection:
        return load_labels(connection, account_id)


def remove_account(accounts: Accounts, account_id: AccountId) -> None:
    """Deletes the rows of an account."""
    with accounts._db.transaction() as connection:
        erase_rows(connection, account_id)


def label_ids(messages: Messages, message_id: MessageId) -> frozenset[str]:
    """The Gmail label ids of a message."""
    rows = messages._db.read("SELECT label FROM message_labels WHERE message_id = ?", (message_id,))
    return frozenset(row[0] for row in rows)


def all_preferences(preferences: Preferences) -> tuple[Preference, ...]:
    """Every preference, deleted ones too, oldest first."""
    with preferences._db.reading() as connection:
        return load_preferences(connection, deleted=True)


def cancel_job(jobs: Jobs, kind: str, key: str) -> bool:
    """Deletes an open job; whether there was one."""
    with jobs._db.transaction(work_only=True) as connection:
        return cancel_row(connection, kind, key)


def all_drafts(reviews: Reviews, review_id: ReviewId) -> list[Draft | None]:
    """The drafts of all revisions of a review, oldest first."""
    sql = "SELECT draft FROM review_revisions WHERE review_id = ? ORDER BY revision"
    return [unpack_json(row[0], Draft) for row in reviews._db.read(sql, (review_id,))]
