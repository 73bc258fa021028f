"""The mail graph as the engine uses it: run, resume and forget runs, one at a time each, over checkpoints in their own file.

The app's database is the truth about runs and decisions; checkpoints only spare a run from starting over, and may be deleted.

The wiring of the mail graph: nodes by name, edges from the table of transitions, nothing else.
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


def build_whole_graph(deps: Deps, first: Node = Node.ROUTE) -> StateGraph[SingleChannelState]:
    """The same nodes and edges over a state in one channel, for stretches without checkpoints."""
    graph = StateGraph(SingleChannelState)
    works = _works()
    for node in works:
        graph.add_node(node.value, whole_step(node, works, deps), destinations=_followers(node))
    graph.add_edge(START, first.value)
    return graph


def _works() -> dict[Node, NodeSpec]:
    return {node: NodeSpec(body, attempts, node is Node.NEEDS_REVIEW) for node, (body, attempts) in BODIES.items()}


def _followers(node: Node) -> tuple[str, ...]:
    return AFTER[node][1] if node is Node.NEEDS_REVIEW else (*AFTER[node][1], Node.NEEDS_REVIEW.value)


RECURSION_LIMIT = 4000
"""Steps of one stretch between two interrupts; the pipeline's longest has 13, a turn of an agent at most 34 (16 calls)."""

KEPT = frozenset(
    {
        *(Node.DECIDE, Node.CHECK),
        *(Node.LLM_CALL, Node.INTERRUPT_ACT),
        *(Node.PROFILE_AGENT, Node.PROFILE_PLAN, Node.PROFILE_ACT),
    }
)
"""Nodes after which a checkpoint is written at once. The pipeline's two are the last of a superstep only where a model chose the
tools, and where a draft goes back to it. The verdict of `classify` stands in the log and beside its mail."""

TOLD = frozenset({Node.REVIEW, Node.NOTIFY, Node.DISPATCH})
"""Nodes before a gate whose review and log tell everything that its run goes on with."""

NO_JOB = JobId("")

_INTERRUPT = "__interrupt__"
"""LangGraph's name of an interrupt in what it gives out."""

_TOLD = ["outcome"]
"""The only field that is asked for: LangGraph reads what it gives out after every node."""

_GATES: dict[ReviewKind, str] = {ReviewKind.REPLY: Node.GATE.value, ReviewKind.NOTIFY: Node.NOTIFY_GATE.value}


