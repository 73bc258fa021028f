"""The supervisor: plans a typed request, and leads one step after another to the agent for it.

The rows are the truth. The graph keeps no checkpoints: after a crash, a stop or a wait it begins again at the first step that is
not over.
"""

import asyncio
from collections.abc import Hashable
from functools import partial
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from app.agent.agents.assistant.agent_node import AgentNode, agent_node
from app.agent.agents.assistant.ask_model import answer
from app.agent.agents.assistant.create_document import create_document
from app.agent.agents.assistant.gmail_step import mail
from app.agent.agents.assistant.plan import Plan, make_plan
from app.agent.agents.assistant.research import research
from app.agent.agents.assistant.state import Body, StepContext, SupervisorState, initial_state, request_id_of
from app.agent.agents.gmail.interface import GmailAgent
from app.agent.runtime.dependencies import Deps
from app.domain.agents.requests import AGENTS, FINISH, MOST_STEPS, Capability, Request, RequestStatus, StepStatus
from app.domain.errors import NotFound
from app.domain.ids import RequestId
from app.domain.ports.agents import RequestQueue

SUPERVISOR = "Supervisor"
RECURSION_LIMIT = 4 * MOST_STEPS
"""Nodes of one stretch: each step has two."""

RESTS = frozenset({StepStatus.WAITING, StepStatus.FAILED})


class Supervisor:
    """Requests by id; each by one caller at a time. Cancelling a call at any await stops it: the rows tell where to go on."""

    def __init__(self, deps: Deps, desk: RequestQueue, gmail: GmailAgent) -> None:
        self._deps = deps
        self._desk = desk
        self._graph = build(deps, desk, gmail)

    async def plan(self, request: Request) -> Plan:
        """The steps for a request; nothing is written. Raises `ModelUnavailable`, `CapReached`, `UnusableAnswer`, `AgentsPaused`,
        `NotAllowed`, `NotFound`."""
        return await make_plan(request, self._deps)

    async def run(self, request_id: RequestId) -> None:
        """Run the steps of a request that was let run, until it rests or a step waits.

        Raises trouble that passes (`ModelUnavailable`, `CapReached`, `AgentsPaused`, `Offline`, `DiskFull`, `StoreDamaged`) and
        leaves the step where it is; anything else fails the step in words. Raises `NotFound` where the request is gone."""
        request = await asyncio.to_thread(self._desk.request, request_id)
        await self._graph.ainvoke(initial_state(request), RunnableConfig(recursion_limit=RECURSION_LIMIT))


def build(deps: Deps, desk: RequestQueue, gmail: GmailAgent) -> CompiledStateGraph[SupervisorState]:
    """The graph: every agent leads back to the supervisor."""
    bodies: dict[Capability, Body] = {
        Capability.RESEARCH: research,
        Capability.CREATE_DOCUMENT: create_document,
        Capability.GMAIL: partial(mail, gmail=gmail),
        Capability.DIRECT_ANSWER: answer,
    }
    graph: StateGraph[SupervisorState] = StateGraph(SupervisorState)
    graph.add_node(SUPERVISOR, _supervisor(desk))
    graph.add_edge(START, SUPERVISOR)
    for capability, body in bodies.items():
        graph.add_node(AGENTS[capability], agent_node(body, deps, desk))
        graph.add_edge(AGENTS[capability], SUPERVISOR)
    leads: dict[Hashable, str] = {name: name for name in AGENTS.values()}
    graph.add_conditional_edges(SUPERVISOR, _next, leads | {FINISH: END})
    return graph.compile()


def _supervisor(desk: RequestQueue) -> AgentNode:
    """The node that leads on."""

    async def lead(state: SupervisorState) -> dict[str, Any]:
        try:
            request = await asyncio.to_thread(desk.request, request_id_of(state))
        except NotFound:
            return {"next": FINISH}
        step = request.next_step
        if step is None or request.status is not RequestStatus.RUNNING or step.status in RESTS:
            return {"next": FINISH}
        return {"next": AGENTS[step.capability], "context": StepContext(request=request.id, step=step.index)}

    return lead


def _next(state: SupervisorState) -> str:
    """Where the supervisor leads."""
    return state["next"]
