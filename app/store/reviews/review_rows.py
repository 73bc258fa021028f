"""Reads rows of reviews for engine and window; drafts, red flags, sources, tool steps and artifacts as JSON text.

The window reads them too, so nothing heavy is imported.
"""

import json
import sqlite3
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Any

from app.domain.drafting.draft import Draft, Source, SourceKind, Span, SpanKind
from app.domain.drafting.review import (
    SECTIONS,
    FlagKind,
    Proposal,
    RedFlag,
    Review,
    ReviewKind,
    ReviewRow,
    ReviewSection,
    ToolStep,
)
from app.domain.ids import MessageId, ReviewId, ThreadId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import Address
from app.store.db.codecs import id_list
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


def load_review_ids(connection: sqlite3.Connection, pending: bool) -> "array[int]":
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
    proposed = draft_from_json(row["first_draft"])
    return record(Review, row, proposal=_proposal(row), proposed=proposed, proposed_request=row["first_request"])


def _proposal(row: sqlite3.Row) -> Proposal:
    return record(
        Proposal,
        row,
        draft=draft_from_json(row["draft"]),
        request_json=row["request"],
        flags=flags_from_json(row["flags"]),
        sources=sources_from_json(row["sources"]),
        tools=tools_from_json(row["tools"]),
    )


def _row(row: sqlite3.Row) -> ReviewRow:
    return record(ReviewRow, row, date=from_ms(row["mail_date"]))


_encode = json.JSONEncoder(separators=(",", ":")).encode


def draft_to_json(draft: Draft | None) -> str:
    """Empty text for None."""
    if draft is None:
        return ""
    fields = {
        "to": _addresses(draft.to),
        "cc": _addresses(draft.cc),
        "bcc": _addresses(draft.bcc),
        "subject": draft.subject,
        "body": draft.body,
        "maker": draft.maker,
        "reply_to": draft.reply_to,
        "spans": [[one.start, one.end, one.kind, one.note, one.source_message_id] for one in draft.spans],
    }
    if draft.attachments:
        fields["attachments"] = _files(draft.attachments)
    return _encode(fields)


def draft_from_json(text: str) -> Draft | None:
    if not text:
        return None
    found = json.loads(text)
    spans = tuple(Span(start, end, SpanKind(kind), note, MessageId(source)) for start, end, kind, note, source in found["spans"])
    return Draft(
        to=_people(found["to"]),
        cc=_people(found["cc"]),
        bcc=_people(found["bcc"]),
        subject=found["subject"],
        body=found["body"],
        maker=found["maker"],
        reply_to=MessageId(found["reply_to"]),
        spans=spans,
        attachments=tuple(ArtifactHandle(*row) for row in found.get("attachments", ())),
    )


def flags_to_json(flags: tuple[RedFlag, ...]) -> str:
    """Empty text for no flags."""
    return _encode([[one.kind, one.about] for one in flags]) if flags else ""


def flags_from_json(text: str) -> tuple[RedFlag, ...]:
    return tuple(RedFlag(FlagKind(kind), about) for kind, about in _listed(text))


def sources_to_json(sources: tuple[Source, ...]) -> str:
    """Empty text for no sources."""
    rows = [[one.kind, one.title, one.excerpt, one.message_id, sorted(one.readers), one.score] for one in sources]
    return _encode(rows) if rows else ""


def sources_from_json(text: str) -> tuple[Source, ...]:
    return tuple(
        Source(SourceKind(kind), title, excerpt, MessageId(message_id), frozenset(readers), score)
        for kind, title, excerpt, message_id, readers, score in _listed(text)
    )


def handles_to_json(handles: tuple[ArtifactHandle, ...]) -> str:
    """Artifacts as JSON; empty text for none."""
    return _encode(_files(handles)) if handles else ""


def handles_from_json(text: str) -> tuple[ArtifactHandle, ...]:
    return tuple(ArtifactHandle(*row) for row in _listed(text))


def tools_to_json(tools: tuple[ToolStep, ...]) -> str:
    """Empty text for no tool steps."""
    rows = [[one.name, one.arguments, one.result, one.error, one.latency_ms] for one in tools]
    return _encode(rows) if rows else ""


def tools_from_json(text: str) -> tuple[ToolStep, ...]:
    return tuple(ToolStep(*row) for row in _listed(text))


def _addresses(addresses: tuple[Address, ...]) -> list[list[str]]:
    return [[one.email, one.name] for one in addresses]


def _files(handles: tuple[ArtifactHandle, ...]) -> list[list[str | int]]:
    return [[one.id, one.name, one.sha256, one.size] for one in handles]


def _people(rows: list[list[str]]) -> tuple[Address, ...]:
    return tuple(Address(email, name) for email, name in rows)


def _listed(text: str) -> list[list[Any]]:
    rows: list[list[Any]] = json.loads(text) if text else []
    return rows
