"""Version 20: people are found by what is typed of them, whatever their number, through a full-text index with short prefixes;
what is held in the outbox, and the letter of a draft in Gmail, by indexes of their own.

A contact has a number, which the index needs; triggers keep it in step, as contacts change rarely but for their counts. `written`
holds a word for those the owner has written to, so that they are found first.
"""

import sqlite3

STATEMENTS = (
    "ALTER TABLE contacts RENAME TO old_contacts",
    """CREATE TABLE contacts (
        id INTEGER PRIMARY KEY,
        account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
        email TEXT NOT NULL,
        name TEXT NOT NULL,
        received INTEGER NOT NULL,
        sent INTEGER NOT NULL,
        last_contact INTEGER NOT NULL,
        organization TEXT NOT NULL DEFAULT '',
        notes TEXT NOT NULL DEFAULT '',
        UNIQUE (account_id, email))""",
    """INSERT INTO contacts (account_id, email, name, received, sent, last_contact, organization, notes)
        SELECT account_id, email, name, received, sent, last_contact, organization, notes FROM old_contacts""",
    "DROP TABLE old_contacts",
    """CREATE VIEW contact_text (id, words, organization, written) AS
        SELECT id, name || ' ' || email || ' ' || substr(email, instr(email, '@') + 1), organization, iif(sent > 0, 'y', '')
        FROM contacts""",
    # An address is one word, and so is its domain.
    """CREATE VIRTUAL TABLE contact_fts USING fts5 (words, organization, written, content = 'contact_text', content_rowid = 'id',
        prefix = '1 2 3', columnsize = 0, tokenize = "unicode61 remove_diacritics 2 tokenchars '@.-_+'")""",
    "INSERT INTO contact_fts (contact_fts) VALUES ('rebuild')",
    """CREATE TRIGGER contact_found AFTER INSERT ON contacts BEGIN
        INSERT INTO contact_fts (rowid, words, organization, written) VALUES (new.id,
            new.name || ' ' || new.email || ' ' || substr(new.email, instr(new.email, '@') + 1), new.organization,
            iif(new.sent > 0, 'y', ''));
        END""",
    """CREATE TRIGGER contact_lost AFTER DELETE ON contacts BEGIN
        INSERT INTO contact_fts (contact_fts, rowid, words, organization, written) VALUES ('delete', old.id,
            old.name || ' ' || old.email || ' ' || substr(old.email, instr(old.email, '@') + 1), old.organization,
            iif(old.sent > 0, 'y', ''));
        END""",
    """CREATE TRIGGER contact_renamed AFTER UPDATE OF name, organization, sent ON contacts
        WHEN old.name <> new.name OR old.organization <> new.organization OR (old.sent > 0) <> (new.sent > 0) BEGIN
        INSERT INTO contact_fts (contact_fts, rowid, words, organization, written) VALUES ('delete', old.id,
            old.name || ' ' || old.email || ' ' || substr(old.email, instr(old.email, '@') + 1), old.organization,
            iif(old.sent > 0, 'y', ''));
        INSERT INTO contact_fts (rowid, words, organization, written) VALUES (new.id,
            new.name || ' ' || new.email || ' ' || substr(new.email, instr(new.email, '@') + 1), new.organization,
            iif(new.sent > 0, 'y', ''));
        END""",
    "CREATE INDEX outbox_held ON outbox (id) WHERE state = 'held'",
    "CREATE INDEX letters_draft ON letters (draft_gmail_id) WHERE draft_gmail_id <> ''",
)


def apply(connection: sqlite3.Connection) -> None:
    """Give contacts numbers, and add the indexes."""
    for statement in STATEMENTS:
        connection.execute(statement)
