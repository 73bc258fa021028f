"""Google's quota: units per user in a sliding minute, and concurrent requests.

Units are always counted; limits apply only after a test sets them.
"""

from collections import Counter, deque

import msgspec

from app.domain.record import Record
from app.sandbox.clock import Clock
from app.sandbox.google_api.errors import invalid_argument, rate_limited
from app.sandbox.google_api.json_values import JsonObject
from app.sandbox.google_api.schema import Method

MINUTE_S = 60.0
BUDGET = 6_000
REFUSALS = {"403": (403, "rateLimitExceeded"), "403-user": (403, "userRateLimitExceeded"), "429": (429, "rateLimitExceeded")}


class QuotaRules(Record):
    """What is enforced.

    `units_a_minute` is the limit (0: none, or Google's own with `enforce`), `refusal` the error, `concurrent` the limit of
    requests in a batch (0: none), `retry_after` whether errors carry Retry-After.
    """

    enforce: bool = False
    units_a_minute: int = 0
    refusal: str = "403"
    concurrent: int = 0
    retry_after: bool = False

    @property
    def limit(self) -> int:
        """Units a minute; 0 for no limit."""
        return self.units_a_minute or (BUDGET if self.enforce else 0)


class Totals(msgspec.Struct):
    """Counters since the start or the last reset."""

    units: int = 0
    requests: int = 0
    refused: int = 0
    methods: Counter[str] = msgspec.field(default_factory=Counter)


class Quota:
    """Charges requests to users. `reset` the totals by replacing them: the current minute still counts for the limit."""

    def __init__(self, clock: Clock) -> None:
        self.rules = QuotaRules()
        self.totals = Totals()
        self._clock = clock
        self._spent: dict[str, deque[tuple[float, int]]] = {}

    def charge(self, user: str, method: Method) -> int:
        """Counts a request and returns its units. Raises `ApiError` 403 or 429 if the limit is reached."""
        self.totals.requests += 1
        if self.rules.limit:
            self._spend(user, method.units)
        self.totals.units += method.units
        self.totals.methods[method.id] += 1
        return method.units

    def set_rules(self, body: JsonObject) -> None:
        """Replaces the rules: fields of `QuotaRules`. Raises `ApiError` 400."""
        rules = msgspec.convert(body, QuotaRules)
        if rules.refusal not in REFUSALS:
            raise invalid_argument(f"quota: refusal is one of {sorted(REFUSALS)}")
        self.rules = rules

    def _spend(self, user: str, units: int) -> None:
        now_s = self._clock.now_s()
        spent = self._spent.setdefault(user, deque())
        while spent and spent[0][0] <= now_s - MINUTE_S:
            spent.popleft()
        if sum(amount for _, amount in spent) + units > self.rules.limit:
            self.totals.refused += 1
            wait_s = int(spent[0][0] + MINUTE_S - now_s) + 1 if spent else 60
            raise rate_limited(*REFUSALS[self.rules.refusal], wait_s if self.rules.retry_after else None)
        spent.append((now_s, units))
