"""A cache for pure functions of one text, since a run reads the same few messages again."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

T = TypeVar("T")

LONGEST = 20_000
"""Characters up to which a text's result is cached."""


def remembered(most: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Decorates a pure function of one text with a cache of `most` results.

    Only short texts are cached. Results must not be changed.
    """

    def decorate(function: Callable[[str], T]) -> Callable[[str], T]:
        known = lru_cache(maxsize=most)(function)

        @wraps(function)
        def call(text: str) -> T:
            return known(text) if len(text) <= LONGEST else function(text)

        return call

    return decorate
