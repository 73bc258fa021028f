"""What became of each proposed draft: kept, edited or rejected, with the difference; the ground for keep rates.

Refuses to judge style: `kept` is the share of the approved words that were proposed.
"""

import sqlite3
from dataclasses import dataclass
from difflib import SequenceMatcher, unified_diff

from app.domain.draft import Draft
from app.domain.ids import AccountId
from app.domain.review import Action, Review
from app.store.database import Database
from app.store.packing import storable

_COMPARED_WORDS = 2000
"""The comparison is quadratic in bad cases; a longer draft is compared by its beginning."""

_OUTCOMES = {Action.ACCEPT: "approved", Action.EDIT: "edited", Action.SAVE_DRAFT: "saved", Action.IGNORE: "rejected"}


@dataclass(frozen=True, slots=True)
class KeepRate:
    """How drafts to a sender in a category fared: how many, and the mean share kept (0..1)."""

    sender: str
    category: str
    drafts: int
    kept: float


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


def keep_rates(db: Database, account_id: AccountId) -> tuple[KeepRate, ...]:
    """By sender and category, most drafts first."""
    rows = db.read(
        """SELECT sender, category, count(*), avg(kept) FROM kept_drafts WHERE account_id = ?
            GROUP BY sender, category ORDER BY count(*) DESC, sender, category""",
        (account_id,),
    )
    return tuple(KeepRate(*row) for row in rows)
