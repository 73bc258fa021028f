"""Runs of the mail graph and of agents with their logs, and daily numbers of what agents did. Pure functions."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any

from app.domain.drafting.review import FlagKind
from app.domain.ids import AccountId, JobId, MessageId, RunId, ThreadId
from app.domain.mail.triage import Triage
from app.domain.policy.policy import Effect, PolicyReason, Verdict
from app.domain.record import Record


class RunStatus(StrEnum):
    """`waiting` runs wait for a review, or go on after a decision.

    `done`, `needs_review`, `failed` and `superseded` are final, until the owner decides on a review of the run.
    """

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    DONE = "done"
    NEEDS_REVIEW = "needs_review"
    FAILED = "failed"
    SUPERSEDED = "superseded"


class Route(StrEnum):
    PIPELINE = "pipeline"
    SORT = "sort"
    """Sorted only, never answered."""
    RESPONSE_AGENT = "response_agent"
    AGENT = "agent"


class Run(Record):
    """One run of the mail graph.

    `rule` is the routing rule's name, empty for the default. `profile` is set only for the agent route. `answer` marks a draft
    the user asked for, whatever triage says. `routed` is JSON about the routing for the mail's history; it is not read back.
    """

    id: RunId
    account_id: AccountId
    message_id: MessageId
    thread_id: ThreadId
    route: Route
    rule: str
    profile: str
    status: RunStatus
    graph_version: int
    created_at: datetime
    answer: bool = False
    error: str = ""
    routed: str = ""

    @property
    def repeats(self) -> RunId:
        """The run that this one repeats, now that the model is back; empty for a first run."""
        return RunId(self.id.partition(AGAIN)[0]) if AGAIN in self.id else RunId("")

    @property
    def by_rule(self) -> bool:
        """Whether the owner asked for a draft without the model."""
        return BY_RULE in self.id


BY_RULE = "-by-rule"
"""In the id of a run that does not ask the model."""
AGAIN = "-again"
"""In the id of a run that repeats another, after that one's id, as often as it was repeated."""


class StepLog(Record):
    """One node of one run (a `run_steps` row).

    `output_state` is JSON of the changed fields, with ids, without bodies; `input_state` is the state before, and may be left
    empty for a step that follows on from the one before. `error` is empty if the node worked; `latency_ms` is wall
    time.
    """

    run_id: RunId
    step_name: str
    step_order: int
    input_state: str
    output_state: str
    latency_ms: float
    error: str
    at: datetime

    @property
    def passed_over(self) -> bool:
        """Whether this attempt failed and the node ran again. Such a row stays beside that of the later attempt."""
        return bool(self.error) and self.output_state == NOTHING_CHANGED


NOTHING_CHANGED = "{}"
"""`output_state` of a step without a change."""


class ModelCall(Record):
    """One call of a language model (an `llm_calls` row).

    `cost_usd` is 0 if the price is unknown. The rest is for the list of what left the machine: `host`, bytes of HTTP bodies sent
    and received, the SHA-256 of those sent, ids of the messages in the prompt, and the addresses of their authors.
    """

    run_id: RunId
    call_type: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float
    latency_ms: float
    host: str
    sent_bytes: int
    error: str
    at: datetime
    got_bytes: int = 0
    sent_sha256: str = ""
    mails: tuple[int, ...] = ()
    people: tuple[str, ...] = ()


class SentToHost(Record):
    """What calls of language models sent to one host on one day in the user's time zone, failed calls included."""

    day: date
    host: str
    calls: int
    sent_bytes: int
    got_bytes: int
    tokens: int
    cost_usd: float
    mails: int
    people: int


class ToolExecution(Record):
    """One tool call, unique by `call_id` within the run. Arguments and result are JSON."""

    run_id: RunId
    call_id: str
    tool: str
    arguments: str
    result: str
    error: str
    latency_ms: float
    at: datetime


