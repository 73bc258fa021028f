"""How long to wait before the next try: longer after each failure in a row, up to a bound. Pure.

Refuses to overflow: a machine may be offline for weeks, and its failures are counted all the while.
"""

DOUBLINGS = 30
"""More than any wait here needs to reach its bound; 2.0 ** 1024 is no float any more."""


def doubled_s(first_s: float, failures: int, longest_s: float) -> float:
    """Seconds to wait after so many `failures` in a row (1: `first_s`), doubled with each, at most `longest_s`."""
    return min(first_s * 2.0 ** min(max(failures - 1, 0), DOUBLINGS), longest_s)
