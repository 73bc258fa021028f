"""Which mails an agent wants marked read, now that everything it proposed about them has left.

Refuses while a reply of the run waits for the user or for the sender, and once the wish stands in the outbox.
"""

from dataclasses import dataclass

from app.domain.ids import MessageId, RunId
from app.store.database import Database
from app.store.review_rows import OF_RUN

_DUE = """SELECT r.id, r.message_id FROM message_labels l CROSS JOIN runs r
    ON r.seq BETWEEN l.message_id << 10 AND (l.message_id << 10) + 1023
    WHERE l.label = 'UNREAD' AND r.status = 'done' AND EXISTS (SELECT 1 FROM run_steps t
            WHERE t.place BETWEEN (r.seq << 20) - 524288 AND (r.seq << 20) - 1 AND t.step_name = 'mark_as_read')
        AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.marker = ? || r.id)
        AND NOT EXISTS (SELECT 1 FROM reviews v WHERE v.id IN (OF_RUN) AND (v.status = 'pending' OR (v.status = 'approved'
            AND NOT EXISTS (SELECT 1 FROM outbox s WHERE s.review_id = v.id AND s.state = 'sent'))))
    ORDER BY r.created_at""".replace("OF_RUN", OF_RUN.format(thread="r.thread_id", run="r.id"))

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
