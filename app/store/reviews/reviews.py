"""The review queue: opened by runs, decided once, undone while nothing was sent.

Every change is one transaction that checks status and revision first. Also counts automatic approvals against the daily
cap, keeps how much of each draft was used, and finds mail that an agent wants marked as read.
"""

import json
import sqlite3
from datetime import datetime
from difflib import SequenceMatcher, unified_diff

from app.domain.agents.runs import Run, RunStatus
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Action, Proposal, RedFlag, Review, ReviewKind, ReviewStatus, edited_request
from app.domain.error_texts import Cause
from app.domain.errors import CapReached, NotAllowed, NotFound, OpenSlots, StaleDecision
from app.domain.ids import AccountId, MessageId, OutboxId, ReviewId, RunId, ThreadId
from app.domain.mail.outbox import UNDOABLE, OutboxState
from app.domain.mail.triage import Category
from app.domain.ports.agents import ReviewDecision, TrailOf
from app.domain.protocol.commands import Decide
from app.domain.record import Record, replace
from app.store.db.codecs import id_list, pack_json, storable, unpack_json
from app.store.db.database import Database, Table
from app.store.db.jobs import cancel_row, put_row
from app.store.db.records import insert_row, record
from app.store.db.times import day_start_ms, to_ms
from app.store.learning.lessons import forget_lessons
from app.store.outbox import NewOutbox, insert_item, move_row
from app.store.reviews.review_rows import load_review
from app.store.runs.runs import move_run, note_event, write_trail

COUNT = "SELECT count(*) FROM email_events WHERE kind = 'auto_approved' AND at >= ?"


def note_approval(connection: sqlite3.Connection, review: Review, cap: int, now: datetime) -> None:
    """Counts one more automatic approval today. Raises `CapReached` when that would exceed `cap`."""
    (given,) = connection.execute(COUNT, (day_start_ms(now),)).fetchone()
    if given >= cap:
        raise CapReached(f"{given} replies were approved by rule today; the cap is {cap}.", "Approve this one yourself.")
    about = review.proposal
    note_event(connection, about.message_id, about.run_id, "auto_approved", "{}", to_ms(now))


WITHDRAWN = "withdrawn:"
"""Prefix of the keys of reviews that a rule dismissed, before its name."""

URGENT_KINDS = {
    ReviewKind.ESCALATION: 3,
    ReviewKind.QUESTION: 2,
    ReviewKind.TOOL_CALL: 2,
    ReviewKind.PLAN: 2,
    ReviewKind.REPLY: 1,
    ReviewKind.NEEDS_REVIEW: 1,
    ReviewKind.NOTIFY: 0,
}
"""The order of the queue: escalations, then runs that cannot continue, then replies, then notices."""

_INSERT = """INSERT INTO reviews (run_id, key, account_id, message_id, thread_id, kind, status, revision, urgency, mail_date,
    created_at, seen_upto)
    VALUES (:run, :key, :account, :message, :thread, :kind, 'pending', 1, :urgency,
        coalesce((SELECT date FROM messages WHERE id = :message), :now), :now, coalesce((SELECT max(id) FROM messages), 0))
    RETURNING id"""


def insert_review(connection: sqlite3.Connection, proposal: Proposal, key: str, now_ms: int) -> ReviewId:
    """Inserts a pending review with its first revision."""
    values = {
        "run": proposal.run_id,
        "key": key,
        "account": proposal.account_id,
        "message": proposal.message_id,
        "thread": proposal.thread_id,
        "kind": proposal.kind,
        "urgency": 2 * URGENT_KINDS[proposal.kind] + (proposal.category == Category.COMPLAINT),
        "now": now_ms,
    }
    review_id = ReviewId(connection.execute(_INSERT, values).fetchall()[0][0])
    insert_revision(connection, review_id, 1, "agent", proposal, now_ms)
    return review_id


