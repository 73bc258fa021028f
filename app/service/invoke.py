"""LangServe's `invoke`, so that its unmodified `RemoteRunnable` works: a state in, the state behind the run out.

What waits for an answer stands in the output as `__interrupt__`, as LangGraph says it in process. Refuses batches and streams:
the other protocol has those.
"""

import logging
from typing import Any
from uuid import uuid4

import msgspec
from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphRecursionError
from starlette.requests import Request
from starlette.responses import Response

from app.domain.errors import AgentsPaused, CapReached, ExpectedError, ModelUnavailable
from app.domain.tools import Json
from app.service.orders import ConfigOrder, RunOrder, read_order, recursion, thread_of
from app.service.refusals import Refusal, failure
from app.service.threads import Threads, config_of
from app.service.wire import packed, wire

log = logging.getLogger(__name__)

PASSING = (ModelUnavailable, CapReached, AgentsPaused)
"""Trouble that is not the request's."""


class InvokeOrder(msgspec.Struct, frozen=True):
    """The body: `config["configurable"]["thread_id"]` may name a thread, on which the state stays; `kwargs` must be empty."""

    input: dict[str, Any]
    config: ConfigOrder = ConfigOrder()
    kwargs: dict[str, Any] = {}


async def invoke(request: Request) -> Response:
    """`POST /graph/invoke`."""
    order = await read_order(request, InvokeOrder)
    if order.kwargs:
        raise Refusal(422, "not_offered", "kwargs are not offered here.")
    threads: Threads = request.app.state.threads
    named = order.config.configurable.get("thread_id")
    thread_id = thread_of(str(named)) if named else str(uuid4())
    threads.create(thread_id)
    async with threads.held(thread_id):
        given = await threads.begun(RunOrder("", order.input, if_not_exists="create"), thread_id)
        try:
            output = await _ran(threads, given, {**config_of(thread_id), "recursion_limit": recursion(order.config)})
        finally:
            if not named:
                await threads.forget(thread_id)
    metadata: Json = {"run_id": str(uuid4()), "feedback_tokens": []}
    return Response(packed({"output": output, "metadata": metadata}), media_type="application/json")


async def _ran(threads: Threads, given: Any, config: RunnableConfig) -> Json:
    """The state behind the run. Raises `Refusal` in place of its trouble."""
    try:
        return wire(await threads.graph.ainvoke(given, config, durability="sync"))
    except GraphRecursionError:
        raise Refusal(500, "recursion", "The run took too many steps.") from None
    except ExpectedError as error:
        raise Refusal(503 if isinstance(error, PASSING) else 422, error.code, str(error)) from None
    except Exception as error:
        log.exception("a run failed")
        raise Refusal(500, "internal", failure(error)["message"]) from None
