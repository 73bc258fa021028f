"""Which mails an agent wants marked read, now that everything it proposed about them has left.

Refuses while a reply of the run waits for the user or for the sender, and once the wish stands in the outbox.
"""

from dataclasses import dataclass

from app.domain.ids import MessageId, RunId
from app.store.database import Database
from app.store.review_rows import OF_RUN

_DUE = """SELECT r.id, r.message_id FROM run_steps t INDEXED BY run_steps_read_marks
    CROSS JOIN runs r ON r.seq = (t.place + 524288) >> 20
    CROSS JOIN message_labels l ON l.message_id = r.message_id AND l.label = 'UNREAD'
    WHERE t.step_name = 'mark_as_read' AND ((t.place + 524288) & 1048575) < 524288 AND r.status = 'done'
        AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.marker = ? || r.id AND o.marker <> '')
        AND NOT EXISTS (SELECT 1 FROM reviews v WHERE v.id IN (OF_RUN) AND (v.status = 'pending' OR (v.status = 'approved'
            AND NOT EXISTS (SELECT 1 FROM outbox s WHERE s.review_id = v.id AND s.state = 'sent'))))
    GROUP BY r.seq ORDER BY r.created_at""".replace("OF_RUN", OF_RUN.format(thread="r.thread_id", run="r.id"))
"""Tools' rows lie in the half million places before those of their run's steps (`run_places`)."""

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
