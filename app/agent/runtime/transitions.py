"""The order of nodes: their names, one pure function per node that chooses the next one, and the table of them.

An error in the state always leads to `needs_review`.
"""

from collections.abc import Callable
from enum import StrEnum

from app.agent.runtime.state import GraphState, MailState
from app.domain.agents.runs import Route, RunStatus
from app.domain.drafting.review import Action
from app.domain.mail.triage import Decision


class Node(StrEnum):
    """Node names. Checkpoints hold them: renaming one needs a new `GRAPH_VERSION`."""

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
"""Decisions that write to the outbox."""


ENTRIES = (Node.ROUTE, Node.PROFILE_GATE)
"""Nodes at which a run may begin: the start, or the gate of a profile's call that was decided."""

GATES = (Node.NOTIFY_GATE, Node.GATE, Node.INTERRUPT_GATE, Node.PROFILE_GATE)
"""Nodes that may interrupt."""


def who_answers(state: MailState) -> str:
    """The first node of the pipeline or of the response agent."""
    return Node.LLM_CALL if state.get("route") == Route.RESPONSE_AGENT else Node.RETRIEVE


async def first_node(state: GraphState) -> str:
    return state["mail"].get("entry") or Node.ROUTE


def after_route(state: MailState) -> str:
    """An agent profile needs no verdict. A run that continues from a review has one already."""
    if state.get("route") == Route.AGENT:
        return Node.PROFILE_AGENT
    return who_answers(state) if state.get("decision") else Node.CLASSIFY


def after_classify(state: MailState) -> str:
    """A draft the user asked for is made for any verdict; mail that is only sorted ends here."""
    if state.get("outcome") or state.get("route") == Route.SORT:
        return END
    if state.get("answer") or state["decision"] == Decision.RESPOND:
        return who_answers(state)
    return Node.NOTIFY if state["decision"] == Decision.NOTIFY else END


def after_generate(state: MailState) -> str:
    """A model's draft is checked for claims. One made by rules needs no check."""
    if state.get("outcome"):
        return END
    if state.get("route") == Route.RESPONSE_AGENT:  # the model saw that it is a meeting request
        return Node.LLM_CALL
    if not state["draft_response"]:  # the model saw that no reply is wanted
        return Node.NOTIFY if state["decision"] == Decision.NOTIFY else END
    return Node.CHECK if state.get("rounds") else Node.REVIEW


def after_check(state: MailState) -> str:
    """Back once where claims have no source, then on to review."""
    return Node.GENERATE if state.get("unsupported") and state.get("rounds", 0) <= MAX_CHECK_ROUNDS else Node.REVIEW


def after_review(state: MailState) -> str:
    """To the user, unless policy approved the draft."""
    if state.get("outcome"):
        return END
    return Node.GATE if state["requires_approval"] else Node.DISPATCH


def after_gate(state: MailState) -> str:
    """Dispatch where approved, a new draft where changes are asked for, else the end."""
    if state["verdict"] in APPROVALS:
        return Node.DISPATCH
    return Node.GENERATE if state["verdict"] == Action.RESPOND else END


def after_plan(turn: Node, gate: Node, act: Node) -> Callable[[MailState], str]:
    """The end where done; the current call, by way of the owner where it needs approval; or the model where no call is left."""

    def after(state: MailState) -> str:
        if state.get("done"):
            return Node.MARK_AS_READ
        if not state["call_id"]:
            return turn
        return gate if state["requires_approval"] else act

    return after


def after_call_gate(act: Node) -> Callable[[MailState], str]:
    """To the call, which records every decision. The end where a newer mail of the thread superseded the run."""
    return lambda state: END if state.get("outcome") == RunStatus.SUPERSEDED else act


def after_profile_turn(state: MailState) -> str:
    """The next call of the turn, or the end where the model or the owner ended it."""
    return Node.PROFILE_END if state.get("finish") else Node.PROFILE_PLAN


AFTER: dict[Node, Callable[[MailState], str]] = {
    Node.ROUTE: after_route,
    Node.CLASSIFY: after_classify,
    Node.NOTIFY: lambda state: END if state.get("outcome") else Node.NOTIFY_GATE,
    Node.NOTIFY_GATE: lambda state: who_answers(state) if state["verdict"] == Action.RESPOND else END,
    Node.RETRIEVE: lambda _: Node.DECIDE,
    Node.DECIDE: lambda state: Node.EXECUTE_TOOLS if state["selected_tools"] else Node.GENERATE,
    Node.EXECUTE_TOOLS: lambda _: Node.GENERATE,
    Node.GENERATE: after_generate,
    Node.CHECK: after_check,
    Node.REVIEW: after_review,
    Node.GATE: after_gate,
    # To the user where the reply could not be approved automatically.
    Node.DISPATCH: lambda state: Node.GATE if state.get("requires_approval") and not state.get("outcome") else END,
    # To the pipeline where the model could not go on.
    Node.LLM_CALL: lambda state: Node.RETRIEVE if state.get("route") == Route.PIPELINE else Node.INTERRUPT_PLAN,
    Node.INTERRUPT_PLAN: after_plan(Node.LLM_CALL, Node.INTERRUPT_GATE, Node.INTERRUPT_ACT),
    Node.INTERRUPT_GATE: after_call_gate(Node.INTERRUPT_ACT),
    Node.INTERRUPT_ACT: lambda state: END if state["verdict"] == Action.IGNORE else Node.INTERRUPT_PLAN,
    Node.MARK_AS_READ: lambda _: END,
    Node.PROFILE_AGENT: after_profile_turn,
    Node.PROFILE_PLAN: after_plan(Node.PROFILE_AGENT, Node.PROFILE_GATE, Node.PROFILE_ACT),
    Node.PROFILE_GATE: after_call_gate(Node.PROFILE_ACT),
    Node.PROFILE_ACT: after_profile_turn,
    Node.PROFILE_END: lambda _: END,
    Node.NEEDS_REVIEW: lambda _: END,
}
"""The function that chooses the node after each node."""


def next_node(node: Node, state: MailState) -> str:
    if state.get("error") and node is not Node.NEEDS_REVIEW:
        return Node.NEEDS_REVIEW
    return AFTER[node](state)
