"""The Gmail agent's graph: one node `gmail`, which is a graph of its own.

Inside, the model's turn, each call, the gate and the end are separate nodes. A node runs again from its first line when its
interrupt is resumed, so this keeps model and tools from being called twice for one proposal.
"""

from uuid import NAMESPACE_URL, uuid5

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph

from app.agent.agents.gmail.act import act, calls_left
from app.agent.agents.gmail.call_model import intent, turn
from app.agent.agents.gmail.finish import end, gate
from app.agent.agents.gmail.interface import GmailDeps
from app.agent.agents.gmail.state import GmailNodeState, GmailState, GmailTaskState
from app.domain.ids import RunId

NODE = "gmail"
RECURSION_LIMIT = 200
"""Supersteps of one task: eight turns of at most sixteen calls, the gate and the end."""


def build_gmail_graph(deps: GmailDeps) -> StateGraph[GmailState]:
    """The graph, to be compiled with a checkpointer. `deps` need a gateway and a toolbox with a search.

    `gmail_send` ends in an interrupt whose value `proposed_of` reads. `Command(resume={"status": "sent" | "draft" | "rejected"})`
    settles it. A run raises `ModelUnavailable`, `CapReached`, `UnusableAnswer`, `AgentsPaused`, `NotAllowed`, `NotFound`.
    """
    graph = StateGraph(GmailState)
    graph.add_node(NODE, _inside(deps).compile())
    graph.add_edge(START, NODE)
    graph.add_edge(NODE, END)
    return graph


def _inside(deps: GmailDeps) -> StateGraph[GmailTaskState, None, GmailNodeState, GmailNodeState]:

    async def to_intent(state: GmailTaskState, config: RunnableConfig) -> GmailTaskState:
        return await intent(state, deps, RunId(f"thread-{_thread(config)}"))

    async def to_turn(state: GmailTaskState, config: RunnableConfig) -> GmailTaskState:
        return await turn(state, deps, f"g{_thread(config)[:8]}")

    async def to_act(state: GmailTaskState) -> GmailTaskState:
        return await act(state, deps)

    async def to_end(state: GmailTaskState, config: RunnableConfig) -> GmailTaskState:
        return await end(state, deps, _contract_id(state, config))

    graph = StateGraph(GmailTaskState, input_schema=GmailNodeState, output_schema=GmailNodeState)
    graph.add_node("intent", to_intent)
    graph.add_node("turn", to_turn)
    graph.add_node("act", to_act)
    graph.add_node("gate", gate)
    graph.add_node("end", to_end)
    graph.add_edge(START, "intent")
    graph.add_edge("intent", "turn")
    graph.add_edge("turn", "act")
    graph.add_conditional_edges("act", after_act, ["act", "turn", "gate", "end"])
    graph.add_edge("gate", "end")
    graph.add_edge("end", END)
    return graph


def after_act(work: GmailTaskState) -> str:
    """The node after a call."""
    if "found" in work:
        return "end"
    if "pending" in work:
        return "gate"
    return "act" if calls_left(work) else "turn"


def _contract_id(state: GmailTaskState, config: RunnableConfig) -> str:
    """The same for a repeated node, and another for each task: a later task on the thread adds its own contract."""
    messages = state["messages"]
    return str(uuid5(NAMESPACE_URL, f"{_thread(config)}/{len(messages)}/{messages[-1].id}/contract"))


def _thread(config: RunnableConfig) -> str:
    return str(config["configurable"]["thread_id"])
