"""Where the service listens, and what it says where it cannot."""

import asyncio
import contextlib

import pytest
from starlette.types import Receive, Scope, Send

from app.domain.errors import NotAllowed
from app.service.server import MOST_CONNECTIONS, listening, server_for, url_of


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
    """An application that answers everything."""
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


@pytest.mark.anyio
async def test_connections_without_a_whole_request_head_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.service.server.HEAD_S", 0.3)
    started = asyncio.Event()
    server = server_for(answered, started.set)
    listener = listening("127.0.0.1", 0)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    await started.wait()
    host, port = listener.getsockname()
    half_open = [await asyncio.open_connection(host, port) for _ in range(MOST_CONNECTIONS)]
    half_open[0][1].write(b"POST /threads HTTP/1.1\r\nHost: 127")
    for reader, writer in half_open:
        with contextlib.suppress(ConnectionError):
            assert await asyncio.wait_for(reader.read(), 10) == b""
        writer.close()
    reader, writer = await asyncio.open_connection(host, port)
    for _ in range(2):
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b" 204 " in await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
    writer.close()
    server.should_exit = True
    await serving
