"""Undocumented behaviour of real mailboxes and of broken servers, for tests. All of it is off by default.

It includes wrong numbers in answers and lists with entries that were not asked for.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from app.sandbox.google_api.errors import invalid_argument
from app.sandbox.google_api.json_values import JsonObject

Odd = Mapping[str, Mapping[str, object]]
"""By id: field names with the values to return instead. The empty id applies to objects without an id."""


def with_numbers(answer: JsonObject | None, odd: Odd) -> JsonObject | None:
    """Replaces fields in an answer and in all objects it contains."""
    return None if answer is None else _changed_object(answer, odd)


def _changed(value: object, odd: Odd) -> object:
    if isinstance(value, dict):
        return _changed_object(value, odd)
    return [_changed(item, odd) for item in value] if isinstance(value, list) else value


def _changed_object(held: JsonObject, odd: Odd) -> JsonObject:
    instead = odd.get(str(held.get("id", "")), {})
    return {name: instead[name] if name in instead else _changed(value, odd) for name, value in held.items()}


@dataclass(slots=True)
class ServerQuirks:
    """Quirks of an account.

    `hidden_in_threads`: messages with these labels are missing in `threads.get`. `lists_end_after`: lists end after this many
    messages (0: no limit); `label_lists_end_after` is the same for lists by label. `batches_refuse_gaps`: `batchModify` fails if
    one message is missing. `search_answers`, `list_answers`: what lists of messages and drafts return with and without a query
    (of `KINDS`; None: the correct answer). `odd_numbers`: fields with wrong values.
    """

    hidden_in_threads: frozenset[str] = frozenset()
    lists_end_after: int = 0
    label_lists_end_after: int = 0
    batches_refuse_gaps: bool = False
    search_answers: tuple[str, ...] | None = None
    list_answers: tuple[str, ...] | None = None
    odd_numbers: Odd = field(default_factory=dict)

    def answers(self, query: str | None) -> tuple[str, ...] | None:
        """Kinds that a list with this query returns; None for the correct answer."""
        return self.search_answers if query else self.list_answers


KINDS = ("right", "wrong", "ghosts", "nameless")
"""What was asked for; everything else in the mailbox; ids that do not exist; entries without an id."""
UNKNOWN_IDS = ("00000000deadbeef", "00000000deadbee0")


def strange_entries(kinds: Sequence[str], right: Collection[str], everything: Sequence[JsonObject]) -> list[JsonObject]:
    """The entries of these kinds, in this order; a repeated kind is repeated.

    `right` has the ids that were asked for, `everything` all entries.
    """
    found: dict[str, list[JsonObject]] = {
        "right": [entry for entry in everything if entry["id"] in right],
        "wrong": [entry for entry in everything if entry["id"] not in right],
        "ghosts": [{"id": ghost, "threadId": ghost, "message": {"id": ghost, "threadId": ghost}} for ghost in UNKNOWN_IDS],
        "nameless": [{}, {"id": "", "threadId": ""}, {"message": {}}],
    }
    return [entry for kind in kinds for entry in found[kind]]


def checked_kinds(kinds: Sequence[str]) -> tuple[str, ...]:
    """Checks the names of kinds. Raises `ApiError` 400."""
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown:
        raise invalid_argument(f"habits: unknown {unknown}; a list answers {', '.join(KINDS)}")
    return tuple(kinds)
