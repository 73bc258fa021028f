"""Version 5: preferences that code can follow, what each decision taught (to take it back by), and corrected verdicts."""

import sqlite3

STATEMENTS = (
    "ALTER TABLE preferences ADD COLUMN rule TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE preferences ADD COLUMN evidence TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE preferences ADD COLUMN typed INTEGER NOT NULL DEFAULT 0",
    """UPDATE preferences SET typed = source_review = 0,
        evidence = CASE WHEN source_review = 0 THEN '[]' ELSE json_array(source_review) END""",
    # `before` is the preference as JSON before the lesson, empty where the lesson made it.
    """CREATE TABLE lessons (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        memory_key TEXT NOT NULL,
        review_id INTEGER NOT NULL REFERENCES reviews ON DELETE CASCADE,
        preference_id INTEGER NOT NULL,
        before TEXT NOT NULL,
        at INTEGER NOT NULL,
        UNIQUE (memory_key, preference_id))""",
    "CREATE INDEX lessons_preference ON lessons (preference_id)",
    "CREATE INDEX lessons_review ON lessons (review_id)",
    # What a decision said about a mail; `decision` is empty where it said nothing about the verdict.
    """CREATE TABLE teachings (
        memory_key TEXT PRIMARY KEY,
        review_id INTEGER NOT NULL REFERENCES reviews ON DELETE CASCADE,
        message_id INTEGER NOT NULL,
        sender TEXT NOT NULL,
        kind TEXT NOT NULL,
        decision TEXT NOT NULL,
        category TEXT NOT NULL,
        model_id TEXT NOT NULL,
        vector BLOB NOT NULL,
        at INTEGER NOT NULL) WITHOUT ROWID""",
    "CREATE INDEX teachings_sender ON teachings (sender, kind, at)",
    "CREATE INDEX teachings_review ON teachings (review_id)",
)


def apply(connection: sqlite3.Connection) -> None:
    """Add the tables and columns of version 5."""
    for statement in STATEMENTS:
        connection.execute(statement)
