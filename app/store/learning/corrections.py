"""The owner's word on messages: what each should have been. Kept as a preference, with what the undo restores.

Also what triage learned from each account's archive; the model itself is opaque here.
"""

import json
import sqlite3
from collections.abc import Sequence

import msgspec

from app.domain.agents.memory import MailFeedback, Namespace, correction_rule, sentence
from app.domain.drafting.review import ReviewKind, ReviewStatus
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, ReviewId, ThreadId
from app.domain.mail.message import SystemLabel
from app.domain.mail.triage import Category, Decision, OwnerVerdict, Triage, owner_triage
from app.domain.protocol.changes import CorrectVerdict
from app.domain.record import Record, replace
from app.store.db.codecs import id_list, pack_bytes, storable, unpack_bytes
from app.store.db.database import Table
from app.store.db.jobs import cancel_row
from app.store.db.times import to_ms
from app.store.learning.lessons import KEPT_TEACHINGS, Corrected, Teaching
from app.store.learning.preferences import RESTORE, insert, pack_rule, pack_state
from app.store.mail.label_rows import (
    LabelChangeResult,
    MessageLabels,
    by_account,
    deltas,
    load_labels_of,
    note_action,
    write_changes,
)
from app.store.mail.mail_rows import load_message
from app.store.mail.thread_summary import refresh, write_verdict

_PENDING = "SELECT id, kind FROM reviews WHERE thread_id = ? AND status = 'pending' ORDER BY id"
_VERDICT = "SELECT decision, category, confidence, reason, maker FROM messages WHERE id = ?"
_HELD = "SELECT p.* FROM preferences p JOIN corrections c ON c.preference_id = p.id WHERE c.message_id = ?"
_PUT = """INSERT INTO corrections (message_id, preference_id, decision, category, model_id, vector, at)
    VALUES (?, ?, ?, ?, '', x'', ?) ON CONFLICT (message_id) DO UPDATE SET preference_id = excluded.preference_id,
    decision = excluded.decision, category = excluded.category, at = excluded.at"""
_LEARNED = """SELECT c.*, m.sender_email FROM corrections c JOIN preferences p ON p.id = c.preference_id
    JOIN messages m ON m.id = c.message_id WHERE p.deleted_at IS NULL ORDER BY c.at DESC LIMIT ?"""

_VERDICTS = """SELECT c.message_id, json_extract(p.rule, '$[2]') FROM corrections c JOIN messages m ON m.id = c.message_id
    JOIN preferences p ON p.id = c.preference_id WHERE m.account_id = ? AND p.deleted_at IS NULL"""


class CorrectionResult(Record):
    """What a correction or its undo changed.

    `closing` are pending reviews that the owner's verdict leaves nothing to decide in; an undo opens them again. `again` are
    messages that need a run. `reviews` changed already.
    """

    labels: LabelChangeResult
    closing: tuple[ReviewId, ...] = ()
    again: tuple[MessageId, ...] = ()
    reviews: tuple[tuple[ReviewId, ReviewStatus], ...] = ()


class _Before(Record):
    """What a correction found, for its undo. `preference` is the packed state of an earlier correction, empty for none."""

    message_id: int
    thread_id: int
    verdict: tuple[str, str, float, str, str]
    preference_id: int
    preference: str
    taught: tuple[str, str]
    pending: tuple[int, ...]
    closing: tuple[int, ...]


