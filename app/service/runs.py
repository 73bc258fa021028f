"""Runs the graph: as a stream of server-sent events (`runs/stream`), or in one response (`graph/invoke` for LangServe clients).

A stream begins with `metadata`, continues with the requested modes and ends with `error` or `end`. When the client disconnects,
the run and its model call are cancelled. `invoke` takes a state and returns the state after the run; a waiting interrupt is in
its output as `__interrupt__`.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any
from uuid import uuid4

import msgspec
from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphRecursionError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.domain.agents.tools import Json
from app.domain.errors import AgentsPaused, CapReached, ExpectedError, ModelUnavailable
from app.service.requests import ConfigOrder, RunOrder, ServiceError, failure, read_order, read_run, recursion, thread_of
from app.service.serialization import event, packed, wire
from app.service.threads import Threads, config_of

log = logging.getLogger(__name__)

HEARTBEAT_S = 15.0
SENT_AS = {"messages-tuple": "messages"}
"""LangGraph's names of stream modes that clients call differently."""


async def stream_run(request: Request) -> Response:
    """`POST /threads/{thread_id}/runs/stream` and `POST /runs/stream`."""
    given = request.path_params.get("thread_id")
    thread_id = None if given is None else thread_of(given)
    return RunStream(request.app.state.threads, await read_run(request), thread_id)


class RunStream(Response):
    """Runs while the response is sent. Without a thread the run gets its own, which is deleted at its end."""

    def __init__(self, threads: Threads, order: RunOrder, thread_id: str | None) -> None:
        super().__init__(media_type="text/event-stream", headers={"Cache-Control": "no-store"})
        del self.headers["content-length"]
        self._threads = threads
        self._order = order
        self._thread_id = thread_id
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
        """Names and data of all events."""
        yield "metadata", {"run_id": str(uuid4()), "attempt": 1}
        config: RunnableConfig = {**config_of(thread_id), "recursion_limit": recursion(self._order.config)}
        try:
            async for found in self._parts(given, config):
                yield found
        except GraphRecursionError:
            yield "error", {"error": "recursion", "message": "The run took too many steps."}
        except ExpectedError as error:
            yield "error", dict(failure(error))
        except Exception as error:
            log.exception("a run failed")
            yield "error", dict(failure(error))
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


PASSING = (ModelUnavailable, CapReached, AgentsPaused)
"""Errors that do not come from the request."""


class InvokeOrder(msgspec.Struct, frozen=True):
    """The body. `config["configurable"]["thread_id"]` may name a thread that keeps the state. `kwargs` must be empty."""

    input: dict[str, Any]
    config: ConfigOrder = ConfigOrder()
    kwargs: dict[str, Any] = {}


async def invoke(request: Request) -> Response:
    """`POST /graph/invoke`."""
    order = await read_order(request, InvokeOrder)
    if order.kwargs:
        raise ServiceError(422, "not_offered", "kwargs are not offered here.")
    threads: Threads = request.app.state.threads
    named = order.config.configurable.get("thread_id")
    thread_id = thread_of(str(named)) if named else str(uuid4())
    threads.create(thread_id)
    async with threads.held(thread_id):
        given = await threads.begun(RunOrder("", order.input, if_not_exists="create"), thread_id)
        try:
            output = await _output(threads, given, {**config_of(thread_id), "recursion_limit": recursion(order.config)})
        finally:
            if not named:
                await threads.forget(thread_id)
    metadata: Json = {"run_id": str(uuid4()), "feedback_tokens": []}
    return Response(packed({"output": output, "metadata": metadata}), media_type="application/json")


async def _output(threads: Threads, given: Any, config: RunnableConfig) -> Json:
    """The state after the run. Raises `ServiceError`."""
    try:
        return wire(await threads.graph.ainvoke(given, config, durability="sync"))
    except GraphRecursionError:
        raise ServiceError(500, "recursion", "The run took too many steps.") from None
    except ExpectedError as error:
        raise ServiceError(503 if isinstance(error, PASSING) else 422, error.code, str(error)) from None
    except Exception as error:
        log.exception("a run failed")
        raise ServiceError(500, "internal", failure(error)["message"]) from None
