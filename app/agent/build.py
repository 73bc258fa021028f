"""The wiring of the mail graph: nodes by name, edges from the table of transitions, nothing else."""

from functools import partial

from langgraph.graph import START, StateGraph

from app.agent.deps import Deps
from app.agent.pipeline.classify import classify, route
from app.agent.pipeline.decide import decide
from app.agent.pipeline.generate import check, generate
from app.agent.pipeline.retrieve import retrieve
from app.agent.pipeline.review import dispatch, gate, review
from app.agent.pipeline.tools import execute_tools
from app.agent.responder.acting import act
from app.agent.responder.finishing import mark_as_read
from app.agent.responder.planning import gate as call_gate
from app.agent.responder.planning import plan
from app.agent.responder.speaking import llm_call
from app.agent.state import MailState
from app.agent.step_book import StepBook
from app.agent.steps import NodeBody, step
from app.agent.transitions import AFTER, Node, next_node
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
    Node.NEEDS_REVIEW: (needs_review, 1),
}
"""What each node does, and how often it is tried."""


def build_graph(deps: Deps, book: StepBook) -> StateGraph[MailState]:
    """The graph over `deps`, not yet compiled; its nodes log into `book`."""
    graph = StateGraph(MailState)
    for node, (body, attempts) in BODIES.items():
        graph.add_node(node.value, step(node, body, deps, book, attempts=attempts, last_resort=node is Node.NEEDS_REVIEW))
    graph.add_edge(START, Node.ROUTE.value)
    for node, (_, followers) in AFTER.items():
        reachable = [*followers, Node.NEEDS_REVIEW.value] if node is not Node.NEEDS_REVIEW else list(followers)
        graph.add_conditional_edges(node.value, partial(_follower, node), reachable)
    return graph


async def _follower(node: Node, state: MailState) -> str:
    """The next node; a coroutine, for LangGraph runs a plain function in a thread of its own."""
    return next_node(node, state)
