"""Starts the server on 127.0.0.1 and prints its address. It ends with SIGTERM, SIGINT or with its parent process."""

import argparse
import asyncio
import json
import os
import secrets
import signal
import socket
import sys
import tempfile
import threading
from pathlib import Path

import uvicorn
from starlette.types import Scope

from app.sandbox.account import Identity
from app.sandbox.gmail.mailbox import Spool
from app.sandbox.samples.mail_files import LoadError, load_mbox
from app.sandbox.samples.sample import load_sample, read_owner
from app.sandbox.server.asgi import build_app
from app.sandbox.world.world import SandboxState, build_world

STATIC_TOKEN_BYTES = 24


def serve(argv: list[str]) -> int:
    """Runs until stopped. Returns 0 after an orderly end, 2 if the mail cannot be loaded or the port is taken."""
    options = _parser().parse_args(argv)
    token = options.token or secrets.token_urlsafe(STATIC_TOKEN_BYTES)
    with tempfile.TemporaryFile(prefix="replyroom-sandbox-") as file:
        try:
            world, loaded = _world(options, token, Spool(file))
            listener = _listen(options.port)
        except (LoadError, OSError) as error:
            print(f"The sandbox cannot start: {error}", file=sys.stderr)
            return 2
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _ignore)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        lines = _announcement(options, world, url, token, loaded)
        asyncio.run(_run(world, listener, lines, parent_pipe=options.parent_pipe))
    return 0


class AnnouncingServer(uvicorn.Server):
    """Prints its lines when it listens, and can drop single connections."""

    def __init__(self, config: uvicorn.Config, lines: list[str]) -> None:
        super().__init__(config)
        self._lines = lines

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print("\n".join(self._lines), flush=True)

    def abort(self, scope: Scope) -> None:
        """Drops the connection of a request without sending anything more."""
        for connection in list(self.server_state.connections):
            if getattr(connection, "client", None) == scope["client"]:
                transport = connection.transport
                assert isinstance(transport, asyncio.Transport)
                transport.abort()


async def _run(world: SandboxState, listener: socket.socket, lines: list[str], *, parent_pipe: bool) -> None:
    def abort(scope: Scope) -> None:
        server.abort(scope)

    config = uvicorn.Config(
        build_app(world, abort),
        log_config=None,
        log_level="critical",
        access_log=False,
        lifespan="off",
        ws="none",
        timeout_keep_alive=60,
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    server = AnnouncingServer(config, lines)
    if parent_pipe:
        threading.Thread(target=_watch_parent, args=(server,), daemon=True, name="parent-pipe").start()
    await server.serve(sockets=[listener])


def _watch_parent(server: uvicorn.Server) -> None:
    while os.read(0, 4_096):
        pass
    server.should_exit = True


def _ignore(_number: int, _frame: object) -> None:
    """uvicorn raises the signal again after its orderly end; the process then simply returns."""


def _listen(port: int) -> socket.socket:
    # asyncio switches Nagle's delay off only for sockets that name their protocol.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError:
        listener.close()
        raise
    return listener


def _world(options: argparse.Namespace, token: str, spool: Spool) -> tuple[SandboxState, int]:
    others = options.account or []
    if options.sample:
        owner = read_owner(options.sample)
        world = build_world(owner.identities, others, token, spool, owner.timezone)
        return world, load_sample(world, owner, options.sample)
    world = build_world([Identity(options.me, options.name, primary=True)], others, token, spool, options.timezone)
    return world, load_mbox(world.owner, world.office, options.mbox) if options.mbox else 0


def _announcement(options: argparse.Namespace, world: SandboxState, url: str, token: str, loaded: int) -> list[str]:
    if options.json:
        return [json.dumps({"url": url, "token": token, "account": world.owner.address, "messages": loaded})]
    return [
        f"Gmail-compatible sandbox for {world.owner.address} with {loaded} messages",
        f"Address: {url}",
        f"Token:   {token}",
        "Stop it with Ctrl+C.",
    ]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="replyroom sandbox", description="A local Gmail-compatible server.")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--mbox", type=Path, help="load an mbox file")
    source.add_argument("--sample", type=Path, help="load a sample mailbox")
    parser.add_argument("--me", default="me@example.com", help="the owner's address")
    parser.add_argument("--name", default="", help="the owner's name")
    parser.add_argument("--timezone", default="UTC", help="the owner's IANA time zone")
    parser.add_argument("--account", action="append", metavar="ADDRESS", help="another account; may be repeated")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--token", default="", help="the static bearer token; a random one if left out")
    parser.add_argument("--json", action="store_true", help="print one line of JSON when listening")
    parser.add_argument("--parent-pipe", action="store_true", help="end when standard input closes")
    return parser
