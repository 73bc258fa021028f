"""Measures how the processor time of work grows, so that the speed of the machine and other work on it do not matter."""

import time
from collections.abc import Callable
from math import inf
from typing import TypeVar

Made = TypeVar("Made")
TIMES = 4
MOST_GROWTH = 9.0
"""Between 4, the growth of what is read once, and 16, the growth of what is read again for each part."""
NOISE_S = 0.02
"""So little time says nothing about growth."""
ROUNDS = 4


def processor_s(work: Callable[[], object]) -> float:
    """The processor time that `work` takes in this thread."""
    began_s = time.thread_time()
    work()
    return time.thread_time() - began_s


def takes_less(work: Callable[[], object], other: Callable[[], object], *, times: float = 1.0) -> bool:
    """Whether `work` takes less processor time than `times` the time of `other`, by the best of some measurements."""
    own_s = other_s = inf
    for _ in range(ROUNDS):
        own_s, other_s = min(own_s, processor_s(work)), min(other_s, processor_s(other), processor_s(other))
        if own_s < max(NOISE_S, times * other_s):
            return True
    return False


def grows_with_size(make: Callable[[int], Made], work: Callable[[Made], object], size: int) -> bool:
    """Whether `work` on what `make` makes takes time in proportion to the size and not to its square."""
    small, large = make(size), make(TIMES * size)
    return takes_less(lambda: work(large), lambda: work(small), times=MOST_GROWTH)
