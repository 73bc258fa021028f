"""Runs the graph as langgraph-sdk asks: as a stream of server-sent events, in one response, or in the background.

A stream begins with `metadata`, continues with the requested modes and ends with `error` or `end`. When the client of a stream or
of `runs/wait` disconnects, the run and its model call are cancelled. A waiting interrupt is in the values as `__interrupt__`.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.domain.agents.tools import Json
from app.service.requests import (
    GRAPH,
    RunFailed,
    RunOrder,
    ServiceError,
    json_response,
    read_run,
    recursion,
    run_errors,
    thread_of,
)
from app.service.serialization import event, wire
from app.service.threads import Threads, config_of

HEARTBEAT_S = 15.0
SENT_AS = {"messages-tuple": "messages"}
"""LangGraph's names of stream modes that clients call differently."""


async def stream_run(request: Request) -> Response:
    """`POST /threads/{thread_id}/runs/stream` and `POST /runs/stream`."""
    return RunStream(request.app.state.threads, await read_run(request), _named_thread(request))


class RunStream(Response):
    """Runs while the response is sent. Without a thread the run gets its own, which is deleted at its end."""

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
        own = self._thread_id is None
        thread_id = self._thread_id or str(uuid4())
        if own:
            self._threads.create(thread_id)
        async with self._threads.held(thread_id, wait=self._order.multitask_strategy != "reject"):
            try:
                given = await self._threads.begun(self._order, thread_id)
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                self._begun = True
                async for name, data in self._events(given, thread_id):
                    await self._send(send, event(name, data))
                self._streamed = True
            finally:
                if own and self._order.on_completion == "delete":
                    await self._threads.forget(thread_id)
            await send({"type": "http.response.body", "body": b""})

    async def _events(self, given: Any, thread_id: str) -> AsyncIterator[tuple[str, Json]]:
        yield "metadata", {"run_id": str(uuid4()), "attempt": 1}
        config: RunnableConfig = {**config_of(thread_id), "recursion_limit": recursion(self._order.config)}
        try:
            with run_errors():
                async for found in self._parts(given, config):
                    yield found
        except RunFailed as failed:
            yield "error", failed.told
        else:
            yield "end", None

    async def _parts(self, given: Any, config: RunnableConfig) -> AsyncIterator[tuple[str, Json]]:
        modes: Any = [SENT_AS.get(mode, mode) for mode in self._order.modes]
        stream = self._threads.graph.astream(given, config, stream_mode=modes, subgraphs=True, durability="sync")
        async for namespace, mode, data in stream:
            if not namespace or self._order.stream_subgraphs:
                yield "|".join((mode, *namespace)), wire(data)

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
    own = thread_id is None
    thread_id = thread_id or str(uuid4())
    if own:
        threads.create(thread_id)
    async with threads.held(thread_id, wait=order.multitask_strategy != "reject"):
        try:
            given = await threads.begun(order, thread_id)
            config: RunnableConfig = {**config_of(thread_id), "recursion_limit": recursion(order.config)}
            with run_errors():
                return wire(await threads.graph.ainvoke(given, config, durability="sync"))
        finally:
            if own and order.on_completion == "delete":
                await threads.forget(thread_id)


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
    return await while_connected(request, _values(request.app.state.threads, order, _named_thread(request)))


async def _values(threads: Threads, order: RunOrder, thread_id: str | None) -> Response:
    try:
        return json_response(await run_to_end(threads, order, thread_id))
    except RunFailed as failed:
        return json_response({"__error__": failed.told})


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

    def run(self, thread_id: str, run_id: str) -> Json:
        """One run with its status. Raises `ServiceError` 404."""
        about, task = self._found(thread_id, run_id)
        return {**about, "status": _status(task)}

    async def join(self, thread_id: str, run_id: str) -> Json:
        """The values after a run, or `__error__`."""
        _, task = self._found(thread_id, run_id)
        await asyncio.wait([task])
        if task.cancelled():
            return {"__error__": {"error": "cancelled", "message": "The run was cancelled."}}
        try:
            return task.result()
        except ServiceError as error:
            return {"__error__": {"error": error.code, "message": error.detail}}

    async def cancel(self, thread_id: str, run_id: str) -> None:
        _, task = self._found(thread_id, run_id)
        task.cancel()
        await asyncio.wait([task])

    def _found(self, thread_id: str, run_id: str) -> tuple[dict[str, Json], asyncio.Task[Json]]:
        found = self._runs.get(run_id)
        if found is None or found[0]["thread_id"] != thread_id:
            raise ServiceError(404, "no_run", "There is no such run on this thread.")
        return found


def _status(task: asyncio.Task[Json]) -> str:
    if not task.done():
        return "running"
    if task.cancelled() or task.exception() is not None:
        return "error"
    values = task.result()
    return "interrupted" if isinstance(values, dict) and values.get("__interrupt__") else "success"


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


async def read_background(request: Request) -> Response:
    """`GET /threads/{thread_id}/runs/{run_id}`."""
    runs: BackgroundRuns = request.app.state.runs
    return json_response(runs.run(thread_of(request.path_params["thread_id"]), request.path_params["run_id"]))


async def join_run(request: Request) -> Response:
    """`GET /threads/{thread_id}/runs/{run_id}/join`: the values once it has ended."""
    runs: BackgroundRuns = request.app.state.runs
    return json_response(await runs.join(thread_of(request.path_params["thread_id"]), request.path_params["run_id"]))


async def cancel_run(request: Request) -> Response:
    """`POST /threads/{thread_id}/runs/{run_id}/cancel`."""
    runs: BackgroundRuns = request.app.state.runs
    await runs.cancel(thread_of(request.path_params["thread_id"]), request.path_params["run_id"])
    return Response(status_code=204)


def _named_thread(request: Request) -> str | None:
    given = request.path_params.get("thread_id")
    return None if given is None else thread_of(given)
