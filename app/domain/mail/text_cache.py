"""What was found in a text before: a run looks at the same few mails again and again."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

T = TypeVar("T")

LONGEST = 20_000
"""Characters up to which a text's result is remembered."""


def remembered(most: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Decorates a pure function of one text: the results for the last `most` short texts are kept. They must not be changed."""

    def decorate(function: Callable[[str], T]) -> Callable[[str], T]:
        known = lru_cache(maxsize=most)(function)

        @wraps(function)
        def call(text: str) -> T:
            return known(text) if len(text) <= LONGEST else function(text)

        return call

    return decorate
