"""Version 1: accounts, the mirror of their mail, its full-text index, and what sync remembers.

`threads` and `thread_labels` repeat what lists show, kept in the transaction that changes the messages: "the inbox, newest
first" reads one index and nothing else. The pseudo label `*` marks threads with a message outside spam and trash.
"""

import sqlite3

STATEMENTS = (
    """CREATE TABLE accounts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        email TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        send_as TEXT NOT NULL,
        signature TEXT NOT NULL,
        colour TEXT NOT NULL)""",
    """CREATE TABLE sync_state (
        account_id INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
        cursor INTEGER,
        list_cursor TEXT NOT NULL DEFAULT '',
        phase TEXT NOT NULL DEFAULT 'listing',
        triage_since INTEGER)""",
    """CREATE TABLE unit_spending (
        account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
        at INTEGER NOT NULL,
        units INTEGER NOT NULL,
        PRIMARY KEY (account_id, at)) WITHOUT ROWID""",
    """CREATE TABLE labels (
        account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
        gmail_label_id TEXT NOT NULL,
        name TEXT NOT NULL,
        kind TEXT NOT NULL,
        PRIMARY KEY (account_id, gmail_label_id)) WITHOUT ROWID""",
    """CREATE TABLE threads (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
        gmail_thread_id TEXT NOT NULL,
        sender TEXT NOT NULL DEFAULT '',
        subject TEXT NOT NULL DEFAULT '',
        snippet TEXT NOT NULL DEFAULT '',
        last_date INTEGER NOT NULL DEFAULT 0,
        message_count INTEGER NOT NULL DEFAULT 0,
        unread INTEGER NOT NULL DEFAULT 0,
        starred INTEGER NOT NULL DEFAULT 0,
        has_attachment INTEGER NOT NULL DEFAULT 0,
        decision TEXT NOT NULL DEFAULT '',
        category TEXT NOT NULL DEFAULT '',
        confidence REAL NOT NULL DEFAULT 0,
        UNIQUE (account_id, gmail_thread_id))""",
    """CREATE TABLE thread_labels (
        thread_id INTEGER NOT NULL REFERENCES threads ON DELETE CASCADE,
        label TEXT NOT NULL,
        last_date INTEGER NOT NULL,
        unread INTEGER NOT NULL,
        PRIMARY KEY (thread_id, label)) WITHOUT ROWID""",
    "CREATE INDEX thread_labels_newest ON thread_labels (label, last_date DESC, thread_id DESC)",
    "CREATE INDEX thread_labels_unread ON thread_labels (label) WHERE unread",
    """CREATE TABLE messages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
        thread_id INTEGER NOT NULL REFERENCES threads ON DELETE CASCADE,
        gmail_id TEXT NOT NULL,
        date INTEGER NOT NULL,
        sender_email TEXT NOT NULL,
        sender_name TEXT NOT NULL,
        to_list TEXT NOT NULL,
        cc_list TEXT NOT NULL,
        bcc_list TEXT NOT NULL,
        reply_to_list TEXT NOT NULL,
        subject TEXT NOT NULL,
        snippet TEXT NOT NULL,
        rfc822_id TEXT NOT NULL,
        in_reply_to TEXT NOT NULL,
        reference_ids TEXT NOT NULL,
        size INTEGER NOT NULL,
        has_attachment INTEGER NOT NULL,
        outgoing INTEGER NOT NULL,
        decision TEXT NOT NULL DEFAULT '',
        category TEXT NOT NULL DEFAULT '',
        confidence REAL NOT NULL DEFAULT 0,
        reason TEXT NOT NULL DEFAULT '',
        maker TEXT NOT NULL DEFAULT '',
        UNIQUE (account_id, gmail_id))""",
    "CREATE INDEX messages_thread ON messages (thread_id, date)",
    "CREATE INDEX messages_date ON messages (date)",
    """CREATE TABLE bodies (
        message_id INTEGER PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
        text TEXT NOT NULL,
        html BLOB NOT NULL,
        headers BLOB NOT NULL)""",
    """CREATE TABLE message_labels (
        message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
        label TEXT NOT NULL,
        PRIMARY KEY (message_id, label)) WITHOUT ROWID""",
    "CREATE INDEX message_labels_label ON message_labels (label, message_id)",
    """CREATE TABLE attachments (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
        part_id TEXT NOT NULL,
        filename TEXT NOT NULL,
        mime_type TEXT NOT NULL,
        size INTEGER NOT NULL,
        content_id TEXT NOT NULL,
        inline INTEGER NOT NULL)""",
    """CREATE VIEW whole_messages AS
        SELECT m.*, t.gmail_thread_id, b.text, b.html, b.headers
        FROM messages m JOIN threads t ON t.id = m.thread_id JOIN bodies b ON b.message_id = m.id""",
    "CREATE INDEX attachments_message ON attachments (message_id)",
    """CREATE TABLE to_fetch (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
        gmail_id TEXT NOT NULL,
        gmail_thread_id TEXT NOT NULL,
        reason TEXT NOT NULL,
        priority INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        UNIQUE (account_id, gmail_id))""",
    "CREATE INDEX to_fetch_order ON to_fetch (account_id, priority DESC, attempts, seq)",
    """CREATE TABLE contacts (
        account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
        email TEXT NOT NULL,
        name TEXT NOT NULL,
        received INTEGER NOT NULL,
        sent INTEGER NOT NULL,
        last_contact INTEGER NOT NULL,
        organization TEXT NOT NULL DEFAULT '',
        notes TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (account_id, email)) WITHOUT ROWID""",
    # The index takes its text from the tables: nothing is stored twice and a deletion can name what was indexed.
    """CREATE VIEW mail_text (id, subject, sender, recipients, copies, blind_copies, body) AS
        SELECT m.id, m.subject, m.sender_email || ' ' || m.sender_name, m.to_list, m.cc_list, m.bcc_list,
            substr(b.text, 1, 20000)
        FROM messages m JOIN bodies b ON b.message_id = m.id""",
    """CREATE VIRTUAL TABLE mail_fts USING fts5 (subject, sender, recipients, copies, blind_copies, body,
        content = 'mail_text', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2')""",
    # Merging less often halves the cost of a page of sync; a query then looks into a few segments more.
    "INSERT INTO mail_fts (mail_fts, rank) VALUES ('automerge', 16)",
    "INSERT INTO mail_fts (mail_fts, rank) VALUES ('crisismerge', 32)",
)


def apply(connection: sqlite3.Connection) -> None:
    """Make the tables of version 1."""
    for statement in STATEMENTS:
        connection.execute(statement)
