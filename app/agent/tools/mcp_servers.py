"""The MCP servers of all agent profiles: starts and stops them, shares one process between equal launches, lists tools by
profile.
"""

import asyncio
import logging
import os
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import anyio
import httpx
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp.types import CallToolResult, Implementation, TextContent, Tool

from app.agent.llm.schemas import foreign_schema_error
from app.agent.tools.registry import RegisteredTool
from app.config.consents import ConsentFile
from app.domain.agents.tools import (
    AgentProfile,
    CallApproval,
    Json,
    McpServer,
    ServerState,
    ServerStatus,
    ServerTool,
    ToolDefinition,
    ToolState,
    digest_of,
    launch_of,
    line_of,
)
from app.domain.errors import ExpectedError, ServerError
from app.domain.policy.policy import Effect
from app.domain.record import replace

log = logging.getLogger(__name__)

Streams = tuple[ReadStream[SessionMessage | Exception], WriteStream[SessionMessage]]


@asynccontextmanager
async def connected(server: McpServer) -> AsyncIterator[Streams]:
    """Opens the server and yields its streams. A child's standard error may hold mail and is discarded."""
    if server.url:
        async with streamable_http_client(server.url) as (read, write):
            yield read, write
        return
    parameters = StdioServerParameters(command=server.command, args=list(server.args), env=dict(server.env), cwd=Path.home())
    with _discarding() as nowhere:
        async with stdio_client(parameters, errlog=nowhere) as (read, write):
            yield read, write


def _discarding() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


LONGEST_TEXT = 20_000
LONGEST_DESCRIPTION = 4_000
LONGEST_SCHEMA = 40_000
FIT_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def full_name(server: McpServer, tool: str) -> str:
    """Name of the tool for the model: `server__tool`."""
    return f"{server.name}__{tool}"


def listed(server: McpServer, tool: Tool, pins: Mapping[str, str] | None) -> ServerTool:
    """A listed tool with its state. Without `pins` (first listing) every usable tool is agreed to."""
    description, schema = tool.description or "", tool.input_schema
    digest = digest_of(tool.name, description, schema)
    named = FIT_NAME.fullmatch(full_name(server, tool.name)) is not None and len(str(schema)) <= LONGEST_SCHEMA
    fits = named and not foreign_schema_error(schema) and schema.get("type") == "object"
    if not fits or not isinstance(schema.get("properties", {}), dict):
        state = ToolState.UNFIT
    elif pins is None or pins.get(tool.name) == digest:
        state = ToolState.AGREED
    else:
        state = ToolState.CHANGED if tool.name in pins else ToolState.NEW
    asking = server.ask.get(tool.name, CallApproval.ASK)
    return ServerTool(tool.name, description[:LONGEST_DESCRIPTION], digest, state, asking)


def definition(server: McpServer, tool: Tool) -> ToolDefinition:
    """The tool's definition for the registry: effect NET, asks by default, all string arguments count as text that leaves the
    machine.
    """
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
    """The result as JSON for the model: texts (cut), structured content where there is no text, and the types of other parts."""
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


