"""The assistant's graph: plans a typed request and runs its steps one after another.

All state is in the request's rows. The graph keeps no checkpoints: after a crash, a stop or a wait it begins at the first step
that is not over.
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
from app.agent.agents.assistant.sources import earlier
from app.agent.agents.assistant.state import Body, SupervisorState, initial_state
from app.agent.agents.gmail.interface import GmailAgent
from app.agent.runtime.dependencies import Deps
from app.domain.agents.requests import AGENTS, FINISH, MOST_STEPS, Capability, Request, RequestStatus, StepStatus
from app.domain.errors import NotFound
from app.domain.ids import RequestId
from app.domain.ports.agents import RequestQueue

SUPERVISOR = "Supervisor"
RECURSION_LIMIT = 4 * MOST_STEPS
"""Supersteps of one run. Each step takes two."""

RESTS = frozenset({StepStatus.WAITING, StepStatus.FAILED})


class Supervisor:
    """Plans and runs requests by id. Each request may have only one caller at a time.

    A call may be cancelled at any await: the rows tell where to continue.
    """

    def __init__(self, deps: Deps, desk: RequestQueue, gmail: GmailAgent) -> None:
        self._deps = deps
        self._queue = desk
        self._graph = build(deps, desk, gmail)

    async def plan(self, request: Request) -> Plan:
        """Plans the steps and writes nothing. Raises `ModelUnavailable`, `CapReached`, `UnusableAnswer`, `AgentsPaused`,
        `NotAllowed`, `NotFound`.
        """
        return await make_plan(request, self._deps, await asyncio.to_thread(earlier, request, self._queue))

    async def run(self, request_id: RequestId) -> None:
        """Runs the steps of a request until it ends or waits.

        Raises temporary errors (`ModelUnavailable`, `CapReached`, `AgentsPaused`, `Offline`, `DiskFull`, `StoreDamaged`) and
        leaves the step as it is; other errors fail the step. Raises `NotFound` for a missing request.
        """
        request = await asyncio.to_thread(self._queue.request, request_id)
        await self._graph.ainvoke(initial_state(request), RunnableConfig(recursion_limit=RECURSION_LIMIT))


def build(deps: Deps, desk: RequestQueue, gmail: GmailAgent) -> CompiledStateGraph[SupervisorState]:
    """Builds the graph. Every agent leads back to the supervisor node."""
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
    """The supervisor node: picks the next step."""

    async def lead(state: SupervisorState) -> dict[str, Any]:
        try:
            request = await asyncio.to_thread(desk.request, state["request"].id)
        except NotFound:
            return {"next": FINISH}
        step = request.next_step
        if step is None or request.status is not RequestStatus.RUNNING or step.status in RESTS:
            return {"next": FINISH}
        return {"next": AGENTS[step.capability], "request": request, "step": step.index}

    return lead


def _next(state: SupervisorState) -> str:
    return state["next"]
