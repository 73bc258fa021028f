"""The mail graph as the engine uses it: nodes, edges, and `MailGraph`, which runs, resumes and forgets runs.

The app's database decides about runs and reviews. Checkpoints are in a separate file, only save repeated work, and may be
deleted.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Self
from weakref import WeakValueDictionary

from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, StateGraph
from langgraph.types import Durability

from app.agent.agents.calls import act, plan
from app.agent.agents.pipeline.classify import classify, route
from app.agent.agents.pipeline.generate import check, generate
from app.agent.agents.pipeline.retrieve import retrieve
from app.agent.agents.pipeline.review import dispatch, gate, notify_gate, open_notify, review
from app.agent.agents.pipeline.tools import decide, execute_tools
from app.agent.agents.profiles.casework import after_agents_review, profile_of, speak
from app.agent.agents.profiles.casework import open_case as open_profile
from app.agent.agents.responder.casework import after_word, is_call, llm_call
from app.agent.agents.responder.casework import open_case as open_response
from app.agent.agents.run_end import mark_as_read, needs_review, profile_end
from app.agent.runtime.checkpoints import OUTCOME, CheckpointSaver, open_checkpoints
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.run_recorder import loaded
from app.agent.runtime.state import GRAPH_VERSION, GraphState, MailState, initial_state, state_from_review
from app.agent.runtime.steps import NodeBody, keeps_each_node, step
from app.agent.runtime.transitions import ENTRIES, Node, first_node
from app.domain.agents.runs import Run, RunStatus, StepLog
from app.domain.drafting.review import Action, Review, ReviewKind, ReviewStatus
from app.domain.errors import NotFound
from app.domain.ids import JobId, ReviewId, RunId
from app.domain.ports.agents import ReviewDecision

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
    Node.INTERRUPT_PLAN: (partial(plan, open_case=open_response), 1),
    Node.INTERRUPT_GATE: (gate, 1),
    Node.INTERRUPT_ACT: (partial(act, open_case=open_response), 1),
    Node.MARK_AS_READ: (mark_as_read, 1),
    Node.PROFILE_AGENT: (speak, RETRIED),
    Node.PROFILE_PLAN: (partial(plan, open_case=open_profile), 1),
    Node.PROFILE_GATE: (gate, 1),
    Node.PROFILE_ACT: (partial(act, open_case=open_profile), 1),
    Node.PROFILE_END: (profile_end, 1),
    Node.NEEDS_REVIEW: (needs_review, 1),
}
"""The function of each node and its number of attempts."""


def build_graph(deps: Deps) -> StateGraph[GraphState]:
    """The graph, to be compiled with a checkpointer."""
    graph = StateGraph(GraphState)
    graph.add_conditional_edges(START, first_node, [one.value for one in ENTRIES])
    for node in BODIES:
        graph.add_node(node.value, step(node, BODIES, deps))
    return graph


RECURSION_LIMIT = 4000
"""Supersteps of one stretch. The longest of the pipeline has 13 nodes, a turn of an agent at most 34 (16 calls)."""

NO_JOB = JobId("")

RunLocks = WeakValueDictionary[RunId, asyncio.Lock]
"""One lock a run. Graphs that follow each other when settings change share them."""

STOPS = (Node.GATE, Node.NOTIFY_GATE)
"""Gates of the pipeline: a stretch ends before them. To enter one and be interrupted takes a superstep and a write more."""


class MailGraph:
    """Runs, resumes and forgets runs by id, one stretch per run at a time.

    `run` and `resume` raise `ModelUnavailable`, `CapReached` or the store's errors and leave the run where it is; the same call
    continues it. `job` is closed and the run's status written in one commit with what the stretch left.

    LangGraph's checkpoints hold the state. A run without one (a crash before the first, an old graph version) starts again, or
    goes on from its newest review.
    """

    def __init__(self, saver: CheckpointSaver, deps: Deps, locks: RunLocks | None = None) -> None:
        self._saver, self._deps = saver, deps
        self._graph = build_graph(deps).compile(checkpointer=saver, interrupt_before=[one.value for one in STOPS])
        self._locks = WeakValueDictionary() if locks is None else locks

    @classmethod
    async def open(cls, checkpoint_path: Path, deps: Deps, locks: RunLocks | None = None) -> Self:
        """Opens or creates the checkpoint file. Graphs over one file need the same `locks`."""
        return cls(await open_checkpoints(checkpoint_path, deps.book.write), deps, locks)

    async def run(self, run: Run, job: JobId = NO_JOB) -> RunStatus:
        """Starts a run or continues it where it stopped. Its row is written with the first thing the run leaves.

        Returns WAITING, DONE, NEEDS_REVIEW or SUPERSEDED.
        """
        async with self._stretch(run.id, job, run) as route:
            if route:
                return await self._advance(run.id, None, route)
            newest_review = self._deps.desk.newest_of_run(run.id)
            if newest_review:
                return await self._from_row(run.id, newest_review)
            return await self._advance(run.id, initial_state(run), run.route)

    async def resume(self, run_id: RunId, review_id: ReviewId | None = None, job: JobId = NO_JOB) -> RunStatus:
        """Continues a run after its review was decided.

        Without usable checkpoints (none written, or of another graph version) it continues from the row of `review_id`, or of its
        last review. Raises `NotFound` where there is none.
        """
        async with self._stretch(run_id, job) as route:
            if route:
                return await self._advance(run_id, None, route)
            newest_review = review_id or self._deps.desk.newest_of_run(run_id)
            if not newest_review:
                raise NotFound(f"Run {run_id} has neither a checkpoint nor a review to go on from.")
            return await self._from_row(run_id, newest_review)

    async def forget(self, run_id: RunId) -> None:
        async with self._lock(run_id):
            await self._saver.adelete_thread(run_id)

    async def close(self) -> None:
        await self._saver.close()

    def _lock(self, run_id: RunId) -> asyncio.Lock:
        return self._locks.setdefault(run_id, asyncio.Lock())

    @asynccontextmanager
    async def _stretch(self, run_id: RunId, job: JobId, run: Run | None = None) -> AsyncIterator[str]:
        """Allows one stretch of a run at a time and records its rows.

        Gives the route of its checkpoint, empty without one. Checkpoints of older versions are deleted.
        """
        async with self._lock(run_id):
            found = await self._saver.aget_tuple(_config(run_id))
            state = found.checkpoint["channel_values"].get("mail", {}) if found else {}
            current = state.get("graph_version") == GRAPH_VERSION
            if found and not current:
                await self._saver.adelete_thread(run_id)
            self._deps.book.begin(run_id, job, run)
            try:
                yield str(state["route"]) if current else ""
            finally:
                self._deps.book.drop(run_id)

    async def _from_row(self, run_id: RunId, review_id: ReviewId) -> RunStatus:
        """Continues from the row of a review. Steps are numbered on."""
        review = self._deps.desk.review(review_id)
        decided = self._deps.desk.decision(review_id)
        if decided is None:  # or the decision was withdrawn: read the review again
            review = self._deps.desk.review(review_id)
            if review.proposal.kind is ReviewKind.NEEDS_REVIEW:
                return await self._ended(run_id, RunStatus.NEEDS_REVIEW)
            waits = review.status is ReviewStatus.PENDING
            return await self._ended(run_id, RunStatus.WAITING if waits else RunStatus.SUPERSEDED)
        logs = self._deps.journal.steps(run_id)
        if outcome := _outcome_after(decided, logs):
            return await self._ended(run_id, outcome)
        start = self._after_decision(review, decided, profile_of(logs))
        if start is None:
            return await self._ended(run_id, RunStatus.DONE)
        start = MailState(**{**start, "steps": [one.step_name for one in logs if not one.passed_over]})
        return await self._advance(run_id, start, start["route"])

    def _after_decision(self, review: Review, decided: ReviewDecision, profile: str) -> MailState | None:
        """The state in which a run goes on after a decision, None when nothing is left to do."""
        if profile:
            return after_agents_review(review, decided, profile)
        if decided.action != Action.RESPOND:
            return None
        start = state_from_review(review, decided.text)
        return after_word(start, review, decided.text) if self._deps.gateway is not None and is_call(review) else start

    async def _ended(self, run_id: RunId, status: RunStatus) -> RunStatus:
        """Closes the job; nothing else is to be done."""
        await self._deps.book.write(run_id, status)
        return status

    async def _advance(self, run_id: RunId, start: MailState | None, route: str) -> RunStatus:
        """Runs until the next interrupt or the end, from the checkpoint without `start`. Rows are written even where it fails."""
        try:
            given = None if start is None else GraphState(mail=start)
            # Checkpoints are written after every node where an agent may talk to its model, else when a stretch ends: a crash
            # then costs the pipeline its last calls of the model, mostly two. One after each of its nodes takes more than the
            # 150 kB that a run may write.
            durability: Durability = "sync" if keeps_each_node(route, self._deps) else "exit"
            left = await self._graph.ainvoke(given, _config(run_id), durability=durability)
        except BaseException:
            await self._deps.book.write(run_id)
            raise
        # The last node of a run sets its outcome (`steps`): without one the stretch stopped at a gate.
        status = RunStatus(left["mail"].get(OUTCOME, RunStatus.WAITING))
        await self._deps.book.write(run_id, status)
        return status


def _outcome_after(decided: ReviewDecision, logs: Sequence[StepLog]) -> RunStatus | None:
    """How a run ended that had carried out this decision already, None for any other.

    The decision may come while the run is still on its way to the gate. The run then goes on with it, and the job that the
    decision queued finds the run ended.
    """
    left = [loaded(one.output_state) for one in logs]
    read = next((at for at, one in enumerate(left) if one.get("decided") == decided.id), len(left))
    return next((RunStatus(one[OUTCOME]) for one in left[read:] if one.get(OUTCOME)), None)


def _config(run_id: RunId) -> RunnableConfig:
    """LangGraph's thread id is the run id, not the mail thread: a second mail must not affect a waiting run."""
    return {"configurable": {"thread_id": run_id}, "recursion_limit": RECURSION_LIMIT}
