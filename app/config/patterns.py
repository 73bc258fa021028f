"""Regular expressions that the user wrote, run over text that strangers wrote: each search has a time limit.

The standard library's `re` cannot be stopped; `regex` can, and lets other threads go on meanwhile. Refuses to let one pattern
hold a mail up (a search over its time is given up) or eat the memory (repetitions are written out when a pattern is compiled).
"""

from math import prod
from re import findall

import regex  # type: ignore[import-untyped]

from app.domain.rule_set import Finds

TIME_LIMIT_S = 0.05
LONGEST_PATTERN = 1000
MOST_STATES = 1_000_000


def compile_pattern(source: str) -> Finds:
    """A search for `source`, whatever the case of letters; it answers None when its time was up. Raises `ValueError`, saying what
    is wrong with the pattern."""
    if len(source) > LONGEST_PATTERN:
        raise ValueError(f"it has {len(source)} characters, {LONGEST_PATTERN} are allowed")
    counts = [max(int(most or 0), int(least)) for least, most in findall(r"\{(\d{1,9}),?(\d{0,9})\}", source)]
    if len(source) * prod(max(count, 1) for count in counts) > MOST_STATES:
        raise ValueError("its repetitions multiply to too much")
    try:
        compiled = regex.compile(source, regex.IGNORECASE | regex.VERSION0)
    except (regex.error, OverflowError, RecursionError) as error:
        raise ValueError(str(error) or type(error).__name__) from error

    def finds(text: str) -> bool | None:
        try:
            return compiled.search(text, timeout=TIME_LIMIT_S, concurrent=True) is not None
        except TimeoutError:
            return None

    return finds
