"""Which node follows which: pure functions of the state, one per node, and the one table of node names.

An error in the state always leads to `needs_review`: a node that failed has set it after its last attempt.
"""

from collections.abc import Callable
from enum import StrEnum

from app.agent.runtime.state import MailState
from app.domain.agents.runs import Route, RunStatus
from app.domain.drafting.review import Action
from app.domain.mail.triage import Category, Decision


class Node(StrEnum):
    """Node names. They are stored in checkpoints: renaming one needs a new `GRAPH_VERSION`."""

    ROUTE = "route"
    CLASSIFY = "classify"
    NOTIFY = "triage_interrupt"
    NOTIFY_GATE = "triage_gate"
    RETRIEVE = "retrieve"
    DECIDE = "decide"
    EXECUTE_TOOLS = "execute_tools"
    GENERATE = "generate"
    CHECK = "check"
    REVIEW = "review"
    GATE = "gate"
    DISPATCH = "dispatch"
    LLM_CALL = "llm_call"
    INTERRUPT_PLAN = "interrupt_plan"
    INTERRUPT_GATE = "interrupt_gate"
    INTERRUPT_ACT = "interrupt_act"
    MARK_AS_READ = "mark_as_read_node"
    PROFILE_AGENT = "profile_agent"
    PROFILE_PLAN = "profile_plan"
    PROFILE_GATE = "profile_gate"
    PROFILE_ACT = "profile_act"
    PROFILE_END = "profile_end"
    NEEDS_REVIEW = "needs_review"


END = "__end__"
"""LangGraph's name of the end."""

MAX_CHECK_ROUNDS = 1
"""How often `check` sends a draft back."""

APPROVALS = frozenset({Action.ACCEPT.value, Action.EDIT.value, Action.SAVE_DRAFT.value})
"""Decisions after which something was written to the outbox."""


ENTRIES = (Node.ROUTE, Node.GATE, Node.NOTIFY_GATE, Node.PROFILE_GATE, Node.RETRIEVE, Node.LLM_CALL)
"""Where a stretch may begin: at the start, at the gate whose review was decided, or behind a verdict that is known."""


_INTO = frozenset(
    {Node.CLASSIFY, Node.NOTIFY, Node.RETRIEVE, Node.DECIDE, Node.EXECUTE_TOOLS, Node.GENERATE, Node.CHECK, Node.REVIEW}
)
"""Nodes that may run in the superstep of the node before: they may run again, and end at a row that is put up once."""

_TOLD_GATES = frozenset({Node.GATE, Node.NOTIFY_GATE})
"""Gates whose runs go on from their rows."""

_BETWEEN_CALLS = frozenset({(Node.CLASSIFY, Node.RETRIEVE), (Node.CLASSIFY, Node.LLM_CALL), (Node.CHECK, Node.GENERATE)})
"""Where one call of a model lies behind and another ahead: what was paid for is written down first."""


def runs_on(node: Node, follower: str, state: MailState, *, with_model: bool, kept: bool = True) -> bool:
    """Whether `follower` runs in the same superstep as `node`. Where checkpoints are `kept` a gate never does, since what is
    before an interrupt runs again behind it, nor does what has an effect that a second run would repeat."""
    if (node, follower) == (Node.GATE, Node.DISPATCH) or (not kept and follower in _TOLD_GATES):
        return True
    between = (node, follower) in _BETWEEN_CALLS or (node is Node.DECIDE and asks_model(node, state))
    return follower in _INTO and not (with_model and between)


def asks_model(node: Node, state: MailState) -> bool:
    """Whether a node of the pipeline asks the model, where there is one; tools are mostly chosen by rules."""
    if node is Node.DECIDE:
        return state.get("classification") == Category.OTHER
    return node in (Node.CLASSIFY, Node.GENERATE)


def who_answers(state: MailState) -> str:
    """The first node of the pipeline or of the response agent."""
    return Node.LLM_CALL if state.get("route") == Route.RESPONSE_AGENT else Node.RETRIEVE


def after_route(state: MailState) -> str:
    """A run that goes on from a review row knows its verdict already. An agent's mail needs none."""
    if state.get("route") == Route.AGENT:
        return Node.PROFILE_AGENT
    return who_answers(state) if state.get("decision") else Node.CLASSIFY


def after_classify(state: MailState) -> str:
    """A draft the user asked for is made whatever triage says."""
    if state.get("answer") or state["decision"] == Decision.RESPOND:
        return who_answers(state)
    return Node.NOTIFY if state["decision"] == Decision.NOTIFY else END


def after_notify_gate(state: MailState) -> str:
    """The user wants an answer after all, or not."""
    return who_answers(state) if state["verdict"] == Action.RESPOND else END


def after_decide(state: MailState) -> str:
    """Tools first, where any were selected."""
    return Node.EXECUTE_TOOLS if state["selected_tools"] else Node.GENERATE


def after_generate(state: MailState) -> str:
    """A model's draft is checked; one made by rules has nothing to invent."""
    return Node.CHECK if state.get("rounds") else Node.REVIEW


def after_check(state: MailState) -> str:
    """Back once with the claims that stand in no source, then on with marks."""
    return Node.GENERATE if state.get("unsupported") and state.get("rounds", 0) <= MAX_CHECK_ROUNDS else Node.REVIEW


