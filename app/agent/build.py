"""The wiring of the mail graph: nodes by name, edges from the table of transitions, nothing else."""

from langgraph.graph import START, StateGraph

from app.agent.deps import Deps
from app.agent.pipeline.classify import classify, route
from app.agent.pipeline.decide import decide
from app.agent.pipeline.generate import check, generate
from app.agent.pipeline.retrieve import retrieve
from app.agent.pipeline.review import dispatch, gate, review
from app.agent.pipeline.tools import execute_tools
from app.agent.profiles.acting import act as profile_act
from app.agent.profiles.ending import end as profile_end
from app.agent.profiles.planning import gate as profile_gate
from app.agent.profiles.planning import plan as profile_plan
from app.agent.profiles.speaking import speak
from app.agent.responder.acting import act
from app.agent.responder.finishing import mark_as_read
from app.agent.responder.planning import gate as call_gate
from app.agent.responder.planning import plan
from app.agent.responder.speaking import llm_call
from app.agent.state import MailState, WholeState
from app.agent.steps import NodeBody, Work, step, whole_step
from app.agent.transitions import AFTER, Node
from app.agent.triage.failure import needs_review
from app.agent.triage.notify import notify_gate, open_notify

RETRIED = 3
"""Attempts of a node without effects."""

BODIES: dict[Node, tuple[NodeBody, int]] = {
    Node.ROUTE: (route, RETRIED),
    Node.CLASSIFY: (classify, RETRIED),
    Node.NOTIFY: (open_notify, 1),
    Node.NOTIFY_GATE: (notify_gate, 1),
    Node.RETRIEVE: (retrieve, RETRIED),
    Node.DECIDE: (decide, RETRIED),
    Node.EXECUTE_TOOLS: (execute_tools, 1),
    Node.GENERATE: (generate, RETRIED),
    Node.CHECK: (check, RETRIED),
    Node.REVIEW: (review, 1),
    Node.GATE: (gate, 1),
    Node.DISPATCH: (dispatch, 1),
    Node.LLM_CALL: (llm_call, RETRIED),
    Node.INTERRUPT_PLAN: (plan, 1),
    Node.INTERRUPT_GATE: (call_gate, 1),
    Node.INTERRUPT_ACT: (act, 1),
    Node.MARK_AS_READ: (mark_as_read, 1),
    Node.PROFILE_AGENT: (speak, RETRIED),
    Node.PROFILE_PLAN: (profile_plan, 1),
    Node.PROFILE_GATE: (profile_gate, 1),
    Node.PROFILE_ACT: (profile_act, 1),
    Node.PROFILE_END: (profile_end, 1),
    Node.NEEDS_REVIEW: (needs_review, 1),
}
"""What each node does, and how often it is tried."""


def build_graph(deps: Deps, first: Node = Node.ROUTE) -> StateGraph[MailState]:
    """The graph over `deps`, not yet compiled, for stretches that begin at `first`, one of `transitions.ENTRIES`. (Choosing the
    first node by a condition would cost as much as a superstep.)"""
    graph = StateGraph(MailState)
    works = _works()
    for node in works:
        graph.add_node(node.value, step(node, works, deps), destinations=_followers(node))
    graph.add_edge(START, first.value)
    return graph


def build_whole_graph(deps: Deps, first: Node = Node.ROUTE) -> StateGraph[WholeState]:
    """The same nodes and edges over a state in one channel, for stretches without checkpoints."""
    graph = StateGraph(WholeState)
    works = _works()
    for node in works:
        graph.add_node(node.value, whole_step(node, works, deps), destinations=_followers(node))
    graph.add_edge(START, first.value)
    return graph


def _works() -> dict[Node, Work]:
    return {node: Work(body, attempts, node is Node.NEEDS_REVIEW) for node, (body, attempts) in BODIES.items()}


def _followers(node: Node) -> tuple[str, ...]:
    return AFTER[node][1] if node is Node.NEEDS_REVIEW else (*AFTER[node][1], Node.NEEDS_REVIEW.value)