def insert_revision(
    connection: sqlite3.Connection, review_id: ReviewId, revision: int, author: str, proposal: Proposal, now_ms: int
) -> None:
    """Inserts a revision; `author` is agent, user or undo."""
    own = ("decision", "category", "confidence", "reason", "maker", "detail", "plan_hash", "elapsed_ms")
    packed = ("draft", "flags", "sources", "tools")
    row = {
        "review_id": review_id,
        "revision": revision,
        "author": author,
        **{name: getattr(proposal, name) for name in own},
        **{name: pack_json(getattr(proposal, name)) for name in packed},
        "request": proposal.request_json,
        "complete": proposal.draft is None or proposal.draft.complete,
        "flag_count": sum(flag.red for flag in proposal.flags),
        "created_at": now_ms,
    }
    insert_row(connection, "review_revisions", row)


def supersede_rows(connection: sqlite3.Connection, thread_id: ThreadId, except_run: RunId | None, now_ms: int) -> list[ReviewId]:
    """Closes the pending reviews of a thread except those of one run. Their revisions stay."""
    rows = connection.execute(
        """UPDATE reviews SET status = ?, decided_at = ? WHERE thread_id = ? AND run_id IS NOT ? AND status = 'pending'
            RETURNING id, run_id, kind""",
        (ReviewStatus.SUPERSEDED, now_ms, thread_id, except_run),
    ).fetchall()
    for row in rows:
        if row["kind"] == ReviewKind.NEEDS_REVIEW:
            move_run(connection, row["run_id"], (RunStatus.NEEDS_REVIEW,), RunStatus.SUPERSEDED, now_ms)
    return [ReviewId(row[0]) for row in rows]


_COMPARED_WORDS = 2000
"""The comparison may take quadratic time, so only the beginning of a longer draft is compared."""

_OUTCOMES = {Action.ACCEPT: "approved", Action.EDIT: "edited", Action.SAVE_DRAFT: "saved", Action.IGNORE: "rejected"}


def keep_draft(connection: sqlite3.Connection, decision_id: int, before: Review, approved: Draft | None, action: Action) -> None:
    """Stores how much of the first proposed draft a decision used. Does nothing for feedback and reviews without a draft."""
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


def kept_share(proposed: str, approved: str) -> float:
    """The share of words that both texts have in common, from 0 to 1; 1 for two empty texts."""
    words = SequenceMatcher(None, proposed.split()[:_COMPARED_WORDS], approved.split()[:_COMPARED_WORDS], autojunk=False)
    return words.ratio()


_WAITING_RUNS = """SELECT DISTINCT r.* FROM reviews v CROSS JOIN runs r ON r.id = v.run_id
    WHERE v.thread_id = ? AND r.status = 'waiting' ORDER BY r.created_at, r.id"""
_EDITED = """SELECT r.status, p.draft,
        (SELECT f.draft FROM review_revisions f WHERE f.review_id = r.id AND f.revision <= r.revision AND f.author = 'agent'
            ORDER BY f.revision DESC LIMIT 1) AS first
    FROM reviews r JOIN review_revisions p ON p.review_id = r.id AND p.revision = r.revision
    WHERE r.thread_id = ? AND r.kind = 'reply' AND r.run_id <> ? ORDER BY r.id DESC LIMIT 1"""
_NEWEST = """SELECT coalesce(max(id), 0) FROM reviews
    WHERE thread_id = (SELECT thread_id FROM runs WHERE id = :run) AND run_id = :run"""
_SAME = "SELECT id, revision FROM reviews WHERE thread_id = ? AND run_id = ? AND key = ?"
_WAITING = "SELECT id, kind FROM reviews WHERE thread_id = ? AND run_id = ? AND status = 'pending' ORDER BY id"
_PENDING = "SELECT id FROM reviews WHERE thread_id = ? AND status = 'pending' ORDER BY id"
_PENDING_OF = """SELECT r.id FROM reviews r JOIN messages m ON m.id = r.message_id
    WHERE r.status = 'pending' AND lower(m.sender_email) = ? ORDER BY r.id"""
