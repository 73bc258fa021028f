"""Undocumented behaviour of real mailboxes and of broken servers, for tests. All of it is off by default.

It includes wrong numbers in answers and lists with entries that were not asked for.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

from msgspec import field

from app.domain.record import Record
from app.sandbox.google_api.json_values import JsonObject

Odd = Mapping[str, JsonObject]
"""By id: field names with the values to return instead. The empty id applies to objects without an id."""

Kind = Literal["right", "wrong", "ghosts", "nameless"]
"""What was asked for; everything else in the mailbox; ids that do not exist; entries without an id."""
UNKNOWN_IDS = ("00000000deadbeef", "00000000deadbee0")


class ServerQuirks(Record):
    """Quirks of an account.

    `hidden_in_threads`: messages with these labels are missing in `threads.get`. `lists_end_after`: lists end after this many
    messages (0: no limit); `label_lists_end_after` is the same for lists by label. `batches_refuse_gaps`: `batchModify` fails if
    one message is missing. `search_answers`, `list_answers`: what lists of messages and drafts return with and without a query
    (None: the correct answer). `odd_numbers`: fields with wrong values.
    """

    hidden_in_threads: frozenset[str] = frozenset()
    lists_end_after: int = 0
    label_lists_end_after: int = 0
    batches_refuse_gaps: bool = False
    search_answers: tuple[Kind, ...] | None = None
    list_answers: tuple[Kind, ...] | None = None
    odd_numbers: Odd = field(default_factory=dict)


def with_numbers(value: Any, odd: Odd) -> Any:
    """Replaces fields in an answer and in all objects it contains."""
    if isinstance(value, dict):
        instead = odd.get(str(value.get("id", "")), {})
        return {name: instead[name] if name in instead else with_numbers(one, odd) for name, one in value.items()}
    return [with_numbers(item, odd) for item in value] if isinstance(value, list) else value


def strange_entries(kinds: Sequence[Kind], right: Collection[str], everything: Sequence[JsonObject]) -> list[JsonObject]:
    """The entries of these kinds, in this order; a repeated kind is repeated.

    `right` has the ids that were asked for, `everything` all entries.
    """
    found: dict[Kind, list[JsonObject]] = {
        "right": [entry for entry in everything if entry["id"] in right],
        "wrong": [entry for entry in everything if entry["id"] not in right],
        "ghosts": [{"id": ghost, "threadId": ghost, "message": {"id": ghost, "threadId": ghost}} for ghost in UNKNOWN_IDS],
        "nameless": [{}, {"id": "", "threadId": ""}, {"message": {}}],
    }
    return [entry for kind in kinds for entry in found[kind]]
