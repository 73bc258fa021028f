"""Parses and validates the JSON bodies of requests."""

import asyncio
import json
import logging
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any, Literal, TypeVar
from uuid import UUID

import msgspec
from langchain_core.messages import BaseMessage, HumanMessage, convert_to_messages
from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphRecursionError
from langgraph.types import Interrupt, StateSnapshot
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ExceptionHandler

from app.agent.agents.gmail.graph import NODE, RECURSION_LIMIT
from app.agent.llm.turns import UnusableAnswer
from app.domain.agents.tools import Json
from app.domain.errors import AgentsPaused, CapReached, ExpectedError, ModelUnavailable
from app.domain.record import Record, asdict

log = logging.getLogger(__name__)


class ServiceError(Exception):
    """An error answer to the client.

    `status` is the HTTP status, `code` is for programs, `detail` a sentence without mail content.
    """

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(code)
        self.status, self.code, self.detail = status, code, detail


def refused(refusal: ServiceError) -> Response:
    headers = {"WWW-Authenticate": "Bearer"} if refusal.status == 401 else {}
    return JSONResponse({"code": refusal.code, "detail": refusal.detail}, refusal.status, headers)


class RunFailed(ServiceError):
    """The error of a run that had begun."""

    @property
    def told(self) -> dict[str, Json]:
        """The error as streams and `__error__` tell it."""
        return {"error": self.code, "message": self.detail}


PASSING = (ModelUnavailable, CapReached, AgentsPaused)
"""Errors that do not come from the request."""


@contextmanager
def run_errors() -> Iterator[None]:
    """Turns the errors of a run into `RunFailed`. Unexpected errors give no details."""
    try:
        yield
    except GraphRecursionError:
        raise RunFailed(500, "recursion", "The run took too many steps.") from None
    except UnusableAnswer as error:  # its code is that of an unreachable model, which is temporary
        raise RunFailed(422, "unusable_answer", str(error)) from None
    except ExpectedError as error:
        raise RunFailed(503 if isinstance(error, PASSING) else 422, error.code, str(error)) from None
    except ServiceError:
        raise
    except Exception:
        log.exception("a run failed")
        raise RunFailed(500, "internal", "The service met a fault of its own; its log tells where.") from None


async def _on_refusal(_request: Request, error: Exception) -> Response:
    assert isinstance(error, ServiceError)
    return refused(error)


async def _on_http(_request: Request, error: Exception) -> Response:
    """Errors of the router: unknown path or method."""
    assert isinstance(error, HTTPException)
    code = "not_found" if error.status_code == 404 else "not_allowed"
    return refused(ServiceError(error.status_code, code, f"{error.detail}."))


HANDLERS: dict[int | type[Exception], ExceptionHandler] = {ServiceError: _on_refusal, HTTPException: _on_http}


LARGEST_BODY = 2_000_000
"""Bytes."""
BODY_S = 30.0
"""Seconds for a whole body to arrive."""
GRAPH = NODE

MODES = frozenset({"values", "updates", "custom", "messages-tuple", "tasks"})

T = TypeVar("T")


class CommandOrder(msgspec.Struct, frozen=True):
    """`resume` as in LangGraph's `Command`: a value, or values by interrupt id."""

    resume: Any = msgspec.UNSET
    update: Any = None
    goto: Any = None


class ConfigOrder(msgspec.Struct, frozen=True):
    """The accepted part of a `RunnableConfig`. Other fields would reach into LangGraph."""

    recursion_limit: int = RECURSION_LIMIT
    configurable: dict[str, Any] = {}


class RunOrder(msgspec.Struct, frozen=True):
    """The body of `runs/stream`."""

    assistant_id: str
    input: dict[str, Any] | None = None
    command: CommandOrder | None = None
    config: ConfigOrder = ConfigOrder()
    stream_mode: str | list[str] = "values"
    stream_subgraphs: bool = False
    multitask_strategy: Literal["enqueue", "reject"] = "enqueue"
    if_not_exists: Literal["create", "reject"] = "reject"
    on_disconnect: Literal["cancel"] = "cancel"
    on_completion: Literal["delete", "keep"] = "delete"

    @property
    def modes(self) -> list[str]:
        return list(dict.fromkeys([self.stream_mode] if isinstance(self.stream_mode, str) else self.stream_mode))


NOT_OFFERED = (
    "context", "checkpoint", "checkpoint_id", "interrupt_before", "interrupt_after", "feedback_keys", "webhook", "after_seconds",
    "stream_resumable", "langsmith_tracer",
)  # fmt: skip
"""Fields of LangGraph's `runs/stream` that must be empty."""


def json_response(value: Json) -> Response:
    return Response(packed(value), media_type="application/json")


async def read_order(request: Request, form: type[T], not_offered: Iterable[str] = ()) -> T:
    """Parses the body as `form`. `not_offered` must be empty. Raises `ServiceError` with status 408, 413, 415 or 422."""
    data = await _read_json(request)
    try:
        order = msgspec.convert(data, form)
    except msgspec.ValidationError as error:
        raise ServiceError(422, "wrong_form", f"{error}.") from None
    for name in not_offered:
        if isinstance(data, dict) and data.get(name):
            raise ServiceError(422, "not_offered", f"{name} is not offered here.")
    return order


