"""Version 19: an archive is read more than once, each time perhaps from a newer copy; a reading can be taken back whole.

`reading` numbers an archive's readings; what the last one counted stands beside it.
"""

import sqlite3

STATEMENTS = (
    "ALTER TABLE archives ADD COLUMN reading INTEGER NOT NULL DEFAULT 1",
    # Of the reading under way: mails it saw, brought and labelled anew.
    "ALTER TABLE archives ADD COLUMN seen INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE archives ADD COLUMN added INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE archives ADD COLUMN relabelled INTEGER NOT NULL DEFAULT 0",
    # Where the archive stood before the reading under way began from another file; empty otherwise.
    "ALTER TABLE archives ADD COLUMN former_path TEXT NOT NULL DEFAULT ''",
    # The digest of what stands at a place, where it is not the id: a newer copy of a mail has other labels in its head.
    "ALTER TABLE archive_places ADD COLUMN digest TEXT NOT NULL DEFAULT ''",
    # The reading that saw the mail last, and the one that brought it.
    "ALTER TABLE archive_places ADD COLUMN reading INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE archive_places ADD COLUMN added INTEGER NOT NULL DEFAULT 1",
    # Place and labels before the reading that saw it last, as JSON; empty once that reading has ended.
    "ALTER TABLE archive_places ADD COLUMN former TEXT NOT NULL DEFAULT ''",
)


def apply(connection: sqlite3.Connection) -> None:
    """Add the columns."""
    for statement in STATEMENTS:
        connection.execute(statement)