class Corrections(Table):
    def correct(self, change: CorrectVerdict) -> CorrectionResult:
        """Writes verdicts, labels and lessons in one transaction. Raises `NotFound`, and `NotAllowed` for mail of an archive,
        mail without a received message, and a key that was used before.
        """
        now = self._clock()
        with self._db.transaction() as connection:
            messages = load_labels_of(connection, change.thread_ids)
            newest = {one.thread_id: one for one in messages if not one.outgoing and change.message_id in (MessageId(0), one.id)}
            if not newest:
                raise NotAllowed("You sent this email yourself.", "Choose an email that you received.")
            # Labels change where mail goes to Spam, else of what was there.
            moving = [one for one in messages if change.verdict.dropped or SystemLabel.SPAM in one.labels]
            changed = write_changes(connection, deltas(moving, change.add, change.remove), now)
            note_action(connection, change.key, changed.outbox_ids, now)
            found = [_correct(connection, one, change.verdict, to_ms(now)) for one in newest.values()]
            before = [one.before for one in found]
            packed = msgspec.json.encode(before).decode()
            connection.execute("UPDATE actions SET before = ? WHERE key = ?", (packed, change.key))
            again = tuple(MessageId(one.before.message_id) for one in found if one.needs_run)
            for message_id in again:
                cancel_row(connection, "route", str(message_id))
            threads = _accounts_of(connection, list(newest))
        closing = tuple(ReviewId(one) for each in before for one in each.closing)
        return CorrectionResult(replace(changed, threads=threads), closing, again)

    def undo(self, key: str) -> CorrectionResult:
        """Restores verdicts and lessons. Labels are undone by `Actions.undo`. Raises `NotAllowed` when nothing was corrected."""
        with self._db.transaction() as connection:
            row = connection.execute("SELECT at, before FROM actions WHERE key = ? AND undone_at IS NULL", (key,)).fetchone()
            if row is None or not row["before"]:
                raise NotAllowed("There is nothing to undo.")
            found = msgspec.json.decode(row["before"], type=list[_Before])
            changed = [change for one in found for change in _restore(connection, one, row["at"], to_ms(self._clock()))]
            threads = _accounts_of(connection, [one.thread_id for one in found])
            refresh(connection, [thread for own in threads.values() for thread in own])
        closing = tuple(ReviewId(one) for each in found for one in each.closing)
        return CorrectionResult(LabelChangeResult(threads, ()), closing, (), tuple(changed))

    def learned(self) -> tuple[Teaching, ...]:
        """The newest corrections in force as teachings, oldest first."""
        rows = self._db.read(_LEARNED, (KEPT_TEACHINGS,))
        return tuple(_teaching(row) for row in reversed(rows))

    def verdicts(self, account_id: AccountId) -> dict[MessageId, OwnerVerdict]:
        """The owner's word on messages of an account."""
        rows = self._db.read(_VERDICTS, (account_id,))
        return {MessageId(row[0]): OwnerVerdict(row[1]) for row in rows}

    def keep_vector(self, message_id: MessageId, model_id: str, vector: bytes) -> None:
        """Stores a message's embedding, so that it is computed once."""
        self._db.write("UPDATE corrections SET model_id = ?, vector = ? WHERE message_id = ?", (model_id, vector, message_id))


class _Corrected(Record):
    """A corrected message: what was there before, and whether it needs a run."""

    before: _Before
    needs_run: bool


def _correct(connection: sqlite3.Connection, about: MessageLabels, verdict: OwnerVerdict, now_ms: int) -> _Corrected:
    """Writes the verdict and the lesson of one message inside the caller's transaction.

    The message comes back when an answer is wanted and none waits, or when it was dropped. Pending reviews close that the verdict
    makes pointless.
    """
    judged: tuple[str, str, float, str, str] = tuple(connection.execute(_VERDICT, (about.id,)).fetchone())
    decision, category, confidence, reason, maker = judged
    pending = [(row["id"], ReviewKind(row["kind"])) for row in connection.execute(_PENDING, (about.thread_id,))]
    known = Triage(Decision(decision), Category(category), confidence, reason, maker) if decision else None
    told = owner_triage(verdict, known)
    write_verdict(connection, about.id, told)
    held = connection.execute(_HELD, (about.id,)).fetchone()
    taught = connection.execute("SELECT decision, category FROM corrections WHERE message_id = ?", (about.id,)).fetchone()
    preference_id = _keep(connection, about.id, verdict, held, now_ms)
    connection.execute(_PUT, (about.id, preference_id, told.decision, told.category, now_ms))
    wants_answer, informs = verdict is OwnerVerdict.NEEDS_REPLY, verdict is OwnerVerdict.FOR_INFORMATION
    pointless = () if wants_answer or verdict.clears else pending
    before = _Before(
        about.id,
        about.thread_id,
        judged,
        preference_id,
        pack_state(held) if held is not None else "",
        tuple(taught) if taught is not None else ("", ""),
        tuple(review for review, _ in pending),
        tuple(review for review, kind in pointless if not (informs and kind is ReviewKind.NOTIFY)),
    )
    if wants_answer:
        return _Corrected(before, all(kind is ReviewKind.NOTIFY for _, kind in pending))
    return _Corrected(before, (informs or verdict.clears) and decision == Decision.IGNORE and not pending)


def _keep(
    connection: sqlite3.Connection, message_id: MessageId, verdict: OwnerVerdict, held: sqlite3.Row | None, now_ms: int
) -> int:
    """Writes the preference, in place of an earlier one about the message. Returns its id."""
    message = load_message(connection, message_id)
    assert message is not None, "read in this transaction"
    rule = correction_rule(message, verdict)
    if held is None:
        return insert(connection, Namespace.TRIAGE, sentence(rule), rule, ReviewId(0), now_ms)
    connection.execute(
        "UPDATE preferences SET text = ?, rule = ?, deleted_at = NULL WHERE id = ?",
        (storable(sentence(rule)), storable(pack_rule(rule)), held["id"]),
    )
    return int(held["id"])


