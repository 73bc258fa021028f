"""Whose account rows belong to, by what commands call their ids."""

from collections.abc import Iterable

from app.domain.ids import AccountId
from app.store.database import Database
from app.store.packing import id_list

OWNED = {
    "message_id": "messages",
    "thread_ids": "threads",
    "review_id": "reviews",
    "outbox_id": "outbox",
    "letter_id": "letters",
    "request_id": "requests",
}
"""The fields of commands that name rows of an account, with the rows' table."""

_OWNERS = "SELECT DISTINCT account_id FROM ROWS WHERE id IN (SELECT value FROM json_each(?))"


def owner_of(db: Database, field: str, ids: Iterable[int | str]) -> AccountId:
    """The one account of the rows that a command's `field` names; 0 where they are gone or belong to several."""
    rows = db.read(_OWNERS.replace("ROWS", OWNED[field]), (id_list(ids),))
    return AccountId(rows[0][0]) if len(rows) == 1 else AccountId(0)
