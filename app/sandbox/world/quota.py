"""Google's quota: units per user in a sliding minute, and concurrent requests.

Units are always counted; limits apply only after a test sets them.
"""

from collections import Counter, deque
from dataclasses import dataclass, field

from app.sandbox.clock import Clock
from app.sandbox.google_api.errors import ApiError, invalid_argument, rate_limited
from app.sandbox.google_api.json_values import JsonObject, flag_of, int_of, text_of
from app.sandbox.google_api.schema import Method

MINUTE_S = 60.0
BUDGET = 6_000
REFUSALS = {"403": (403, "rateLimitExceeded"), "403-user": (403, "userRateLimitExceeded"), "429": (429, "rateLimitExceeded")}


@dataclass(slots=True)
class QuotaRules:
    """What is enforced.

    `units_a_minute` is the limit (0: none), `refusal` the error, `concurrent` the limit of requests in a batch (0: none),
    `retry_after` whether errors carry Retry-After.
    """

    units_a_minute: int = 0
    refusal: str = "403"
    concurrent: int = 0
    retry_after: bool = False


@dataclass(slots=True)
class Totals:
    """Counters since the start or the last reset."""

    units: int = 0
    requests: int = 0
    refused: int = 0
    methods: Counter[str] = field(default_factory=Counter)

    def shape(self) -> JsonObject:
        """JSON for the admin interface."""
        methods: JsonObject = dict(self.methods)
        return {"units": self.units, "requests": self.requests, "refused": self.refused, "methods": methods}


class Quota:
    """Charges requests to users."""

    def __init__(self, clock: Clock) -> None:
        self.rules = QuotaRules()
        self.totals = Totals()
        self._clock = clock
        self._spent: dict[str, deque[tuple[float, int]]] = {}

    def charge(self, user: str, method: Method) -> int:
        """Counts a request and returns its units. Raises `ApiError` 403 or 429 if the limit is reached."""
        units = method.units
        self.totals.requests += 1
        if self.rules.units_a_minute:
            self._spend(user, units)
        self.totals.units += units
        self.totals.methods[method.id] += 1
        return units

    def set_rules(self, body: JsonObject) -> None:
        """Replaces the rules: {"enforce", "units_a_minute", "refusal", "concurrent", "retry_after"}."""
        refusal = text_of(body, "refusal") or self.rules.refusal
        if refusal not in REFUSALS:
            raise invalid_argument(f"quota: refusal is one of {sorted(REFUSALS)}")
        budget = int_of(body, "units_a_minute")
        if budget is None:
            budget = BUDGET if flag_of(body, "enforce") else 0
        concurrent = int_of(body, "concurrent") or 0
        self.rules = QuotaRules(budget, refusal, concurrent, flag_of(body, "retry_after") or False)

    def reset(self) -> None:
        """Resets the counters; units spent in the current minute still count for the limit."""
        self.totals = Totals()

    def _spend(self, user: str, units: int) -> None:
        now_s = self._clock.now_s()
        spent = self._spent.setdefault(user, deque())
        while spent and spent[0][0] <= now_s - MINUTE_S:
            spent.popleft()
        if sum(amount for _, amount in spent) + units > self.rules.units_a_minute:
            self.totals.refused += 1
            wait_s = int(spent[0][0] + MINUTE_S - now_s) + 1 if spent else 60
            raise self._refusal(wait_s)
        spent.append((now_s, units))

    def _refusal(self, wait_s: int) -> ApiError:
        code, reason = REFUSALS[self.rules.refusal]
        return rate_limited(code, reason, wait_s if self.rules.retry_after else None)
