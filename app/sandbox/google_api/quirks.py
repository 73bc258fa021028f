"""Habits of real mailboxes that nobody promises away, and some of broken servers: off until a test turns them on.

Put other numbers into answers, as no server should; off until a test turns it on.

Answer lists with something else than what was asked for.

No server should; it is off until a test turns it on.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from app.sandbox.google_api.errors import invalid_argument
from app.sandbox.google_api.json_values import JsonObject

Odd = Mapping[str, Mapping[str, object]]
"""Fields and what they say instead, by the id of what has them; under an empty id those of whatever has none."""


def with_numbers(answer: JsonObject | None, odd: Odd) -> JsonObject | None:
    """Change the fields of an answer and of all it holds."""
    return None if answer is None else _changed_object(answer, odd)


def _changed(value: object, odd: Odd) -> object:
    if isinstance(value, dict):
        return _changed_object(value, odd)
    return [_changed(one, odd) for one in value] if isinstance(value, list) else value


def _changed_object(held: JsonObject, odd: Odd) -> JsonObject:
    instead = odd.get(str(held.get("id", "")), {})
    return {name: instead[name] if name in instead else _changed(value, odd) for name, value in held.items()}


@dataclass(slots=True)
class ServerQuirks:
    """`hidden_in_threads`: labels whose messages `threads.get` leaves out. `lists_end_after`: so many messages end a listing as
    if there were no more (0: never), `label_lists_end_after` those under a label. `batches_refuse_gaps`: one missing message
    makes `batchModify` change none of them. `search_answers` and `list_answers`: what lists of messages and drafts answer with
    and without a query (`strange_lists.KINDS`; None: what was asked for). `odd_numbers`: fields that say something else."""

    hidden_in_threads: frozenset[str] = frozenset()
    lists_end_after: int = 0
    label_lists_end_after: int = 0
    batches_refuse_gaps: bool = False
    search_answers: tuple[str, ...] | None = None
    list_answers: tuple[str, ...] | None = None
    odd_numbers: Odd = field(default_factory=dict)

    def answers(self, query: str | None) -> tuple[str, ...] | None:
        """Tell what a list with this query answers; None where honest."""
        return self.search_answers if query else self.list_answers


KINDS = ("right", "wrong", "ghosts", "nameless")
"""What was asked for; everything else that is there; names of what is not there; entries without a name."""
GHOSTS = ("00000000deadbeef", "00000000deadbee0")


def strange_entries(kinds: Sequence[str], right: Collection[str], everything: Sequence[JsonObject]) -> list[JsonObject]:
    """List the entries of these kinds, one kind after the other.

    A kind that is named twice comes twice. `right` are the ids of what was asked for, `everything` are the entries of all there
    is.
    """
    found: dict[str, list[JsonObject]] = {
        "right": [entry for entry in everything if entry["id"] in right],
        "wrong": [entry for entry in everything if entry["id"] not in right],
        "ghosts": [{"id": ghost, "threadId": ghost, "message": {"id": ghost, "threadId": ghost}} for ghost in GHOSTS],
        "nameless": [{}, {"id": "", "threadId": ""}, {"message": {}}],
    }
    return [entry for kind in kinds for entry in found[kind]]


def checked_kinds(kinds: Sequence[str]) -> tuple[str, ...]:
    """Check the names of kinds. Raises ApiError 400."""
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown:
        raise invalid_argument(f"habits: unknown {unknown}; a list answers {', '.join(KINDS)}")
    return tuple(kinds)
