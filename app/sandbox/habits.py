"""Habits of real mailboxes that nobody promises away: off until a test turns them on."""

from dataclasses import dataclass


@dataclass(slots=True)
class Habits:
    """`hidden_in_threads`: labels whose messages `threads.get` leaves out. `lists_end_after`: so many messages end a listing as
    if there were no more (0: never), `label_lists_end_after` those under a label. `batches_refuse_gaps`: one missing message
    makes `batchModify` change none of them."""

    hidden_in_threads: frozenset[str] = frozenset()
    lists_end_after: int = 0
    label_lists_end_after: int = 0
    batches_refuse_gaps: bool = False