_APPROVED_WITH = """SELECT count(*) FROM decisions d JOIN reviews r ON r.id = d.review_id
    JOIN review_revisions p ON p.review_id = d.review_id AND p.revision = d.revision
    WHERE r.account_id = ? AND d.status = 'approved' AND d.undone_at IS NULL AND p.flags LIKE '[{%' AND EXISTS (SELECT 1
        FROM json_each(p.flags) f WHERE json_extract(f.value, '$.kind') = ? AND json_extract(f.value, '$.about') = ?)"""
_REVISABLE = (ReviewStatus.PENDING, ReviewStatus.ANSWERED)
_UNDOABLE_STATUSES = (ReviewStatus.APPROVED, ReviewStatus.SAVED_AS_DRAFT, ReviewStatus.REJECTED, ReviewStatus.DISMISSED)


class Reviews(Table):
    """The table `reviews` with revisions and decisions."""

    def open(self, proposal: Proposal, key: str, trail: TrailOf | None = None) -> ReviewId:
        """Inserts a review once per run and `key`; a repeated call returns the same id.

        Supersedes an older pending review of the same thread. The trail is written in the same commit.
        """
        now_ms = to_ms(self._clock())
        with self._db.transaction(work_only=True) as connection:
            row = connection.execute(_SAME, (proposal.thread_id, proposal.run_id, key)).fetchone()
            if row is None:
                supersede_rows(connection, proposal.thread_id, proposal.run_id, now_ms)
                row = (insert_review(connection, proposal, key, now_ms), 1)
            if trail is not None:
                write_trail(connection, trail(ReviewId(row[0]), row[1]), now_ms)
            return ReviewId(row[0])

    def revise(self, review_id: ReviewId, proposal: Proposal, trail: TrailOf | None = None) -> int:
        """Adds a pending revision to a review that is pending or answered with feedback. Returns its number.

        Writes the run's trail in the same transaction. Raises `StaleDecision` when the review is decided or superseded, and
        `NotFound`.
        """
        with self._db.transaction(work_only=True) as connection:
            review = _existing(connection, review_id)
            if review.status not in _REVISABLE:
                raise StaleDecision(f"Review {review_id} is {review.status}.")
            now_ms = to_ms(self._clock())
            revision = _reopen(connection, review, "agent", proposal, now_ms)
            if trail is not None:
                write_trail(connection, trail(review_id, revision), now_ms)
            return revision

    def approved_with(self, account_id: AccountId, flag: RedFlag) -> int:
        """How many drafts with this very flag the owner has approved."""
        return int(self._db.read(_APPROVED_WITH, (account_id, flag.kind, flag.about))[0][0])

    def newest_of_run(self, run_id: RunId) -> ReviewId:
        """The last review a run opened, 0 if there is none."""
        return ReviewId(self._db.read(_NEWEST, {"run": run_id})[0][0])

    def edited_in_thread(self, thread_id: ThreadId, besides: RunId) -> Draft | None:
        """The draft that the owner edited in the thread's newest other reply, if it is pending or superseded; otherwise None."""
        rows = self._db.read(_EDITED, (thread_id, besides))
        row = next(iter(rows), None)
        standing = row is not None and row["status"] in (ReviewStatus.PENDING, ReviewStatus.SUPERSEDED)
        return unpack_json(row["draft"], Draft) if row is not None and standing and row["draft"] != row["first"] else None

    def waiting_runs(self, thread_id: ThreadId) -> tuple[Run, ...]:
        """A thread's runs that wait for a review, oldest first."""
        return tuple(record(Run, row) for row in self._db.read(_WAITING_RUNS, (thread_id,)))

    def waiting_of(self, thread_id: ThreadId, run_id: RunId) -> tuple[tuple[ReviewId, ReviewKind], ...]:
        """The pending reviews of a run on this thread with their kinds, oldest first."""
        rows = self._db.read(_WAITING, (thread_id, run_id))
        return tuple((ReviewId(row[0]), ReviewKind(row[1])) for row in rows)

    def review(self, review_id: ReviewId) -> Review:
        """Raises `NotFound`."""
        return self._db.load(_existing, review_id)

    def standing(self, review_id: ReviewId) -> tuple[ReviewStatus, int]:
        """Status and revision only. Raises `NotFound`."""
        rows = self._db.read("SELECT status, revision FROM reviews WHERE id = ?", (review_id,))
        if not rows:
            raise NotFound(f"There is no review {review_id}.")
        return ReviewStatus(rows[0][0]), rows[0][1]

    def decision(self, review_id: ReviewId) -> ReviewDecision | None:
        """The owner's decision, None while pending."""
        rows = self._db.read(
            """SELECT d.id, d.action, d.text, d.outbox_id FROM decisions d JOIN reviews r ON r.id = d.review_id
                WHERE d.review_id = ? AND d.undone_at IS NULL AND r.status NOT IN ('pending', 'superseded')
                ORDER BY d.id DESC LIMIT 1""",
            (review_id,),
        )
        return ReviewDecision(*rows[0]) if rows else None

    def decide(
        self, d: Decide, outbox: NewOutbox | None, status: ReviewStatus, memory_job: str | None, auto_cap: int | None = None
    ) -> ReviewDecision:
        """Stores the owner's decision once: status, draft revision, outbox row, memory job and decision row in one transaction.

        `memory_job` is the payload (JSON text) of a `memory` job. `auto_cap` is the daily cap for an approval that policy gives
        by itself; nobody judged such a draft, so `kept_drafts` gets no row. Raises `StaleDecision`, `OpenSlots`, `NotAllowed`,
        `CapReached` or `NotFound`; then nothing is changed.
        """
        now = self._clock()
        with self._db.transaction(work_only=True) as connection:
            review = _existing(connection, d.review_id)
            draft = _checked(review, d, status)
            outbox_id = OutboxId(0) if outbox is None else insert_item(connection, replace(outbox, review_id=review.id), now)
            proposal = review.proposal
            request = edited_request(proposal.request_json, d.arguments)
            decided = replace(proposal, draft=draft or proposal.draft, request_json=request)
            revision = review.revision + (decided != proposal)
            if decided != proposal:
                insert_revision(connection, review.id, revision, "user", decided, to_ms(now))
            memory_key = f"{review.id}:{revision}" if memory_job is not None else ""
            if memory_job is not None:
                put_row(connection, "memory", memory_key, storable(memory_job), to_ms(now))
            values = (status, revision, to_ms(now), review.id)
            connection.execute("UPDATE reviews SET status = ?, revision = ?, decided_at = ? WHERE id = ?", values)
            _move_run(connection, review, d.action, to_ms(now))
            decision_id = connection.execute(
                """INSERT INTO decisions (review_id, revision, action, text, status, outbox_id, memory_key, decided_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id""",
                (review.id, revision, d.action, storable(d.text), status, outbox_id, memory_key, to_ms(now)),
            ).fetchall()[0][0]
            if auto_cap is None:
                keep_draft(connection, decision_id, review, draft, d.action)
            else:
                note_approval(connection, review, auto_cap, now)
            return ReviewDecision(decision_id, d.action, d.text, outbox_id)

    def approved_by_rule_today(self) -> int:
        """Automatic approvals since local midnight."""
        return int(self._db.read(COUNT, (day_start_ms(self._clock()),))[0][0])

    def undo(self, review_id: ReviewId) -> tuple[OutboxId, int]:
        """Undoes the last decision in one transaction: cancels its outbox item, forgets its lessons, makes the review pending
        again.

        Returns the outbox id (0 if none) and the new revision. Raises `NotAllowed` when something was sent or there is nothing to
        undo, and `NotFound`.
        """
        now = self._clock()
        with self._db.transaction(work_only=True) as connection:
            review = _existing(connection, review_id)
            last = _last_decision(connection, review)
            outbox_id = OutboxId(last["outbox_id"])
            if outbox_id:
                row = connection.execute("SELECT state FROM outbox WHERE id = ?", (outbox_id,)).fetchone()
                state = OutboxState(row[0])
                if state not in UNDOABLE:
                    raise NotAllowed(Cause.TOO_LATE)
                move_row(connection, outbox_id, state, OutboxState.CANCELLED, "", now)
            if last["memory_key"]:
                cancel_row(connection, "memory", last["memory_key"])
                forget_lessons(connection, last["memory_key"])
            connection.execute("UPDATE decisions SET undone_at = ? WHERE id = ?", (to_ms(now), last["id"]))
            connection.execute("DELETE FROM kept_drafts WHERE decision_id = ?", (last["id"],))
            if review.proposal.kind is ReviewKind.NEEDS_REVIEW:
                move_run(connection, review.proposal.run_id, (RunStatus.DONE,), RunStatus.NEEDS_REVIEW, to_ms(now))
            return outbox_id, _reopen(connection, review, "undo", review.proposal, to_ms(now))

    def supersede(self, thread_id: ThreadId) -> tuple[ReviewId, ...]:
        """Closes a thread's pending reviews, because a newer mail replaces them. Returns their ids."""
        with self._db.transaction(work_only=True) as connection:
            return tuple(supersede_rows(connection, thread_id, None, to_ms(self._clock())))

    def pending_for_thread(self, thread_id: ThreadId) -> tuple[ReviewId, ...]:
        """The thread's pending reviews, oldest first."""
        rows = self._db.read(_PENDING, (thread_id,))
        return tuple(ReviewId(row[0]) for row in rows)

    def pending_of_sender(self, email: str) -> tuple[ReviewId, ...]:
        """The pending reviews about mail from `email`, which is in lower case."""
        return tuple(ReviewId(row[0]) for row in self._db.read(_PENDING_OF, (email,)))

    def keep_withdrawn(self, rule: str, ids: tuple[ReviewId, ...]) -> None:
        """Keeps which reviews a rule dismissed, beside those that it dismissed before."""
        with self._db.transaction() as connection:
            kept = dict.fromkeys((*_withdrawn(connection, rule), *ids))
            row = (f"{WITHDRAWN}{rule}", to_ms(self._clock()), id_list(kept))
            connection.execute("INSERT OR REPLACE INTO actions (key, at, before) VALUES (?, ?, ?)", row)

    def take_withdrawn(self, rule: str) -> tuple[ReviewId, ...]:
        """The reviews that a rule dismissed, once."""
        with self._db.transaction() as connection:
            kept = _withdrawn(connection, rule)
            connection.execute("DELETE FROM actions WHERE key = ?", (f"{WITHDRAWN}{rule}",))
            return kept

    def pending_count(self) -> int:
        """How many reviews are pending."""
        return int(self._db.read("SELECT count(*) FROM reviews WHERE status = 'pending'")[0][0])


