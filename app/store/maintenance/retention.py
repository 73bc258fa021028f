"""How long growing tables keep their rows. Mail, reviews, decisions and kept drafts are never deleted here."""

from datetime import datetime, timedelta

from app.store.db.database import Database
from app.store.db.times import to_ms

DAYS_OF_LOGS = 30
_RULES: tuple[tuple[int, str], ...] = (
    # The log of a run goes as a whole.
    (
        DAYS_OF_LOGS,
        """DELETE FROM run_steps WHERE run_id IN (SELECT run_id FROM run_steps GROUP BY run_id HAVING max(at) < ?)
            AND run_id NOT IN (SELECT id FROM runs WHERE status IN ('queued', 'running', 'waiting'))""",
    ),
    (
        DAYS_OF_LOGS,
        """DELETE FROM tool_calls WHERE at < ?
            AND run_id NOT IN (SELECT id FROM runs WHERE status IN ('queued', 'running', 'waiting'))""",
    ),
    (DAYS_OF_LOGS, "DELETE FROM agent_runs WHERE at < ?"),
    (DAYS_OF_LOGS, "DELETE FROM email_events WHERE at < ?"),
    (DAYS_OF_LOGS, "DELETE FROM jobs WHERE failed_at < ?"),
    (400, "DELETE FROM llm_calls WHERE at < ?"),
    (400, "DELETE FROM model_answers WHERE at < ?"),
    (400, "DELETE FROM tool_audit WHERE at < ?"),
    (90, "DELETE FROM outbox_steps WHERE at < ? AND outbox_id IN (SELECT id FROM outbox WHERE state IN ('sent', 'cancelled'))"),
    (
        90,
        """UPDATE outbox_mime SET mime = x'' WHERE length(mime) > 0 AND outbox_id IN
            (SELECT id FROM outbox WHERE state IN ('sent', 'cancelled') AND created_at < ?)""",
    ),
    # Corrections that led to a deleted rule go with it.
    (
        30,
        """DELETE FROM teachings WHERE review_id IN (SELECT e.value FROM preferences p, json_each(p.evidence) e
            WHERE p.deleted_at < ? AND p.rule LIKE '["sender"%')""",
    ),
    (30, "DELETE FROM preferences WHERE deleted_at < ?"),
    # What undoing a lesson needs.
    (400, "DELETE FROM lessons WHERE at < ?"),
    (30, "DELETE FROM letters WHERE state IN ('sent', 'discarded') AND draft_id = '' AND max(updated_at, remind_at) < ?"),
    (30, "DELETE FROM templates WHERE deleted_at < ?"),
    (90, "DELETE FROM reservations WHERE coalesce(cancelled_at, expires_at) < ?"),
    # The owner's label changes and their undo, once sent and without a snooze.
    (
        30,
        """DELETE FROM actions WHERE at < ? AND key NOT IN (SELECT action FROM snoozes) AND key NOT IN
            (SELECT key FROM action_items WHERE outbox_id IN (SELECT id FROM outbox WHERE state NOT IN ('sent', 'cancelled')))""",
    ),
    (DAYS_OF_LOGS, "DELETE FROM requests WHERE forgotten_at < ?"),
    (
        400,
        """DELETE FROM requests WHERE updated_at < ? AND status IN ('done', 'failed', 'stopped')
            AND NOT EXISTS (SELECT 1 FROM request_steps s WHERE s.request = number AND s.status = 'waiting')""",
    ),
)
"""Days that rows are kept, and what deletes older ones."""


def sweep(db: Database, now: datetime) -> int:
    """Deletes expired rows, one transaction a rule to keep each short. Returns how many."""
    swept = 0
    for days, sql in _RULES:
        with db.transaction() as connection:
            swept += connection.execute(sql, (to_ms(now - timedelta(days=days)),)).rowcount
    return swept
