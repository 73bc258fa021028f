"""How long growing tables keep their rows. Mail, reviews, decisions and kept drafts are never deleted here."""

from datetime import datetime, timedelta

from app.domain.record import Record
from app.store.db.database import Database
from app.store.db.times import to_ms

_LOGS = (
    # The log of a run goes as a whole.
    """DELETE FROM run_steps WHERE run_id IN (SELECT run_id FROM run_steps GROUP BY run_id HAVING max(at) < ?)
        AND run_id NOT IN (SELECT id FROM runs WHERE status IN ('queued', 'running', 'waiting'))""",
    """DELETE FROM tool_calls WHERE at < ?
        AND run_id NOT IN (SELECT id FROM runs WHERE status IN ('queued', 'running', 'waiting'))""",
    "DELETE FROM agent_runs WHERE at < ?",
    "DELETE FROM email_events WHERE at < ?",
    "DELETE FROM jobs WHERE failed_at < ?",
)
_CALLS = ("DELETE FROM llm_calls WHERE at < ?", "DELETE FROM model_answers WHERE at < ?", "DELETE FROM tool_audit WHERE at < ?")
_RESERVATIONS = ("DELETE FROM reservations WHERE coalesce(cancelled_at, expires_at) < ?",)
_OUTBOX = (
    "DELETE FROM outbox_steps WHERE at < ? AND outbox_id IN (SELECT id FROM outbox WHERE state IN ('sent', 'cancelled'))",
    """UPDATE outbox_mime SET mime = x'' WHERE length(mime) > 0 AND outbox_id IN
        (SELECT id FROM outbox WHERE state IN ('sent', 'cancelled') AND created_at < ?)""",
)
_PREFERENCES = (
    """DELETE FROM teachings WHERE review_id IN (SELECT e.value FROM preferences p, json_each(p.evidence) e
        WHERE p.deleted_at < ? AND p.rule LIKE '["sender"%')""",
    "DELETE FROM preferences WHERE deleted_at < ?",
)
_ACTIONS = (
    """DELETE FROM actions WHERE at < ? AND key NOT IN (SELECT action FROM snoozes) AND key NOT IN
        (SELECT key FROM action_items WHERE outbox_id IN (SELECT id FROM outbox WHERE state NOT IN ('sent', 'cancelled')))""",
)
_LESSONS = ("DELETE FROM lessons WHERE at < ?",)
_FORGOTTEN = "DELETE FROM requests WHERE forgotten_at < ?"
_REQUESTS = """DELETE FROM requests WHERE updated_at < ? AND status IN ('done', 'failed', 'stopped')
    AND NOT EXISTS (SELECT 1 FROM request_steps s WHERE s.request = number AND s.status = 'waiting')"""
_LETTERS = (
    "DELETE FROM letters WHERE state IN ('sent', 'discarded') AND draft_id = '' AND max(updated_at, remind_at) < ?",
    "DELETE FROM templates WHERE deleted_at < ?",
)


class RetentionDays(Record):
    """Days that rows are kept.

    - `logs_days`: logs of nodes, tools and events, failed jobs, requests deleted by the owner
    - `calls_days`: model calls, models' answers on known mail, and the audit of tool calls
    - `outbox_days`: history and MIME bytes of items sent or cancelled
    - `deleted_preferences_days`: deleted preferences and the corrections that led to them
    - `lessons_days`: what undoing a lesson needs
    - `letters_days`: sent and discarded letters, deleted templates
    - `reservations_days`: cancelled and expired reservations
    - `actions_days`: the owner's label changes and their undo, once sent and without a snooze
    - `requests_days`: finished requests to the assistant
    """

    logs_days: int = 30
    calls_days: int = 400
    outbox_days: int = 90
    deleted_preferences_days: int = 30
    lessons_days: int = 400
    letters_days: int = 30
    reservations_days: int = 90
    actions_days: int = 30
    requests_days: int = 400


def sweep(db: Database, now: datetime, keep: RetentionDays) -> int:
    """Deletes expired rows, one transaction a rule to keep each short. Returns how many."""
    rules = (
        *((sql, keep.logs_days) for sql in _LOGS),
        *((sql, keep.calls_days) for sql in _CALLS),
        *((sql, keep.outbox_days) for sql in _OUTBOX),
        *((sql, keep.deleted_preferences_days) for sql in _PREFERENCES),
        *((sql, keep.lessons_days) for sql in _LESSONS),
        *((sql, keep.letters_days) for sql in _LETTERS),
        *((sql, keep.reservations_days) for sql in _RESERVATIONS),
        *((sql, keep.actions_days) for sql in _ACTIONS),
        (_FORGOTTEN, keep.logs_days),
        (_REQUESTS, keep.requests_days),
    )
    swept = 0
    for sql, days in rules:
        with db.transaction() as connection:
            swept += connection.execute(sql, (to_ms(now - timedelta(days=days)),)).rowcount
    return swept
