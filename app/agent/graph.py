"""The mail graph as the engine uses it: nodes, edges, and `MailGraph`, which runs, resumes and forgets runs.

The app's database decides about runs and reviews. Checkpoints are in a separate file, only save repeated work, and may be
deleted.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self
from weakref import WeakValueDictionary

from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from app.agent.agents.needs_review import needs_review
from app.agent.agents.pipeline.classify import classify, route
from app.agent.agents.pipeline.decide import decide
from app.agent.agents.pipeline.generate import check, generate
from app.agent.agents.pipeline.retrieve import retrieve
from app.agent.agents.pipeline.review import dispatch, gate, notify_gate, open_notify, review
from app.agent.agents.pipeline.tools import execute_tools
from app.agent.agents.profiles.act import act as profile_act
from app.agent.agents.profiles.call_model import speak
from app.agent.agents.profiles.finish import end as profile_end
from app.agent.agents.profiles.plan import after_agents_review, profile_of
from app.agent.agents.profiles.plan import gate as profile_gate
from app.agent.agents.profiles.plan import plan as profile_plan
from app.agent.agents.responder.act import act, mark_as_read
from app.agent.agents.responder.call_model import llm_call
from app.agent.agents.responder.plan import after_word, is_call, plan
from app.agent.agents.responder.plan import gate as call_gate
from app.agent.retrieval import CachingEmbedder
from app.agent.runtime.checkpoints import SparseCheckpointSaver, open_checkpoints
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import (
    GRAPH_VERSION,
    MailState,
    SingleChannelState,
    initial_state,
    recorded,
    state_from_log,
    state_from_review,
    state_from_verdict,
)
from app.agent.runtime.steps import NodeBody, NodeSpec, step, whole_step
from app.agent.runtime.transitions import AFTER, ENTRIES, Node, after_classify
from app.domain.agents.runs import Run, RunStatus
from app.domain.drafting.review import Action, Review, ReviewKind, ReviewStatus
from app.domain.errors import NotFound
from app.domain.ids import JobId, ReviewId, RunId

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
"""The function of each node and its number of attempts."""


def build_graph(deps: Deps, first: Node = Node.ROUTE) -> StateGraph[MailState]:
    """The uncompiled graph for stretches that begin at `first`, one of `transitions.ENTRIES`.

    Each first node has its own graph, because choosing it by a condition would cost as much as a superstep.
    """
    graph = StateGraph(MailState)
    specs = _node_specs()
    for node in specs:
        graph.add_node(node.value, step(node, specs, deps), destinations=_followers(node))
    graph.add_edge(START, first.value)
    return graph


def build_whole_graph(deps: Deps, first: Node = Node.ROUTE) -> StateGraph[SingleChannelState]:
    """The same nodes and edges with the state in one channel, for stretches without checkpoints."""
    graph = StateGraph(SingleChannelState)
    specs = _node_specs()
    for node in specs:
        graph.add_node(node.value, whole_step(node, specs, deps), destinations=_followers(node))
    graph.add_edge(START, first.value)
    return graph


def _node_specs() -> dict[Node, NodeSpec]:
    return {node: NodeSpec(body, attempts, node is Node.NEEDS_REVIEW) for node, (body, attempts) in BODIES.items()}


def _followers(node: Node) -> tuple[str, ...]:
    return AFTER[node][1] if node is Node.NEEDS_REVIEW else (*AFTER[node][1], Node.NEEDS_REVIEW.value)


RECURSION_LIMIT = 4000
"""Supersteps of one stretch. The longest of the pipeline has 13 nodes, a turn of an agent at most 34 (16 calls)."""

KEPT = frozenset(
    {
        *(Node.DECIDE, Node.CHECK),
        *(Node.LLM_CALL, Node.INTERRUPT_ACT),
        *(Node.PROFILE_AGENT, Node.PROFILE_PLAN, Node.PROFILE_ACT),
    }
)
"""Nodes after which a checkpoint is written at once. The pipeline's two end a superstep only where a model chose the tools or a
draft goes back to the model. The verdict of `classify` is in the log and stored with its mail."""

TOLD = frozenset({Node.REVIEW, Node.NOTIFY, Node.DISPATCH})
"""Nodes before a gate whose run can continue from its review and log."""

NO_JOB = JobId("")

_INTERRUPT = "__interrupt__"
"""LangGraph's key of an interrupt in its output."""

_OUTPUT_KEYS = ["outcome"]
"""The only output field, because LangGraph reads its output fields after every node."""

