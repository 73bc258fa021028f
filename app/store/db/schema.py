"""The database schema: the statements of `resources/schema.sql`, and a view that is put together here."""

import re
import sqlite3
from collections.abc import Iterator
from functools import reduce

from app.config.paths import resource

# The log of runs with the texts behind its ids, for SQL: what each node read and what it changed.
# `_RESOLVED` is the state `@STATE` with its texts; `@WHOLE` is the state that has the review's id. `@VALUE` reads JSON as JSON,
# since `json_each` gives an object as its text.
_RESOLVED = """(SELECT json_group_object(key, CASE
        WHEN key = 'email' THEN json(@MAIL(value))
        WHEN key = 'context' THEN (SELECT json_group_array(json_object('source', c.value, 'mail', json(@MAIL(@ID(c.value)))))
            FROM json_each(f.value) c)
        WHEN key = 'draft_response' AND value <> '' THEN coalesce(json((SELECT p.draft FROM review_revisions p, (
            SELECT coalesce(nullif(json_extract(@WHOLE, '$.review_id'), 0), @ID(f.value)) AS review_id,
                coalesce(json_extract(@WHOLE, '$.revision'), 0) AS revision WHERE f.value LIKE 'review:%'
            UNION ALL SELECT * FROM (SELECT json_extract(n.output_state, '$.review_id'), coalesce(json_extract(n.output_state,
                '$.revision'), 0) FROM run_steps n WHERE n.run_id = s.run_id AND n.seq >= s.seq AND f.value NOT LIKE 'review:%'
                AND json_extract(n.output_state, '$.review_id') ORDER BY n.seq LIMIT 1)) of
            WHERE p.review_id = of.review_id AND (p.revision = of.revision OR of.revision = 0)
            ORDER BY p.revision DESC LIMIT 1)), iif(value LIKE 'review:%', NULL, value))
        WHEN key = 'final_response' AND value <> '' THEN json((SELECT json_object('id', o.id, 'kind', o.kind, 'state', o.state,
            'recipients', o.recipients, 'subject', o.subject, 'sha256', o.sha256) FROM outbox o WHERE o.id = @ID(value)))
        WHEN key = 'messages' THEN (SELECT json_group_array(json_object('call_id', t.call_id, 'tool', t.tool, 'arguments',
            t.arguments, 'result', t.result, 'error', t.error)) FROM (SELECT * FROM tool_calls WHERE run_id = s.run_id
            AND at <= s.at ORDER BY seq) t)
        ELSE @VALUE END) FROM json_each(@STATE) f)"""
_SNAPSHOTS = """WITH RECURSIVE states (run_id, seq, given, after) AS (
        SELECT run_id, min(seq) - 1, '{}', '{}' FROM run_steps @WHERE GROUP BY run_id
        UNION ALL
        SELECT s.run_id, s.seq, iif(s.input_state = '', a.after, s.input_state), (
            SELECT json_group_object(key, @VALUE) FROM (
                SELECT key, value, type FROM json_each(iif(s.input_state = '', a.after, s.input_state))
                WHERE key NOT IN (SELECT key FROM json_each(s.output_state))
                UNION ALL SELECT key, value, type FROM json_each(s.output_state)))
        FROM states a JOIN run_steps s ON s.run_id = a.run_id
            AND s.seq = (SELECT min(seq) FROM run_steps n WHERE n.run_id = a.run_id AND n.seq > a.seq))
    SELECT s.run_id, s.seq AS step_order, s.step_name, @GIVEN AS input_state, @CHANGED AS output_state, s.latency_ms, s.error,
        strftime('%Y-%m-%dT%H:%M:%S+00:00', s.at / 1000, 'unixepoch') AS at
    FROM states x JOIN run_steps s ON s.run_id = x.run_id AND s.seq = x.seq"""
_PARTS = (
    (r"@GIVEN", _RESOLVED.replace("@STATE", "x.given").replace("@WHOLE", "x.given")),
    (r"@CHANGED", _RESOLVED.replace("@STATE", "s.output_state").replace("@WHOLE", "x.after")),
    (r"@ID\(([\w.]+)\)", r"CAST(substr(\1, instr(\1, ':') + 1) AS INTEGER)"),
    (
        r"@MAIL\(([\w.]+|CAST\(substr.*? AS INTEGER\))\)",
        r"(SELECT json_object('id', m.id, 'sender_email', m.sender_email, 'subject', m.subject, 'date', "
        r"strftime('%Y-%m-%dT%H:%M:%S+00:00', m.date / 1000, 'unixepoch'), 'text', m.text) "
        r"FROM whole_messages m WHERE m.id = \1)",
    ),
    (
        r"@VALUE",
        "CASE type WHEN 'object' THEN json(value) WHEN 'array' THEN json(value) WHEN 'true' THEN json('true') "
        "WHEN 'false' THEN json('false') ELSE value END",
    ),
)
"""Patterns in the view and what they stand for, in the order in which they are put in."""
_FILLED = reduce(lambda sql, part: re.sub(part[0], part[1], sql), _PARTS, _SNAPSHOTS)
RUN_SNAPSHOTS = _FILLED.replace("@WHERE", "WHERE run_id = :run")
"""The rows of the view for one run; in the view itself SQLite would follow the steps of every run."""


def create(connection: sqlite3.Connection) -> None:
    """Creates the schema in an empty database, inside the caller's transaction."""
    for statement in (*_statements(), " ".join(("CREATE VIEW agent_log_snapshots AS", _FILLED.replace("@WHERE", "")))):
        connection.execute(statement)


def _statements() -> Iterator[str]:
    """The statements of the file. Not `executescript`, which would end the transaction."""
    statement = ""
    for line in resource("schema.sql").read_text("utf-8").splitlines(keepends=True):
        statement += line
        if line.endswith(";\n") and sqlite3.complete_statement(statement):
            yield statement
            statement = ""
