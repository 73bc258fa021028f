"""The Gmail agent's graph: one node `gmail`, which is a graph of its own. `LocalGmailAgent` runs it in this process.

Inside, the model's turn, each call, the gate and the end are separate nodes. A node runs again from its first line when its
interrupt is resumed, so this keeps model and tools from being called twice for one proposal. Each task is one thread, with
checkpoints in a file of their own. A result stays in its checkpoint until it is settled, so no model call is repeated after a
crash.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self
from uuid import NAMESPACE_URL, uuid5
from weakref import WeakValueDictionary

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, StateSnapshot

from app.agent.agents.gmail.interface import (
    VERSION,
    VERSION_NAME,
    GmailFound,
    GmailNodeState,
    GmailProposed,
    GmailState,
    GmailTask,
    GmailTaskState,
    proposed_of,
    searched_of,
    state_of,
)
from app.agent.agents.gmail.nodes import act, end, gate, intent, turn
from app.agent.llm.turns import UnusableAnswer
from app.agent.runtime.checkpoints import CheckpointSaver, open_checkpoints
from app.agent.runtime.conversation import next_call
from app.agent.runtime.dependencies import GmailDeps
from app.domain.error_texts import Cause
from app.domain.errors import ExpectedError, NotAllowed
from app.domain.ids import RunId
from app.store.db.errors import converted

log = logging.getLogger(__name__)

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

    def thread(config: RunnableConfig) -> str:
        return str(config["configurable"]["thread_id"])

    async def to_intent(state: GmailTaskState, config: RunnableConfig) -> GmailTaskState:
        return await intent(state, deps, RunId(f"thread-{thread(config)}"))

    async def to_turn(state: GmailTaskState, config: RunnableConfig) -> GmailTaskState:
        return await turn(state, deps, f"g{thread(config)[:8]}")

    async def to_act(state: GmailTaskState) -> GmailTaskState:
        return await act(state, deps)

    async def to_end(state: GmailTaskState, config: RunnableConfig) -> GmailTaskState:
        # The same for a repeated node, and another for each task: a later task on the thread adds its own contract.
        messages = state["messages"]
        name = f"{thread(config)}/{len(messages)}/{messages[-1].id}/contract"
        return await end(state, deps, str(uuid5(NAMESPACE_URL, name)))

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
    if "found" in work:
        return "end"
    if "pending" in work:
        return "gate"
    return "act" if next_call(json.loads(work.get("talk") or "[]")) is not None else "turn"


KEPT_ENDED = timedelta(minutes=10)
"""How long an ended search is kept: its caller may have crashed before it stored the result."""

KEPT_WAITING = timedelta(days=60)
"""How long an unsettled proposal is kept, e.g. of a stopped request. Its review is stored elsewhere. A new task of the same run
deletes both kinds, since a run works on one task at a time.
"""


class LocalGmailAgent:
    """Implements `GmailAgent`. Only one instance may have the checkpoint file open, apart from those `with_deps` makes."""

    def __init__(
        self, saver: CheckpointSaver, deps: GmailDeps, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        """`clock` is compared with the times of checkpoints, which LangGraph takes from the system clock."""
        self._saver = saver
        self._graph: CompiledStateGraph[GmailState] = build_gmail_graph(deps).compile(checkpointer=saver)
        self._clock = clock
        self._expiry: dict[str, tuple[datetime, str]] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @classmethod
    async def open(cls, path: Path, deps: GmailDeps, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Self:
        """Opens or creates the checkpoint file. Call `close` at the end. The first task deletes expired threads."""
        agent = cls(await open_checkpoints(path), deps, clock)
        for thread, _ in await agent._saver.newest():
            agent._remember(thread, await agent._state(thread))
        return agent

    def with_deps(self, deps: GmailDeps) -> Self:
        """A copy with new dependencies over the same file. Running tasks keep the old ones."""
        copy = type(self)(self._saver, deps, self._clock)
        copy._expiry, copy._locks = self._expiry, self._locks
        return copy

    async def close(self) -> None:
        await self._saver.close()

    async def work(self, task: GmailTask) -> GmailFound | GmailProposed:
        """Starts or continues the task, or returns its stored result.

        Raises as `GmailAgent.work`, `AgentsPaused`, and the store's errors for the file.
        """
        with converted():
            await self._delete_old(task)
            async with self._lock(task.thread):
                state = await self._state(task.thread)
                if state.values and (state.metadata or {}).get(VERSION_NAME) != VERSION:
                    await self._saver.adelete_thread(task.thread)
                    state = await self._state(task.thread)
                if found := standing(state):
                    return found
                try:
                    start = None if state.values else state_of(task)
                    await self._graph.ainvoke(start, _config(task.thread), durability="sync")
                except (NotAllowed, UnusableAnswer):  # the task cannot be done
                    await self._forget(task.thread)
                    raise
                state = await self._state(task.thread)
                self._remember(task.thread, state)
                found = standing(state)
        if found is None:
            raise UnusableAnswer(Cause.GMAIL_WITHOUT_RESULT)
        return found

    async def settle(self, task: GmailTask, outcome: Mapping[str, Any]) -> None:
        """Resumes and deletes the task's thread. Does nothing when no proposal is waiting."""
        with converted():
            async with self._lock(task.thread):
                if (await self._state(task.thread)).interrupts:
                    await self._settle_thread(task.thread, outcome)

    async def _settle_thread(self, thread: str, outcome: Mapping[str, Any]) -> None:
        """Resumes a waiting thread and deletes it. The caller holds its lock."""
        try:
            await self._graph.ainvoke(Command(resume=dict(outcome)), _config(thread), durability="sync")
        except ExpectedError as error:
            log.info("a settled proposal could not be noted: %s", error.code)
        await self._forget(thread)

    async def _state(self, thread: str) -> StateSnapshot:
        return await self._graph.aget_state(_config(thread))

    def _remember(self, thread: str, state: StateSnapshot) -> None:
        """Remembers when the thread expires and which run it belongs to."""
        last = datetime.fromisoformat(state.created_at) if state.created_at else self._clock()
        run_id = str((state.values.get("context") or {}).get("run_id", ""))
        self._expiry[thread] = last + (KEPT_ENDED if not state.next else KEPT_WAITING), run_id

    async def _delete_old(self, task: GmailTask) -> None:
        """Deletes expired threads and those of earlier tasks of the same run.

        When `task` changes an earlier proposal, that proposal is settled as rejected first.
        """
        now = self._clock()
        old = [
            (one, run_id == task.run_id) for one, (until, run_id) in self._expiry.items() if until < now or run_id == task.run_id
        ]
        for thread, same_run in old:
            if thread != task.thread:
                async with self._lock(thread):
                    if same_run and task.before is not None and (await self._state(thread)).interrupts:
                        await self._settle_thread(thread, {"status": "rejected"})
                    await self._forget(thread)

    async def _forget(self, thread: str) -> None:
        await self._saver.adelete_thread(thread)
        self._expiry.pop(thread, None)

    def _lock(self, thread: str) -> asyncio.Lock:
        return self._locks.setdefault(thread, asyncio.Lock())


def standing(state: StateSnapshot) -> GmailFound | GmailProposed | None:
    """The result of a thread: its waiting proposal, or what it found. None when it has to go on."""
    if state.interrupts:
        return proposed_of(state.interrupts[0].value)
    return searched_of(state.values.get("context") or {}) if state.values and not state.next else None


def _config(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread}, "metadata": {VERSION_NAME: VERSION}, "recursion_limit": RECURSION_LIMIT}
