"""What became of each proposed draft: kept, edited or rejected, with the difference. `daily_handle` counts them.

Refuses to judge style: `kept` is the share of the approved words that were proposed.
"""

import sqlite3
from difflib import SequenceMatcher, unified_diff

from app.domain.draft import Draft
from app.domain.review import Action, Review
from app.store.packing import storable

_COMPARED_WORDS = 2000
"""The comparison is quadratic in bad cases; a longer draft is compared by its beginning."""

_OUTCOMES = {Action.ACCEPT: "approved", Action.EDIT: "edited", Action.SAVE_DRAFT: "saved", Action.IGNORE: "rejected"}


def keep_draft(connection: sqlite3.Connection, decision_id: int, before: Review, approved: Draft | None, action: Action) -> None:
    """Note what a decision made of the first proposed draft; nothing for other reviews and for feedback."""
    proposed = before.proposed
    outcome = _OUTCOMES.get(action)
    if proposed is None or outcome is None:
        return
    body = "" if action is Action.IGNORE or approved is None else approved.body
    diff = "\n".join(unified_diff(proposed.body.splitlines(), body.splitlines(), "proposed", outcome, lineterm=""))
    about = before.proposal
    connection.execute(
        """INSERT INTO kept_drafts (decision_id, account_id, sender, category, outcome, kept, diff, at)
            SELECT id, ?, ifnull((SELECT sender_email FROM messages WHERE id = ?), ''), ?, ?, ?, ?, decided_at
            FROM decisions WHERE id = ?""",
        (
            about.account_id,
            about.message_id,
            about.category,
            outcome,
            kept_share(proposed.body, body),
            storable(diff),
            decision_id,
        ),
    )


def forget_kept(connection: sqlite3.Connection, decision_id: int) -> None:
    """An undone decision says nothing about the draft."""
    connection.execute("DELETE FROM kept_drafts WHERE decision_id = ?", (decision_id,))


def kept_share(proposed: str, approved: str) -> float:
    """The share of the words of both texts that are common, 0..1; two empty texts are the same."""
    words = SequenceMatcher(None, proposed.split()[:_COMPARED_WORDS], approved.split()[:_COMPARED_WORDS], autojunk=False)
    return words.ratio()