START_S = 30.0
LIST_S = 15.0
CALL_S = 55.0
CHECK_S = 60.0
"""A running server's tools are listed again this often, in case they changed without notice."""
FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 300.0
MOST_PAGES = 20
SERVER_ERRORS = (
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
"""Errors of a server: it does not start, ends, answers nothing or invalid data, or its consents cannot be stored."""


class Connection:
    """One MCP server. `changed` is called when its state or its tools change. `start` needs a running loop.

    One task owns the connection from start to end, because the SDK's cancel scopes must be closed by the task that opened them.
    """

    def __init__(
        self, server: McpServer, consents: ConsentFile, changed: Callable[[], None], first_wait_s: float = FIRST_WAIT_S
    ) -> None:
        self.server = server
        self.launch = launch_of(server)
        self.state = ServerState.STOPPED
        self.detail = ""
        self.tools: dict[str, tuple[Tool, ServerTool]] = {}
        self._consents, self._changed, self._first_wait_s = consents, changed, first_wait_s
        self._client: Client | None = None
        self._task: asyncio.Task[None] | None = None
        self._stop, self._recheck = asyncio.Event(), asyncio.Event()
        self._scope: anyio.CancelScope | None = None

    def start(self) -> None:
        """Starts the server if the owner consented to its launch; else sets the state `NEEDS_CONSENT`."""
        if self._task is not None and not self._task.done():
            return
        if not self._consents.granted(self.launch):
            self._set_state(ServerState.NEEDS_CONSENT)
            return
        self._stop.clear()
        self._task = asyncio.create_task(self._keep_running(), name=f"mcp {self.server.name}")

    async def close(self) -> None:
        """Stops the server and waits for its task. A start or listing in progress is cancelled."""
        self._stop.set()
        self._recheck.set()
        if self._scope is not None:
            self._scope.cancel()
        if self._task is not None:
            await asyncio.wait([self._task])
            self._task = None
        self._set_state(ServerState.STOPPED)

    def recheck(self) -> None:
        """Lists the tools again soon."""
        self._recheck.set()

    async def call(self, tool: str, arguments: dict[str, Any]) -> Json:
        """Calls a tool. Raises `ServerError` where the server or the tool is not available, or the call fails."""
        client, known = self._client, self.tools.get(tool)
        if client is None or known is None or known[1].state is not ToolState.AGREED:
            raise ServerError(f"{self.server.name}: {tool} is not there now.")
        try:
            with anyio.fail_after(CALL_S):
                return as_result(await client.call_tool(tool, arguments, read_timeout_seconds=CALL_S))
        except SERVER_ERRORS as error:
            self._recheck.set()
            raise ServerError(f"{self.server.name}: {tool} gave no answer ({type(error).__name__}).") from error

    async def _keep_running(self) -> None:
        wait_s = self._first_wait_s
        while not self._stop.is_set():
            self._set_state(ServerState.STARTING)
            served = await self._serve_once()
            if self._stop.is_set():
                break
            wait_s = self._first_wait_s if served else min(wait_s * 2, LONGEST_WAIT_S)
            self._set_state(ServerState.RETRYING, self.detail or "The server ended.")
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._stop.wait()

    async def _serve_once(self) -> bool:
        """Runs the server once. Returns whether it got as far as listing its tools."""
        served = False
        self.detail = ""
        starting = self._scope = anyio.CancelScope()
        try:
            with starting:
                async with Client(
                    connected(self.server),
                    cache=None,
                    client_info=Implementation(name="replyroom", version="1"),
                    read_timeout_seconds=START_S,
                ) as client:
                    await self._list(client)
                    self._client, served, self._scope = client, True, None
                    self._set_state(ServerState.RUNNING)
                    await self._watch(client)
        except SERVER_ERRORS as failure:
            log.info("server %s: %s", self.server.name, type(failure).__name__)
            error: BaseException = failure
            while isinstance(error, BaseExceptionGroup):
                error = error.exceptions[0]
            self.detail = f"{type(error).__name__}: {str(error)[:300]}"
        finally:
            self._client, self._scope = None, None
        return served

    async def _watch(self, client: Client) -> None:
        """Waits until the server ends or is stopped; lists its tools every `CHECK_S` and on `recheck`."""
        while not self._stop.is_set():
            self._recheck.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(CHECK_S):
                    await self._recheck.wait()
            if not self._stop.is_set():
                with anyio.CancelScope() as self._scope:
                    await self._list(client)
                self._scope = None

    async def _list(self, client: Client) -> None:
        """Reads the tools and compares them with the consented digests. The first listing is pinned as it is."""
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

    def _set_state(self, state: ServerState, detail: str = "") -> None:
        if (state, detail) != (self.state, self.detail):
            self.state, self.detail = state, detail
            self._changed()


HANDLER_S = 60.0


class McpServers:
    """Connections by launch. `changed` is called when the state or tools of any server change."""

    def __init__(self, consents: ConsentFile, changed: Callable[[], None], first_wait_s: float = FIRST_WAIT_S) -> None:
        self._consents, self._changed, self._first_wait_s = consents, changed, first_wait_s
        self._profiles: tuple[AgentProfile, ...] = ()
        self._connections: dict[tuple[str, str], Connection] = {}

    async def use(self, profiles: Iterable[AgentProfile]) -> None:
        """Starts the servers of these profiles and closes those no profile names any more."""
        in_force = tuple(profiles)
        wanted = {_key(server): server for profile in in_force for server in profile.mcp_servers}
        gone = [self._connections.pop(key) for key in [*self._connections] if key not in wanted]
        for key, server in wanted.items():
            if key not in self._connections:
                self._connections[key] = Connection(server, self._consents, self._changed, self._first_wait_s)
        # `statuses` may be called while others close: every server listed needs its connection.
        self._profiles = in_force
        await asyncio.gather(*(one.close() for one in gone))
        for connection in [*self._connections.values()]:
            connection.start()

    async def look_again(self, launch: str) -> None:
        """Applies a changed consent: starts, lists again or closes the servers with this launch."""
        for connection in self._connections.values():
            if connection.launch != launch:
                continue
            if self._consents.granted(launch):
                connection.start()
                connection.recheck()
            else:
                await connection.close()
                connection.start()

    def tools(self, profile: AgentProfile) -> tuple[RegisteredTool, ...]:
        found: list[RegisteredTool] = []
        for server in profile.mcp_servers:
            connection = self._connections.get(_key(server))
            if connection is not None and connection.state is ServerState.RUNNING:
                agreed = (tool for tool, known in connection.tools.values() if known.state is ToolState.AGREED)
                found += (
                    RegisteredTool(definition(server, one), partial(_call, connection, one.name), HANDLER_S) for one in agreed
                )
        return tuple(found)

    def statuses(self) -> tuple[ServerStatus, ...]:
        found: list[ServerStatus] = []
        for profile, server in [(one, server) for one in self._profiles for server in one.mcp_servers]:
            connection = self._connections[_key(server)]
            tools = (replace(one, asking=server.ask.get(one.name, CallApproval.ASK)) for _, one in connection.tools.values())
            status = ServerStatus(
                profile=profile.name,
                server=server.name,
                launch=launch_of(server),
                line=line_of(server),
                env_names=tuple(name for name, _ in server.env),
                state=connection.state,
                detail=connection.detail,
                tools=tuple(tools),
            )
            found.append(status)
        return tuple(found)

    async def close(self) -> None:
        await asyncio.gather(*(one.close() for one in self._connections.values()))
        self._connections = {}


def _key(server: McpServer) -> tuple[str, str]:
    """Servers with the same name and launch share a process."""
    return server.name, launch_of(server)


async def _call(connection: Connection, tool: str, /, **arguments: Any) -> Json:
    return await connection.call(tool, arguments)
