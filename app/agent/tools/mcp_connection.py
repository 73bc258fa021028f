"""One server, owned by one task from its start to its end: listed, checked, started again with growing pauses when it crashes.

The way to a server: a child process with a small environment, or streamable HTTP.

A server's listing and results in the program's words: fit tools with their digests, results as bounded JSON.
"""

import asyncio
import logging
import os
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

import anyio
import httpx
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp.types import CallToolResult, Implementation, TextContent, Tool

from app.agent.llm.schemas import stranger_fault
from app.domain.agents.servers import Consents, ServerState, ServerTool, ToolState, digest_of, launch_of
from app.domain.agents.tools import CallApproval, Json, McpServer, ToolDefinition
from app.domain.errors import ExpectedError, ServerError
from app.domain.policy.policy import Effect

Message = SessionMessage | Exception


class WatchedStream:
    """A server's messages; `ended` is called when no more can come."""

    def __init__(self, inner: ReadStream[Message], ended: Callable[[], None]) -> None:
        self._inner = inner
        self._ended = ended

    async def receive(self) -> Message:
        """The next message. Raises `EndOfStream`."""
        try:
            return await self._inner.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._ended()
            raise

    async def aclose(self) -> None:
        """Take no more."""
        await self._inner.aclose()

    def __aiter__(self) -> "WatchedStream":
        return self

    async def __anext__(self) -> Message:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> "WatchedStream":
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()


@asynccontextmanager
async def connected(
    server: McpServer, ended: Callable[[], None]
) -> AsyncIterator[tuple[ReadStream[Message], WriteStream[SessionMessage]]]:
    """The server's streams while it is open. What a child writes to its standard error may hold mail and is kept nowhere."""
    if server.url:
        async with streamable_http_client(server.url) as (read, write):
            yield WatchedStream(read, ended), write
        return
    parameters = StdioServerParameters(command=server.command, args=list(server.args), env=dict(server.env), cwd=Path.home())
    with _nowhere() as nowhere:
        async with stdio_client(parameters, errlog=nowhere) as (read, write):
            yield WatchedStream(read, ended), write


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


LONGEST_TEXT = 20_000
LONGEST_DESCRIPTION = 4_000
LONGEST_SCHEMA = 40_000
FIT_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def full_name(server: McpServer, tool: str) -> str:
    """What the model calls it by."""
    return f"{server.name}__{tool}"


def listed(server: McpServer, tool: Tool, pins: Mapping[str, str] | None) -> ServerTool:
    """A tool with its state; without pins (the first listing) a fit tool is agreed to."""
    description = tool.description or ""
    digest = digest_of(tool.name, description, tool.input_schema)
    asking = server.ask.get(tool.name, CallApproval.ASK)
    return ServerTool(tool.name, description[:LONGEST_DESCRIPTION], digest, _state(server, tool, digest, pins), asking)


def definition(server: McpServer, tool: Tool) -> ToolDefinition:
    """The tool for the registry: it reaches the net, asks by default, and every text it is given leaves the machine."""
    properties = tool.input_schema.get("properties", {})
    texts = tuple(name for name, schema in properties.items() if isinstance(schema, dict) and schema.get("type") == "string")
    return ToolDefinition(
        name=full_name(server, tool.name),
        description=(tool.description or "")[:LONGEST_DESCRIPTION],
        parameters=tool.input_schema,
        effect=Effect.NET,
        text_args=texts,
        asking=server.ask.get(tool.name, CallApproval.ASK),
    )


def as_result(result: CallToolResult) -> Json:
    """What the model is told: texts and structured content, cut; other parts by their kind alone."""
    texts = [part.text for part in result.content if isinstance(part, TextContent)]
    others = [part.type for part in result.content if not isinstance(part, TextContent)]
    text = "\n".join(texts)
    told: dict[str, Any] = {"text": text[:LONGEST_TEXT]}
    if len(text) > LONGEST_TEXT:
        told["truncated"] = True
    if result.structured_content is not None and not texts:
        told["structured"] = result.structured_content
    if others:
        told["left_out"] = others
    return {"error": told["text"] or "The tool failed."} if result.is_error else told


def _state(server: McpServer, tool: Tool, digest: str, pins: Mapping[str, str] | None) -> ToolState:
    if not _fit(server, tool):
        return ToolState.UNFIT
    if pins is None or pins.get(tool.name) == digest:
        return ToolState.AGREED
    return ToolState.CHANGED if tool.name in pins else ToolState.NEW


def _fit(server: McpServer, tool: Tool) -> bool:
    """Whether a model could be offered it."""
    schema = tool.input_schema
    if FIT_NAME.fullmatch(full_name(server, tool.name)) is None or len(str(schema)) > LONGEST_SCHEMA:
        return False
    if stranger_fault(schema):
        return False
    return schema.get("type") == "object" and isinstance(schema.get("properties", {}), dict)


log = logging.getLogger(__name__)

START_S = 30.0
LIST_S = 15.0
CALL_S = 55.0
CHECK_S = 60.0
"""How often a running server's tools are listed again: it may have changed them without saying so."""
FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 300.0
MOST_PAGES = 20
TROUBLE = (
    MCPError,
    OSError,
    RuntimeError,
    ValueError,
    TimeoutError,
    ExceptionGroup,
    LookupError,
    httpx.HTTPError,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
    anyio.EndOfStream,
    ExpectedError,
)
"""How a server fails us: it does not start, ends, answers nonsense or nothing; or what it told cannot be kept."""


