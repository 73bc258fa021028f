"""Version 11: what a run writes touches fewer pages. Every page that a commit touches is written whole, twice in the end.

A job lies in one tree, by kind and key; what is due is found by reading a kind's jobs, which are few or worked off in batches.
A node's log has its input only where it is not what the step before left; `agent_logs` is a view that puts it together.
Events lie beside those of the same mail. What is found by date alone is found by reading; that is done once a day.
"""

import sqlite3

STATEMENTS = (
    "DROP VIEW agent_log_snapshots",
    "ALTER TABLE runs RENAME TO old_runs",
    """CREATE TABLE runs (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        account_id INTEGER NOT NULL,
        message_id INTEGER NOT NULL,
        thread_id INTEGER NOT NULL,
        route TEXT NOT NULL,
        rule TEXT NOT NULL,
        profile TEXT NOT NULL,
        status TEXT NOT NULL,
        graph_version INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        answer INTEGER NOT NULL,
        error TEXT NOT NULL)""",
    """INSERT INTO runs SELECT rowid, id, account_id, message_id, thread_id, route, rule, profile, status, graph_version,
        created_at, updated_at, answer, error FROM old_runs ORDER BY rowid""",
    "DROP TABLE old_runs",
    "CREATE INDEX runs_message ON runs (message_id)",
    "CREATE INDEX runs_newest ON runs (created_at)",
    # A row's place is its run's number, 20 bits to the left, and its own: rows of new runs come last, and need no other tree.
    """CREATE TABLE run_steps (
        place INTEGER PRIMARY KEY,
        step_name TEXT NOT NULL,
        input_state TEXT NOT NULL,
        output_state TEXT NOT NULL,
        latency_ms REAL NOT NULL,
        error TEXT NOT NULL,
        at INTEGER NOT NULL,
        follows INTEGER NOT NULL)""",
    """INSERT INTO run_steps
        SELECT (r.seq << 20) + g.step_order, g.step_name, g.input_state, g.output_state, g.latency_ms, g.error, g.at, 0
        FROM agent_logs g JOIN runs r ON r.id = g.trace_id ORDER BY r.seq, g.step_order""",
    "DROP TABLE agent_logs",
    # `follows` counts the steps back to the last one that has its input; from there on each one's is what was left before it.
    """CREATE VIEW agent_logs AS SELECT r.id AS trace_id, s.place & 1048575 AS step_order, s.step_name,
        CASE WHEN s.follows = 0 THEN s.input_state ELSE (
            SELECT json_group_object(e.key, json(
                CASE e.type WHEN 'object' THEN e.value WHEN 'array' THEN e.value WHEN 'true' THEN 'true' WHEN 'false' THEN 'false'
                    WHEN 'null' THEN 'null' ELSE json_quote(e.value) END)) FROM (
                SELECT c.key, c.type, c.value, max(c.place) FROM (
                    SELECT j.key, j.type, j.value, -1 AS place FROM run_steps b, json_each(b.input_state) j
                        WHERE b.place = s.place - s.follows
                    UNION ALL
                    SELECT j.key, j.type, j.value, b.place FROM run_steps b, json_each(b.output_state) j
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
    "DROP INDEX tool_executions_at",
    "ALTER TABLE jobs RENAME TO old_jobs",
    """CREATE TABLE jobs (
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        id INTEGER NOT NULL,
        payload TEXT NOT NULL,
        priority INTEGER NOT NULL,
        newest INTEGER NOT NULL,
        run_at INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        lease_until INTEGER NOT NULL DEFAULT 0,
        failed_at INTEGER,
        error TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (kind, key)) WITHOUT ROWID""",
    # Where a job failed and was put again, the open one stays.
    """INSERT OR IGNORE INTO jobs
        SELECT kind, key, id, payload, priority, newest, run_at, attempts, lease_until, failed_at, error
        FROM old_jobs ORDER BY failed_at IS NOT NULL, id DESC""",
    "DROP TABLE old_jobs",
    "ALTER TABLE email_events RENAME TO old_events",
    """CREATE TABLE email_events (
        message_id INTEGER NOT NULL,
        id INTEGER NOT NULL,
        run_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        detail TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (message_id, id)) WITHOUT ROWID""",
    "INSERT INTO email_events SELECT message_id, id, run_id, kind, detail, at FROM old_events ORDER BY message_id, id",
    "DROP TABLE old_events",
    "CREATE INDEX email_events_approved ON email_events (at) WHERE kind = 'auto_approved'",
    "DELETE FROM sqlite_sequence WHERE name IN ('jobs', 'old_jobs', 'email_events', 'old_events')",
)


def apply(connection: sqlite3.Connection) -> None:
    """Bring the tables of version 10 into their new places."""
    for statement in STATEMENTS:
        connection.execute(statement)