async def read_run(request: Request) -> RunOrder:
    """Parses the body of `runs/stream`. Raises `ServiceError`."""
    order = await read_order(request, RunOrder, NOT_OFFERED)
    check_graph(order.assistant_id)
    if not order.modes or not MODES.issuperset(order.modes):
        raise ServiceError(422, "not_offered", f"stream_mode can be {', '.join(sorted(MODES))} here.")
    if order.command is not None:
        command = order.command
        if command.update or command.goto or command.resume is msgspec.UNSET:
            raise ServiceError(422, "not_offered", "A command can resume here, and nothing else.")
        if order.input is not None:
            raise ServiceError(422, "wrong_form", "Send an input or a command, not both.")
    return order


def check_input(given: Mapping[str, Any]) -> None:
    """Raises `ServiceError` 422 unless the input has messages, one of them the owner's."""
    try:
        messages = convert_to_messages(given.get("messages") or [])
    except (TypeError, ValueError, RuntimeError):
        raise ServiceError(422, "wrong_form", "messages must be a list of messages.") from None
    if not any(isinstance(one, HumanMessage) and one.text.strip() for one in messages):
        raise ServiceError(
            422, "no_messages", 'Send the task in messages, e.g. [{"role": "user", "content": "Find the invoice"}].'
        )


def check_graph(name: str) -> None:
    """Raises `ServiceError` 404 for an unknown graph."""
    if name != GRAPH:
        raise ServiceError(404, "no_graph", f"There is one graph here: {GRAPH}.")


def thread_of(text: str) -> str:
    """A thread's UUID in canonical form. Raises `ServiceError` 422."""
    try:
        return str(UUID(text))
    except ValueError:
        raise ServiceError(422, "wrong_form", "A thread's id is a uuid.") from None


async def _read_json(request: Request) -> Json:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise ServiceError(415, "not_json", "Send application/json.")
    announced = request.headers.get("content-length", "")
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            pieces = request.stream()
            while len(body) <= LARGEST_BODY and not (announced.isdecimal() and int(announced) > LARGEST_BODY):
                piece = await anext(pieces, None)
                if piece is None:
                    break
                body += piece
            else:
                raise ServiceError(413, "too_large", f"A body has at most {LARGEST_BODY} bytes.")
    except TimeoutError:
        raise ServiceError(408, "too_slow", f"The body took more than {BODY_S:.0f} s.") from None
    try:
        found: Json = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ServiceError(422, "not_json", "The body is no JSON that can be read.") from None
    return found


def _no_constant(name: str) -> None:
    raise ValueError(name)


def wire(value: Any) -> Json:
    """`value` as JSON types. Raises `TypeError`."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return _whole(value.value if isinstance(value, Enum) else value)
    if isinstance(value, Mapping):
        return {_whole(str(key)): wire(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [wire(one) for one in value]
    for kind, converted in _OBJECTS:
        if isinstance(value, kind):
            return wire(converted(value))
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: wire(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} cannot be sent")


_OBJECTS: tuple[tuple[type[Any], Callable[[Any], Any]], ...] = (
    (BaseMessage, lambda message: message.model_dump()),
    (Interrupt, lambda one: {"value": one.value, "id": one.id}),
    (datetime, datetime.isoformat),
    (UUID, str),
    (Record, asdict),
)
"""The kinds of objects that a graph's state and stream hold."""


def _whole(text: str) -> str:
    """Replaces lone surrogates, which clients do not accept."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def packed(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def event(name: str, data: Json) -> bytes:
    return b"event: " + name.encode() + b"\r\ndata: " + packed(data) + b"\r\n\r\n"


def thread_state(snapshot: StateSnapshot) -> dict[str, Json]:
    return {
        "values": wire(snapshot.values),
        "next": list(snapshot.next),
        "tasks": [
            {
                "id": task.id,
                "name": task.name,
                "path": wire(task.path),
                "error": type(task.error).__name__ if task.error else None,
                "interrupts": wire(task.interrupts),
                "checkpoint": None,
                "state": None,
                "result": wire(task.result),
            }
            for task in snapshot.tasks
        ],
        "interrupts": wire(snapshot.interrupts),
        "checkpoint": place(snapshot.config),
        "parent_checkpoint": place(snapshot.parent_config) if snapshot.parent_config else None,
        "metadata": wire(snapshot.metadata or {}),
        "created_at": snapshot.created_at,
    }


def place(config: RunnableConfig) -> dict[str, Json]:
    """A `Checkpoint` of langgraph-sdk. Its id is None when the thread has none yet."""
    where = config["configurable"]
    return {
        "thread_id": str(where["thread_id"]),
        "checkpoint_ns": str(where.get("checkpoint_ns", "")),
        "checkpoint_id": where.get("checkpoint_id"),
        "checkpoint_map": {},
    }
