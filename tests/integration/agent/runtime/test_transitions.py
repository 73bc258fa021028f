"""The table of transitions, node by node, and that the compiled graph has exactly these edges."""

from typing import Any

import pytest

from app.agent.graph import build_graph
from app.agent.runtime.state import MailState
from app.agent.runtime.transitions import AFTER, END, ENTRIES, Node, next_node
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


def test_the_graph_has_every_node_and_only_these_edges(room: Room) -> None:
    drawn = build_graph(room.deps(FixedTriage(verdict()))).compile().get_graph()
    assert set(drawn.nodes) == {*(node.value for node in Node), "__start__", "__end__"}
    wanted = {("__start__", one.value) for one in ENTRIES}
    for node in Node:
        wanted |= {(node.value, str(follower)) for follower in AFTER[node][1]}
        if node is not Node.NEEDS_REVIEW:
            wanted.add((node.value, "needs_review"))
    assert {(edge.source, edge.target) for edge in drawn.edges} == wanted
