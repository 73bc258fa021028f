"""Runs the graph as langgraph-sdk asks: as a stream of server-sent events, in one response, or in the background.

A stream begins with `metadata`, continues with the requested modes and ends with `error` or `end`. When the client of a stream or
of `runs/wait` disconnects, the run and its model call are cancelled. A waiting interrupt is in the values as `__interrupt__`.

Also LangServe's `invoke`, `batch` and `stream` under `/graph`: a state comes in, the state after the run goes out.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import uuid4

import msgspec
from langchain_core.runnables import RunnableConfig
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.agent.agents.gmail.graph import RECURSION_LIMIT
from app.domain.agents.tools import Json
from app.service.requests import (
    GRAPH,
    ConfigOrder,
    RunFailed,
    RunOrder,
    ServiceError,
    event,
    json_response,
    read_order,
    read_run,
    run_errors,
    thread_of,
    wire,
)
from app.service.threads import Threads, config_of

HEARTBEAT_S = 15.0
SENT_AS = {"messages-tuple": "messages"}
"""LangGraph's names of stream modes that clients call differently."""


async def stream_run(request: Request) -> Response:
    return RunStream(request.app.state.threads, await read_run(request), _named_thread(request))


def run_config(order: RunOrder, thread_id: str) -> RunnableConfig:
    """LangGraph's config of a run. Its number of supersteps stays within the cap."""
    return {**config_of(thread_id), "recursion_limit": max(1, min(order.config.recursion_limit, RECURSION_LIMIT))}


class RunStream(Response):
    """Runs while the response is sent."""

    def __init__(self, threads: Threads, order: RunOrder, thread_id: str | None) -> None:
        super().__init__(media_type="text/event-stream", headers={"Cache-Control": "no-store"})
        del self.headers["content-length"]
        self._threads, self._order, self._thread_id = threads, order, thread_id
        self._sending = asyncio.Lock()
        self._begun = False
        self._streamed = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the graph and sends its events. Raises `ServiceError` as long as nothing was sent."""
        running = asyncio.create_task(self._run(send))
        disconnected, heartbeat = asyncio.create_task(_disconnected(receive)), asyncio.create_task(self._heartbeat(send))
        try:
            await asyncio.wait([running, disconnected], return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not self._streamed:
                running.cancel()
            for task in (disconnected, heartbeat):
                task.cancel()
            await asyncio.gather(disconnected, heartbeat, return_exceptions=True)
            with suppress(asyncio.CancelledError):
                await running

    async def _run(self, send: Send) -> None:
        async with self._threads.run(self._order, self._thread_id) as (thread_id, given):
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            self._begun = True
            async for name, data in self._events(given, thread_id):
                await self._send(send, event(name, data))
            self._streamed = True
        await send({"type": "http.response.body", "body": b""})

    async def _events(self, given: Any, thread_id: str) -> AsyncIterator[tuple[str, Json]]:
        yield "metadata", {"run_id": str(uuid4()), "attempt": 1}
        modes: Any = [SENT_AS.get(mode, mode) for mode in self._order.modes]
        config = run_config(self._order, thread_id)
        try:
            with run_errors():
                stream = self._threads.graph.astream(given, config, stream_mode=modes, subgraphs=True, durability="sync")
                async for namespace, mode, data in stream:
                    if not namespace or self._order.stream_subgraphs:
                        yield "|".join((mode, *namespace)), wire(data)
        except RunFailed as failed:
            yield "error", failed.told
        else:
            yield "end", None

    async def _heartbeat(self, send: Send) -> None:
        """Sends heartbeats, so that clients soon notice a service that is gone."""
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            if self._begun:
                await self._send(send, b": running\r\n\r\n")

    async def _send(self, send: Send, piece: bytes) -> None:
        async with self._sending:
            await send({"type": "http.response.body", "body": piece, "more_body": True})


async def _disconnected(receive: Receive) -> None:
    """Returns when the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def run_to_end(threads: Threads, order: RunOrder, thread_id: str | None) -> Json:
    """The state after a run. Without a thread the run gets its own, which is deleted at its end.

    Raises `ServiceError` when the run cannot begin, `RunFailed` when it fails.
    """
    async with threads.run(order, thread_id) as (named, given):
        with run_errors():
            return wire(await threads.graph.ainvoke(given, run_config(order, named), durability="sync"))


