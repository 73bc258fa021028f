"""What each decision taught: changes of preferences that can be undone, and feedback on its mail.

All rows carry the decision's memory key. Nothing is written for a decision that was undone meanwhile.
"""

import json
import sqlite3
from collections.abc import Sequence

from app.domain.agents.memory import SIGNS, Lesson, MailFeedback, PreferenceChange, RuleKind
from app.domain.ids import MessageId, ReviewId
from app.domain.mail.triage import Category, Decision
from app.domain.record import Record
from app.store.db.codecs import storable
from app.store.db.database import Table
from app.store.db.records import insert_row
from app.store.db.times import to_ms
from app.store.learning.preferences import RESTORE, insert, pack_rule, pack_state, preference_of, unpack_rule

KEPT_TEACHINGS = 400
"""How many of the newest corrections the classifier learns from."""


class Corrected(Record):
    """The verdict a message should have had. `vector` is its embedding as 32-bit floats, made by `model_id`."""

    decision: Decision
    category: Category
    model_id: str
    vector: bytes


class Teaching(Record):
    memory_key: str
    review_id: ReviewId
    message_id: MessageId
    sender: str
    said: MailFeedback
    corrected: Corrected | None = None


class Lessons(Table):
    """The tables `lessons` and `teachings`."""

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
    row = {
        "memory_key": teaching.memory_key,
        "review_id": teaching.review_id,
        "message_id": teaching.message_id,
        "sender": teaching.sender,
        "kind": teaching.said,
        "decision": fixed.decision if fixed else "",
        "category": fixed.category if fixed else "",
        "model_id": fixed.model_id if fixed else "",
        "vector": fixed.vector if fixed else b"",
        "at": now_ms,
    }
    insert_row(connection, "teachings", row, "INSERT OR IGNORE")


def _apply(connection: sqlite3.Connection, teaching: Teaching, lesson: Lesson, now_ms: int) -> int:
    """Applies one lesson. Returns the changed preference's id, 0 when nothing changed."""
    if lesson.change is PreferenceChange.ADD:
        return _add(connection, teaching, lesson, now_ms)
    row = connection.execute(_BY_ID, (lesson.target, lesson.namespace)).fetchone()
    if row is None or row["typed"]:
        return 0
    if lesson.change is PreferenceChange.REPLACE and row["confirmed"]:
        return _add(connection, teaching, lesson, now_ms)
    _insert_lesson(connection, teaching, row["id"], pack_state(row), now_ms)
    if lesson.change is PreferenceChange.REPLACE:
        _set(connection, row["id"], lesson, _signs(row, teaching, lesson), confirmed=True)
    elif row["confirmed"]:  # the first sign against it: it is not followed, and the next sign decides
        connection.execute("UPDATE preferences SET confirmed = 0, evidence = '[]' WHERE id = ?", (row["id"],))
    else:
        connection.execute("UPDATE preferences SET deleted_at = ? WHERE id = ?", (now_ms, row["id"]))
    return int(row["id"])


def _add(connection: sqlite3.Connection, teaching: Teaching, lesson: Lesson, now_ms: int) -> int:
    """Keeps what a decision shows. It is followed from `SIGNS` decisions on, in place of the rule for the same case."""
    rule = storable(pack_rule(lesson.rule))
    same = connection.execute(_SAME, (lesson.namespace, storable(lesson.text), rule)).fetchone()
    held = _rule_for_case(connection, lesson)
    if (same is not None and same["typed"]) or (held is not None and held["typed"]):
        return 0
    signs = _signs(same, teaching, lesson)
    if same is not None and same["confirmed"] and same["deleted_at"] is None:
        connection.execute("UPDATE preferences SET evidence = ? WHERE id = ?", (json.dumps(signs), same["id"]))
        return 0
    confirmed = lesson.sure or len(signs) >= SIGNS
    if same is not None and same["deleted_at"] is None and not confirmed:
        return 0
    place = held if confirmed and held is not None else same
    if place is None:
        made = insert(connection, lesson.namespace, lesson.text, lesson.rule, teaching.review_id, now_ms)
        _insert_lesson(connection, teaching, made, "", now_ms)
        _set(connection, made, lesson, signs, confirmed)
        return made
    _insert_lesson(connection, teaching, place["id"], pack_state(place), now_ms)
    _set(connection, place["id"], lesson, signs, confirmed)
    if same is not None and same["id"] != place["id"]:
        _insert_lesson(connection, teaching, same["id"], pack_state(same), now_ms)
        connection.execute("UPDATE preferences SET deleted_at = ? WHERE id = ?", (now_ms, same["id"]))
    return int(place["id"])


