"""The HTTP server: binds its socket, serves until SIGTERM or SIGINT, and shuts down in order."""

import asyncio
import ipaddress
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import uvicorn
from langgraph.graph import StateGraph
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.agent.runtime.checkpoints import open_checkpoints
from app.domain.errors import NotAllowed
from app.service.threads import Threads

MOST_CONNECTIONS = 64
HEAD_S = 10.0
"""Longest time from a connection, or from the first byte of a further request, to the end of its head."""
LAST_WORDS_S = 3
"""Seconds for runs to end when the service stops."""


@asynccontextmanager
async def opened_threads(graph: StateGraph[Any, Any, Any, Any], checkpoints: Path) -> AsyncIterator[Threads]:
    """The graph with its checkpoint file. Deletes threads that are too old."""
    saver = await open_checkpoints(checkpoints)
    try:
        threads = Threads(graph.compile(checkpointer=saver), saver)
        await threads.forget_old(datetime.now(UTC))
        try:
            yield threads
        finally:
            await threads.close()
    finally:
        await saver.close()


def listening(host: str, port: int) -> socket.socket:
    """A socket bound to an IP address or `localhost`. Port 0 takes a free one. Raises `NotAllowed`."""
    address = "127.0.0.1" if host == "localhost" else host
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(address).version == 6 else socket.AF_INET
    except ValueError:
        raise NotAllowed(f"{host} is not an IP address.", "Give --host an IP address of this machine.") from None
    # asyncio sets TCP_NODELAY only on sockets with an explicit protocol.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, port))
    except OSError as error:
        listener.close()
        raise NotAllowed(f"{host} port {port} cannot be listened on: {error.strerror}.", "Choose another --port.") from error
    return listener


def url_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


class NotifyingServer(uvicorn.Server):
    """Calls `ready` once it accepts connections."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts listening and calls `ready`."""
        await super().startup(sockets)
        self._ready()


class TimedProtocol(H11Protocol):
    """Closes a connection whose request head does not come in time.

    Such connections need no token and count towards `MOST_CONNECTIONS`, so that a few hundred would shut the owner out.
    """

    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast("asyncio.Transport", transport))
        self._await_head()

    def data_received(self, data: bytes) -> None:
        if self._head_timer is None and not self._answering:
            self._await_head()
        super().data_received(data)
        if self._answering:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    @property
    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(HEAD_S, self.transport.abort)

    def _stop_waiting(self) -> None:
        timer, self._head_timer = self._head_timer, None
        if timer is not None:
            timer.cancel()


def server_for(app: ASGIApp, ready: Callable[[], None]) -> NotifyingServer:
    """The server of `app`. Set `should_exit` to stop it."""
    config = uvicorn.Config(
        app,
        http=TimedProtocol,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=60,
        timeout_graceful_shutdown=LAST_WORDS_S,
        server_header=False,
        proxy_headers=False,
    )
    return NotifyingServer(config, ready)


async def serve_until_told(app: ASGIApp, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serves until SIGTERM or SIGINT. Runs get `LAST_WORDS_S` to end; an interrupted one continues from its checkpoint."""
    server = server_for(app, ready)
    for number in (signal.SIGTERM, signal.SIGINT):
        # uvicorn raises the signal again after its shutdown. It must not end the process a second time.
        signal.signal(number, lambda *_: None)
    await server.serve(sockets=[listener])
    await asyncio.sleep(0)
