"""Version 13: a stretch of a run leans on the stretch before, and two trees that nobody needs are gone.

A step that follows (`follows` > 0) may have an `input_state`: the fields in which it differs from what was left before it. So
what wakes a run stores a few words, not its whole state again. Runs are listed by their number, which grows as they come; calls
of models are asked for by their date.
"""

import sqlite3

STATEMENTS = (
    "DROP INDEX runs_newest",
    "DROP INDEX llm_calls_run",
    "DROP VIEW agent_log_snapshots",
    "DROP VIEW agent_logs",
    # From the last step that has its whole input on, later words count: inputs before the outputs of the same step.
    """CREATE VIEW agent_logs AS SELECT r.id AS trace_id, s.place & 1048575 AS step_order, s.step_name,
        CASE WHEN s.follows = 0 THEN s.input_state ELSE (
            SELECT json_group_object(e.key, json(
                CASE e.type WHEN 'object' THEN e.value WHEN 'array' THEN e.value WHEN 'true' THEN 'true' WHEN 'false' THEN 'false'
                    WHEN 'null' THEN 'null' ELSE json_quote(e.value) END)) FROM (
                SELECT c.key, c.type, c.value, max(c.place) FROM (
                    SELECT j.key, j.type, j.value, 2 * b.place AS place
                        FROM run_steps b, json_each(coalesce(nullif(b.input_state, ''), '{}')) j
                        WHERE b.place BETWEEN s.place - s.follows AND s.place
                    UNION ALL
                    SELECT j.key, j.type, j.value, 2 * b.place + 1 FROM run_steps b, json_each(b.output_state) j
                        WHERE b.place BETWEEN s.place - s.follows AND s.place - 1) c
                GROUP BY c.key) e) END AS input_state,
        s.output_state, s.latency_ms, s.error, s.at
        FROM runs r JOIN run_steps s ON s.place BETWEEN (r.seq << 20) AND (r.seq << 20) + 1048575""",
    """CREATE VIEW agent_log_snapshots AS
        SELECT g.*, r.message_id, m.sender_email, m.sender_name, m.subject, b.text AS body, r.route, r.status
        FROM agent_logs g
        JOIN runs r ON r.id = g.trace_id
        LEFT JOIN messages m ON m.id = r.message_id
        LEFT JOIN bodies b ON b.message_id = r.message_id""",
)


def apply(connection: sqlite3.Connection) -> None:
    """Drop the indexes and let the view read what leans."""
    for statement in STATEMENTS:
        connection.execute(statement)
