"""Where the service listens, and what it says where it cannot."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from starlette.types import Receive, Scope, Send

from app.domain.errors import NotAllowed
from app.service.server import MOST_OF_ADDRESS, listening, server_for, url_of


@pytest.mark.parametrize(
    ("host", "url"), [("127.0.0.1", "http://127.0.0.1:"), ("localhost", "http://127.0.0.1:"), ("::1", "http://[::1]:")]
)
def test_addresses(host: str, url: str) -> None:
    with listening(host, 0) as listener:
        assert url_of(listener).startswith(url)


def test_a_port_that_is_taken_and_a_name() -> None:
    with listening("127.0.0.1", 0) as listener, listener:
        listener.listen()
        with pytest.raises(NotAllowed, match="another --port"):
            listening("127.0.0.1", listener.getsockname()[1])
    with pytest.raises(NotAllowed, match="not an IP address"):
        listening("my-server", 0)


async def answered(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that answers everything; the end of `/slow` comes late."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
    await asyncio.sleep(1.5 if scope["path"] == "/slow" else 0)
    await send({"type": "http.response.body", "body": b"done"})


@pytest.fixture
async def place() -> AsyncIterator[tuple[str, int]]:
    """Where a server listens."""
    started = asyncio.Event()
    server = server_for(answered, started.set)
    listener = listening("127.0.0.1", 0)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    await started.wait()
    yield listener.getsockname()
    server.should_exit = True
    await serving


async def ask(place: tuple[str, int], path: str = "/") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection(*place)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    assert b" 200 " in await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 2)
    return reader, writer


@pytest.mark.anyio
async def test_connections_without_a_whole_request_head_are_closed(
    place: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.service.server.HEAD_S", 0.3)
    half_open = [await asyncio.open_connection(*place) for _ in range(MOST_OF_ADDRESS)]
    half_open[0][1].write(b"POST /threads HTTP/1.1\r\nHost: 127")
    for reader, writer in half_open:
        with contextlib.suppress(ConnectionError):
            assert await asyncio.wait_for(reader.read(), 10) == b""
        writer.close()
    reader, writer = await ask(place)
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert b" 200 " in await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 2)
    writer.close()


@pytest.mark.anyio
async def test_hundreds_of_idle_connections_do_not_shut_the_owner_out(place: tuple[str, int]) -> None:
    reader, busy = await ask(place, "/slow")
    idle = [await (ask(place) if number % 2 else asyncio.open_connection(*place)) for number in range(400)]
    await ask(place)
    assert await asyncio.wait_for(reader.readexactly(4), 5) == b"done", "what is being answered is left alone"
    for _reader, writer in [*idle, (reader, busy)]:
        writer.close()
