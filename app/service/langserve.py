"""LangServe's wire format: `invoke`, `batch` and `stream` of its `RemoteRunnable` under `/graph`.

A state comes in, the state after the run goes out; a waiting interrupt is in it as `__interrupt__`. The rest of LangServe
is answered with 501.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, TypeVar
from uuid import uuid4

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from app.domain.agents.tools import Json
from app.service.requests import ConfigOrder, RunOrder, ServiceError, json_response, read_order, thread_of
from app.service.runs import RunStream, run_to_end, while_connected
from app.service.threads import Threads

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
