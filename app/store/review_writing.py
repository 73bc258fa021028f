"""Rows of reviews, written inside a transaction that the caller owns.

Refuses to decide whether a change is allowed; `app.store.reviews` does.
"""

import sqlite3

from app.domain.ids import ReviewId, RunId, ThreadId
from app.domain.review import Proposal, ReviewKind, ReviewStatus
from app.domain.triage import Category
from app.store.packing import storable
from app.store.proposal_json import draft_to_json, flags_to_json, sources_to_json, tools_to_json

URGENT_KINDS = {
    ReviewKind.ESCALATION: 3,
    ReviewKind.QUESTION: 2,
    ReviewKind.TOOL_CALL: 2,
    ReviewKind.PLAN: 2,
    ReviewKind.REPLY: 1,
    ReviewKind.NEEDS_REVIEW: 1,
    ReviewKind.NOTIFY: 0,
}
"""Who waits hardest for the user: an escalation, then runs that stand still, then replies, then mere notices."""

_INSERT = """INSERT INTO reviews (id, run_id, key, account_id, message_id, thread_id, kind, status, revision, urgency, mail_date,
    created_at, seen_upto)
    SELECT 1 + max(coalesce((SELECT max(id) FROM reviews), 0), (SELECT id FROM highest_ids WHERE name = 'reviews')),
        :run, :key, :account, :message, :thread, :kind, 'pending', 1, :urgency,
        coalesce((SELECT date FROM messages WHERE id = :message), :now), :now, coalesce((SELECT max(id) FROM messages), 0)
    RETURNING id"""

# A revision lies by its review and number: 20 bits to the left, and the number.
_REVISION = """INSERT INTO review_revisions (place, review_id, revision, author, decision, category, confidence, reason, maker,
    draft, request, detail, plan_hash, flags, sources, tools, elapsed_ms, complete, flag_count, created_at)
    VALUES ((?1 << 20) + ?2, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)"""


def insert_review(connection: sqlite3.Connection, proposal: Proposal, key: str, now_ms: int) -> ReviewId:
    """A pending review with its first revision."""
    values = {
        "run": proposal.run_id,
        "key": key,
        "account": proposal.account_id,
        "message": proposal.message_id,
        "thread": proposal.thread_id,
        "kind": proposal.kind,
        "urgency": _urgency(proposal),
        "now": now_ms,
    }
    review_id = ReviewId(connection.execute(_INSERT, values).fetchall()[0][0])
    insert_revision(connection, review_id, 1, "agent", proposal, now_ms)
    return review_id


def insert_revision(
    connection: sqlite3.Connection, review_id: ReviewId, revision: int, author: str, proposal: Proposal, now_ms: int
) -> None:
    """One more revision; `author` is agent, user or undo."""
    verdict = (proposal.decision, proposal.category, proposal.confidence, storable(proposal.reason), proposal.maker)
    asked = (draft_to_json(proposal.draft), storable(proposal.request_json), storable(proposal.detail), proposal.plan_hash)
    why = (flags_to_json(proposal.flags), sources_to_json(proposal.sources), tools_to_json(proposal.tools))
    complete = proposal.draft is None or proposal.draft.complete
    shown = (proposal.elapsed_ms, complete, len(proposal.flags), now_ms)
    connection.execute(_REVISION, (review_id, revision, author, *verdict, *asked, *why, *shown))


def supersede_rows(connection: sqlite3.Connection, thread_id: ThreadId, except_run: RunId | None, now_ms: int) -> list[ReviewId]:
    """Close the pending reviews of a thread that belong to other runs; their revisions, edits included, stay."""
    rows = connection.execute(
        """UPDATE reviews SET status = ?, decided_at = ? WHERE id IN (SELECT id FROM reviews INDEXED BY reviews_queue
            WHERE status = 'pending' AND thread_id = ? AND run_id IS NOT ?) RETURNING id""",
        (ReviewStatus.SUPERSEDED, now_ms, thread_id, except_run),
    ).fetchall()
    return [ReviewId(row[0]) for row in rows]


def _urgency(proposal: Proposal) -> int:
    """The queue's first key: the kind, and complaints before everything of their kind."""
    return 2 * URGENT_KINDS[proposal.kind] + (proposal.category == Category.COMPLAINT)
