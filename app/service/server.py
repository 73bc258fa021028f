"""`replyroom serve-gmail`: the command, and the HTTP server that it runs.

The server binds its socket, serves until SIGTERM or SIGINT, and shuts down in order.
"""

import asyncio
import ipaddress
import os
import secrets
import signal
import socket
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import uvicorn
from langgraph.graph import StateGraph
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.agent.agents.gmail.graph import build_gmail_graph
from app.agent.agents.gmail.service_client import KEYRING_NAME, TOKEN_VARIABLE, ServiceAddress
from app.agent.llm.litellm_setup import close_litellm
from app.agent.llm.local_server import LOCAL_SERVER
from app.agent.runtime.checkpoints import open_checkpoints
from app.config import logs
from app.config.paths import DataFolder, service_checkpoints
from app.config.secrets import Secrets
from app.config.settings import load
from app.domain.errors import KeyringUnavailable, NotAllowed
from app.service.asgi import LOOPBACK_NAMES, build_app
from app.service.dependencies import ReadOnlyMailbox, opened_parts, target_of
from app.service.threads import Threads

MOST_CONNECTIONS = 64
MOST_OF_ADDRESS = 32
"""Connections of all clients, and of one address. Beyond them the one that has been idle longest is closed."""
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
        await super().startup(sockets)
        self._ready()


class GuardedProtocol(H11Protocol):
    """Closes connections whose request head does not come in time, and idle ones where there are too many.

    Such connections need no token: without these limits a few hundred would shut the owner out.
    """

    _head_timer: asyncio.TimerHandle | None = None
    _idle_from_s = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast("asyncio.Transport", transport))
        self._idle_from_s = self.loop.time()
        self._make_room()
        self._await_head()

    def on_response_complete(self) -> None:
        self._idle_from_s = self.loop.time()
        super().on_response_complete()

    def _make_room(self) -> None:
        """Closes an idle connection where there are too many: this one where all others are being answered."""
        all_of_them = [one for one in self.connections if isinstance(one, GuardedProtocol)]
        same = [one for one in all_of_them if one._address == self._address]
        crowd = same if len(same) > MOST_OF_ADDRESS else all_of_them if len(all_of_them) > MOST_CONNECTIONS else []
        idle = [one for one in crowd if not one._answering]
        if idle:
            oldest = min(idle, key=lambda one: one._idle_from_s)
            self.connections.discard(oldest)
            oldest.transport.abort()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

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
        http=GuardedProtocol,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
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


ONLY_OURS = 0o077
TOKEN_BYTES = 32
SHORTEST_TOKEN = 20


def run_service(options: Namespace, root: Path, environment: Mapping[str, str]) -> int:
    """Runs the command. Raises `ExpectedError`."""
    os.umask(ONLY_OURS)
    return asyncio.run(_run(options, DataFolder(root), environment))


async def _run(options: Namespace, folder: DataFolder, environment: Mapping[str, str]) -> int:
    keyring = Secrets()
    if options.keep_token:
        address = ServiceAddress.of(options.keep_token)
        await keyring.put(address.token_name, _valid_token(sys.stdin.readline().strip()))
        sys.stdout.write(f"The token for {address.host} is kept.\n")
        return 0
    token = await _token(keyring, environment)
    if options.show_token:
        sys.stdout.write(f"{token}\n")
        return 0
    hosts = host_names(options.host, options.allow_host)
    settings = load(folder.settings)
    key = ""
    with suppress(KeyringUnavailable):  # a local model needs none
        key = await keyring.get(settings.model.name.partition("/")[0])
    with opened_parts(folder, settings, target_of(settings, key)) as parts:
        logs.setup(folder.logs, "gmail-service")
        listener = listening(options.host, options.port)

        def announce() -> None:
            sys.stdout.write(f"The Gmail agent answers at {url_of(listener)}\n")
            sys.stdout.write("Its token: serve-gmail --show-token. Stop it with Ctrl+C.\n")
            sys.stdout.flush()

        try:
            async with opened_threads(build_gmail_graph(parts), service_checkpoints(folder)) as threads:
                assert isinstance(parts.corpus, ReadOnlyMailbox)
                await serve_until_told(build_app(threads, token, hosts, parts.corpus), listener, announce)
        finally:
            listener.close()
            await LOCAL_SERVER.close()
            await close_litellm()
    return 0


def host_names(host: str, allowed: Iterable[str]) -> tuple[str, ...]:
    """The allowed host names. Raises `NotAllowed` when the service listens on all addresses without `--allow-host`."""
    more = tuple(allowed)
    with suppress(ValueError):
        if ipaddress.ip_address(host).is_unspecified:
            if not more:
                raise NotAllowed("A service for other machines needs a name.", "Say with --allow-host NAME how they call it.")
            return (*LOOPBACK_NAMES, *more)
    return (*LOOPBACK_NAMES, host, *more)


async def _token(keyring: Secrets, environment: Mapping[str, str]) -> str:
    """The token from the environment or the keyring. Creates one in the keyring the first time. Raises `KeyringUnavailable`,
    `NotAllowed`.
    """
    given = environment.get(TOKEN_VARIABLE, "").strip()
    if given:
        return _valid_token(given)
    try:
        kept = await keyring.get(KEYRING_NAME)
        if not kept:
            kept = secrets.token_urlsafe(TOKEN_BYTES)
            await keyring.put(KEYRING_NAME, kept)
    except KeyringUnavailable as error:
        raise KeyringUnavailable(error.detail, f"Unlock the keyring, or give a token in {TOKEN_VARIABLE}.") from error
    return kept


def _valid_token(token: str) -> str:
    if len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise NotAllowed(f"A token has at least {SHORTEST_TOKEN} letters, digits and signs.", "Take the one of --show-token.")
    return token
