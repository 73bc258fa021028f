"""The labels of a whole mirror in one reading, for those who compare it with the server's lists."""

from app.domain.ids import AccountId, GmailId
from app.store.database import Database
from app.store.packing import unpack_strings

_ALL = """SELECT m.gmail_id, json_group_array(l.label) FROM messages m JOIN message_labels l ON l.message_id = m.id
    WHERE m.account_id = ? GROUP BY m.id"""


def label_sets(db: Database, account_id: AccountId) -> dict[GmailId, frozenset[str]]:
    """The Gmail label ids of each message of an account that has some."""
    return {GmailId(gmail_id): frozenset(unpack_strings(labels)) for gmail_id, labels in db.read(_ALL, (account_id,))}
