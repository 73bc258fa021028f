"""The mail graph as the engine uses it: run, resume and forget runs, one at a time each, over checkpoints in their own file.

The app's database is the truth about runs and decisions; checkpoints only spare a run from starting over, and may be deleted.
Refuses to send, and to decide anything from what a checkpoint says comes next.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Self
from weakref import WeakValueDictionary

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from app.agent.build import build_graph
from app.agent.checkpoints import LeanSaver, open_checkpoints
from app.agent.deps import Deps
from app.agent.remembering import RememberingEmbedder
from app.agent.responder.resuming import after_word, is_call
from app.agent.state import GRAPH_VERSION, MailState, initial_state, state_from_review
from app.agent.step_book import StepBook
from app.agent.transitions import Node
from app.domain.errors import NotFound
from app.domain.ids import ReviewId, RunId
from app.domain.review import Action, ReviewStatus
from app.domain.runs import Run, RunStatus

RECURSION_LIMIT = 160
"""Steps of one stretch between two interrupts; the pipeline's longest has 13, a turn of the response agent at most 10."""

KEPT = frozenset({Node.GENERATE, Node.REVIEW, Node.NOTIFY, Node.LLM_CALL, Node.INTERRUPT_ACT})
KEPT_WITH_MODEL = frozenset({Node.CLASSIFY, Node.DECIDE})
"""Nodes after which a checkpoint is written at once."""


class MailGraph:
    """Runs by id. `run` and `resume` raise `ModelUnavailable`, `CapReached` or the store's trouble and leave the run where it
    is; the same call goes on from there."""

    def __init__(self, saver: LeanSaver, deps: Deps, book: StepBook) -> None:
        self._saver = saver
        self._deps = deps
        self._book = book
        self._graph: CompiledStateGraph[MailState] = build_graph(
            replace(deps, embedder=RememberingEmbedder(deps.embedder)), book
        ).compile(checkpointer=saver)
        self._locks: WeakValueDictionary[RunId, asyncio.Lock] = WeakValueDictionary()

    @classmethod
    async def open(cls, checkpoint_path: Path, deps: Deps) -> Self:
        """Open or make the checkpoint file."""
        book = StepBook(deps.journal)
        worth = partial(worth_keeping, asks_model=deps.gateway is not None)
        return cls(await open_checkpoints(checkpoint_path, worth, book.write), deps, book)

    async def run(self, run: Run) -> RunStatus:
        """Start a run, or go on with it where it stopped. WAITING, DONE, NEEDS_REVIEW or SUPERSEDED."""
        async with self._lock(run.id):
            begun = await self._begun(run.id)
            return await self._advance(run.id, None if begun else initial_state(run))

    async def resume(self, run_id: RunId, review_id: ReviewId | None = None) -> RunStatus:
        """Wake a run after its review was decided. Without usable checkpoints (the run had ended and its decision was undone, or
        an older program wrote them) it goes on from the row of `review_id`; where that is not given, raises `NotFound`."""
        async with self._lock(run_id):
            if await self._begun(run_id):
                return await self._advance(run_id, None)
            if review_id is None:
                raise NotFound(f"Run {run_id} has no checkpoint to go on from.")
            review = self._deps.desk.review(review_id)
            decided = self._deps.desk.decision(review_id)
            if decided is None:
                return RunStatus.WAITING if review.status is ReviewStatus.PENDING else RunStatus.SUPERSEDED
            if decided.action != Action.RESPOND:
                return RunStatus.DONE
            start = state_from_review(review, decided.text)
            if self._deps.gateway is not None and is_call(review):
                start = after_word(start, review, decided.text)
            return await self._advance(run_id, start)

    async def forget(self, run_id: RunId) -> None:
        """Delete the checkpoints of a run that has ended."""
        async with self._lock(run_id):
            await self._saver.adelete_thread(run_id)

    async def close(self) -> None:
        """Close the file."""
        await self._saver.conn.close()

    def _lock(self, run_id: RunId) -> asyncio.Lock:
        """One lock per run."""
        return self._locks.setdefault(run_id, asyncio.Lock())

    async def _begun(self, run_id: RunId) -> bool:
        """Whether checkpoints of this graph's version exist; those of another version are dropped."""
        found = await self._saver.aget_tuple(_config(run_id))
        if found is None:
            return False
        if found.checkpoint["channel_values"].get("graph_version") == GRAPH_VERSION:
            return True
        await self._saver.adelete_thread(run_id)
        return False

    async def _advance(self, run_id: RunId, start: MailState | None) -> RunStatus:
        """Run until the next interrupt or the end."""
        try:
            values: dict[str, Any] = await self._graph.ainvoke(start, _config(run_id), durability="sync")
        finally:
            await self._book.write(run_id)
        if "__interrupt__" in values:
            return RunStatus.WAITING
        return RunStatus(values.get("outcome") or RunStatus.DONE)


def worth_keeping(values: Mapping[str, Any], asks_model: bool) -> bool:
    """Whether running the last node again would cost a model call, propose another draft, or lose what the gate waits for."""
    steps = values.get("steps") or [""]
    return steps[-1] in KEPT or (asks_model and steps[-1] in KEPT_WITH_MODEL)


def _config(run_id: RunId) -> RunnableConfig:
    """LangGraph's thread is the run, never the mail thread: a second mail must not touch a waiting run."""
    return {"configurable": {"thread_id": run_id}, "recursion_limit": RECURSION_LIMIT}