class TraceStep(Record):
    """A step of a run for people: the state it read and the fields it changed, with the texts behind the ids, and its calls."""

    log: StepLog
    read: Mapping[str, Any]
    wrote: Mapping[str, Any]
    tools: tuple[ToolExecution, ...] = ()
    models: tuple[ModelCall, ...] = ()


class RunRecord(Record):
    """What a run writes in one commit.

    `status` is the new status, None if unchanged. `job` is the job that ends with it, empty for none. `run` is the run itself, if
    it may not be stored yet. `route` is the agent that the run came to, None if unchanged. `ask_again`: its model
    gave no answer and is to be asked again later.
    """

    run_id: RunId
    steps: tuple[StepLog, ...] = ()
    tools: tuple[ToolExecution, ...] = ()
    verdict: tuple[MessageId, Triage] | None = None
    status: RunStatus | None = None
    job: JobId = JobId("")
    run: Run | None = None
    route: Route | None = None
    ask_again: bool = False

    @property
    def empty(self) -> bool:
        return not (self.steps or self.tools or self.verdict or self.status or self.job)


class DailyWork(Record):
    """One day in the user's time zone.

    `looked_at` are pairs of category (empty: no verdict yet) and number of messages. `time_ms` is the median time of a run, 0
    without any. `kept`, `edited` and `rejected` count decisions on drafts; `calls`, `tokens` and `cost_usd` those of language
    models.
    """

    day: date
    looked_at: tuple[tuple[str, int], ...] = ()
    time_ms: float = 0.0
    kept: int = 0
    edited: int = 0
    rejected: int = 0
    calls: int = 0
    tokens: int = 0
    cost_usd: float = 0.0

    @property
    def mails(self) -> int:
        return sum(count for _category, count in self.looked_at)

    def of(self, category: str) -> int:
        return dict(self.looked_at).get(category, 0)


def every_day(found: Iterable[DailyWork], last: date, days: int) -> tuple[DailyWork, ...]:
    """The `days` days up to `last`, oldest first; days without work are zeros."""
    by_day = {work.day: work for work in found}
    first = last - timedelta(days=days - 1)
    return tuple(by_day.get(day) or DailyWork(day) for day in (first + timedelta(days=number) for number in range(days)))


def middle(values: Sequence[float]) -> float:
    """The median of sorted values, 0 for none."""
    if not values:
        return 0.0
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


class CallOutcome(StrEnum):
    WAITING = "waiting"
    RAN = "ran"
    FAILED = "failed"
    DENIED = "denied"


class CallAudit(Record):
    """One call of one run (a `tool_audit` row).

    `arguments_hash` is the SHA-256 (hex) of tool and arguments as executed. `approved_by` and `approved_at` are empty if nobody
    was asked.
    """

    run_id: RunId
    call_id: str
    tool: str
    effect: Effect | None
    arguments_hash: str
    verdict: Verdict
    why: PolicyReason
    flags: tuple[FlagKind, ...]
    outcome: CallOutcome
    at: datetime
    approved_by: str = ""
    approved_at: datetime | None = None


class AgentStatus(StrEnum):
    """Whether an agent's run goes on, or how it ended: completed, at its limit, or with an error."""

    RUNNING = "running"
    COMPLETED = "completed"
    MAX_ITERATIONS = "max_iterations"
    ERROR = "error"


class LoggedCall(Record):
    """A call as `tool_calls_log` has it; `iteration` counts model turns from 1."""

    tool: str
    arguments: dict[str, Any]
    result: Any
    iteration: int


class AgentRun(Record):
    """An agent's run (an `agent_runs` row). `iterations` are its model turns; `error` is empty unless the status is error."""

    run_id: RunId
    profile: str
    status: AgentStatus
    tool_calls: tuple[LoggedCall, ...]
    final_message: str
    iterations: int
    error: str = ""

    @property
    def tool_calls_log(self) -> str:
        rows = [
            {"tool": call.tool, "arguments": call.arguments, "result": call.result, "iteration": call.iteration}
            for call in self.tool_calls
        ]
        return json.dumps(rows, ensure_ascii=False)
