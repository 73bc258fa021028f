"""The threads of the served graph: which are there, and one run at a time on each.

Refuses what would lose a proposal: a new input while an interrupt waits, and an answer to an interrupt that waits no more.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from weakref import WeakValueDictionary

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, StateSnapshot

from app.agent.checkpoints import LeanSaver
from app.agent.gmail.state import VERSION, VERSION_NAME
from app.domain.ids import RunId
from app.domain.tools import Json
from app.service.orders import RunOrder
from app.service.refusals import Refusal
from app.service.wire import wire

Graph = CompiledStateGraph[Any, Any, Any, Any]

LONGEST_WAIT_S = 300.0
"""For another run on the same thread to end."""
KEPT_FOR = timedelta(days=30)


class Threads:
    """Over a graph compiled with `saver`."""

    def __init__(self, graph: Graph, saver: LeanSaver) -> None:
        self.graph = graph
        self._saver = saver
        self._empty: set[str] = set()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def create(self, thread_id: str) -> None:
        """A thread that nothing ran on yet; it lasts as long as this process."""
        self._empty.add(thread_id)

    async def known(self, thread_id: str) -> bool:
        """Whether it was created, or anything ran on it."""
        return thread_id in self._empty or await self._saver.finds(RunId(thread_id))

    async def check(self, thread_id: str) -> None:
        """Raise 404 where it is not known."""
        if not await self.known(thread_id):
            raise Refusal(404, "no_thread", "There is no such thread.")

    @asynccontextmanager
    async def held(self, thread_id: str, *, wait: bool = True) -> AsyncIterator[None]:
        """Alone on the thread. Raises 409 where another run is, at once or after `LONGEST_WAIT_S`."""
        lock = self._locks.setdefault(thread_id, asyncio.Lock())
        if lock.locked() and not wait:
            raise _busy()
        try:
            async with asyncio.timeout(LONGEST_WAIT_S):
                await lock.acquire()
        except TimeoutError:
            raise _busy() from None
        try:
            yield
        finally:
            lock.release()

    async def state(self, thread_id: str, checkpoint_id: str | None = None) -> StateSnapshot:
        """The thread's state now, or at a checkpoint. Raises 404."""
        await self.check(thread_id)
        snapshot = await self.graph.aget_state(config_of(thread_id, checkpoint_id))
        if checkpoint_id and snapshot.created_at is None:
            raise Refusal(404, "no_checkpoint", "There is no such checkpoint.")
        return snapshot

    async def begun(self, order: RunOrder, thread_id: str) -> Any:
        """What the graph is given for `order`: an input, a resume, or None to go on. The thread is held. Raises 404, 409."""
        if not await self.known(thread_id) and (order.if_not_exists != "create" or order.input is None):
            raise Refusal(404, "no_thread", "There is no such thread.")
        waiting = {one.id for one in (await self.graph.aget_state(config_of(thread_id))).interrupts}
        if order.command is None:
            if waiting and order.input is not None:
                raise Refusal(409, "waits", "This thread waits for an answer to its interrupt; resume it.")
            return order.input
        resume = order.command.resume
        if not waiting or (_by_id(resume) and not waiting >= resume.keys()):
            raise Refusal(409, "answered", "No such interrupt waits on this thread.")
        return Command(resume=resume)

    async def forget(self, thread_id: str) -> None:
        """Delete all of the thread. It is held."""
        self._empty.discard(thread_id)
        await self._saver.finds(RunId(thread_id))
        await self._saver.adelete_thread(thread_id)

    async def forget_old(self, now: datetime) -> int:
        """Delete threads on which nothing happened for `KEPT_FOR`; how many."""
        old = [one async for one in _newest(self._saver) if one[1] < now - KEPT_FOR]
        for thread_id, _ in old:
            await self.forget(thread_id)
        return len(old)


async def _newest(saver: LeanSaver) -> AsyncIterator[tuple[str, datetime]]:
    """Each thread with the time of its newest checkpoint."""
    async with saver.conn.execute("SELECT thread_id, max(checkpoint_id) FROM checkpoints GROUP BY thread_id") as cursor:
        rows = list(await cursor.fetchall())
    for thread_id, checkpoint_id in rows:
        yield thread_id, _time_of(checkpoint_id)


_GREGORIAN = datetime(1582, 10, 15, tzinfo=UTC)


def _time_of(checkpoint_id: str) -> datetime:
    """When a checkpoint was made: its id is a uuid of version 6, whose first 60 bits of time count tenths of microseconds."""
    digits = checkpoint_id.replace("-", "")
    return _GREGORIAN + timedelta(microseconds=int(digits[:12] + digits[13:16], 16) // 10)


def config_of(thread_id: str, checkpoint_id: str | None = None) -> RunnableConfig:
    """LangGraph's configuration for a thread, or for one of its checkpoints."""
    where = {"thread_id": thread_id, "checkpoint_ns": "", **({"checkpoint_id": checkpoint_id} if checkpoint_id else {})}
    return {"configurable": where, "metadata": {VERSION_NAME: VERSION}}


def thread_json(thread_id: str, snapshot: StateSnapshot, now: datetime) -> Json:
    """A `Thread` of langgraph-sdk."""
    waiting = {task.id: wire(task.interrupts) for task in snapshot.tasks if task.interrupts}
    at = snapshot.created_at or now.isoformat()
    return {
        "thread_id": thread_id,
        "created_at": at,
        "updated_at": at,
        "metadata": {},
        "status": "interrupted" if waiting else "idle",
        "values": wire(snapshot.values),
        "interrupts": waiting,
    }


def _by_id(resume: object) -> bool:
    """Whether this is a mapping from ids of interrupts, as LangGraph tells them from a plain value."""
    return isinstance(resume, Mapping) and bool(resume) and all(len(key) == 32 and key.isalnum() for key in resume)


def _busy() -> Refusal:
    return Refusal(409, "busy", "Another run is under way on this thread.")
