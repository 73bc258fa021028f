"""What is known of a thread: its state now, at a checkpoint, its history; and the graph itself.

Refuses checkpoints of other threads and writes that are no update of the graph's state.
"""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import msgspec
from langgraph.errors import InvalidUpdateError
from starlette.requests import Request
from starlette.responses import Response

from app.domain.tools import Json
from app.service.orders import check_graph, read_order, thread_of
from app.service.refusals import Refusal
from app.service.threads import Threads, config_of, thread_json
from app.service.wire import packed, place, thread_state, wire

MOST_STATES = 1000


class CheckpointOrder(msgspec.Struct, frozen=True):
    """A place in a thread's history."""

    thread_id: str = ""
    checkpoint_id: str | None = None
    checkpoint_ns: str = ""


class StateOrder(msgspec.Struct, frozen=True):
    """The body of `state/checkpoint`."""

    checkpoint: CheckpointOrder
    subgraphs: bool = False


class UpdateOrder(msgspec.Struct, frozen=True):
    """The body of `state`."""

    values: dict[str, Any] | None = None
    as_node: str | None = None
    checkpoint: CheckpointOrder = CheckpointOrder()
    checkpoint_id: str | None = None


class HistoryOrder(msgspec.Struct, frozen=True):
    """The body of `history`."""

    limit: int = 10
    before: str | CheckpointOrder | None = None
    metadata: dict[str, Any] | None = None
    checkpoint: CheckpointOrder = CheckpointOrder()


class ThreadOrder(msgspec.Struct, frozen=True):
    """The body of `threads`."""

    thread_id: str | None = None
    if_exists: str = "raise"


async def create_thread(request: Request) -> Response:
    """`POST /threads`."""
    threads: Threads = request.app.state.threads
    order = await read_order(request, ThreadOrder)
    thread_id = thread_of(order.thread_id) if order.thread_id else str(uuid4())
    if order.if_exists not in ("raise", "do_nothing"):
        raise Refusal(422, "not_offered", "if_exists can be raise or do_nothing here.")
    if order.if_exists == "raise" and await threads.known(thread_id):
        raise Refusal(409, "exists", "This thread is there already.")
    threads.create(thread_id)
    return _answer(thread_json(thread_id, await threads.state(thread_id), datetime.now(UTC)))


async def delete_thread(request: Request) -> Response:
    """`DELETE /threads/{thread_id}`, with everything on it."""
    threads: Threads = request.app.state.threads
    thread_id = thread_of(request.path_params["thread_id"])
    async with threads.held(thread_id, wait=False):
        await threads.check(thread_id)
        await threads.forget(thread_id)
    return Response(status_code=204)


async def read_state(request: Request) -> Response:
    """`GET /threads/{thread_id}/state`."""
    threads: Threads = request.app.state.threads
    return _answer(thread_state(await threads.state(thread_of(request.path_params["thread_id"]))))


async def state_at(request: Request) -> Response:
    """`POST /threads/{thread_id}/state/checkpoint`."""
    threads: Threads = request.app.state.threads
    thread_id = thread_of(request.path_params["thread_id"])
    where = (await read_order(request, StateOrder)).checkpoint
    return _answer(thread_state(await threads.state(thread_id, _of_thread(where, thread_id))))


async def write_state(request: Request) -> Response:
    """`POST /threads/{thread_id}/state`."""
    threads: Threads = request.app.state.threads
    thread_id = thread_of(request.path_params["thread_id"])
    order = await read_order(request, UpdateOrder)
    checkpoint_id = order.checkpoint_id or _of_thread(order.checkpoint, thread_id)
    async with threads.held(thread_id, wait=False):
        await threads.state(thread_id, checkpoint_id)
        try:
            config = await threads.graph.aupdate_state(config_of(thread_id, checkpoint_id), order.values, order.as_node)
        except InvalidUpdateError:
            raise Refusal(422, "wrong_form", "That is no update of this graph's state.") from None
    return _answer({"checkpoint": place(config)})


async def read_history(request: Request) -> Response:
    """`POST /threads/{thread_id}/history`: states, newest first."""
    threads: Threads = request.app.state.threads
    thread_id = thread_of(request.path_params["thread_id"])
    order = await read_order(request, HistoryOrder)
    if not 1 <= order.limit <= MOST_STATES:
        raise Refusal(422, "wrong_form", f"limit is between 1 and {MOST_STATES}.")
    await threads.check(thread_id)
    before = order.before if isinstance(order.before, str) else _of_thread(order.before or CheckpointOrder(), thread_id)
    history = threads.graph.aget_state_history(
        config_of(thread_id, _of_thread(order.checkpoint, thread_id)),
        filter=order.metadata,
        before=config_of(thread_id, before) if before else None,
        limit=order.limit,
    )
    return _answer([thread_state(one) async for one in history])


async def draw_graph(request: Request) -> Response:
    """`GET /assistants/{assistant_id}/graph`: nodes and edges."""
    check_graph(request.path_params["assistant_id"])
    threads: Threads = request.app.state.threads
    return _answer(wire((await threads.graph.aget_graph()).to_json()))


def _of_thread(where: CheckpointOrder, thread_id: str) -> str | None:
    """The checkpoint's id, None for the newest."""
    if where.thread_id and thread_of(where.thread_id) != thread_id:
        raise Refusal(422, "wrong_form", "That checkpoint is another thread's.")
    if where.checkpoint_ns:
        raise Refusal(422, "not_offered", "This graph has no graphs inside.")
    return where.checkpoint_id


def _answer(value: Json) -> Response:
    return Response(packed(value), media_type="application/json")
