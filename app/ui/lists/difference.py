"""From one list of ids to another by few inserts and removes, so that selection and scroll place survive."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Remove:
    """Rows `first` to `last`, both included, go away."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Insert:
    """`ids` come in before row `at`."""

    at: int
    ids: "array[int]"


Step = Remove | Insert
MOST_COMPARED = 20_000
"""Above this many differing ids a comparison costs more than it saves."""


def steps(old: "array[int]", new: "array[int]") -> list[Step] | None:
    """Steps that turn `old` into `new` (ids are unique in each), to be taken in order; None: reset instead."""
    if not (old and new) and len(old) + len(new) <= MOST_COMPARED:
        return [Remove(0, len(old) - 1)] if old else [Insert(0, new)] if new else []
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(middle_old) + len(middle_new) > MOST_COMPARED:
        return None
    kept = _kept(middle_old, middle_new)
    removed = [index for index, key in enumerate(middle_old) if key not in kept]
    inserted = [index for index, key in enumerate(middle_new) if key not in kept]
    removes: list[Step] = [Remove(head + first, head + last) for first, last in reversed(list(_stretches(removed)))]
    inserts: list[Step] = [Insert(head + first, middle_new[first : last + 1]) for first, last in _stretches(inserted)]
    return removes + inserts


def spliced(old: "array[int]", head: "array[int]") -> "tuple[array[int], array[int], set[int]] | None":
    """What follows for `old` when `head` is its new beginning, read anew without the rest.

    The part of `old` that is looked at, what stands in its place, and the ids that are new or have moved up from further down.
    None where the two have nothing in common.
    """
    if old[: len(head)] == head:
        return head, head, set()
    near = old[: 2 * len(head)]
    places = {key: at for at, key in enumerate(near)}
    cut = next((places[key] + 1 for key in reversed(head) if key in places), None)
    if cut is None:
        return None
    # A row that moved up from below says nothing of those it passed: what stood behind the beginning stays.
    cut = min(cut, len(head))
    heads = set(head)
    return near, head + array("q", (key for key in near[cut:] if key not in heads)), heads - places.keys()


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many ids both begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:  # halving: whole slices are compared in C
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _kept(old: Sequence[int], new: Sequence[int]) -> set[int]:
    """The largest set of ids that stay in the same order: a longest increasing subsequence of their new places."""
    place = {key: index for index, key in enumerate(new)}
    ends: list[int] = []
    chain: list[tuple[int, int | None]] = []
    tops: list[int] = []
    for key in old:
        where = place.get(key)
        if where is None:
            continue
        length = bisect_left(ends, where)
        chain.append((key, tops[length - 1] if length else None))
        ends[length : length + 1] = [where]
        tops[length : length + 1] = [len(chain) - 1]
    kept: set[int] = set()
    at = tops[-1] if tops else None
    while at is not None:
        key, at = chain[at]
        kept.add(key)
    return kept


def _stretches(indexes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of neighbours as (first, last)."""
    start = 0
    for here in range(1, len(indexes) + 1):
        if here == len(indexes) or indexes[here] != indexes[here - 1] + 1:
            yield indexes[start], indexes[here - 1]
            start = here
