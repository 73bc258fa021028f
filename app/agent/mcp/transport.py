"""The way to a server: a child process with a small environment, or streamable HTTP.

Refuses to hand the engine's environment on: a child gets what finds programs and folders, and the variables its owner named.
"""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import TextIO

import anyio
from mcp import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage

from app.domain.tools import McpServer

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