def _accounts_of(connection: sqlite3.Connection, threads: Sequence[int]) -> dict[AccountId, tuple[ThreadId, ...]]:
    sql = "SELECT account_id, id FROM threads WHERE id IN (SELECT value FROM json_each(?))"
    return by_account(connection.execute(sql, (id_list(threads),)))


def _restore(connection: sqlite3.Connection, before: _Before, at_ms: int, now_ms: int) -> list[tuple[ReviewId, ReviewStatus]]:
    """Restores verdict, lesson and reviews of one message. Returns the reviews that changed."""
    decision, category, confidence, reason, maker = before.verdict
    connection.execute(
        "UPDATE messages SET decision = ?, category = ?, confidence = ?, reason = ?, maker = ? WHERE id = ?",
        (decision, category, confidence, reason, maker, before.message_id),
    )
    if before.preference:
        connection.execute(RESTORE, {**json.loads(before.preference), "id": before.preference_id})
        connection.execute(
            "UPDATE corrections SET decision = ?, category = ? WHERE message_id = ?", (*before.taught, before.message_id)
        )
    else:
        connection.execute("DELETE FROM preferences WHERE id = ?", (before.preference_id,))
    connection.execute(
        "UPDATE runs SET status = 'superseded', updated_at = ? WHERE message_id = ? AND created_at >= ? AND status = 'queued'",
        (now_ms, before.message_id, at_ms),
    )
    closed = connection.execute(
        """UPDATE reviews SET status = 'superseded', decided_at = ? WHERE thread_id = ? AND status = 'pending'
            AND created_at >= ? AND id NOT IN (SELECT value FROM json_each(?)) RETURNING id""",
        (now_ms, before.thread_id, at_ms, id_list(before.pending)),
    ).fetchall()
    opened = connection.execute(
        """UPDATE reviews SET status = 'pending', decided_at = NULL WHERE id IN (SELECT value FROM json_each(?))
            AND status = 'superseded' AND kind = 'notify' RETURNING id""",
        (id_list(before.pending),),
    ).fetchall()
    return [
        *((ReviewId(row[0]), ReviewStatus.SUPERSEDED) for row in closed),
        *((ReviewId(row[0]), ReviewStatus.PENDING) for row in opened),
    ]


def _teaching(row: sqlite3.Row) -> Teaching:
    fixed = Corrected(Decision(row["decision"]), Category(row["category"]), row["model_id"], row["vector"])
    key = f"message:{row['message_id']}:{row['decision']}:{row['category']}"
    return Teaching(key, ReviewId(0), MessageId(row["message_id"]), row["sender_email"], MailFeedback.NOTHING, fixed)


_PUT_MODEL = """INSERT INTO owner_models (account_id, version, at, examples, answered, strongest, model)
    SELECT id, ?, ?, ?, ?, ?, ? FROM accounts WHERE id = ? ON CONFLICT (account_id) DO UPDATE SET version = excluded.version,
    at = excluded.at, examples = excluded.examples, answered = excluded.answered, strongest = excluded.strongest,
    model = excluded.model"""


class StoredModel(Record):
    """A model in bytes. `answered` of `examples` messages were answered; `strongest` are features with what was learned."""

    version: str
    examples: int
    answered: int
    strongest: tuple[tuple[str, float], ...]
    model: bytes


class OwnerModels(Table):
    """One model an account. Nothing is stored for an account that is gone; a wipe deletes it."""

    def put(
        self, account_id: AccountId, version: str, counts: tuple[int, int], strongest: Sequence[tuple[str, float]], model: bytes
    ) -> None:
        """Stores an account's model in place of the one before. `counts` are examples and answered ones."""
        values = (version, to_ms(self._clock()), *counts, json.dumps(list(strongest)), pack_bytes(model), account_id)
        self._db.write(_PUT_MODEL, values)

    def get(self, account_id: AccountId, version: str) -> StoredModel | None:
        """An account's model, None if there is none of this version."""
        rows = self._db.read("SELECT * FROM owner_models WHERE account_id = ? AND version = ?", (account_id, version))
        if not rows:
            return None
        (row,) = rows
        strongest = tuple((str(name), float(weight)) for name, weight in json.loads(row["strongest"]))
        return StoredModel(row["version"], row["examples"], row["answered"], strongest, unpack_bytes(row["model"]))
