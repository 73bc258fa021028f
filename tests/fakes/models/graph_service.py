"""The Gmail service over any graph, in a thread of the test's process, on a free loopback port."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from langgraph.graph import StateGraph

from app.service.asgi import LOOPBACK_NAMES, build_app
from app.service.dependencies import ReadOnlyMailbox
from app.service.server import NotifyingServer, listening, opened_threads, server_for, url_of
from app.service.threads import Threads

TOKEN = "the-token-of-this-test"


@dataclass
class Served:
    """A service at `url`."""

    url: str
    threads: Threads
    loop: asyncio.AbstractEventLoop
    server: NotifyingServer

    def call(self, method: str, path: str, **given: Any) -> httpx.Response:
        """Sends a request with the token, unless it has its own headers."""
        headers = given.pop("headers", {"Authorization": f"Bearer {TOKEN}"})
        with httpx.Client(trust_env=False, timeout=20) as client:
            return client.request(method, self.url + path, headers=headers, **given)


@contextmanager
def served(graph: StateGraph[Any], checkpoints: Path, names: ReadOnlyMailbox | None = None) -> Iterator[Served]:
    """Runs the service for a `with` block."""
    ready = threading.Event()
    found: list[Served] = []

    async def run() -> None:
        listener = listening("127.0.0.1", 0)
        async with opened_threads(graph, checkpoints) as threads:
            server = server_for(build_app(threads, TOKEN, LOOPBACK_NAMES, names), ready.set)
            server.capture_signals = no_signals  # type: ignore[method-assign]
            found.append(Served(url_of(listener), threads, asyncio.get_running_loop(), server))
            await server.serve(sockets=[listener])

    thread = threading.Thread(target=asyncio.run, args=(run(),), name="AnyIO-service")
    thread.start()
    assert ready.wait(20)
    try:
        yield found[0]
    finally:
        found[0].server.should_exit = True
        thread.join()


@contextmanager
def no_signals() -> Iterator[None]:
    """Keeps uvicorn from handling signals in the main thread."""
    yield