async def while_connected(request: Request, work: Coroutine[Any, Any, Response]) -> Response:
    """The response of `work`, which is cancelled when the client disconnects."""
    working, gone = asyncio.create_task(work), asyncio.create_task(_disconnected(request.receive))
    try:
        await asyncio.wait([working, gone], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (gone, *([] if working.done() else [working])):
            task.cancel()
        await asyncio.gather(gone, working, return_exceptions=True)
    return Response(status_code=499) if working.cancelled() else working.result()


async def wait_run(request: Request) -> Response:
    """`POST /threads/{thread_id}/runs/wait` and `POST /runs/wait`: the values after the run, or `__error__`."""
    order = await read_run(request)

    async def values() -> Response:
        try:
            return json_response(await run_to_end(request.app.state.threads, order, _named_thread(request)))
        except RunFailed as failed:
            return json_response({"__error__": failed.told})

    return await while_connected(request, values())


MOST_RUNS = 200
"""Runs of `POST .../runs` whose end can still be read."""


class BackgroundRuns:
    """Runs that go on without their client, until the service stops."""

    def __init__(self, threads: Threads) -> None:
        self._threads = threads
        self._runs: dict[str, tuple[dict[str, Json], asyncio.Task[Json]]] = {}

    def start(self, order: RunOrder, thread_id: str | None) -> Json:
        """Starts a run. Returns it as a `Run` of langgraph-sdk."""
        run_id, now = str(uuid4()), datetime.now(UTC).isoformat()
        about: dict[str, Json] = {
            "run_id": run_id,
            "thread_id": thread_id,
            "assistant_id": GRAPH,
            "created_at": now,
            "updated_at": now,
            "metadata": {},
            "multitask_strategy": order.multitask_strategy,
        }
        task = self._threads.start(run_to_end(self._threads, order, thread_id))
        ended = [one for one, (_, running) in self._runs.items() if running.done()]
        for one in ended[: max(0, len(self._runs) + 1 - MOST_RUNS)]:
            del self._runs[one]
        self._runs[run_id] = about, task
        return {**about, "status": "running"}

    def found(self, thread_id: str, run_id: str) -> tuple[dict[str, Json], asyncio.Task[Json]]:
        """What is known of a run. Raises `ServiceError` 404."""
        found = self._runs.get(run_id)
        if found is None or found[0]["thread_id"] != thread_id:
            raise ServiceError(404, "no_run", "There is no such run on this thread.")
        return found


async def create_run(request: Request) -> Response:
    """`POST /threads/{thread_id}/runs` and `POST /runs`: starts a run in the background."""
    order, thread_id = await read_run(request), _named_thread(request)
    if thread_id is not None:
        threads: Threads = request.app.state.threads
        if threads.busy(thread_id) and order.multitask_strategy == "reject":
            raise ServiceError(409, "busy", "Another run is under way on this thread.")
        await threads.begun(order, thread_id)
    runs: BackgroundRuns = request.app.state.runs
    return json_response(runs.start(order, thread_id))


def _run_of(request: Request) -> tuple[dict[str, Json], asyncio.Task[Json]]:
    runs: BackgroundRuns = request.app.state.runs
    return runs.found(thread_of(request.path_params["thread_id"]), request.path_params["run_id"])


async def read_background(request: Request) -> Response:
    about, task = _run_of(request)
    status = "running"
    if task.done():
        failed = task.cancelled() or task.exception() is not None
        values = None if failed else task.result()
        waits = isinstance(values, dict) and values.get("__interrupt__")
        status = "error" if failed else "interrupted" if waits else "success"
    return json_response({**about, "status": status})


async def join_run(request: Request) -> Response:
    """`GET /threads/{thread_id}/runs/{run_id}/join`: the values once it has ended."""
    _, task = _run_of(request)
    await asyncio.wait([task])
    if task.cancelled():
        return json_response({"__error__": {"error": "cancelled", "message": "The run was cancelled."}})
    try:
        return json_response(task.result())
    except ServiceError as error:
        return json_response({"__error__": {"error": error.code, "message": error.detail}})


async def cancel_run(request: Request) -> Response:
    _, task = _run_of(request)
    task.cancel()
    await asyncio.wait([task])
    return Response(status_code=204)


def _named_thread(request: Request) -> str | None:
    given = request.path_params.get("thread_id")
    return None if given is None else thread_of(given)


MOST_INPUTS = 20
AT_ONCE = 4

T = TypeVar("T", "InvokeOrder", "BatchOrder")


class InvokeOrder(msgspec.Struct, frozen=True):
    """The body of `invoke` and `stream`.

    `config["configurable"]["thread_id"]` may name a thread that keeps the state. `kwargs` must be empty.
    """

    input: dict[str, Any]
    config: ConfigOrder = ConfigOrder()
    kwargs: dict[str, Any] = {}

    @property
    def thread_id(self) -> str | None:
        named = self.config.configurable.get("thread_id")
        return thread_of(str(named)) if named else None

    @property
    def run(self) -> RunOrder:
        return RunOrder("", self.input, config=self.config, if_not_exists="create", stream_mode="updates")


class BatchOrder(msgspec.Struct, frozen=True):
    """The body of `batch`. `config` is one for all inputs, or one for each."""

    inputs: list[dict[str, Any]]
    config: ConfigOrder | list[ConfigOrder] = ConfigOrder()
    kwargs: dict[str, Any] = {}


def _plain(order: T) -> T:
    if order.kwargs:
        raise ServiceError(422, "not_offered", "kwargs are not offered here.")
    return order


async def invoke(request: Request) -> Response:
    threads: Threads = request.app.state.threads
    order = _plain(await read_order(request, InvokeOrder))

    async def invoked() -> Response:
        metadata = {"run_id": str(uuid4()), "feedback_tokens": []}
        return json_response({"output": await _output(threads, order), "metadata": metadata})

    return await while_connected(request, invoked())


async def batch(request: Request) -> Response:
    """`POST /graph/batch`: the states after several runs, in order. The first error is that of the whole batch."""
    threads: Threads = request.app.state.threads
    order = _plain(await read_order(request, BatchOrder))
    configs = order.config if isinstance(order.config, list) else [order.config] * len(order.inputs)
    if not order.inputs or len(order.inputs) > MOST_INPUTS or len(configs) != len(order.inputs):
        raise ServiceError(422, "wrong_form", f"A batch has 1 to {MOST_INPUTS} inputs, with one config or one for each.")
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(given: dict[str, Any], config: ConfigOrder) -> Json:
        async with slots:
            return await _output(threads, InvokeOrder(given, config))

    async def batched() -> Response:
        tasks = [asyncio.create_task(one(*pair)) for pair in zip(order.inputs, configs, strict=True)]
        try:
            outputs = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
        run_ids = [str(uuid4()) for _ in outputs]
        responses = [{"run_id": run_id, "feedback_tokens": []} for run_id in run_ids]
        return json_response({"output": outputs, "metadata": {"run_ids": run_ids, "responses": responses}})

    return await while_connected(request, batched())


async def stream(request: Request) -> Response:
    """`POST /graph/stream`: the updates of the graph as `data` events."""
    order = _plain(await read_order(request, InvokeOrder))
    return LangServeStream(request.app.state.threads, order.run, order.thread_id)


class LangServeStream(RunStream):
    """A stream whose events have LangServe's names."""

    async def _events(self, given: Any, thread_id: str) -> AsyncIterator[tuple[str, Json]]:
        async for name, data in super()._events(given, thread_id):
            if name == "error" and isinstance(data, dict):
                yield "error", {"status_code": 500, "message": f"{data['error']}: {data['message']}"}
            elif name == "metadata":
                yield name, data
            elif name != "end":
                yield "data", data
        yield "end", None


async def not_here(request: Request) -> Response:
    """The rest of LangServe's endpoints."""
    what = request.path_params["what"]
    raise ServiceError(501, "not_offered", f"{what} is not offered here; use invoke, batch or stream.")


async def _output(threads: Threads, order: InvokeOrder) -> Json:
    """The state after the run. Raises `ServiceError`."""
    if order.thread_id is not None:
        threads.create(order.thread_id)
    return await run_to_end(threads, order.run, order.thread_id)
