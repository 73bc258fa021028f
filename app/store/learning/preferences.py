"""Preferences: one row each, with its source, its uses and an undo."""

import json
import sqlite3
from array import array
from collections.abc import Collection, Sequence
from sqlite3 import Connection, Row

from app.domain.agents.memory import (
    LONGEST_PROFILE,
    LONGEST_TEXT,
    PROFILE,
    Namespace,
    Preference,
    PreferenceRule,
    RuleKind,
    sentence,
    with_value,
)
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import ReviewId
from app.store.db.codecs import id_list, storable
from app.store.db.database import Table
from app.store.db.records import record
from app.store.db.times import to_ms

STATE = ("text", "rule", "source_review", "evidence", "typed", "deleted_at", "confirmed")
"""The columns that a lesson changes and its undo restores."""

RESTORE = """UPDATE preferences SET text = :text, rule = :rule, source_review = :source_review, evidence = :evidence,
    typed = :typed, deleted_at = :deleted_at, confirmed = :confirmed WHERE id = :id"""

_IDS = """SELECT json_group_array(id) FROM (SELECT id FROM preferences WHERE deleted_at IS NULL
    ORDER BY instr(?, namespace), id DESC)"""
_SOME = "SELECT * FROM preferences WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL"


def load_preferences(connection: sqlite3.Connection, deleted: bool = False) -> tuple[Preference, ...]:
    """Preferences, also those seen only once, oldest first; with `deleted` also the deleted ones."""
    sql = "SELECT * FROM preferences WHERE ? OR deleted_at IS NULL ORDER BY id"
    return tuple(preference_of(row) for row in connection.execute(sql, (deleted,)))


def load_preference_ids(connection: sqlite3.Connection, groups: Sequence[Namespace]) -> "array[int]":
    """Ids of preferences, also of those seen only once, by group, in the order of `groups`, newest first in each."""
    return array("q", json.loads(connection.execute(_IDS, (" ".join(groups),)).fetchone()[0]))


def load_some_preferences(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, Preference]:
    """The preferences among `ids` that are not deleted."""
    return {row["id"]: preference_of(row) for row in connection.execute(_SOME, (id_list(ids),))}


def preference_of(row: sqlite3.Row) -> Preference:
    evidence = tuple(ReviewId(one) for one in json.loads(row["evidence"]))
    return record(Preference, row, rule=unpack_rule(row["rule"]), evidence=evidence)


def pack_rule(rule: PreferenceRule | None) -> str:
    """A rule as JSON; empty text for None."""
    return json.dumps([rule.kind, rule.scope, rule.value], ensure_ascii=False) if rule is not None else ""


def unpack_rule(text: str) -> PreferenceRule | None:
    if not text:
        return None
    kind, scope, value = json.loads(text)
    return PreferenceRule(RuleKind(kind), scope, value)


def pack_state(row: sqlite3.Row) -> str:
    """The columns of `STATE` as JSON."""
    return json.dumps({name: row[name] for name in STATE}, ensure_ascii=False)


_PROFILE_PART = "SELECT * FROM preferences WHERE json_extract(nullif(rule, ''), '$[0]') = ? AND json_extract(rule, '$[1]') = ?"
_NEW_PART = """UPDATE preferences SET rule = ?, text = CASE WHEN typed THEN text ELSE ? END, created_at = ? WHERE id = ?"""