def _withdrawn(connection: sqlite3.Connection, rule: str) -> tuple[ReviewId, ...]:
    row = connection.execute("SELECT before FROM actions WHERE key = ?", (f"{WITHDRAWN}{rule}",)).fetchone()
    return tuple(map(ReviewId, json.loads(row[0]))) if row is not None else ()


def _existing(connection: sqlite3.Connection, review_id: ReviewId) -> Review:
    """Raises `NotFound`."""
    review = load_review(connection, review_id)
    if review is None:
        raise NotFound(f"There is no review {review_id}.")
    return review


def _checked(review: Review, d: Decide, status: ReviewStatus) -> Draft | None:
    """The draft that is decided on. Raises when the decision breaks a rule."""
    if review.status is not ReviewStatus.PENDING or review.revision != d.revision:
        raise StaleDecision(f"Review {review.id} is {review.status} at revision {review.revision}, not {d.revision}.")
    if d.action not in review.allowed:
        raise NotAllowed(f"A {review.proposal.kind} review does not allow {d.action}.")
    if status in (ReviewStatus.PENDING, ReviewStatus.SUPERSEDED):
        raise NotAllowed(f"A decision cannot leave a review {status}.")
    draft = review.proposal.draft if d.draft is None else d.draft
    if d.action in (Action.ACCEPT, Action.EDIT) and draft is not None:
        if draft.open_slots:
            raise OpenSlots(draft.open_slots)
        if not draft.complete:
            raise NotAllowed("The draft is empty.", "Write a text first.")
    return draft