_BY_ID = "SELECT * FROM preferences WHERE id = ? AND namespace = ? AND deleted_at IS NULL"
_SAME = (
    "SELECT * FROM preferences WHERE namespace = ? AND text = ? AND rule = ? ORDER BY deleted_at IS NULL DESC, id DESC LIMIT 1"
)
_FOR_CASE = """SELECT * FROM preferences WHERE rule <> '' AND confirmed AND json_extract(rule, '$[0]') = ?
    AND json_extract(rule, '$[1]') = ? ORDER BY id DESC LIMIT 1"""


def _rule_for_case(connection: sqlite3.Connection, lesson: Lesson) -> sqlite3.Row | None:
    """The followed or deleted rule of the same kind and scope."""
    if lesson.rule is None:
        return None
    found: sqlite3.Row | None = connection.execute(_FOR_CASE, (lesson.rule.kind, lesson.rule.scope)).fetchone()
    return found


def _signs(row: sqlite3.Row | None, teaching: Teaching, lesson: Lesson) -> list[int]:
    """All reviews that teach a preference. Those before its deletion do not count."""
    known = preference_of(row) if row is not None else None
    before = known.evidence if known is not None and known.deleted_at is None else ()
    return list(dict.fromkeys([*before, *lesson.evidence, teaching.review_id]))


def _set(connection: sqlite3.Connection, preference_id: int, lesson: Lesson, signs: list[int], confirmed: bool) -> None:
    """Writes a lesson into a row. A deleted rule returns only when it is learnt again."""
    connection.execute(
        """UPDATE preferences SET text = ?, rule = ?, source_review = ?, evidence = ?, deleted_at = NULL, confirmed = ?
            WHERE id = ?""",
        (storable(lesson.text), storable(pack_rule(lesson.rule)), signs[-1], json.dumps(signs), confirmed, preference_id),
    )


def _insert_lesson(connection: sqlite3.Connection, teaching: Teaching, preference_id: int, before: str, now_ms: int) -> None:
    """Stores the state before the lesson, once per decision."""
    connection.execute(
        """INSERT INTO lessons (memory_key, review_id, preference_id, before, at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING""",
        (teaching.memory_key, teaching.review_id, preference_id, before, now_ms),
    )


def _undo_lesson(connection: sqlite3.Connection, lesson: sqlite3.Row) -> None:
    """Restores the state before a lesson. If a later lesson changed the preference, that lesson takes over the older state."""
    key = (lesson["preference_id"], lesson["id"])
    later = connection.execute("SELECT id FROM lessons WHERE preference_id = ? AND id > ? ORDER BY id LIMIT 1", key).fetchone()
    row = connection.execute("SELECT * FROM preferences WHERE id = ?", (lesson["preference_id"],)).fetchone()
    if later is not None:
        connection.execute("UPDATE lessons SET before = ? WHERE id = ?", (lesson["before"], later["id"]))
        if row is not None:
            review_id = lesson["review_id"]
            signs = [one for one in json.loads(row["evidence"]) if one != review_id]
            rule = unpack_rule(row["rule"])
            chosen = rule is not None and rule.kind is RuleKind.SENDER
            confirmed = row["typed"] or chosen or len(signs) >= SIGNS
            connection.execute(
                "UPDATE preferences SET evidence = ?, confirmed = ? WHERE id = ?", (json.dumps(signs), confirmed, row["id"])
            )
        return
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
