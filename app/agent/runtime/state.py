"""The state of a run between nodes: ids and small JSON values, never bodies of mail.

A draft is in the state as JSON between `generate` and `review` only; from then on it is in the review row.
"""

from typing import Annotated, Any, TypedDict, cast

import msgspec

from app.domain.agents.runs import Route, Run
from app.domain.drafting.draft import Draft, Source
from app.domain.drafting.review import Review, ReviewKind
from app.domain.error_texts import Cause, ErrorText
from app.domain.ids import MessageId, RunId
from app.domain.mail.triage import Category, Decision, Triage

GRAPH_VERSION = 2
"""Raise it whenever a node is renamed or a field changes its meaning. Runs of an older version finish from their rows."""


class ToolOutcome(TypedDict):
    """One tool call: JSON values; `error` is empty when it worked."""

    arguments: dict[str, Any]
    result: dict[str, Any]
    error: str
    latency_ms: float


class MailState(TypedDict, total=False):
    """What nodes read and change.

    `email` is a local message id, `context` source ids, `draft_response` a draft as JSON or `review:<id>`, `final_response`
    `outbox:<id>`, `outcome` a `RunStatus` value. `rounds` counts model drafts since the last decision, `why` is the policy's
    reason code, `decided` the id of the decision that a gate read, `ruled` whether a routing rule chose the route.
    `verdict_open`: the draft's call judges the mail too. `without_model` is why code took the model's place, `ask_again` whether
    the mail is asked about again later, `repeats` the run that this one repeats with the model.

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
    verdict_open: bool
    without_model: str
    ask_again: bool
    repeats: str

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
    decided: int
    feedback: str
    verdict: str
    requires_approval: bool
    why: str
    final_response: str
    outcome: str
    error: str | None
    steps: list[str]


Update = dict[str, Any]
"""The fields a node changes."""


def updated(state: MailState, update: Update) -> MailState:
    """The state after a node: the changed fields, and its name added to `steps`."""
    return cast(MailState, {**state, **update, "steps": [*state.get("steps", []), *update.get("steps", [])]})


class GraphState(TypedDict):
    """The one channel of the graph: LangGraph handles each of forty channels several times around every node."""

    mail: Annotated[MailState, updated]


def initial_state(run: Run) -> MailState:
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
        repeats=run.repeats,
        without_model=ErrorText.of(Cause.ASKED_WITHOUT_MODEL).stored() if run.by_rule else "",
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
        return cast(MailState, {**state, **triage_update(verdict)})
    return state


def run_id_of(state: MailState) -> RunId:
    return RunId(state["run_id"])


def message_id_of(state: MailState) -> MessageId:
    return MessageId(state["email"])


def triage_of(state: MailState) -> Triage:
    return Triage(
        Decision(state["decision"]), Category(state["classification"]), state["confidence"], state["reason"], state["maker"]
    )


def triage_update(triage: Triage) -> Update:
    """A verdict as state fields."""
    return {
        "decision": triage.decision.value,
        "classification": triage.category.value,
        "confidence": triage.confidence,
        "reason": str(triage.reason),  # checkpoints read back plain values only
        "maker": triage.maker,
    }


class DraftPayload(msgspec.Struct, frozen=True):
    """A draft on its way to review, with its sources."""

    draft: Draft
    sources: tuple[Source, ...] = ()


def pack(drafted: DraftPayload) -> str:
    return msgspec.json.encode(drafted).decode()


def unpack(text: str) -> DraftPayload:
    return msgspec.json.decode(text, type=DraftPayload)
