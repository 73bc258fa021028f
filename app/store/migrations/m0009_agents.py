"""Version 9: the audit of tool calls, and the catalogue, stock and reservations of the pharmacy profile.

`tool_audit` has one row per run and call. `drugs_fts` takes its text from `drugs.folded`, which is without case and accents.
Stock is what stands on the shelf; what is free is counted from the reservations, so that nothing has to be given back.
"""

import sqlite3

STATEMENTS = (
    """CREATE TABLE tool_audit (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        run_id TEXT NOT NULL,
        call_id TEXT NOT NULL,
        tool TEXT NOT NULL,
        effect TEXT NOT NULL,
        arguments_hash TEXT NOT NULL,
        verdict TEXT NOT NULL,
        why TEXT NOT NULL,
        flags TEXT NOT NULL,
        outcome TEXT NOT NULL,
        approved_by TEXT NOT NULL DEFAULT '',
        approved_at INTEGER,
        at INTEGER NOT NULL,
        UNIQUE (run_id, call_id))""",
    "CREATE INDEX tool_audit_at ON tool_audit (at)",
    """CREATE TABLE pharmacies (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        address TEXT NOT NULL DEFAULT '') WITHOUT ROWID""",
    """CREATE TABLE drugs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        code TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        strength TEXT NOT NULL,
        form TEXT NOT NULL,
        package TEXT NOT NULL,
        substance TEXT NOT NULL,
        atc TEXT NOT NULL,
        prescription INTEGER NOT NULL,
        price_czk REAL,
        folded TEXT NOT NULL)""",
    """CREATE VIRTUAL TABLE drugs_fts USING fts5 (folded, content = 'drugs', content_rowid = 'id', tokenize = 'trigram')""",
    """CREATE TABLE drug_stock (
        drug_id INTEGER NOT NULL REFERENCES drugs ON DELETE CASCADE,
        pharmacy_id TEXT NOT NULL REFERENCES pharmacies,
        quantity INTEGER NOT NULL CHECK (quantity >= 0),
        PRIMARY KEY (drug_id, pharmacy_id)) WITHOUT ROWID""",
    """CREATE TABLE reservations (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        number TEXT NOT NULL UNIQUE,
        drug_id INTEGER NOT NULL REFERENCES drugs,
        pharmacy_id TEXT NOT NULL REFERENCES pharmacies,
        quantity INTEGER NOT NULL CHECK (quantity > 0),
        patient_name TEXT NOT NULL,
        patient_email TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        cancelled_at INTEGER,
        account_id INTEGER NOT NULL,
        run_id TEXT NOT NULL,
        effect_key TEXT NOT NULL UNIQUE,
        cancel_key TEXT UNIQUE)""",
    "CREATE INDEX reservations_drug ON reservations (drug_id, pharmacy_id) WHERE cancelled_at IS NULL",
    "CREATE INDEX reservations_patient ON reservations (patient_email)",
)


def apply(connection: sqlite3.Connection) -> None:
    """Add the tables of version 9."""
    for statement in STATEMENTS:
        connection.execute(statement)
