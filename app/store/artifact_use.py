"""Which files of the app's own something still names: drafts that wait or may come back, and requests to the assistant.

Reads only. Refuses to know where the files lie.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from app.store.proposal_json import draft_from_json, handles_from_json
from app.store.trouble import converted

_DRAFTS = """SELECT p.draft FROM reviews r JOIN review_revisions p ON p.place BETWEEN r.id << 20 AND (r.id << 20) + 1048575
    WHERE (r.status IN ('pending', 'answered')
        OR r.id IN (SELECT review_id FROM outbox WHERE state NOT IN ('sent', 'cancelled')))
    AND p.draft LIKE '%"attachments":%'"""
_STEPS = "SELECT documents FROM request_steps WHERE documents <> ''"


def named_documents(connection: sqlite3.Connection) -> frozenset[str]:
    """The ids of the files; of a draft also those that the user took off, which an undo brings back."""
    drafts = (draft_from_json(row[0]) for row in connection.execute(_DRAFTS))
    attached = {one.id for draft in drafts if draft is not None for one in draft.attachments}
    made = {one.id for row in connection.execute(_STEPS) for one in handles_from_json(row[0])}
    return frozenset(attached | made)


def documents_named_in(path: Path) -> frozenset[str]:
    """The same for a file that nobody has open. Raises the store's trouble."""
    with converted(), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        return named_documents(connection)
