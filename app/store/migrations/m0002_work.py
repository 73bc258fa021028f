"""Version 2: the durable queue, runs of the mail graph and everything they leave behind."""

import sqlite3

STATEMENTS = (
    """CREATE TABLE jobs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        payload TEXT NOT NULL,
        priority INTEGER NOT NULL,
        newest INTEGER NOT NULL,
        run_at INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        lease_until INTEGER NOT NULL DEFAULT 0,
        failed_at INTEGER,
        error TEXT NOT NULL DEFAULT '')""",
    "CREATE UNIQUE INDEX jobs_open_key ON jobs (kind, key) WHERE failed_at IS NULL",
    "CREATE INDEX jobs_order ON jobs (kind, priority DESC, newest DESC, id DESC) WHERE failed_at IS NULL",
    """CREATE TABLE runs (
        id TEXT PRIMARY KEY,
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
    "CREATE INDEX runs_message ON runs (message_id)",
    "CREATE INDEX runs_status ON runs (status)",
    "CREATE INDEX runs_newest ON runs (created_at)",
    """CREATE TABLE agent_logs (
        trace_id TEXT NOT NULL,
        step_order INTEGER NOT NULL,
        step_name TEXT NOT NULL,
        input_state TEXT NOT NULL,
        output_state TEXT NOT NULL,
        latency_ms REAL NOT NULL,
        error TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (trace_id, step_order))""",
    "CREATE INDEX agent_logs_at ON agent_logs (at)",
    # The full snapshot: states hold ids, the view puts the mail beside them.
    """CREATE VIEW agent_log_snapshots AS
        SELECT g.*, r.message_id, m.sender_email, m.sender_name, m.subject, b.text AS body, r.route, r.status
        FROM agent_logs g
        JOIN runs r ON r.id = g.trace_id
        LEFT JOIN messages m ON m.id = r.message_id
        LEFT JOIN bodies b ON b.message_id = r.message_id""",
    """CREATE TABLE agent_runs (
        run_id TEXT PRIMARY KEY,
        profile TEXT NOT NULL,
        status TEXT NOT NULL,
        tool_calls_log TEXT NOT NULL,
        final_message TEXT NOT NULL,
        iterations INTEGER NOT NULL,
        error TEXT NOT NULL,
        at INTEGER NOT NULL)""",
    """CREATE TABLE llm_calls (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        run_id TEXT NOT NULL,
        call_type TEXT NOT NULL,
        model TEXT NOT NULL,
        prompt_tokens INTEGER NOT NULL,
        completion_tokens INTEGER NOT NULL,
        cost_usd REAL NOT NULL,
        latency_ms REAL NOT NULL,
        host TEXT NOT NULL,
        sent_bytes INTEGER NOT NULL,
        error TEXT NOT NULL,
        at INTEGER NOT NULL)""",
    "CREATE INDEX llm_calls_run ON llm_calls (run_id)",
    "CREATE INDEX llm_calls_at ON llm_calls (at)",
    """CREATE TABLE tool_executions (
        run_id TEXT NOT NULL,
        call_id TEXT NOT NULL,
        tool TEXT NOT NULL,
        arguments TEXT NOT NULL,
        result TEXT NOT NULL,
        error TEXT NOT NULL,
        latency_ms REAL NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (run_id, call_id))""",
    "CREATE INDEX tool_executions_at ON tool_executions (at)",
    """CREATE TABLE email_events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        message_id INTEGER NOT NULL,
        run_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        detail TEXT NOT NULL,
        at INTEGER NOT NULL)""",
    "CREATE INDEX email_events_message ON email_events (message_id)",
    "CREATE INDEX email_events_at ON email_events (at)",
)


def apply(connection: sqlite3.Connection) -> None:
    """Add the tables of version 2."""
    for statement in STATEMENTS:
        connection.execute(statement)
