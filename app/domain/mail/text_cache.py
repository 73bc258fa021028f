"""A cache for pure functions of a text, since a run reads the same few messages again."""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import TypeVar, cast

F = TypeVar("F", bound=Callable[..., object])

LONGEST = 20_000
"""Characters up to which a text's result is cached."""


def remembered(most: int, longest: int = LONGEST) -> Callable[[F], F]:
    """Decorates a pure function of a text with a cache of `most` results.

    Only texts of up to `longest` characters are cached. Results must not be changed.
    """

    def decorate(function: F) -> F:
        known = lru_cache(maxsize=most)(function)

        @wraps(function)
        def call(text: str, *rest: Hashable) -> object:
            return known(text, *rest) if len(text) <= longest else function(text, *rest)

        return cast(F, call)

    return decorate
