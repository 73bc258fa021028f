"""Regular expressions of the user or of a tool server, run over untrusted text with a time limit per search.

The standard `re` module cannot be interrupted. `regex` can, and releases the GIL while it searches.
"""

import re
from importlib import import_module
from math import prod

from app.domain.agents.routing import Finds

# The package has no type annotations; import by name hides it from mypy.
regex = import_module("regex")

TIME_LIMIT_S = 0.05
LONGEST_PATTERN = 1000
MOST_STATES = 1_000_000


def compile_pattern(source: str, *, exact: bool = False) -> Finds:
    """A search for `source`, case-insensitive unless `exact`. It returns None on timeout.

    Raises `ValueError` with the problem of the pattern.
    """
    if len(source) > LONGEST_PATTERN:
        raise ValueError(f"it has {len(source)} characters, {LONGEST_PATTERN} are allowed")
    counts = [
        max(int(most or 0), int(least or 0)) for least, most in re.findall(r"\{(\d{0,9}),?(\d{0,9})\}", source) if least or most
    ]
    if len(source) * prod(max(count, 1) for count in counts) > MOST_STATES:
        raise ValueError("its repetitions multiply to too much")
    try:
        compiled = regex.compile(source, (0 if exact else regex.IGNORECASE) | regex.VERSION0)
    except (regex.error, OverflowError, RecursionError) as error:
        raise ValueError(str(error) or type(error).__name__) from error

    def search(text: str) -> bool | None:
        try:
            return compiled.search(text, timeout=TIME_LIMIT_S, concurrent=True) is not None
        except TimeoutError:
            return None

    return search
