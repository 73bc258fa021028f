"""The newest mails that others sent, across accounts: what rules are tried on."""

from app.domain.ids import MessageId
from app.domain.mail import SystemLabel
from app.store.database import Database
from app.store.packing import pack_strings

_NOT_RECEIVED = (SystemLabel.SENT, SystemLabel.DRAFT)

_NEWEST = """SELECT m.id FROM messages m WHERE NOT EXISTS (SELECT 1 FROM message_labels l
    WHERE l.message_id = m.id AND l.label IN (SELECT value FROM json_each(?))) ORDER BY m.date DESC, m.id DESC LIMIT ?"""


def newest_received(db: Database, limit: int) -> list[MessageId]:
    """At most `limit` mails, newest first; drafts and the owner's own are left out."""
    return [MessageId(row[0]) for row in db.read(_NEWEST, (pack_strings(_NOT_RECEIVED), limit))]