def _move_run(connection: sqlite3.Connection, review: Review, action: Action, now_ms: int) -> None:
    """A run that has ended goes on where the owner wants an answer. One that needed the owner is done with the decision."""
    run_id = review.proposal.run_id
    if action is Action.RESPOND:
        move_run(connection, run_id, (RunStatus.NEEDS_REVIEW, RunStatus.DONE), RunStatus.WAITING, now_ms)
    elif review.proposal.kind is ReviewKind.NEEDS_REVIEW:
        move_run(connection, run_id, (RunStatus.NEEDS_REVIEW,), RunStatus.DONE, now_ms)


def _last_decision(connection: sqlite3.Connection, review: Review) -> sqlite3.Row:
    """The decision in force. Raises `NotAllowed` when it cannot be undone: an approval without an outbox item was carried out
    already.
    """
    sql = "SELECT * FROM decisions WHERE review_id = ? AND undone_at IS NULL ORDER BY id DESC LIMIT 1"
    row: sqlite3.Row | None = connection.execute(sql, (review.id,)).fetchone()
    acted = review.status is ReviewStatus.APPROVED and row is not None and not row["outbox_id"]
    if row is None or acted or review.status not in _UNDOABLE_STATUSES:
        raise NotAllowed(f"Review {review.id} is {review.status}; there is nothing to undo.")
    return row


