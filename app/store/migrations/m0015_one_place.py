"""Version 15: what a run leaves lies in fewer trees. Every page that a commit touches is written whole, and again later.

A run lies by its mail: `seq` is the mail's id, 10 bits to the left, and a number of its own, so that its mail finds it without an
index. Its id tells the mail as well (`mail-140-0`); only other ids, from before, have an index. How it was routed stands in it.
The rows of tools lie before the steps of their run. A revision lies by its review. A review is in one index:
that of the queue, or that of threads; `highest_ids` keeps numbers from being given twice once rows are deleted.
`tool_executions` and `email_events` are views.
"""

import sqlite3

STATEMENTS = (
    "DROP VIEW agent_log_snapshots",
    "DROP VIEW agent_logs",
    """CREATE TABLE run_numbers AS SELECT seq AS old, id, (message_id << 10) + row_number() OVER mail - 1 AS new,
        row_number() OVER mail AS number FROM runs WINDOW mail AS (PARTITION BY message_id ORDER BY seq)""",
    # Nobody asked a thousand times about one mail.
    "DELETE FROM run_numbers WHERE number > 1024",
    "CREATE UNIQUE INDEX run_numbers_old ON run_numbers (old)",
    "CREATE UNIQUE INDEX run_numbers_id ON run_numbers (id)",
    "ALTER TABLE runs RENAME TO old_runs",
    """CREATE TABLE runs (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
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
        error TEXT NOT NULL,
        routed TEXT NOT NULL DEFAULT '')""",
    """INSERT INTO runs SELECT n.new, r.id, r.account_id, r.message_id, r.thread_id, r.route, r.rule, r.profile, r.status,
        r.graph_version, r.created_at, r.updated_at, r.answer, r.error, ''
        FROM old_runs r JOIN run_numbers n ON n.old = r.seq ORDER BY n.new""",
    "CREATE UNIQUE INDEX runs_id ON runs (id) WHERE substr(id, 1, 5) <> 'mail-'",
    "ALTER TABLE run_steps RENAME TO old_steps",
    # Steps lie from their run's number, 20 bits to the left, on; tools in the half million places before it, in order.
    """CREATE TABLE run_steps (
        place INTEGER PRIMARY KEY,
        step_name TEXT NOT NULL,
        input_state TEXT NOT NULL,
        output_state TEXT NOT NULL,
        latency_ms REAL NOT NULL,
        error TEXT NOT NULL,
        at INTEGER NOT NULL,
        follows INTEGER NOT NULL,
        call_id TEXT NOT NULL DEFAULT '')""",
    """INSERT INTO run_steps
        SELECT (n.new << 20) + (s.place & 1048575), s.step_name, s.input_state, s.output_state, s.latency_ms, s.error, s.at,
            s.follows, '' FROM old_steps s JOIN run_numbers n ON n.old = s.place >> 20 ORDER BY 1""",
    "DROP TABLE old_steps",
    """INSERT INTO run_steps
        SELECT (n.new << 20) - 524289 + row_number() OVER (PARTITION BY n.new ORDER BY t.rowid), t.tool, t.arguments, t.result,
            t.latency_ms, t.error, t.at, 0, t.call_id FROM tool_executions t JOIN run_numbers n ON n.id = t.run_id ORDER BY 1""",
    "DROP TABLE tool_executions",
    "DROP TABLE old_runs",
    "DROP TABLE run_numbers",
    """CREATE VIEW tool_executions AS SELECT r.id AS run_id, s.call_id, s.step_name AS tool, s.input_state AS arguments,
        s.output_state AS result, s.error, s.latency_ms, s.at, s.place - (r.seq << 20) + 524289 AS call_order
        FROM runs r CROSS JOIN run_steps s ON s.place BETWEEN (r.seq << 20) - 524288 AND (r.seq << 20) - 1""",
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
        FROM runs r CROSS JOIN run_steps s ON s.place BETWEEN (r.seq << 20) AND (r.seq << 20) + 524287""",
    """CREATE VIEW agent_log_snapshots AS
        SELECT g.*, r.message_id, m.sender_email, m.sender_name, m.subject, b.text AS body, r.route, r.status
        FROM agent_logs g
        JOIN runs r ON r.id = g.trace_id
        LEFT JOIN messages m ON m.id = r.message_id
        LEFT JOIN bodies b ON b.message_id = r.message_id""",
    "ALTER TABLE email_events RENAME TO mail_events",
    """CREATE VIEW email_events AS SELECT message_id, id, run_id, kind, detail, at FROM mail_events
        UNION ALL SELECT message_id, (seq & 1023) - 1024, id, 'routed', routed, created_at FROM runs WHERE routed <> ''""",
    """CREATE TABLE highest_ids (
        name TEXT PRIMARY KEY,
        id INTEGER NOT NULL) WITHOUT ROWID""",
    """INSERT INTO highest_ids SELECT 'reviews', max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'reviews'), 0),
        coalesce((SELECT max(id) FROM reviews), 0))""",
    """CREATE TABLE new_reviews (
        id INTEGER PRIMARY KEY,
        run_id TEXT NOT NULL,
        key TEXT NOT NULL,
        account_id INTEGER NOT NULL,
        message_id INTEGER NOT NULL,
        thread_id INTEGER NOT NULL,
        kind TEXT NOT NULL,
        status TEXT NOT NULL,
        revision INTEGER NOT NULL,
        urgency INTEGER NOT NULL,
        mail_date INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        decided_at INTEGER,
        seen_upto INTEGER NOT NULL DEFAULT 0)""",
    """INSERT INTO new_reviews SELECT id, run_id, key, account_id, message_id, thread_id, kind, status, revision, urgency,
        mail_date, created_at, decided_at, seen_upto FROM reviews ORDER BY id""",
    # Decisions and what was taught name their review; while a file is brought up to date nothing hangs on anything.
    "DROP TABLE reviews",
    "ALTER TABLE new_reviews RENAME TO reviews",
    "DELETE FROM sqlite_sequence WHERE name IN ('reviews', 'new_reviews')",
    # Each review is in one of them. Those that wait are few: a thread's are found by reading through them.
    "CREATE INDEX reviews_queue ON reviews (urgency DESC, mail_date, id, thread_id, run_id, status) WHERE status = 'pending'",
    "CREATE INDEX reviews_settled ON reviews (thread_id, run_id) WHERE status <> 'pending'",
    "ALTER TABLE review_revisions RENAME TO old_revisions",
    """CREATE TABLE review_revisions (
        place INTEGER PRIMARY KEY,
        review_id INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        author TEXT NOT NULL,
        decision TEXT NOT NULL,
        category TEXT NOT NULL,
        confidence REAL NOT NULL,
        reason TEXT NOT NULL,
        maker TEXT NOT NULL,
        complete INTEGER NOT NULL,
        flag_count INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        elapsed_ms REAL NOT NULL,
        draft TEXT NOT NULL,
        request TEXT NOT NULL,
        detail TEXT NOT NULL,
        plan_hash TEXT NOT NULL,
        flags TEXT NOT NULL,
        sources TEXT NOT NULL,
        tools TEXT NOT NULL)""",
    """INSERT INTO review_revisions SELECT (review_id << 20) + revision, review_id, revision, author, decision, category,
        confidence, reason, maker, complete, flag_count, created_at, elapsed_ms, draft, request, detail, plan_hash, flags,
        sources, tools FROM old_revisions ORDER BY review_id, revision""",
    "DROP TABLE old_revisions",
)


def apply(connection: sqlite3.Connection) -> None:
    """Bring the tables of version 14 into their new places."""
    for statement in STATEMENTS:
        connection.execute(statement)