_GATES: dict[ReviewKind, str] = {ReviewKind.REPLY: Node.GATE.value, ReviewKind.NOTIFY: Node.NOTIFY_GATE.value}


class MailGraph:
    """Runs, resumes and forgets runs by id, one stretch per run at a time.

    `run` and `resume` raise `ModelUnavailable`, `CapReached` or the store's errors and leave the run where it is; the same call
    continues it. `job` is closed and the run's status written in one commit with what the stretch left.

    Without a model, repeating nodes is cheap: such a run keeps no checkpoints, begins again after a crash, and continues from its
    rows after a decision. With a model the pipeline does the same, but starts after a verdict that was already paid for.
    Checkpoints are for what agents said, and for drafts that go back to the model.
    """

    def __init__(self, saver: SparseCheckpointSaver, deps: Deps) -> None:
        self._saver = saver
        self._deps = deps
        self._kept: dict[Node, CompiledStateGraph[MailState]] = {}
        self._light: dict[Node, CompiledStateGraph[SingleChannelState]] = {}
        self._locks: WeakValueDictionary[RunId, asyncio.Lock] = WeakValueDictionary()

    @classmethod
    async def open(cls, checkpoint_path: Path, deps: Deps) -> Self:
        """Opens or creates the checkpoint file."""
        deps = replace(deps, embedder=CachingEmbedder(deps.embedder))
        return cls(await open_checkpoints(checkpoint_path, worth_keeping, deps.book.write, rows_tell), deps)

    async def run(self, run: Run, job: JobId = NO_JOB) -> RunStatus:
        """Starts a run or continues it where it stopped. Its row is written with the first thing the run leaves.

        Returns WAITING, DONE, NEEDS_REVIEW or SUPERSEDED.
        """
        async with self._stretch(run.id, job, run):
            if await self._has_checkpoint(run.id):
                return await self._advance(run.id, None)
            newest_review = self._deps.desk.newest_of_run(run.id)
            return await (self._from_row(run.id, newest_review) if newest_review else self._advance(run.id, self._start(run)))

    async def resume(self, run_id: RunId, review_id: ReviewId | None = None, job: JobId = NO_JOB) -> RunStatus:
        """Continues a run after its review was decided.

        Without usable checkpoints (not needed, or of another graph version) it continues from the row of `review_id`, or of its
        last review. Raises `NotFound` where there is none.
        """
        async with self._stretch(run_id, job):
            if await self._has_checkpoint(run_id):
                return await self._advance(run_id, None)
            newest_review = review_id or self._deps.desk.newest_of_run(run_id)
            if not newest_review:
                raise NotFound(f"Run {run_id} has neither a checkpoint nor a review to go on from.")
            return await self._from_row(run_id, newest_review)

    async def forget(self, run_id: RunId) -> None:
        """Deletes the checkpoints of an ended run."""
        if self._saver.keeps(run_id):
            async with self._lock(run_id):
                await self._saver.adelete_thread(run_id)

    async def close(self) -> None:
        """Closes the checkpoint file."""
        await self._saver.conn.close()

    def _lock(self, run_id: RunId) -> asyncio.Lock:
        return self._locks.setdefault(run_id, asyncio.Lock())

    @asynccontextmanager
    async def _stretch(self, run_id: RunId, job: JobId, run: Run | None = None) -> AsyncIterator[None]:
        """Allows one stretch of a run at a time and records its rows."""
        async with self._lock(run_id):
            self._deps.book.begin(run_id, job, run)
            try:
                yield
            finally:
                self._deps.book.drop(run_id)

    async def _has_checkpoint(self, run_id: RunId) -> bool:
        """Whether checkpoints of this graph version exist. Those of another version are deleted."""
        if not (self._saver.keeps(run_id) if self._deps.gateway is None else await self._saver.finds(run_id)):
            return False
        found = await self._saver.aget_tuple(_config(run_id))
        if found is None:
            return False
        if found.checkpoint["channel_values"].get("graph_version") == GRAPH_VERSION:
            return True
        await self._saver.adelete_thread(run_id)
        return False

    def _start(self, run: Run) -> MailState:
        """The initial state, or the state after the verdict where a model was already paid for it."""
        if self._deps.gateway is not None and (logs := self._deps.journal.steps(run.id)):
            judged = self._deps.corpus.verdict(run.message_id)
            if judged is not None and (known := state_from_verdict(logs, judged)) is not None:
                follower = after_classify(known)
                if follower in ENTRIES:
                    return MailState(**{**known, "entry": Node(follower).value})
        return initial_state(run)

    async def _from_row(self, run_id: RunId, review_id: ReviewId) -> RunStatus:
        """Continues from a review: at its gate where the log fits, else from the review's row alone."""
        review = self._deps.desk.review(review_id)
        decided = self._deps.desk.decision(review_id)
        if decided is None:  # or the decision was withdrawn: read the review again
            return await self._ended(run_id, _undecided(self._deps.desk.review(review_id)))
        logs = self._deps.journal.steps(run_id)
        if profile := profile_of(logs):
            agent = after_agents_review(review, decided, profile)
            return await (self._advance(run_id, agent) if agent else self._ended(run_id, RunStatus.DONE))
        if recorded(logs, review, decided.action):
            return await self._ended(run_id, RunStatus.DONE)
        gate = _GATES.get(review.proposal.kind)
        restored = state_from_log(logs, review, gate) if gate else None
        if restored is not None:
            return await self._advance(run_id, restored)
        if decided.action != Action.RESPOND:
            return await self._ended(run_id, RunStatus.DONE)
        start = state_from_review(review, decided.text)
        if self._deps.gateway is not None and is_call(review):
            start = after_word(start, review, decided.text)
        return await self._advance(run_id, start)

    async def _ended(self, run_id: RunId, status: RunStatus) -> RunStatus:
        """Closes the job; nothing else is to be done."""
        await self._deps.book.write(run_id, status)
        return status

    async def _advance(self, run_id: RunId, start: MailState | None) -> RunStatus:
        """Runs until the next interrupt or the end. Rows are written even where that fails."""
        try:
            if start is None or self._deps.gateway is not None:
                status = await self._run_with_checkpoints(run_id, start)
            else:
                status = await self._run_without_checkpoints(start)
        except BaseException:
            await self._deps.book.write(run_id)
            raise
        await self._deps.book.write(run_id, status)
        return status

    async def _run_without_checkpoints(self, start: MailState) -> RunStatus:
        """Runs a stretch without checkpoints. Streams only updates, since LangGraph reads whatever it outputs."""
        first = Node(start.get("entry") or Node.ROUTE)
        if first not in self._light:
            self._light[first] = build_whole_graph(self._deps, first).compile()
        graph, how = self._light[first], RunnableConfig(recursion_limit=RECURSION_LIMIT)
        status = RunStatus.DONE
        async for told in graph.astream({"mail": start}, how, stream_mode="updates", output_keys="mail"):
            status = _status_of(told)
        return status

    async def _run_with_checkpoints(self, run_id: RunId, start: MailState | None) -> RunStatus:
        """Runs a stretch with checkpoints, from the newest one where `start` is None."""
        first = Node(start.get("entry") or Node.ROUTE) if start is not None else Node.ROUTE
        if first not in self._kept:
            self._kept[first] = build_graph(self._deps, first).compile(checkpointer=self._saver)
        values = await self._kept[first].ainvoke(start, _config(run_id), output_keys=_OUTPUT_KEYS, durability="sync")
        values = values or {}  # None where no node set an outcome
        return RunStatus.WAITING if _INTERRUPT in values else RunStatus(values.get("outcome") or RunStatus.DONE)


