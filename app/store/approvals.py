"""Approvals that policy gave by itself, as events of the mail, so that a day's cap holds however many runs ask at once.

Refuses one more than the cap; an approval that the user took back counts all the same.
"""

import sqlite3
from datetime import datetime

from app.domain.errors import CapReached
from app.domain.review import Review
from app.store.event_rows import note_event
from app.store.instants import to_ms
from app.store.periods import day_start_ms

KIND = "auto_approved"
COUNT = "SELECT count(*) FROM mail_events WHERE kind = 'auto_approved' AND at >= ?"


def note_approval(connection: sqlite3.Connection, review: Review, cap: int, now: datetime) -> None:
    """Count one more today. Raises `CapReached` instead of going beyond `cap`."""
    (given,) = connection.execute(COUNT, (day_start_ms(now),)).fetchone()
    if given >= cap:
        raise CapReached(f"{given} replies were approved by rule today; the cap is {cap}.", "Approve this one yourself.")
    about = review.proposal
    note_event(connection, about.message_id, about.run_id, KIND, "{}", to_ms(now))
