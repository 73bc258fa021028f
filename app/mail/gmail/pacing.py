"""Paces calls by Gmail's quota units: a sliding minute that is never overspent.

The limit drops after a rate-limit error and recovers slowly.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

WINDOW_S = 60.0
AIM = 0.97
"""Share of the budget that is spent at most; the rest absorbs clock skew."""
BACKGROUND = 0.92
"""Share of the budget for background work; the rest is kept for what the user waits for."""
MOST = 0.8
LOWEST_SHARE = 0.1
CUT = 0.7
REGAIN_PER_S = 1 / 600
"""Share of the budget won back per second: a cut of 0.3 is restored in three minutes."""


class UnitBucket:
    """Sliding-window rate limiter in quota units.

    `budget_per_minute` returns the current budget and is read at each call. `now_s` is a wall clock in Unix seconds; it may jump.
    """

    def __init__(
        self,
        budget_per_minute: Callable[[], int],
        now_s: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._budget, self._now_s, self._sleep = budget_per_minute, now_s, sleep
        self._share = 1.0
        self._share_at = now_s()
        self._lock = asyncio.Lock()
        self._entries: deque[tuple[float, int]] = deque()

    @property
    def limit(self) -> int:
        """Units that may be spent in any minute now, at least 100. 100 is the cost of the most expensive single call."""
        now = self._now_s()
        self._share_at = min(self._share_at, now)  # a clock set back by days must not keep the share low for days
        share = min(self._share + (now - self._share_at) * REGAIN_PER_S, 1.0)
        budget = self._budget()
        return max(int(budget * AIM * share), min(budget, 100))

    def room_s(self, units: int) -> float:
        """Seconds until background work may spend `units`, 0 if now. Reserves nothing.

        A demand above 80 % of the limit counts as 80 %, so that occasional polls do not delay it for ever.
        """
        limit = int(self.limit * BACKGROUND / AIM)
        return self._wait_s(min(units, int(limit * MOST)), limit)

    async def take(self, units: int) -> None:
        """Waits until `units` fit into the sliding minute and spends them.

        First come, first served. A demand above the whole limit waits for an empty minute.
        """
        async with self._lock:
            while (wait_s := self._wait_s(units, self.limit)) > 0:
                await self._sleep(wait_s)
            self._entries.append((self._now_s(), units))

    def learn(self, rate_limited: bool) -> None:
        """Cuts the limit after a rate-limit error. It recovers with time."""
        if rate_limited:
            current = self.limit / (self._budget() * AIM)
            self._share = max(current * CUT, LOWEST_SHARE)
            self._share_at = self._now_s()

    def _wait_s(self, units: int, limit: int) -> float:
        """Seconds until `units` may be spent within `limit`, 0 if now."""
        now = self._now_s()
        while self._entries and self._entries[0][0] <= now - WINDOW_S:
            self._entries.popleft()
        if self._entries and self._entries[-1][0] > now:  # the clock was set back: these count as spent now
            self._entries = deque((min(at, now), cost) for at, cost in self._entries)
        total = sum(cost for _, cost in self._entries)
        for at, cost in self._entries:
            if total + units <= limit:
                break
            total -= cost
            wait_s = at + WINDOW_S - now
            if total + units <= limit or total == 0:
                return max(wait_s, 0.001)
        return 0.0
