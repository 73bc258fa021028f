"""The table of transitions, node by node, and that the compiled graph has exactly these edges."""

import pytest

from app.agent.graph import build_graph
from app.agent.runtime.state import MailState
from app.agent.runtime.transitions import AFTER, ENTRIES, Node, next_node
from fakes.engine.agent_mailbox import FixedTriage, Room, verdict


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
