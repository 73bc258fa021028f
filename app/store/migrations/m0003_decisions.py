"""Version 3: what waits for the user's word, what was decided, what leaves the machine, and what was learnt from it.

Two rules stand in the schema itself: a marker is unique, and a review has at most one item that may have been sent.
"""

import sqlite3

STATEMENTS = (
    """CREATE TABLE reviews (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
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
        UNIQUE (run_id, key))""",
    "CREATE INDEX reviews_queue ON reviews (urgency DESC, mail_date, id) WHERE status = 'pending'",
    "CREATE INDEX reviews_decided ON reviews (decided_at DESC, id DESC) WHERE status <> 'pending'",
    "CREATE INDEX reviews_thread ON reviews (thread_id)",
    """CREATE TABLE review_revisions (
        review_id INTEGER NOT NULL REFERENCES reviews ON DELETE CASCADE,
        revision INTEGER NOT NULL,
        author TEXT NOT NULL,
        decision TEXT NOT NULL,
        category TEXT NOT NULL,
        confidence REAL NOT NULL,
        reason TEXT NOT NULL,
        maker TEXT NOT NULL,
        draft TEXT NOT NULL,
        request TEXT NOT NULL,
        detail TEXT NOT NULL,
        plan_hash TEXT NOT NULL,
        flags TEXT NOT NULL,
        sources TEXT NOT NULL,
        tools TEXT NOT NULL,
        elapsed_ms REAL NOT NULL,
        complete INTEGER NOT NULL,
        flag_count INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (review_id, revision))""",
    """CREATE TABLE decisions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        review_id INTEGER NOT NULL REFERENCES reviews ON DELETE CASCADE,
        revision INTEGER NOT NULL,
        action TEXT NOT NULL,
        text TEXT NOT NULL,
        status TEXT NOT NULL,
        outbox_id INTEGER NOT NULL,
        memory_key TEXT NOT NULL,
        decided_at INTEGER NOT NULL,
        undone_at INTEGER)""",
    "CREATE INDEX decisions_review ON decisions (review_id)",
    """CREATE TABLE kept_drafts (
        decision_id INTEGER PRIMARY KEY REFERENCES decisions ON DELETE CASCADE,
        account_id INTEGER NOT NULL,
        sender TEXT NOT NULL,
        category TEXT NOT NULL,
        outcome TEXT NOT NULL,
        kept REAL NOT NULL,
        diff TEXT NOT NULL,
        at INTEGER NOT NULL)""",
    """CREATE TABLE outbox (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        account_id INTEGER NOT NULL,
        review_id INTEGER NOT NULL,
        kind TEXT NOT NULL,
        state TEXT NOT NULL,
        thread_id INTEGER NOT NULL,
        gmail_thread_id TEXT NOT NULL,
        recipients TEXT NOT NULL,
        subject TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        marker TEXT NOT NULL,
        expected_tip TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        not_before INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        reason TEXT NOT NULL DEFAULT '',
        draft_id TEXT NOT NULL DEFAULT '',
        sent_gmail_id TEXT NOT NULL DEFAULT '',
        add_labels TEXT NOT NULL DEFAULT '',
        remove_labels TEXT NOT NULL DEFAULT '',
        message_gmail_ids TEXT NOT NULL DEFAULT '',
        worker TEXT NOT NULL DEFAULT '',
        lease_until INTEGER NOT NULL DEFAULT 0)""",
    "CREATE UNIQUE INDEX outbox_marker ON outbox (marker) WHERE marker <> ''",
    """CREATE UNIQUE INDEX outbox_one_per_review ON outbox (review_id)
        WHERE review_id <> 0 AND kind <> 'modify' AND state <> 'cancelled'""",
    """CREATE INDEX outbox_due ON outbox (not_before)
        WHERE state IN ('queued', 'drafting', 'drafted', 'sending', 'uncertain')""",
    # Up to 36 MB each: apart from the row, which is rewritten at every step.
    """CREATE TABLE outbox_mime (
        outbox_id INTEGER PRIMARY KEY REFERENCES outbox ON DELETE CASCADE,
        mime BLOB NOT NULL)""",
    """CREATE TABLE outbox_steps (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        outbox_id INTEGER NOT NULL REFERENCES outbox ON DELETE CASCADE,
        old TEXT NOT NULL,
        new TEXT NOT NULL,
        reason TEXT NOT NULL,
        at INTEGER NOT NULL)""",
    "CREATE INDEX outbox_steps_item ON outbox_steps (outbox_id)",
    """CREATE TABLE preferences (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        namespace TEXT NOT NULL,
        text TEXT NOT NULL,
        source_review INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        uses INTEGER NOT NULL DEFAULT 0,
        deleted_at INTEGER)""",
    "CREATE INDEX preferences_namespace ON preferences (namespace) WHERE deleted_at IS NULL",
)


def apply(connection: sqlite3.Connection) -> None:
    """Add the tables of version 3."""
    for statement in STATEMENTS:
        connection.execute(statement)
