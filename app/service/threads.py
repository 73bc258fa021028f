"""Threads of the served graph and the requests about them: states, history, and one run at a time on each."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeVar
from uuid import uuid4
from weakref import WeakValueDictionary

import msgspec
from langchain_core.runnables import RunnableConfig
from langgraph.errors import InvalidUpdateError
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, StateSnapshot
from starlette.requests import Request
from starlette.responses import Response

from app.agent.agents.gmail.interface import VERSION, VERSION_NAME
from app.agent.runtime.checkpoints import CheckpointSaver
from app.domain.agents.tools import Json
from app.service.requests import (
    GRAPH,
    RunOrder,
    ServiceError,
    check_graph,
    check_input,
    json_response,
    place,
    read_order,
    thread_of,
    thread_state,
    wire,
)

T = TypeVar("T")
Graph = CompiledStateGraph[Any, Any, Any, Any]

LONGEST_WAIT_S = 300.0
"""Seconds to wait for another run on the same thread."""
KEPT_FOR = timedelta(days=30)
WAITS = "This thread waits for an answer to its interrupt. Resume it by the interrupt's id: Command(resume={id: answer})."
RESUME_MAP = "__pregel_resume_map"
"""LangGraph's key of the configuration for what a graph was resumed with."""


class Threads:
    """The threads of a graph that was compiled with `saver`."""

    def __init__(self, graph: Graph, saver: CheckpointSaver) -> None:
        self.graph, self._saver = graph, saver
        self._empty: set[str] = set()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._background: set[asyncio.Task[Any]] = set()

    def start(self, run: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Starts a run that goes on without its client, at most until `close`."""
        task = asyncio.create_task(run)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    async def close(self) -> None:
        """Cancels the runs in the background."""
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)

    def create(self, thread_id: str) -> None:
        """Adds an empty thread. It lasts as long as this process."""
        self._empty.add(thread_id)

    async def known(self, thread_id: str) -> bool:
        return thread_id in self._empty or await self._saver.aget_tuple(config_of(thread_id)) is not None

    async def check(self, thread_id: str) -> None:
        """Raises `ServiceError` 404 for an unknown thread."""
        if not await self.known(thread_id):
            raise ServiceError(404, "no_thread", "There is no such thread.")

    @asynccontextmanager
    async def run(self, order: RunOrder, thread_id: str | None) -> AsyncIterator[tuple[str, Any]]:
        """Holds a thread for a run, and gives its id and the graph's input.

        Without a thread the run gets its own, which is deleted at its end. Raises as `held` and `begun`.
        """
        named = thread_id or str(uuid4())
        if thread_id is None:
            self.create(named)
        async with self.held(named, wait=order.multitask_strategy != "reject"):
            try:
                yield named, await self.begun(order, named)
            finally:
                if thread_id is None and order.on_completion == "delete":
                    await self.forget(named)

    @asynccontextmanager
    async def held(self, thread_id: str, *, wait: bool = True) -> AsyncIterator[None]:
        """Locks the thread. Raises `ServiceError` 409 when another run has it, after `LONGEST_WAIT_S` or with `wait=False` at
        once.
        """
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

    def busy(self, thread_id: str) -> bool:
        lock = self._locks.get(thread_id)
        return lock is not None and lock.locked()

    async def newest(self) -> list[str]:
        """All threads, newest activity first; empty ones at the end."""
        dated = sorted(await self._saver.newest(), key=lambda one: _time_of(one[1]), reverse=True)
        return list(dict.fromkeys((*(thread_id for thread_id, _ in dated), *sorted(self._empty))))

    async def state(self, thread_id: str, checkpoint_id: str | None = None) -> StateSnapshot:
        """The thread's state now or at a checkpoint. Raises `ServiceError` 404."""
        await self.check(thread_id)
        snapshot = await self.graph.aget_state(config_of(thread_id, checkpoint_id))
        if checkpoint_id and snapshot.created_at is None:
            raise ServiceError(404, "no_checkpoint", "There is no such checkpoint.")
        return snapshot

    async def begun(self, order: RunOrder, thread_id: str) -> Any:
        """The graph's input for `order`: a state, a resume, or None to continue.

        The caller holds the thread. Raises `ServiceError` 404 for an unknown thread, 409 for an input while an interrupt waits,
        or a resume while none does.
        """
        if not await self.known(thread_id) and (order.if_not_exists != "create" or order.input is None):
            raise ServiceError(404, "no_thread", "There is no such thread.")
        if order.input is not None:
            check_input(order.input)
        waiting = {one.id for one in (await self.graph.aget_state(config_of(thread_id))).interrupts}
        if order.command is None:
            # A parent graph's RemoteGraph repeats the input and sends what it was resumed with in the configuration.
            given = order.config.configurable.get(RESUME_MAP)
            answers = {one: given[one] for one in given if one in waiting} if isinstance(given, Mapping) else {}
            if waiting and order.input is not None and not answers:
                raise ServiceError(409, "waits", WAITS)
            return Command(resume=answers) if answers else order.input
        resume = order.command.resume
        # The same rule as LangGraph's for a map from interrupt ids to values.
        by_id = isinstance(resume, Mapping) and bool(resume) and all(len(key) == 32 and key.isalnum() for key in resume)
        if not waiting or (by_id and not waiting >= resume.keys()):
            raise ServiceError(409, "answered", "No such interrupt waits on this thread.")
        return Command(resume=resume)

    async def forget(self, thread_id: str) -> None:
        """Deletes the thread. The caller holds it."""
        self._empty.discard(thread_id)
        await self._saver.adelete_thread(thread_id)

    async def forget_old(self, now: datetime) -> int:
        """Deletes threads without activity for `KEPT_FOR`. Returns how many."""
        old = [one for one, newest in await self._saver.newest() if _time_of(newest) < now - KEPT_FOR]
        for thread_id in old:
            await self.forget(thread_id)
        return len(old)


_GREGORIAN = datetime(1582, 10, 15, tzinfo=UTC)


def _time_of(checkpoint_id: str) -> datetime:
    """The time in a checkpoint id.

    The id is a version 6 UUID. Its first 60 bits of time count units of 100 ns since 1582.
    """
    digits = checkpoint_id.replace("-", "")
    return _GREGORIAN + timedelta(microseconds=int(digits[:12] + digits[13:16], 16) // 10)


def config_of(thread_id: str, checkpoint_id: str | None = None) -> RunnableConfig:
    """LangGraph's config for a thread or one of its checkpoints."""
    where = {"thread_id": thread_id, "checkpoint_ns": "", **({"checkpoint_id": checkpoint_id} if checkpoint_id else {})}
    return {"configurable": where, "metadata": {VERSION_NAME: VERSION}}


async def thread_json(threads: Threads, thread_id: str) -> dict[str, Json]:
    """A `Thread` of langgraph-sdk. Raises `ServiceError` 404."""
    snapshot = await threads.state(thread_id)
    waiting = {task.id: wire(task.interrupts) for task in snapshot.tasks if task.interrupts}
    at = snapshot.created_at or datetime.now(UTC).isoformat()
    failed = any(task.error for task in snapshot.tasks)
    status = "interrupted" if waiting else "error" if failed else "idle"
    return {
        "thread_id": thread_id,
        "created_at": at,
        "updated_at": at,
        "metadata": {},
        "status": "busy" if threads.busy(thread_id) else status,
        "values": wire(snapshot.values),
        "interrupts": waiting,
    }


def _busy() -> ServiceError:
    return ServiceError(409, "busy", "Another run is under way on this thread.")


MOST_STATES = 1000


class CheckpointOrder(msgspec.Struct, frozen=True):
    thread_id: str = ""
    checkpoint_id: str | None = None
    checkpoint_ns: str = ""


class StateOrder(msgspec.Struct, frozen=True):
    checkpoint: CheckpointOrder
    subgraphs: bool = False


class UpdateOrder(msgspec.Struct, frozen=True):
    values: dict[str, Any] | None = None
    as_node: str | None = None
    checkpoint: CheckpointOrder = CheckpointOrder()
    checkpoint_id: str | None = None


class HistoryOrder(msgspec.Struct, frozen=True):
    limit: int = 10
    before: str | CheckpointOrder | None = None
    metadata: dict[str, Any] | None = None
    checkpoint: CheckpointOrder = CheckpointOrder()


class ThreadOrder(msgspec.Struct, frozen=True):
    thread_id: str | None = None
    if_exists: str = "raise"


def _thread(request: Request) -> tuple[Threads, str]:
    """The threads, and the id in the path. Raises `ServiceError` 422."""
    return request.app.state.threads, thread_of(request.path_params["thread_id"])


async def create_thread(request: Request) -> Response:
    threads: Threads = request.app.state.threads
    order = await read_order(request, ThreadOrder)
    thread_id = thread_of(order.thread_id) if order.thread_id else str(uuid4())
    if order.if_exists not in ("raise", "do_nothing"):
        raise ServiceError(422, "not_offered", "if_exists can be raise or do_nothing here.")
    if order.if_exists == "raise" and await threads.known(thread_id):
        raise ServiceError(409, "exists", "This thread is there already.")
    threads.create(thread_id)
    return json_response(await thread_json(threads, thread_id))


async def read_thread(request: Request) -> Response:
    return json_response(await thread_json(*_thread(request)))


MOST_FOUND = 100


class SearchOrder(msgspec.Struct, frozen=True):
    """The body of `threads/search`. Threads have no metadata and come newest first."""

    limit: int = 10
    offset: int = 0
    ids: list[str] | None = None
    status: Literal["idle", "busy", "interrupted", "error"] | None = None


async def search_threads(request: Request) -> Response:
    threads: Threads = request.app.state.threads
    order = await read_order(request, SearchOrder, ("metadata", "values", "sort_by", "select", "extract"))
    if not 1 <= order.limit <= MOST_FOUND or order.offset < 0:
        raise ServiceError(422, "wrong_form", f"limit is between 1 and {MOST_FOUND}, offset at least 0.")
    wanted = None if order.ids is None else {thread_of(one) for one in order.ids}
    found: list[Json] = []
    for thread_id in await threads.newest():
        if len(found) == order.offset + order.limit:
            break
        if wanted is None or thread_id in wanted:
            one = await thread_json(threads, thread_id)
            if order.status in (None, one["status"]):
                found.append(one)
    return json_response(found[order.offset :])


async def delete_thread(request: Request) -> Response:
    threads, thread_id = _thread(request)
    async with threads.held(thread_id, wait=False):
        await threads.check(thread_id)
        await threads.forget(thread_id)
    return Response(status_code=204)


async def read_state(request: Request) -> Response:
    threads, thread_id = _thread(request)
    return json_response(thread_state(await threads.state(thread_id)))


async def state_at(request: Request) -> Response:
    threads, thread_id = _thread(request)
    where = (await read_order(request, StateOrder)).checkpoint
    return json_response(thread_state(await threads.state(thread_id, _checkpoint_id(where, thread_id))))


async def write_state(request: Request) -> Response:
    threads, thread_id = _thread(request)
    order = await read_order(request, UpdateOrder)
    checkpoint_id = order.checkpoint_id or _checkpoint_id(order.checkpoint, thread_id)
    async with threads.held(thread_id, wait=False):
        await threads.state(thread_id, checkpoint_id)
        try:
            config = await threads.graph.aupdate_state(config_of(thread_id, checkpoint_id), order.values, order.as_node)
        except InvalidUpdateError:
            raise ServiceError(422, "wrong_form", "That is no update of this graph's state.") from None
    return json_response({"checkpoint": place(config)})


async def read_history(request: Request) -> Response:
    """`POST /threads/{thread_id}/history`: states, newest first."""
    threads, thread_id = _thread(request)
    order = await read_order(request, HistoryOrder)
    if not 1 <= order.limit <= MOST_STATES:
        raise ServiceError(422, "wrong_form", f"limit is between 1 and {MOST_STATES}.")
    await threads.check(thread_id)
    before = order.before if isinstance(order.before, str) else _checkpoint_id(order.before or CheckpointOrder(), thread_id)
    history = threads.graph.aget_state_history(
        config_of(thread_id, _checkpoint_id(order.checkpoint, thread_id)),
        filter=order.metadata,
        before=config_of(thread_id, before) if before else None,
        limit=order.limit,
    )
    return json_response([thread_state(one) async for one in history])


def assistant_json() -> dict[str, Json]:
    at = datetime.fromtimestamp(0, UTC).isoformat()
    return {
        "assistant_id": GRAPH,
        "graph_id": GRAPH,
        "name": "Gmail agent",
        "description": "Searches a mailbox and proposes mail. It never sends.",
        "version": VERSION,
        "config": {},
        "context": {},
        "metadata": {},
        "created_at": at,
        "updated_at": at,
    }


STATE_SCHEMA: dict[str, Json] = {
    "title": "GmailState",
    "type": "object",
    "properties": {
        "messages": {
            "type": "array",
            "description": "The conversation, the owner's instruction last. The contract is added as JSON text.",
            "items": {"type": "object", "properties": {"role": {"type": "string"}, "content": {"type": "string"}}},
        },
        "next": {"type": "string", "description": "The caller's own."},
        "context": {"type": "object", "description": "account_id, run_id and documents of the task; results after it."},
    },
}
"""By hand: pydantic makes none of a `typing.TypedDict` on Python 3.11."""


class AssistantOrder(msgspec.Struct, frozen=True):
    graph_id: str | None = None
    name: str | None = None
    metadata: dict[str, Any] | None = None
    limit: int = 10
    offset: int = 0


async def search_assistants(request: Request) -> Response:
    """`POST /assistants/search`: the one assistant there is."""
    order = await read_order(request, AssistantOrder)
    fits = order.graph_id in (None, GRAPH) and (order.name or "").lower() in "gmail agent" and not order.metadata
    return json_response([assistant_json()] if fits and order.limit > 0 and order.offset == 0 else [])


async def read_assistant(request: Request) -> Response:
    check_graph(request.path_params["assistant_id"])
    return json_response(assistant_json())


async def read_schemas(request: Request) -> Response:
    """`GET /assistants/{assistant_id}/schemas`: JSON schemas of input, output and state."""
    check_graph(request.path_params["assistant_id"])
    none: Json = {"type": "object", "properties": {}}
    given: Json = {**STATE_SCHEMA, "required": ["messages"]}
    schemas = {"input_schema": given, "output_schema": STATE_SCHEMA, "state_schema": STATE_SCHEMA}
    return json_response({"graph_id": GRAPH, **schemas, "config_schema": none, "context_schema": none})


async def draw_graph(request: Request) -> Response:
    check_graph(request.path_params["assistant_id"])
    threads: Threads = request.app.state.threads
    return json_response(wire((await threads.graph.aget_graph()).to_json()))


def _checkpoint_id(where: CheckpointOrder, thread_id: str) -> str | None:
    """The checkpoint's id, None for the newest. Raises `ServiceError` 422."""
    if where.thread_id and thread_of(where.thread_id) != thread_id:
        raise ServiceError(422, "wrong_form", "That checkpoint is another thread's.")
    if where.checkpoint_ns:
        raise ServiceError(422, "not_offered", "This graph has no graphs inside.")
    return where.checkpoint_id
