"""Which mails an agent wants marked read, now that everything it proposed about them has left.

Refuses while a reply of the run waits for the user or for the sender, and once the wish stands in the outbox.
"""

from dataclasses import dataclass

from app.domain.ids import MessageId, RunId
from app.store.database import Database

_DUE = """SELECT r.id, r.message_id FROM tool_executions t JOIN runs r ON r.id = t.run_id
    JOIN messages m ON m.id = r.message_id
    WHERE t.tool = 'mark_as_read' AND r.status = 'done'
        AND EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label = 'UNREAD')
        AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.marker = ? || r.id)
        AND NOT EXISTS (SELECT 1 FROM reviews v WHERE v.run_id = r.id AND (v.status = 'pending' OR (v.status = 'approved'
            AND NOT EXISTS (SELECT 1 FROM outbox s WHERE s.review_id = v.id AND s.state = 'sent'))))
    ORDER BY r.created_at"""

READ_MARKER = "read:"
"""What the marker of such an outbox item begins with, before the run's id; markers are unique."""


@dataclass(frozen=True, slots=True)
class ReadWish:
    """A run that is done, and its mail."""

    run_id: RunId
    message_id: MessageId

    @property
    def marker(self) -> str:
        """The outbox item's marker."""
        return f"{READ_MARKER}{self.run_id}"


def read_wishes(db: Database) -> tuple[ReadWish, ...]:
    """The wishes that are due, oldest first."""
    return tuple(ReadWish(RunId(row[0]), MessageId(row[1])) for row in db.read(_DUE, (READ_MARKER,)))