def after_review(state: MailState) -> str:
    """To the user, unless policy approved it."""
    return Node.GATE if state["requires_approval"] else Node.DISPATCH


def after_gate(state: MailState) -> str:
    """Approved: record it. Asked for changes: draft again. Else the run ends."""
    if state["verdict"] in APPROVALS:
        return Node.DISPATCH
    return Node.GENERATE if state["verdict"] == Action.RESPOND else END


def after_plan(state: MailState) -> str:
    """Done; or the call at hand, to the user first where it asks; or back to the model where every call has its result."""
    if state["done"]:
        return Node.MARK_AS_READ
    if not state["call_id"]:
        return Node.LLM_CALL
    return Node.INTERRUPT_GATE if state["requires_approval"] else Node.INTERRUPT_ACT


def after_interrupt_gate(state: MailState) -> str:
    """Every word on a call is noted; only a newer mail of the thread ends the run at once."""
    return END if state.get("outcome") == RunStatus.SUPERSEDED else Node.INTERRUPT_ACT


def after_act(state: MailState) -> str:
    """A call that the user ignored ends the run; else the next call."""
    return END if state["verdict"] == Action.IGNORE else Node.INTERRUPT_PLAN


def after_dispatch(state: MailState) -> str:
    """The end; or to the user, where a reply could not be approved by itself after all."""
    return Node.GATE if state.get("requires_approval") and not state.get("outcome") else END


def after_profile_agent(state: MailState) -> str:
    """The calls of the turn, or the end."""
    return Node.PROFILE_END if state.get("finish") else Node.PROFILE_PLAN


def after_profile_plan(state: MailState) -> str:
    """The call at hand, to the owner first where it asks; back to the model where every call has its result."""
    if not state["call_id"]:
        return Node.PROFILE_AGENT
    return Node.PROFILE_GATE if state["requires_approval"] else Node.PROFILE_ACT


def after_profile_gate(state: MailState) -> str:
    """Every word on a call is noted; only a newer mail of the thread ends the run at once."""
    return END if state.get("outcome") == RunStatus.SUPERSEDED else Node.PROFILE_ACT


def after_profile_act(state: MailState) -> str:
    """The next call; a call that the owner ignored ends the run."""
    return Node.PROFILE_END if state.get("finish") else Node.PROFILE_PLAN


AFTER: dict[Node, tuple[Callable[[MailState], str], tuple[str, ...]]] = {
    Node.ROUTE: (after_route, (Node.CLASSIFY, Node.RETRIEVE, Node.LLM_CALL, Node.PROFILE_AGENT)),
    Node.CLASSIFY: (after_classify, (Node.RETRIEVE, Node.LLM_CALL, Node.NOTIFY, END)),
    Node.NOTIFY: (lambda _: Node.NOTIFY_GATE, (Node.NOTIFY_GATE,)),
    Node.NOTIFY_GATE: (after_notify_gate, (Node.RETRIEVE, Node.LLM_CALL, END)),
    Node.RETRIEVE: (lambda _: Node.DECIDE, (Node.DECIDE,)),
    Node.DECIDE: (after_decide, (Node.EXECUTE_TOOLS, Node.GENERATE)),
    Node.EXECUTE_TOOLS: (lambda _: Node.GENERATE, (Node.GENERATE,)),
    Node.GENERATE: (after_generate, (Node.CHECK, Node.REVIEW)),
    Node.CHECK: (after_check, (Node.GENERATE, Node.REVIEW)),
    Node.REVIEW: (after_review, (Node.GATE, Node.DISPATCH)),
    Node.GATE: (after_gate, (Node.DISPATCH, Node.GENERATE, END)),
    Node.DISPATCH: (after_dispatch, (Node.GATE, END)),
    Node.LLM_CALL: (lambda _: Node.INTERRUPT_PLAN, (Node.INTERRUPT_PLAN,)),
    Node.INTERRUPT_PLAN: (after_plan, (Node.MARK_AS_READ, Node.LLM_CALL, Node.INTERRUPT_GATE, Node.INTERRUPT_ACT)),
    Node.INTERRUPT_GATE: (after_interrupt_gate, (Node.INTERRUPT_ACT, END)),
    Node.INTERRUPT_ACT: (after_act, (Node.INTERRUPT_PLAN, END)),
    Node.MARK_AS_READ: (lambda _: END, (END,)),
    Node.PROFILE_AGENT: (after_profile_agent, (Node.PROFILE_PLAN, Node.PROFILE_END)),
    Node.PROFILE_PLAN: (after_profile_plan, (Node.PROFILE_AGENT, Node.PROFILE_GATE, Node.PROFILE_ACT)),
    Node.PROFILE_GATE: (after_profile_gate, (Node.PROFILE_ACT, END)),
    Node.PROFILE_ACT: (after_profile_act, (Node.PROFILE_PLAN, Node.PROFILE_END)),
    Node.PROFILE_END: (lambda _: END, (END,)),
    Node.NEEDS_REVIEW: (lambda _: END, (END,)),
}
"""For each node: the choice of its follower, and every follower it may choose."""


def next_node(node: Node, state: MailState) -> str:
    """The follower of `node`."""
    if state.get("error") and node is not Node.NEEDS_REVIEW:
        return Node.NEEDS_REVIEW
    return AFTER[node][0](state)