class Connection:
    """`changed` is called when the state or the tools are others. Start it inside a running loop."""

    def __init__(
        self, server: McpServer, consents: Consents, changed: Callable[[], None], first_wait_s: float = FIRST_WAIT_S
    ) -> None:
        self.server = server
        self.launch = launch_of(server)
        self.state = ServerState.STOPPED
        self.detail = ""
        self.tools: dict[str, tuple[Tool, ServerTool]] = {}
        self._consents = consents
        self._changed = changed
        self._first_wait_s = first_wait_s
        self._client: Client | None = None
        self._task: asyncio.Task[None] | None = None
        self._stop, self._look = asyncio.Event(), asyncio.Event()
        self._asking: anyio.CancelScope | None = None
        self._ended = False

    def start(self) -> None:
        """Start the server if the owner agreed to it; else say that consent is missing."""
        if self._task is not None and not self._task.done():
            return
        if not self._consents.granted(self.launch):
            self._tell(ServerState.NEEDS_CONSENT)
            return
        self._stop.clear()
        self._task = asyncio.create_task(self._own(), name=f"mcp {self.server.name}")

    async def close(self) -> None:
        """End the server and wait for its end; one that is being asked something at this moment is not waited for."""
        self._stop.set()
        self._look.set()
        if self._asking is not None:
            self._asking.cancel()
        if self._task is not None:
            await asyncio.wait([self._task])
            self._task = None
        self._tell(ServerState.STOPPED)

    def recheck(self) -> None:
        """Look at the tools again, soon."""
        self._look.set()

    async def call(self, tool: str, arguments: dict[str, Any]) -> Json:
        """The result. Raises `ServerError` where the server is not there, or went away meanwhile."""
        client, known = self._client, self.tools.get(tool)
        if client is None or known is None or known[1].state is not ToolState.AGREED:
            raise ServerError(f"{self.server.name}: {tool} is not there now.")
        try:
            with anyio.fail_after(CALL_S):
                return as_result(await client.call_tool(tool, arguments, read_timeout_seconds=CALL_S))
        except TROUBLE as error:
            self._look.set()
            raise ServerError(f"{self.server.name}: {tool} gave no answer ({type(error).__name__}).") from error

    async def _own(self) -> None:
        """Start, serve, and start again, until told to stop."""
        wait_s = self._first_wait_s
        while not self._stop.is_set():
            self._tell(ServerState.STARTING)
            served = await self._serve_once()
            if self._stop.is_set():
                break
            wait_s = self._first_wait_s if served else min(wait_s * 2, LONGEST_WAIT_S)
            self._tell(ServerState.RETRYING, self.detail or "The server ended.")
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._stop.wait()

    async def _serve_once(self) -> bool:
        """One life of the server; whether it came to answer. All of it in this task, as its scopes demand."""
        served = False
        self.detail = ""
        starting = self._asking = anyio.CancelScope()
        try:
            with starting:
                async with Client(
                    connected(self.server, self._at_end),
                    cache=None,
                    client_info=Implementation(name="replyroom", version="1"),
                    read_timeout_seconds=START_S,
                ) as client:
                    await self._list(client)
                    self._client, served, self._asking = client, True, None
                    self._tell(ServerState.RUNNING)
                    await self._watch(client)
        except TROUBLE as error:
            log.info("server %s: %s", self.server.name, type(error).__name__)
            self.detail = _words(error)
        finally:
            self._client, self._asking, self._ended = None, None, False
        return served

    async def _watch(self, client: Client) -> None:
        """Until the server ends, or must: its tools are looked at now and then, and whenever something was odd."""
        while not self._stop.is_set() and not self._ended:
            self._look.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(CHECK_S):
                    await self._look.wait()
            if not self._stop.is_set() and not self._ended:
                with anyio.CancelScope() as self._asking:
                    await self._list(client)
                self._asking = None

    def _at_end(self) -> None:
        self._ended = True
        self._look.set()

    async def _list(self, client: Client) -> None:
        """Read the tools and compare them with what was agreed to; the first listing is agreed to as it is."""
        found: list[Tool] = []
        cursor: str | None = None
        with anyio.fail_after(LIST_S):
            for _ in range(MOST_PAGES):
                page = await client.list_tools(cursor=cursor)
                found += page.tools
                cursor = page.next_cursor
                if cursor is None:
                    break
        pins = self._consents.pins(self.launch)
        tools = {tool.name: (tool, listed(self.server, tool, pins)) for tool in found}
        if pins is None:
            agreed = {name: one.digest for name, (_, one) in tools.items() if one.state is ToolState.AGREED}
            await asyncio.to_thread(self._consents.pin, self.launch, agreed)
        if tools != self.tools:
            self.tools = tools
            self._changed()

    def _tell(self, state: ServerState, detail: str = "") -> None:
        if (state, detail) != (self.state, self.detail):
            self.state, self.detail = state, detail
            self._changed()


def _words(error: BaseException) -> str:
    """The first trouble in a group of them, in a line."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {str(error)[:300]}"
