"""Parses and validates the JSON bodies of requests."""

import asyncio
import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, TypeVar
from uuid import UUID

import msgspec
from langchain_core.messages import HumanMessage, convert_to_messages
from langgraph.errors import GraphRecursionError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ExceptionHandler

from app.agent.agents.gmail.graph import NODE, RECURSION_LIMIT
from app.agent.llm.turns import UnusableAnswer
from app.domain.agents.tools import Json
from app.domain.errors import AgentsPaused, CapReached, ExpectedError, ModelUnavailable
from app.service.serialization import packed

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
RECURSION_CAP = RECURSION_LIMIT
"""Most supersteps of a run, whatever a client asks for."""

MODES = frozenset({"values", "updates", "custom", "messages-tuple", "tasks"})

T = TypeVar("T")


class CommandOrder(msgspec.Struct, frozen=True):
    """`resume` as in LangGraph's `Command`: a value, or values by interrupt id."""

    resume: Any = msgspec.UNSET
    update: Any = None
    goto: Any = None


class ConfigOrder(msgspec.Struct, frozen=True):
    """The accepted part of a `RunnableConfig`. Other fields would reach into LangGraph."""

    recursion_limit: int = RECURSION_CAP
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
        """The stream modes, each once."""
        return list(dict.fromkeys([self.stream_mode] if isinstance(self.stream_mode, str) else self.stream_mode))


NOT_OFFERED = (
    "context", "checkpoint", "checkpoint_id", "interrupt_before", "interrupt_after", "feedback_keys", "webhook", "after_seconds",
    "stream_resumable", "langsmith_tracer",
)  # fmt: skip
"""Fields of LangGraph's `runs/stream` that must be empty."""


def json_response(value: Json) -> Response:
    return Response(packed(value), media_type="application/json")


async def read_order(request: Request, form: type[T]) -> T:
    """Parses the body as `form`. Raises `ServiceError` with status 408, 413, 415 or 422."""
    return _converted(await _read_json(request), form)


def _converted(data: Json, form: type[T]) -> T:
    try:
        return msgspec.convert(data, form)
    except msgspec.ValidationError as error:
        raise ServiceError(422, "wrong_form", f"{error}.") from None


async def read_run(request: Request) -> RunOrder:
    """Parses the body of `runs/stream`. Raises `ServiceError`."""
    data = await _read_json(request)
    order = _converted(data, RunOrder)
    check_graph(order.assistant_id)
    for name in NOT_OFFERED:
        if isinstance(data, dict) and data.get(name):
            raise ServiceError(422, "not_offered", f"{name} is not offered here.")
    if not order.modes or not MODES.issuperset(order.modes):
        raise ServiceError(422, "not_offered", f"stream_mode can be {', '.join(sorted(MODES))} here.")
    if order.command is not None:
        _check_command(order.command, order.input)
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


def _check_command(command: CommandOrder, given: object) -> None:
    if command.update or command.goto or command.resume is msgspec.UNSET:
        raise ServiceError(422, "not_offered", "A command can resume here, and nothing else.")
    if given is not None:
        raise ServiceError(422, "wrong_form", "Send an input or a command, not both.")


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


def recursion(config: ConfigOrder) -> int:
    """The number of supersteps of a run, within the cap."""
    return max(1, min(config.recursion_limit, RECURSION_CAP))


async def _read_json(request: Request) -> Json:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise ServiceError(415, "not_json", "Send application/json.")
    try:
        async with asyncio.timeout(BODY_S):
            body = await _read_body(request)
    except TimeoutError:
        raise ServiceError(408, "too_slow", f"The body took more than {BODY_S:.0f} s.") from None
    try:
        found: Json = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ServiceError(422, "not_json", "The body is no JSON that can be read.") from None
    return found


async def _read_body(request: Request) -> bytes:
    """Reads up to `LARGEST_BODY` bytes. Checks Content-Length first."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > LARGEST_BODY:
        raise _too_large()
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_BODY:
            raise _too_large()
    return bytes(body)


def _too_large() -> ServiceError:
    return ServiceError(413, "too_large", f"A body has at most {LARGEST_BODY} bytes.")


def _no_constant(name: str) -> None:
    raise ValueError(name)
