"""The table of transitions, node by node, and that the compiled graph has exactly these edges."""

from collections.abc import Callable
from typing import Any

import pytest
from langgraph.graph import StateGraph

from app.agent.graph import BODIES, build_graph, build_whole_graph
from app.agent.runtime.state import MailState
from app.agent.runtime.transitions import AFTER, END, ENTRIES, Node, next_node, runs_on
from fakes.engine.agent_mailbox import FixedTriage, Room, verdict


@pytest.mark.parametrize(
    ("node", "state", "follower"),
    [
        (Node.ROUTE, {}, Node.CLASSIFY),
        (Node.ROUTE, {"decision": "respond"}, Node.RETRIEVE),
        (Node.ROUTE, {"decision": "respond", "route": "response_agent"}, Node.LLM_CALL),
        (Node.CLASSIFY, {"decision": "respond", "route": "response_agent"}, Node.LLM_CALL),
        (Node.CLASSIFY, {"decision": "notify", "route": "response_agent"}, Node.NOTIFY),
        (Node.CLASSIFY, {"decision": "ignore", "route": "response_agent"}, END),
        (Node.CLASSIFY, {"decision": "ignore", "route": "response_agent", "answer": True}, Node.LLM_CALL),
        (Node.NOTIFY_GATE, {"verdict": "respond", "route": "response_agent"}, Node.LLM_CALL),
        (Node.NOTIFY_GATE, {"verdict": "ignore", "route": "response_agent"}, END),
        (Node.LLM_CALL, {}, Node.INTERRUPT_PLAN),
        (Node.INTERRUPT_PLAN, {"call_id": "c1_1", "done": True, "requires_approval": False}, Node.MARK_AS_READ),
        (Node.INTERRUPT_PLAN, {"call_id": "c1_1", "done": False, "requires_approval": True}, Node.INTERRUPT_GATE),
        (Node.INTERRUPT_PLAN, {"call_id": "c1_1", "done": False, "requires_approval": False}, Node.INTERRUPT_ACT),
        (Node.INTERRUPT_PLAN, {"call_id": "", "done": False, "requires_approval": False}, Node.LLM_CALL),
        (Node.INTERRUPT_GATE, {"verdict": "ignore", "outcome": "superseded"}, END),
        (Node.INTERRUPT_GATE, {"verdict": "ignore"}, Node.INTERRUPT_ACT),
        (Node.INTERRUPT_GATE, {"verdict": "accept"}, Node.INTERRUPT_ACT),
        (Node.INTERRUPT_ACT, {"verdict": "accept"}, Node.INTERRUPT_PLAN),
        (Node.INTERRUPT_ACT, {"verdict": ""}, Node.INTERRUPT_PLAN),
        (Node.INTERRUPT_ACT, {"verdict": "ignore"}, END),
        (Node.MARK_AS_READ, {}, END),
        (Node.CLASSIFY, {"decision": "respond"}, Node.RETRIEVE),
        (Node.CLASSIFY, {"decision": "notify"}, Node.NOTIFY),
        (Node.CLASSIFY, {"decision": "ignore"}, END),
        (Node.CLASSIFY, {"decision": "ignore", "answer": True}, Node.RETRIEVE),
        (Node.NOTIFY, {}, Node.NOTIFY_GATE),
        (Node.NOTIFY_GATE, {"verdict": "respond"}, Node.RETRIEVE),
        (Node.NOTIFY_GATE, {"verdict": "ignore"}, END),
        (Node.RETRIEVE, {}, Node.DECIDE),
        (Node.DECIDE, {"selected_tools": ["create_draft"]}, Node.EXECUTE_TOOLS),
        (Node.DECIDE, {"selected_tools": []}, Node.GENERATE),
        (Node.EXECUTE_TOOLS, {}, Node.GENERATE),
        (Node.GENERATE, {"rounds": 0}, Node.REVIEW),
        (Node.GENERATE, {"rounds": 1}, Node.CHECK),
        (Node.CHECK, {"rounds": 1, "unsupported": []}, Node.REVIEW),
        (Node.CHECK, {"rounds": 1, "unsupported": ["figure: 7"]}, Node.GENERATE),
        (Node.CHECK, {"rounds": 2, "unsupported": ["figure: 7"]}, Node.REVIEW),
        (Node.REVIEW, {"requires_approval": True}, Node.GATE),
        (Node.REVIEW, {"requires_approval": False}, Node.DISPATCH),
        (Node.GATE, {"verdict": "accept"}, Node.DISPATCH),
        (Node.GATE, {"verdict": "edit"}, Node.DISPATCH),
        (Node.GATE, {"verdict": "save_draft"}, Node.DISPATCH),
        (Node.GATE, {"verdict": "respond"}, Node.GENERATE),
        (Node.GATE, {"verdict": "ignore"}, END),
        (Node.DISPATCH, {"requires_approval": False}, END),
        (Node.DISPATCH, {"requires_approval": True}, Node.GATE),
        (Node.ROUTE, {"route": "agent"}, Node.PROFILE_AGENT),
        (Node.PROFILE_AGENT, {"finish": ""}, Node.PROFILE_PLAN),
        (Node.PROFILE_AGENT, {"finish": "completed"}, Node.PROFILE_END),
        (Node.PROFILE_PLAN, {"call_id": "", "requires_approval": False}, Node.PROFILE_AGENT),
        (Node.PROFILE_PLAN, {"call_id": "c1_1", "requires_approval": True}, Node.PROFILE_GATE),
        (Node.PROFILE_PLAN, {"call_id": "c1_1", "requires_approval": False}, Node.PROFILE_ACT),
        (Node.PROFILE_GATE, {"verdict": "ignore"}, Node.PROFILE_ACT),
        (Node.PROFILE_GATE, {"verdict": "ignore", "outcome": "superseded"}, END),
        (Node.PROFILE_ACT, {}, Node.PROFILE_PLAN),
        (Node.PROFILE_ACT, {"finish": "completed"}, Node.PROFILE_END),
        (Node.PROFILE_END, {}, END),
        (Node.DISPATCH, {"requires_approval": True, "outcome": "done"}, END),
        (Node.DISPATCH, {"requires_approval": True}, Node.GATE),
        (Node.NEEDS_REVIEW, {"error": "x"}, END),
    ],
)
def test_transitions(node: Node, state: Any, follower: str) -> None:
    assert next_node(node, state) == follower
    assert follower in AFTER[node][1]


