"""The state of a run between nodes: ids and small JSON values, never bodies of mail.

A draft passes through as JSON between `generate` and `review` only; from then on the review row holds it.
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
"""Raised whenever a node is renamed or a field changes its meaning; runs of an older version are finished from their rows."""


class ToolOutcome(TypedDict):
    """One tool's trace: JSON values, `error` empty when it worked."""

    arguments: dict[str, Any]
    result: dict[str, Any]
    error: str
    latency_ms: float


class MailState(TypedDict, total=False):
    """The channels. Names of the pipeline's fields are those of its description; `email` is a local message id, `context` source
    ids, `draft_response` a draft as JSON or `review:<id>`, `final_response` `outbox:<id>`, `outcome` a `RunStatus` value;
    `rounds` counts model drafts since the last decision, `why` is the policy's reason code.

    The response agent's: `messages` its conversation as JSON, `call_id` and `plan_hash` the call at hand, `sends` the reviews of
    its approved replies, `done` whether it said so, `stretch` what its call ids begin with. A profile's agent shares
    them; `call` and `call_outcome` are for the log, `finish` is how it ended, with
    `trouble` where that was one. `ruled`: the user's rule chose the
    route.
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
    trouble: str
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
    """The same in one channel, for graphs that keep no checkpoints: what LangGraph does grows with the number of channels."""

    mail: MailState


Update = dict[str, Any]
"""The fields a node changes."""


def initial_state(run: Run) -> MailState:
    """What a fresh run starts with."""
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
    """What a run starts with that goes on from a decided review: its row knows the verdict, where there was one. Only a reply
    gets a new revision; what follows any other kind is a review of its own."""
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
    """The state of a run as its log tells it, to begin at the node `entry`: what it started with and each node's changed fields.
    The verdict, maybe a digest in the log, comes from the review row. None where the log is not about this review."""
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
    """The state of a run that was judged and got no further, behind that verdict, as its log and its mail (`judged`) tell it;
    None where they differ or there is none. What was logged after it is left out."""
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
    """Whether the log ends with this decision on this revision: then there is nothing left to do."""
    if not logs or action == Action.RESPOND:
        return False
    last = loaded(logs[-1].output_state)
    heard: dict[str, Any] = {}
    for one in logs:
        heard |= loaded(one.output_state)
    over = bool(last.get("outcome")) or action == Action.IGNORE
    return over and last.get("verdict") == action and heard.get("revision") == review.revision


def run_id_of(state: MailState) -> RunId:
    """The run's id."""
    return RunId(state["run_id"])


def message_id_of(state: MailState) -> MessageId:
    """The mail's local id."""
    return MessageId(state["email"])


def triage_of(state: MailState) -> Triage:
    """The verdict that `classify` left."""
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
    """A verdict as fields."""
    return ClassifyUpdate(
        decision=triage.decision.value,
        classification=triage.category.value,
        confidence=triage.confidence,
        reason=triage.reason,
        maker=triage.maker,
    )


class DraftPayload(msgspec.Struct, frozen=True):
    """A draft on its way to review, with what it was made from."""

    draft: Draft
    sources: tuple[Source, ...] = ()


def pack(drafted: DraftPayload) -> str:
    """To JSON."""
    return msgspec.json.encode(drafted).decode()


def unpack(text: str) -> DraftPayload:
    """From JSON."""
    return msgspec.json.decode(text, type=DraftPayload)
