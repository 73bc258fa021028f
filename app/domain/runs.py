"""Runs of the mail graph and their logs: one run per mail and revision of it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.domain.ids import AccountId, JobId, MessageId, RunId, ThreadId
from app.domain.triage import Triage


class RunStatus(StrEnum):
    """`waiting` runs wait for a review; `done`, `needs_review`, `failed` and `superseded` are final."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    DONE = "done"
    NEEDS_REVIEW = "needs_review"
    FAILED = "failed"
    SUPERSEDED = "superseded"


class Route(StrEnum):
    """Where a routing rule sends a mail."""

    PIPELINE = "pipeline"
    RESPONSE_AGENT = "response_agent"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Run:
    """One run. `rule` is the routing rule's name, empty for the default; `profile` only for the agent route;
    `answer` marks a draft that the user asked for, whatever triage says; `routed` is JSON on how it was routed, empty where
    nobody knows any more."""

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


@dataclass(frozen=True, slots=True)
class StepLog:
    """One node of one run (an `agent_logs` row). States are JSON texts of changed fields with ids, not bodies; `error`
    is empty when the node worked; `latency_ms` is wall time."""

    run_id: RunId
    step_name: str
    step_order: int
    input_state: str
    output_state: str
    latency_ms: float
    error: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of a language model (an `llm_calls` row). `cost_usd` is 0 where the model's price is unknown;
    `host` and `sent_bytes` feed the list of what left the machine."""

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


@dataclass(frozen=True, slots=True)
class ToolExecution:
    """One tool call of one run, unique by `call_id` within the run; arguments and result are JSON texts."""

    run_id: RunId
    call_id: str
    tool: str
    arguments: str
    result: str
    error: str
    latency_ms: float
    at: datetime


@dataclass(frozen=True, slots=True)
class Trail:
    """What a run leaves in one write: its node logs, its tool calls and the verdict on its mail; its new `status`, None where it
    stays; the `job` that is worked off with it, empty for none; `run` itself, where it may not be written yet."""

    run_id: RunId
    steps: tuple[StepLog, ...] = ()
    tools: tuple[ToolExecution, ...] = ()
    verdict: tuple[MessageId, Triage] | None = None
    status: RunStatus | None = None
    job: JobId = JobId("")
    run: Run | None = None

    @property
    def empty(self) -> bool:
        """Whether there is nothing to write."""
        return not (self.steps or self.tools or self.verdict or self.status or self.job)
