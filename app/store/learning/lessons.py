"""What each decision taught: changes of preferences that can be undone, and feedback on its mail.

All rows carry the decision's memory key. Nothing is written for a decision that was undone meanwhile.
"""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.agents.memory import Lesson, MailFeedback, PreferenceChange
from app.domain.ids import MessageId, ReviewId
from app.domain.mail.triage import Category, Decision
from app.domain.ports.agents import Clock
from app.store.db.codecs import storable
from app.store.db.database import Database
from app.store.db.times import to_ms
from app.store.learning.preference_rows import RESTORE, pack_rule, pack_state, preference_of
from app.store.learning.preferences import insert

KEPT_TEACHINGS = 400
"""How many of the newest corrections the classifier learns from."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The verdict a message should have had. `vector` is its embedding as 32-bit floats, made by `model_id`."""

    decision: Decision
    category: Category
    model_id: str
    vector: bytes


@dataclass(frozen=True, slots=True)
class Teaching:
    """The feedback of one decision on one message."""

    memory_key: str
    review_id: ReviewId
    message_id: MessageId
    sender: str
    said: MailFeedback
    corrected: Corrected | None = None


class Lessons:
    """The tables `lessons` and `teachings`."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def stands(self, memory_key: str) -> bool:
        """Whether the decision exists and was not undone."""
        return _in_force(self._db.read(_UNDONE_AT, (memory_key,)))

    def write(self, teaching: Teaching, lessons: Sequence[Lesson]) -> tuple[int, ...]:
        """Stores what a decision taught, once and in one transaction. Returns the changed preferences; none for an undone
        decision.
        """
        now_ms = to_ms(self._clock())
        with self._db.transaction() as connection:
            if not _in_force(connection.execute(_UNDONE_AT, (teaching.memory_key,)).fetchall()):
                return ()
            _insert_teaching(connection, teaching, now_ms)
            changed = [_apply(connection, teaching, one, now_ms) for one in lessons]
            return tuple(dict.fromkeys(one for one in changed if one))

    def said(self, sender: str, kind: MailFeedback, scope: str) -> tuple[ReviewId, ...]:
        """Reviews whose decisions gave this feedback on a sender since the owner last deleted a rule of that scope."""
        rows = self._db.read(
            """SELECT review_id FROM teachings WHERE sender = :sender AND kind = :kind AND at > ifnull(
                (SELECT max(deleted_at) FROM preferences WHERE rule LIKE '["sender"%' AND json_extract(rule, '$[1]') = :scope), 0)
                ORDER BY at""",
            {"sender": sender, "kind": kind, "scope": scope},
        )
        return tuple(dict.fromkeys(ReviewId(row[0]) for row in rows))

    def corrections(self) -> tuple[Teaching, ...]:
        """The newest corrections of verdicts whose messages still exist, oldest first.

        Leaves out corrections that led to a rule which the owner deleted.
        """
        rows = self._db.read(
            """SELECT t.* FROM teachings t JOIN messages m ON m.id = t.message_id
                WHERE t.decision <> '' AND t.review_id NOT IN (SELECT e.value FROM preferences p, json_each(p.evidence) e
                    WHERE p.deleted_at IS NOT NULL AND p.rule LIKE '["sender"%')
                ORDER BY t.at DESC LIMIT ?""",
            (KEPT_TEACHINGS,),
        )
        return tuple(_teaching(row) for row in reversed(rows))


def forget_lessons(connection: sqlite3.Connection, memory_key: str) -> bool:
    """Undoes what a decision taught, inside the transaction of the undo. Returns whether there was anything."""
    rows = connection.execute("SELECT * FROM lessons WHERE memory_key = ? ORDER BY id DESC", (memory_key,)).fetchall()
    for row in rows:
        _undo_lesson(connection, row)
    connection.execute("DELETE FROM lessons WHERE memory_key = ?", (memory_key,))
    gone = connection.execute("DELETE FROM teachings WHERE memory_key = ?", (memory_key,)).rowcount
    return bool(rows or gone)


_UNDONE_AT = "SELECT undone_at FROM decisions WHERE memory_key = ?"


def _in_force(rows: Sequence[sqlite3.Row]) -> bool:
    return bool(rows) and rows[0][0] is None


def _insert_teaching(connection: sqlite3.Connection, teaching: Teaching, now_ms: int) -> None:
    """Inserts the teaching unless it exists."""
    fixed = teaching.corrected
    connection.execute(
        """INSERT INTO teachings (memory_key, review_id, message_id, sender, kind, decision, category, model_id, vector, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING""",
        (
            teaching.memory_key,
            teaching.review_id,
            teaching.message_id,
            teaching.sender,
            teaching.said,
            fixed.decision if fixed else "",
            fixed.category if fixed else "",
            fixed.model_id if fixed else "",
            fixed.vector if fixed else b"",
            now_ms,
        ),
    )


def _apply(connection: sqlite3.Connection, teaching: Teaching, lesson: Lesson, now_ms: int) -> int:
    """Applies one lesson. Returns the changed preference's id, 0 when nothing changed."""
    row = _target(connection, lesson)
    if row is None:
        if lesson.change is not PreferenceChange.ADD:
            return 0
        made = insert(connection, lesson.namespace, lesson.text, lesson.rule, teaching.review_id, now_ms)
        _insert_lesson(connection, teaching, made, "", now_ms)
        _add_evidence(connection, made, (*lesson.evidence, teaching.review_id))
        return made
    known = preference_of(row)
    same = (known.text, known.rule) == (lesson.text, lesson.rule) and known.deleted_at is None
    if same and lesson.change is not PreferenceChange.REMOVE:
        _add_evidence(connection, known.id, (*lesson.evidence, teaching.review_id))
        return 0
    if known.typed or (lesson.change is not PreferenceChange.ADD and known.deleted_at is not None):
        return 0
    _insert_lesson(connection, teaching, known.id, pack_state(row), now_ms)
    _change(connection, known.id, lesson, teaching.review_id, now_ms)
    return known.id


def _target(connection: sqlite3.Connection, lesson: Lesson) -> sqlite3.Row | None:
    """The preference of a lesson: by id, by kind and scope of the rule, or by text."""
    args: tuple[object, ...]
    if lesson.target:
        sql, args = "SELECT * FROM preferences WHERE id = ? AND namespace = ?", (lesson.target, lesson.namespace)
    elif lesson.rule is not None:
        sql = """SELECT * FROM preferences WHERE rule <> '' AND json_extract(rule, '$[0]') = ? AND json_extract(rule, '$[1]') = ?
            ORDER BY id DESC LIMIT 1"""
        args = (lesson.rule.kind, lesson.rule.scope)
    else:
        sql, args = "SELECT * FROM preferences WHERE text = ? AND namespace = ? LIMIT 1", (lesson.text, lesson.namespace)
    found: sqlite3.Row | None = connection.execute(sql, args).fetchone()
    return found


def _change(connection: sqlite3.Connection, preference_id: int, lesson: Lesson, review_id: ReviewId, now_ms: int) -> None:
    """Replaces text and source, or deletes. A deleted rule returns only when it is learnt again."""
    if lesson.change is PreferenceChange.REMOVE:
        connection.execute("UPDATE preferences SET deleted_at = ? WHERE id = ?", (now_ms, preference_id))
        return
    connection.execute(
        "UPDATE preferences SET text = ?, rule = ?, source_review = ?, evidence = '[]', deleted_at = NULL WHERE id = ?",
        (storable(lesson.text), storable(pack_rule(lesson.rule)), review_id, preference_id),
    )
    _add_evidence(connection, preference_id, (*lesson.evidence, review_id))


def _insert_lesson(connection: sqlite3.Connection, teaching: Teaching, preference_id: int, before: str, now_ms: int) -> None:
    """Stores the state before the lesson, once per decision."""
    connection.execute(
        """INSERT INTO lessons (memory_key, review_id, preference_id, before, at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING""",
        (teaching.memory_key, teaching.review_id, preference_id, before, now_ms),
    )


def _add_evidence(connection: sqlite3.Connection, preference_id: int, reviews: Sequence[ReviewId]) -> None:
    known = connection.execute("SELECT evidence FROM preferences WHERE id = ?", (preference_id,)).fetchone()[0]
    united = list(dict.fromkeys([*json.loads(known), *reviews]))
    connection.execute("UPDATE preferences SET evidence = ? WHERE id = ?", (json.dumps(united), preference_id))


def _undo_lesson(connection: sqlite3.Connection, lesson: sqlite3.Row) -> None:
    """Restores the state before a lesson. If a later lesson changed the preference, that lesson takes over the older state."""
    key = (lesson["preference_id"], lesson["id"])
    later = connection.execute("SELECT id FROM lessons WHERE preference_id = ? AND id > ? ORDER BY id LIMIT 1", key).fetchone()
    if later is not None:
        connection.execute("UPDATE lessons SET before = ? WHERE id = ?", (lesson["before"], later["id"]))
        return
    row = connection.execute("SELECT * FROM preferences WHERE id = ?", (lesson["preference_id"],)).fetchone()
    if row is None or row["typed"]:
        return
    if not lesson["before"]:
        connection.execute("DELETE FROM preferences WHERE id = ?", (lesson["preference_id"],))
        return
    state = json.loads(lesson["before"])
    connection.execute(RESTORE, {**state, "id": lesson["preference_id"]})


def _teaching(row: sqlite3.Row) -> Teaching:
    """Builds a teaching with a corrected verdict."""
    fixed = Corrected(Decision(row["decision"]), Category(row["category"]), row["model_id"], row["vector"])
    return Teaching(
        row["memory_key"],
        ReviewId(row["review_id"]),
        MessageId(row["message_id"]),
        row["sender"],
        MailFeedback(row["kind"]),
        fixed,
    )
