"""Builds the dependencies of the served graph from a data folder: the read-only store, the settings, the model.

The service may not write to the store. It keeps its usage counts in memory and logs calls as numbers and names. Caps count the
store's calls of the day or month and this process's own calls.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.target import ModelTarget
from app.agent.llm.turns import ModelGateway
from app.agent.tools.toolbox import Toolbox
from app.agent.triage.phishing import domain_skeleton
from app.config.paths import DataFolder, resource
from app.config.settings import Settings, zone_of
from app.domain.agents.runs import AgentRun, CallAudit, ModelCall, ToolExecution
from app.domain.errors import ModelUnavailable
from app.domain.ids import MessageId, RunId
from app.domain.policy.red_flags import Skeleton
from app.domain.ports.agents import Clock
from app.service.mailbox import ReadOnlyMailbox, ReadOnlyMemory
from app.store.db.database import Database
from app.store.db.times import day_start_ms, month_start_ms
from app.store.requests.artifacts import ArtifactFolder
from app.store.runs.audit import AuditTable
from app.store.runs.model_calls import ModelCalls

log = logging.getLogger(__name__)

OLDEST = timedelta(days=32)

Usage = tuple[int, int, float]


class ServiceLedger:
    """Implements `CallLedger` in memory, on top of the store's counts."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._stored = ModelCalls(db, clock)
        self._clock = clock
        self._calls: list[ModelCall] = []

    def model_call(self, call: ModelCall) -> None:
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
        """Calls, tokens and US dollars since the month began."""
        return _sum(self._stored.usage_this_month(), self._since(month_start_ms(self._clock())))

    def _since(self, since_ms: int) -> Sequence[ModelCall]:
        return [one for one in self._calls if one.at.timestamp() * 1000 >= since_ms]


def _sum(stored: Usage, calls: Sequence[ModelCall]) -> Usage:
    tokens = sum(one.prompt_tokens + one.completion_tokens for one in calls)
    return stored[0] + len(calls), stored[1] + tokens, stored[2] + sum(one.cost_usd for one in calls)


class ServiceAgentLog:
    """Implements `AgentBook` with log entries: tool name and outcome of each call."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._stored = AuditTable(db, clock)

    def note(self, row: CallAudit) -> None:
        log.info("call of %s: %s, %s, %s", row.run_id, row.tool, row.why.value, row.outcome.value)

    def finish(self, run: AgentRun, message_id: MessageId) -> None:
        log.info("run %s ended: %s", run.run_id, run.status.value)

    def earlier(self, run_id: RunId, call_id: str) -> ToolExecution | None:
        """Always None: the service stores no results."""
        return None

    def sends_since(self, since: datetime) -> int:
        """How many sends agents have made, all by the engine."""
        return self._stored.sends_since(since)


@dataclass(frozen=True, slots=True)
class ServiceDeps:
    """Implements `GmailDeps`."""

    corpus: ReadOnlyMailbox
    clock: Clock
    prompts: Path
    gateway: ModelGateway
    toolbox: Toolbox
    memory: ReadOnlyMemory
    background: str
    time_zone: tzinfo
    skeleton: Skeleton = field(default=domain_skeleton)


def target_of(settings: Settings, key: str) -> ModelTarget:
    """The configured model. Raises `ModelUnavailable` when none is chosen or its key is missing."""
    if not settings.model.name:
        raise ModelUnavailable("The Gmail service needs a language model, and none is chosen.", "Choose one in Settings.")
    target = ModelTarget.chosen(settings.model, key)
    target.check()
    return target


@contextmanager
def opened_parts(folder: DataFolder, settings: Settings, target: ModelTarget) -> Iterator[ServiceDeps]:
    """Opens the dependencies for the length of the block. Raises `NotAllowed`, `StoreTooNew`, `StoreDamaged`."""
    db = Database.open_beside(folder.database)
    try:
        mailbox = ReadOnlyMailbox(db, _now)
        try:
            yield ServiceDeps(
                mailbox,
                _now,
                resource("prompts"),
                LiteLlmGateway(target, ServiceLedger(db, _now), _now),
                Toolbox(ServiceAgentLog(db, _now), search=mailbox, artifacts=ArtifactFolder(folder.artifacts)),
                ReadOnlyMemory(db, _now),
                settings.drafting.background,
                zone_of(settings.calendar.time_zone),
            )
        finally:
            mailbox.close()
    finally:
        db.close()


def _now() -> datetime:
    return datetime.now(UTC)
