"""Reads rows of reviews for engine and window, so nothing heavy is imported."""

import sqlite3
from array import array
from collections import Counter
from collections.abc import Sequence

from app.domain.drafting.draft import Draft, Source
from app.domain.drafting.review import SECTIONS, Proposal, RedFlag, Review, ReviewKind, ReviewRow, ReviewSection, ToolStep
from app.domain.ids import ReviewId, ThreadId
from app.store.db.codecs import id_list, unpack_json, unpack_listed
from app.store.db.records import record
from app.store.db.times import from_ms
from app.store.reviews.first_frame_columns import with_columns

_REVIEW = """SELECT r.*, p.decision, p.category, p.confidence, p.reason, p.maker, p.draft, p.request, p.detail, p.plan_hash,
        p.flags, p.sources, p.tools, p.elapsed_ms,
        f.draft AS first_draft, f.request AS first_request
    FROM reviews r JOIN review_revisions p ON p.review_id = r.id AND p.revision = r.revision
    JOIN review_revisions f ON f.review_id = r.id AND f.revision = 1 WHERE r.id = ?"""

_ROWS = with_columns("""SELECT r.id, r.revision, r.kind, r.status, r.mail_date, p.decision, p.category, p.confidence, p.complete,
        p.flag_count, PEOPLE AS sender, SUBJECT AS subject, SNIPPET AS snippet, GOES_OUT AS goes_out
    FROM reviews r JOIN review_revisions p ON p.review_id = r.id AND p.revision = r.revision
    LEFT JOIN messages m ON m.id = r.message_id
    WHERE r.id IN (SELECT value FROM json_each(?))""")

_DRAFTED = """SELECT id FROM reviews INDEXED BY reviews_thread
    WHERE thread_id = ? AND status = 'pending' AND kind = 'reply' ORDER BY id DESC LIMIT 1"""
_PENDING = with_columns("SELECT r.id FROM reviews r WHERE r.status = 'pending' ORDER BY QUEUE_ORDER")
_KINDS = "SELECT kind, count(*) FROM reviews WHERE status = 'pending' GROUP BY kind"
_DECIDED = "SELECT id FROM reviews WHERE status <> 'pending' ORDER BY decided_at DESC, id DESC"


def load_review(connection: sqlite3.Connection, review_id: ReviewId) -> Review | None:
    """A review at its newest revision, None when it is gone."""
    row = connection.execute(_REVIEW, (review_id,)).fetchone()
    return None if row is None else _review(row)


def load_drafted_reply(connection: sqlite3.Connection, thread_id: ThreadId) -> Review | None:
    """The pending reply to a conversation, None if no draft waits."""
    found = connection.execute(_DRAFTED, (thread_id,)).fetchone()
    return None if found is None else load_review(connection, ReviewId(found[0]))


def load_review_ids(connection: sqlite3.Connection, pending: bool = True) -> "array[int]":
    """The queue by section, urgency, then oldest mail first; without `pending` the decided reviews, newest first."""
    return array("q", (row[0] for row in connection.execute(_PENDING if pending else _DECIDED)))


def load_section_sizes(connection: sqlite3.Connection) -> dict[ReviewSection, int]:
    """How many reviews wait in each section, in order and without empty ones."""
    found = Counter[ReviewSection]()
    for kind, count in connection.execute(_KINDS):
        found[SECTIONS[ReviewKind(kind)]] += count
    return {section: found[section] for section in ReviewSection if found[section]}


def load_review_rows(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[ReviewId, ReviewRow]:
    return {ReviewId(row["id"]): _row(row) for row in connection.execute(_ROWS, (id_list(ids),))}


def _review(row: sqlite3.Row) -> Review:
    proposed = unpack_json(row["first_draft"], Draft)
    return record(Review, row, proposal=_proposal(row), proposed=proposed, proposed_request=row["first_request"])


def _proposal(row: sqlite3.Row) -> Proposal:
    return record(
        Proposal,
        row,
        draft=unpack_json(row["draft"], Draft),
        request_json=row["request"],
        flags=unpack_listed(row["flags"], RedFlag),
        sources=unpack_listed(row["sources"], Source),
        tools=unpack_listed(row["tools"], ToolStep),
    )


def _row(row: sqlite3.Row) -> ReviewRow:
    return record(ReviewRow, row, date=from_ms(row["mail_date"]))