def _reopen(connection: sqlite3.Connection, review: Review, author: str, proposal: Proposal, now_ms: int) -> int:
    """Inserts a new pending revision and returns its number."""
    revision = review.revision + 1
    insert_revision(connection, review.id, revision, author, proposal, now_ms)
    connection.execute(
        "UPDATE reviews SET status = 'pending', revision = ?, decided_at = NULL WHERE id = ?", (revision, review.id)
    )
    return revision


_DUE = """SELECT r.id, r.message_id FROM tool_calls t INDEXED BY tool_calls_read_marks
    CROSS JOIN runs r ON r.id = t.run_id
    CROSS JOIN message_labels l ON l.message_id = r.message_id AND l.label = 'UNREAD'
    WHERE t.tool = 'mark_as_read' AND r.status = 'done'
        AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.marker = ? || r.id AND o.marker <> '')
        AND NOT EXISTS (SELECT 1 FROM reviews v WHERE v.thread_id = r.thread_id AND v.run_id = r.id
            AND (v.status = 'pending' OR (v.status = 'approved'
                AND NOT EXISTS (SELECT 1 FROM outbox s WHERE s.review_id = v.id AND s.state = 'sent'))))
    ORDER BY r.created_at"""

READ_MARKER = "read:"
"""Prefix of the marker of such an outbox item, before the run's id. Markers are unique."""


class ReadWish(Record):
    """A finished run whose message is to be marked as read."""

    run_id: RunId
    message_id: MessageId

    @property
    def marker(self) -> str:
        return f"{READ_MARKER}{self.run_id}"


def read_wishes(db: Database) -> tuple[ReadWish, ...]:
    """Messages to mark as read now that everything the run proposed was sent or decided, oldest first."""
    return tuple(ReadWish(RunId(row[0]), MessageId(row[1])) for row in db.read(_DUE, (READ_MARKER,)))
