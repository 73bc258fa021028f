"""Reads and packs rows of preferences. The window uses it, so it imports only sqlite3 and the domain."""

import json
import sqlite3
from array import array
from collections.abc import Sequence

from app.domain.agents.memory import Namespace, Preference, PreferenceRule, RuleKind
from app.domain.ids import ReviewId
from app.store.db.codecs import id_list
from app.store.db.records import record

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
