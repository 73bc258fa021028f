"""What the service counts and notes, where it may not write the store: in memory, and as numbers and names in its log.

Caps count what the store has of this day and month together with what this process has called since it began.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from app.domain.audit import AgentRun, CallAudit
from app.domain.ids import MessageId, RunId
from app.domain.ports.agents import Clock
from app.domain.runs import ModelCall, ToolExecution
from app.store.audit import AuditTable
from app.store.database import Database
from app.store.model_calls import ModelCalls
from app.store.periods import day_start_ms, month_start_ms

log = logging.getLogger(__name__)

OLDEST = timedelta(days=32)

Usage = tuple[int, int, float]


class ServiceLedger:
    """Implements `CallLedger`. Thread-safe as far as lists are."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._stored = ModelCalls(db, clock)
        self._clock = clock
        self._calls: list[ModelCall] = []

    def model_call(self, call: ModelCall) -> None:
        """Count it."""
        self._calls = [one for one in self._calls if one.at > call.at - OLDEST] + [call]
        log.info(
            "model call for %s: %s at %s, %d + %d tokens, %.4f USD, %.0f ms, %d bytes sent%s",
            call.run_id,
            call.model,
            call.host,
            call.prompt_tokens,
            call.completion_tokens,
            call.cost_usd,
            call.latency_ms,
            call.sent_bytes,
            f", {call.error}" if call.error else "",
        )

    def usage_today(self) -> Usage:
        """Calls, tokens and US dollars since local midnight."""
        return _sum(self._stored.usage_today(), self._since(day_start_ms(self._clock())))

    def usage_this_month(self) -> Usage:
        """The same since the month began."""
        return _sum(self._stored.usage_this_month(), self._since(month_start_ms(self._clock())))

    def _since(self, since_ms: int) -> Sequence[ModelCall]:
        return [one for one in self._calls if one.at.timestamp() * 1000 >= since_ms]


def _sum(stored: Usage, calls: Sequence[ModelCall]) -> Usage:
    tokens = sum(one.prompt_tokens + one.completion_tokens for one in calls)
    return stored[0] + len(calls), stored[1] + tokens, stored[2] + sum(one.cost_usd for one in calls)


class ServiceBook:
    """Implements `AgentBook`: calls stand in the log, by name and outcome."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._stored = AuditTable(db, clock)

    def note(self, row: CallAudit) -> None:
        """A call has an outcome so far."""
        log.info("call of %s: %s, %s, %s", row.run_id, row.tool, row.why.value, row.outcome.value)

    def finish(self, run: AgentRun, message_id: MessageId) -> None:
        """A run of a profile has ended; here none runs on a mail of its own."""
        log.info("run %s ended: %s", run.run_id, run.status.value)

    def earlier(self, run_id: RunId, call_id: str) -> ToolExecution | None:
        """What a call has returned already: it is not kept."""
        return None

    def sends_since(self, since: datetime) -> int:
        """How many sends agents have carried out, all of them elsewhere."""
        return self._stored.sends_since(since)