class Preferences(Table):
    """The table `preferences` as the owner and the prompts use it. `lessons` writes what decisions teach."""

    def add(self, namespace: Namespace, text: str, source_review: ReviewId = ReviewId(0)) -> int:
        """Adds a preference and returns its id. The same text in a namespace returns the first one's id, undeleted.

        Raises `NotAllowed` for an empty or too long text.
        """
        text = checked_text(text)
        with self._db.transaction() as connection:
            known = connection.execute(
                "UPDATE preferences SET deleted_at = NULL, confirmed = 1 WHERE namespace = ? AND text = ? RETURNING id",
                (namespace, text),
            ).fetchall()
            return int(known[0][0]) if known else insert(connection, namespace, text, None, source_review, to_ms(self._clock()))

    def active(self, namespace: Namespace) -> tuple[Preference, ...]:
        """The namespace's preferences in force, oldest first."""
        return tuple(one for one in self.known(namespace) if one.confirmed)

    def known(self, namespace: Namespace) -> tuple[Preference, ...]:
        """The namespace's preferences, also those seen only once, oldest first."""
        sql = "SELECT * FROM preferences WHERE namespace = ? AND deleted_at IS NULL ORDER BY id"
        return tuple(preference_of(row) for row in self._db.read(sql, (namespace,)))

    def rules(self, namespace: Namespace) -> tuple[Preference, ...]:
        """The namespace's preferences that code applies by itself."""
        sql = "SELECT * FROM preferences WHERE namespace = ? AND deleted_at IS NULL AND confirmed AND rule <> '' ORDER BY id"
        return tuple(preference_of(row) for row in self._db.read(sql, (namespace,)))

    def edit(self, preference_id: int, text: str) -> None:
        """Stores the owner's own text, which is followed at once and which no lesson changes. For a rule it becomes the value.

        An emptied part of the profile gets the text from sent mail again. Raises `NotFound` and `NotAllowed`.
        """
        with self._db.transaction() as connection:
            row = existing(connection, preference_id)
            known = preference_of(row)
            if known.rule is not None and known.rule.kind in PROFILE:
                own = bool(text.strip())
                words = checked_text(text, LONGEST_PROFILE) if own else _profile_text(known.rule)
                connection.execute("UPDATE preferences SET text = ?, typed = ? WHERE id = ?", (words, own, preference_id))
                return
            rule = _edited(known.rule, text)
            words = checked_text(text) if rule is None else sentence(rule)
            connection.execute(
                "UPDATE preferences SET text = ?, rule = ?, typed = 1, confirmed = 1 WHERE id = ?",
                (storable(words), pack_rule(rule), preference_id),
            )

    def put_profile(self, parts: Sequence[tuple[Namespace, PreferenceRule]]) -> tuple[int, ...]:
        """Stores the profile from sent mail. Edited text stays, what was deleted stays deleted. Returns the changed ids."""
        now_ms, changed = to_ms(self._clock()), []
        with self._db.transaction() as connection:
            for namespace, rule in parts:
                packed, text = storable(pack_rule(rule)), storable(_profile_text(rule))
                row = connection.execute(_PROFILE_PART, (rule.kind, rule.scope)).fetchone()
                if row is None and text:
                    part = insert(connection, namespace, text, rule, ReviewId(0), now_ms)
                    connection.execute("UPDATE preferences SET typed = 0 WHERE id = ?", (part,))
                    changed.append(part)
                elif row is not None and row["rule"] != packed:
                    connection.execute(_NEW_PART, (packed, text, now_ms, row["id"]))
                    changed.append(int(row["id"]))
        return tuple(changed)

    def delete(self, preference_id: int) -> None:
        """Marks a preference as deleted; `restore` undoes it. Raises `NotFound`."""
        with self._db.transaction() as connection:
            existing(connection, preference_id)
            connection.execute(
                "UPDATE preferences SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL", (to_ms(self._clock()), preference_id)
            )

    def restore(self, preference_id: int) -> None:
        """Undoes a deletion. Raises `NotFound`."""
        with self._db.transaction() as connection:
            existing(connection, preference_id)
            connection.execute("UPDATE preferences SET deleted_at = NULL WHERE id = ?", (preference_id,))

    def used(self, ids: Collection[int]) -> None:
        """Counts one use of each."""
        self._db.write("UPDATE preferences SET uses = uses + 1 WHERE id IN (SELECT value FROM json_each(?))", (id_list(ids),))


def insert(
    connection: Connection, namespace: Namespace, text: str, rule: PreferenceRule | None, source: ReviewId, now_ms: int
) -> int:
    """Inserts a preference and returns its id. Without a source it counts as typed by the owner."""
    evidence = id_list([source]) if source else "[]"
    rows = connection.execute(
        """INSERT INTO preferences (namespace, text, rule, source_review, evidence, typed, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id""",
        (namespace, storable(text), storable(pack_rule(rule)), source, evidence, int(not source), now_ms),
    ).fetchall()
    return int(rows[0][0])


def existing(connection: Connection, preference_id: int) -> Row:
    """The row of a preference. Raises `NotFound`."""
    row: Row | None = connection.execute("SELECT * FROM preferences WHERE id = ?", (preference_id,)).fetchone()
    if row is None:
        raise NotFound(f"There is no preference {preference_id}.")
    return row


def checked_text(text: str, longest: int = LONGEST_TEXT) -> str:
    """The text as stored. Raises `NotAllowed` when it is empty or too long."""
    words = storable(text).strip()
    if not words:
        raise NotAllowed("The preference is empty.", "Write what is to be remembered.")
    if len(words) > longest:
        raise NotAllowed(f"The preference has {len(words)} characters.", f"Say it in {longest} or fewer.")
    return words


def _edited(rule: PreferenceRule | None, text: str) -> PreferenceRule | None:
    """The rule with the owner's text as its value. Raises `NotAllowed`."""
    if rule is None:
        return None
    try:
        return with_value(rule, text[:LONGEST_TEXT])
    except ValueError as error:
        raise NotAllowed(str(error)) from error


def _profile_text(rule: PreferenceRule) -> str:
    from app.domain.agents.owner_profile import profile_text  # needs msgspec, which readers in the window do without

    return profile_text(rule)
