"""One server, owned by one task from its start to its end: listed, checked, started again with growing pauses when it crashes.

Refuses to start without consent, and to repeat a call: whether a call that got no answer was carried out is not known.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import anyio
import httpx
from mcp import Client, MCPError
from mcp.types import Implementation, Tool

from app.agent.mcp.results import as_result, listed
from app.agent.mcp.transport import connected
from app.domain.errors import ExpectedError, ServerTrouble
from app.domain.servers import Consents, ServerState, ServerTool, ToolState, launch_of
from app.domain.tools import Json, McpServer

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
        """The result. Raises `ServerTrouble` where the server is not there, or went away meanwhile."""
        client, known = self._client, self.tools.get(tool)
        if client is None or known is None or known[1].state is not ToolState.AGREED:
            raise ServerTrouble(f"{self.server.name}: {tool} is not there now.")
        try:
            with anyio.fail_after(CALL_S):
                return as_result(await client.call_tool(tool, arguments, read_timeout_seconds=CALL_S))
        except TROUBLE as error:
            self._look.set()
            raise ServerTrouble(f"{self.server.name}: {tool} gave no answer ({type(error).__name__}).") from error

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