class MailGraph:
    """Runs by id. `run` and `resume` raise `ModelUnavailable`, `CapReached` or the store's trouble and leave the run where it
    is; the same call goes on from there. `job` is worked off, and the run's status written, together with what the stretch left.

    Without a model nothing before a gate is dear: such a run keeps no checkpoints, begins again after a crash, and goes on from
    its rows once its review is decided. With one, the same holds for the pipeline, which goes on behind a verdict that was paid
    for; checkpoints are for what agents said, and for a draft that goes back."""

    def __init__(self, saver: SparseCheckpointSaver, deps: Deps) -> None:
        self._saver = saver
        self._deps = deps
        self._kept: dict[Node, CompiledStateGraph[MailState]] = {}
        self._light: dict[Node, CompiledStateGraph[SingleChannelState]] = {}
        self._locks: WeakValueDictionary[RunId, asyncio.Lock] = WeakValueDictionary()

    @classmethod
    async def open(cls, checkpoint_path: Path, deps: Deps) -> Self:
        """Open or make the checkpoint file."""
        deps = replace(deps, embedder=CachingEmbedder(deps.embedder))
        return cls(await open_checkpoints(checkpoint_path, worth_keeping, deps.book.write, rows_tell), deps)

    async def run(self, run: Run, job: JobId = NO_JOB) -> RunStatus:
        """Start a run, or go on with it where it stopped; it is written with the first thing it leaves. WAITING, DONE,
        NEEDS_REVIEW or SUPERSEDED."""
        async with self._stretch(run.id, job, run):
            if await self._begun(run.id):
                return await self._advance(run.id, None)
            put_up = self._deps.desk.newest_of_run(run.id)
            return await (self._from_row(run.id, put_up) if put_up else self._advance(run.id, self._start(run)))

    async def resume(self, run_id: RunId, review_id: ReviewId | None = None, job: JobId = NO_JOB) -> RunStatus:
        """Wake a run after its review was decided. Without usable checkpoints (it needs none, or an older program wrote them) it
        goes on from the row of `review_id`, or of its last review. Raises `NotFound` where there is none."""
        async with self._stretch(run_id, job):
            if await self._begun(run_id):
                return await self._advance(run_id, None)
            put_up = review_id or self._deps.desk.newest_of_run(run_id)
            if not put_up:
                raise NotFound(f"Run {run_id} has neither a checkpoint nor a review to go on from.")
            return await self._from_row(run_id, put_up)

    async def forget(self, run_id: RunId) -> None:
        """Delete the checkpoints of a run that has ended."""
        if self._saver.keeps(run_id):
            async with self._lock(run_id):
                await self._saver.adelete_thread(run_id)

    async def close(self) -> None:
        """Close the file."""
        await self._saver.conn.close()

    def _lock(self, run_id: RunId) -> asyncio.Lock:
        """One lock per run."""
        return self._locks.setdefault(run_id, asyncio.Lock())

    @asynccontextmanager
    async def _stretch(self, run_id: RunId, job: JobId, run: Run | None = None) -> AsyncIterator[None]:
        """One stretch of a run at a time."""
        async with self._lock(run_id):
            self._deps.book.begin(run_id, job, run)
            try:
                yield
            finally:
                self._deps.book.drop(run_id)

    async def _begun(self, run_id: RunId) -> bool:
        """Whether checkpoints of this graph's version exist; those of another version are dropped."""
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
        """The beginning; or behind the verdict, where a model was paid for it before the program ended."""
        if self._deps.gateway is not None and (logs := self._deps.journal.steps(run.id)):
            judged = self._deps.corpus.verdict(run.message_id)
            if judged is not None and (known := state_from_verdict(logs, judged)) is not None:
                follower = after_classify(known)
                if follower in ENTRIES:
                    return MailState(**{**known, "entry": Node(follower).value})
        return initial_state(run)

    async def _from_row(self, run_id: RunId, review_id: ReviewId) -> RunStatus:
        """Go on from a review: at its gate where the log tells how the run came there, else with what the row alone tells."""
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
        """Nothing is to be done but the job."""
        await self._deps.book.write(run_id, status)
        return status

    async def _advance(self, run_id: RunId, start: MailState | None) -> RunStatus:
        """Run until the next interrupt or the end; what was left is written even when that fails."""
        try:
            if start is None or self._deps.gateway is not None:
                status = await self._stretched_kept(run_id, start)
            else:
                status = await self._stretched(start)
        except BaseException:
            await self._deps.book.write(run_id)
            raise
        await self._deps.book.write(run_id, status)
        return status

    async def _stretched(self, start: MailState) -> RunStatus:
        """One stretch without checkpoints. Asked for are only the changes of each superstep: what LangGraph gives out it reads
        first."""
        first = Node(start.get("entry") or Node.ROUTE)
        if first not in self._light:
            self._light[first] = build_whole_graph(self._deps, first).compile()
        graph, how = self._light[first], RunnableConfig(recursion_limit=RECURSION_LIMIT)
        status = RunStatus.DONE
        async for told in graph.astream({"mail": start}, how, stream_mode="updates", output_keys="mail"):
            status = _status_of(told)
        return status

    async def _stretched_kept(self, run_id: RunId, start: MailState | None) -> RunStatus:
        """The same with checkpoints, from the newest where there is no `start`."""
        first = Node(start.get("entry") or Node.ROUTE) if start is not None else Node.ROUTE
        if first not in self._kept:
            self._kept[first] = build_graph(self._deps, first).compile(checkpointer=self._saver)
        values = await self._kept[first].ainvoke(start, _config(run_id), output_keys=_TOLD, durability="sync")
        values = values or {}  # None where no node set an outcome
        return RunStatus.WAITING if _INTERRUPT in values else RunStatus(values.get("outcome") or RunStatus.DONE)


def _status_of(told: Mapping[str, Any]) -> RunStatus:
    """How a run stands after what LangGraph told last: an interrupt, or a node with the state it left."""
    if _INTERRUPT in told:
        return RunStatus.WAITING
    (left,) = told.values()
    return RunStatus(left.get("outcome") or RunStatus.DONE)


def _undecided(review: Review) -> RunStatus:
    """How a run stands whose review nobody decided on."""
    if review.proposal.kind is ReviewKind.NEEDS_REVIEW:
        return RunStatus.NEEDS_REVIEW
    return RunStatus.WAITING if review.status is ReviewStatus.PENDING else RunStatus.SUPERSEDED


def worth_keeping(values: Mapping[str, Any]) -> bool:
    """Whether running the last node again would cost a model call that no row tells of."""
    return _last(values) in KEPT


def rows_tell(values: Mapping[str, Any]) -> bool:
    """Whether a run that waits behind its last node goes on from its rows."""
    return _last(values) in TOLD


def _last(values: Mapping[str, Any]) -> str:
    """The node that ran last."""
    return str((values.get("steps") or [""])[-1])


def _config(run_id: RunId) -> RunnableConfig:
    """LangGraph's thread is the run, never the mail thread: a second mail must not touch a waiting run."""
    return {"configurable": {"thread_id": run_id}, "recursion_limit": RECURSION_LIMIT}