@pytest.mark.parametrize("node", [one for one in Node if one is not Node.NEEDS_REVIEW])
def test_an_error_always_leads_to_needs_review(node: Node) -> None:
    assert next_node(node, MailState(error="broken", decision="respond", verdict="accept")) == Node.NEEDS_REVIEW


@pytest.mark.parametrize("first", ENTRIES)
@pytest.mark.parametrize("build", [build_graph, build_whole_graph])
def test_the_graph_has_every_node_and_only_these_edges(room: Room, first: Node, build: Callable[..., StateGraph[Any]]) -> None:
    drawn = build(room.deps(FixedTriage(verdict())), first).compile().get_graph()
    assert set(drawn.nodes) == {*(node.value for node in BODIES), "__start__", "__end__"}
    edges = {(edge.source, edge.target) for edge in drawn.edges}
    wanted = {("__start__", first.value)}
    for node in sorted(within_reach(first)):
        wanted |= {(node.value, str(follower)) for follower in AFTER[node][1]}
        if node is not Node.NEEDS_REVIEW:
            wanted.add((node.value, "needs_review"))
    assert edges == wanted


def within_reach(first: Node) -> set[Node]:
    """The nodes that may follow `first`, and itself: LangGraph draws no others."""
    found, fresh = set[Node](), {first, Node.NEEDS_REVIEW}
    while fresh:
        found |= fresh
        fresh = {Node(one) for node in fresh for one in AFTER[node][1] if one != END} - found
    return found


def test_every_node_is_within_reach_of_the_first() -> None:
    assert within_reach(Node.ROUTE) == set(Node)


FREE: Any = {"classification": "inquiry"}


@pytest.mark.parametrize(
    ("node", "follower", "state", "alone", "beside_a_model"),
    [
        (Node.ROUTE, Node.CLASSIFY, {}, True, True),
        (Node.CLASSIFY, Node.NOTIFY, {}, True, True),
        (Node.CLASSIFY, Node.RETRIEVE, FREE, True, False),
        (Node.CLASSIFY, Node.LLM_CALL, FREE, False, False),
        (Node.RETRIEVE, Node.DECIDE, FREE, True, True),
        (Node.DECIDE, Node.EXECUTE_TOOLS, FREE, True, True),
        (Node.DECIDE, Node.EXECUTE_TOOLS, {"classification": "other"}, True, False),
        (Node.EXECUTE_TOOLS, Node.GENERATE, FREE, True, True),
        (Node.GENERATE, Node.CHECK, FREE, True, True),
        (Node.CHECK, Node.GENERATE, FREE, True, False),
        (Node.CHECK, Node.REVIEW, FREE, True, True),
        (Node.REVIEW, Node.DISPATCH, FREE, False, False),
        (Node.GATE, Node.DISPATCH, FREE, True, True),
        (Node.DISPATCH, Node.GATE, FREE, False, False),
        (Node.LLM_CALL, Node.INTERRUPT_PLAN, FREE, False, False),
        (Node.INTERRUPT_PLAN, Node.INTERRUPT_ACT, FREE, False, False),
        (Node.PROFILE_PLAN, Node.PROFILE_ACT, FREE, False, False),
    ],
)
def test_what_runs_in_one_superstep(node: Node, follower: Node, state: Any, alone: bool, beside_a_model: bool) -> None:
    assert runs_on(node, follower, state, with_model=False) is alone
    assert runs_on(node, follower, state, with_model=True) is beside_a_model


def test_without_checkpoints_the_gate_of_a_row_follows_in_the_same_superstep() -> None:
    for before, gate in ((Node.REVIEW, Node.GATE), (Node.DISPATCH, Node.GATE), (Node.NOTIFY, Node.NOTIFY_GATE)):
        assert runs_on(before, gate, MailState(), with_model=False, kept=False)
        assert not runs_on(before, gate, MailState(), with_model=False)
    for follower in (Node.INTERRUPT_GATE, Node.PROFILE_GATE, Node.DISPATCH, Node.NEEDS_REVIEW, END):
        assert not runs_on(Node.REVIEW, follower, MailState(), with_model=False, kept=False)


@pytest.mark.parametrize("node", Node)
@pytest.mark.parametrize("with_model", [False, True])
def test_gates_ends_and_failures_have_supersteps_of_their_own(node: Node, with_model: bool) -> None:
    for follower in (*ENTRIES[1:4], Node.INTERRUPT_GATE, Node.NEEDS_REVIEW, END):
        assert not runs_on(node, follower, MailState(), with_model=with_model)