def _status_of(told: Mapping[str, Any]) -> RunStatus:
    """The run's status after LangGraph's last update: an interrupt, or a node with its state."""
    if _INTERRUPT in told:
        return RunStatus.WAITING
    (left,) = told.values()
    return RunStatus(left.get("outcome") or RunStatus.DONE)


def _undecided(review: Review) -> RunStatus:
    """The status of a run whose review has no decision."""
    if review.proposal.kind is ReviewKind.NEEDS_REVIEW:
        return RunStatus.NEEDS_REVIEW
    return RunStatus.WAITING if review.status is ReviewStatus.PENDING else RunStatus.SUPERSEDED


def worth_keeping(values: Mapping[str, Any]) -> bool:
    """Whether running the last node again would cost a model call that no row records."""
    return _last(values) in KEPT


def rows_tell(values: Mapping[str, Any]) -> bool:
    """Whether a run waiting after its last node can continue from its rows."""
    return _last(values) in TOLD


def _last(values: Mapping[str, Any]) -> str:
    """The node that ran last."""
    return str((values.get("steps") or [""])[-1])


def _config(run_id: RunId) -> RunnableConfig:
    """LangGraph's thread id is the run id, not the mail thread: a second mail must not affect a waiting run."""
    return {"configurable": {"thread_id": run_id}, "recursion_limit": RECURSION_LIMIT}
