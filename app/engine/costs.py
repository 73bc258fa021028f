"""What drafting answers to many mails would cost: by what the model has cost so far, else by its list price.

Refuses to name a sum where neither is known.
"""

from collections.abc import Callable

from app.store.runs import Runs

COST_UNKNOWN = -1.0
LEAST_RUNS = 5
"""From so many runs on the past tells more than a price list."""


def expected_usd(mails: int, model: str, runs: Runs, list_price: Callable[[], float | None]) -> float:
    """US dollars for `mails`, or `COST_UNKNOWN`. `list_price` gives that of one mail; it may take seconds."""
    if not model or not mails:
        return 0.0
    past, usd = runs.cost_with(model)
    if past >= LEAST_RUNS and usd > 0:
        return mails * usd / past
    each = list_price()
    return COST_UNKNOWN if each is None else mails * each
