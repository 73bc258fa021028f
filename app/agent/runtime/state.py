"""The state of a run between nodes: ids and small JSON values, never bodies of mail.

A draft is in the state as JSON between `generate` and `review` only; from then on it is in the review row.
"""

import operator
from collections.abc import Sequence
from typing import Annotated, Any, TypedDict, cast

import msgspec

from app.agent.runtime.run_recorder import loaded
from app.domain.agents.runs import Route, Run, StepLog
from app.domain.drafting.draft import Draft, Source
from app.domain.drafting.review import Action, Review, ReviewKind
from app.domain.ids import MessageId, RunId
from app.domain.mail.triage import Category, Decision, Triage

GRAPH_VERSION = 1
"""Raise it whenever a node is renamed or a field changes its meaning. Runs of an older version finish from their rows."""


class ToolOutcome(TypedDict):
    """One tool call: JSON values; `error` is empty when it worked."""

    arguments: dict[str, Any]
    result: dict[str, Any]
    error: str
    latency_ms: float


class MailState(TypedDict, total=False):
    """The channels of the graph.

    `email` is a local message id, `context` source ids, `draft_response` a draft as JSON or `review:<id>`, `final_response`
    `outbox:<id>`, `outcome` a `RunStatus` value. `rounds` counts model drafts since the last decision, `why` is the policy's
    reason code, `ruled` whether a routing rule chose the route.

    The response agent: `messages` is its conversation as JSON, `call_id` and `plan_hash` the current call, `sends` the reviews of
    its approved replies, `done` whether it called itself done, `stretch` the prefix of its call ids. A profile's agent shares
    them; `call` and `call_outcome` are for the log, `finish` is how it ended, `failure` the error it ended with.
    """

    run_id: str
    graph_version: int
    account_id: int
    thread_id: int
    email: int
    route: str
    profile: str
    ruled: bool
    answer: bool
    started_ms: int
    entry: str

    decision: str
    classification: str
    confidence: float
    reason: str
    maker: str

    context: list[str]
    selected_tools: list[str]
    tool_results: dict[str, ToolOutcome]
    draft_response: str
    unsupported: list[str]
    rounds: int

    messages: str
    stretch: str
    finish: str
    failure: str
    call: str
    call_outcome: str
    call_id: str
    plan_hash: str
    sends: list[int]
    done: bool

    review_id: int
    revision: int
    feedback: str
    verdict: str
    requires_approval: bool
    why: str
    final_response: str
    outcome: str
    error: str | None
    steps: Annotated[list[str], operator.add]


class SingleChannelState(TypedDict):
    """The whole state in one channel, for graphs without checkpoints: LangGraph's cost grows with the number of channels."""

    mail: MailState


Update = dict[str, Any]
"""The fields a node changes."""


def initial_state(run: Run) -> MailState:
    """The state of a new run."""
    return MailState(
        run_id=run.id,
        graph_version=GRAPH_VERSION,
        account_id=run.account_id,
        thread_id=run.thread_id,
        email=run.message_id,
        route=run.route.value,
        profile=run.profile,
        ruled=bool(run.rule),
        answer=run.answer,
        error=None,
        steps=[],
    )


def state_from_review(review: Review, feedback: str) -> MailState:
    """The state of a run that continues from a decided review, with the verdict of its row, if any.

    Only a reply gets a new revision. After any other kind the next proposal is a new review.
    """
    seen = review.proposal
    state = MailState(
        run_id=seen.run_id,
        graph_version=GRAPH_VERSION,
        account_id=seen.account_id,
        thread_id=seen.thread_id,
        email=seen.message_id,
        route=Route.PIPELINE.value,
        profile="",
        answer=True,
        feedback=feedback,
        error=None,
        steps=[],
    )
    if seen.kind is ReviewKind.REPLY:
        state["review_id"] = review.id
        state["revision"] = review.revision
    if seen.decision:
        verdict = Triage(Decision(seen.decision), Category(seen.category), seen.confidence, seen.reason, seen.maker)
        return MailState(**{**state, **triage_update(verdict)})
    return state


def state_from_log(logs: Sequence[StepLog], review: Review, entry: str) -> MailState | None:
    """Rebuilds a run's state from its log, to start at node `entry`.

    The verdict comes from the review row, because the log may hold only a digest of it. None where the log does not belong to
    this review or graph version.
    """
    if not logs:
        return None
    state: dict[str, Any] = loaded(logs[0].input_state)
    for one in logs:
        state |= loaded(one.output_state)
    if state.get("graph_version") != GRAPH_VERSION or state.get("review_id") != review.id:
        return None
    seen = review.proposal
    verdict = Triage(Decision(seen.decision), Category(seen.category), seen.confidence, seen.reason, seen.maker)
    state |= {"entry": entry, "error": None, "outcome": "", "steps": [one.step_name for one in logs]}
    return cast(MailState, {**state, **triage_update(verdict)})


def state_from_verdict(logs: Sequence[StepLog], judged: Triage) -> MailState | None:
    """Rebuilds the state right after `classify` from the log and the stored verdict `judged`.

    Later log rows are left out. None where log and verdict differ, or the log has no verdict.
    """
    state: dict[str, Any] = loaded(logs[0].input_state)
    for at, one in enumerate(logs):
        changed = loaded(one.output_state)
        state |= changed
        if "decision" not in changed or one.error:
            continue
        same = (changed["decision"], changed["classification"], changed["maker"], changed["confidence"])
        if state.get("graph_version") != GRAPH_VERSION or same != (
            judged.decision,
            judged.category,
            judged.maker,
            judged.confidence,
        ):
            return None
        return cast(MailState, {**state, **triage_update(judged), "steps": [past.step_name for past in logs[: at + 1]]})
    return None


def recorded(logs: Sequence[StepLog], review: Review, action: str) -> bool:
    """Whether the log ends with this decision on this revision, so that nothing is left to do."""
    if not logs or action == Action.RESPOND:
        return False
    last = loaded(logs[-1].output_state)
    merged: dict[str, Any] = {}
    for one in logs:
        merged |= loaded(one.output_state)
    over = bool(last.get("outcome")) or action == Action.IGNORE
    return over and last.get("verdict") == action and merged.get("revision") == review.revision


def run_id_of(state: MailState) -> RunId:
    return RunId(state["run_id"])


def message_id_of(state: MailState) -> MessageId:
    """The local message id."""
    return MessageId(state["email"])


def triage_of(state: MailState) -> Triage:
    """The verdict that `classify` set."""
    return Triage(
        Decision(state["decision"]), Category(state["classification"]), state["confidence"], state["reason"], state["maker"]
    )


class ClassifyUpdate(TypedDict):
    """The fields that `classify` sets."""

    decision: str
    classification: str
    confidence: float
    reason: str
    maker: str


def triage_update(triage: Triage) -> ClassifyUpdate:
    """A verdict as state fields."""
    return ClassifyUpdate(
        decision=triage.decision.value,
        classification=triage.category.value,
        confidence=triage.confidence,
        reason=triage.reason,
        maker=triage.maker,
    )


class DraftPayload(msgspec.Struct, frozen=True):
    """A draft on its way to review, with its sources."""

    draft: Draft
    sources: tuple[Source, ...] = ()


def pack(drafted: DraftPayload) -> str:
    """Encodes as JSON."""
    return msgspec.json.encode(drafted).decode()


def unpack(text: str) -> DraftPayload:
    """Decodes from JSON."""
    return msgspec.json.decode(text, type=DraftPayload)
