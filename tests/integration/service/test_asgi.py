"""Who is let in: the table of Host, Origin and token, each asked of a service that really listens."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from app.domain.errors import NotAllowed
from app.service.asgi import RequestGuard
from app.service.server import MOST_OF_ADDRESS, listening, server_for, url_of
from fakes.models.graph import SmallGraph
from fakes.models.graph_service import TOKEN, Served, served

GRAPH = "/assistants/gmail/graph"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(SmallGraph().built(), tmp_path_factory.mktemp("guard") / "checkpoints.db") as found:
        yield found


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        (BEARER, 200, ""),
        ({"authorization": f"bearer {TOKEN}"}, 200, ""),
        ({"x-api-key": TOKEN}, 200, ""),
        ({**BEARER, "Host": "localhost:1"}, 200, ""),
        ({**BEARER, "Host": "[::1]"}, 200, ""),
        ({}, 401, "no_token"),
        ({"Authorization": "Bearer"}, 401, "no_token"),
        ({"Authorization": f"Basic {TOKEN}"}, 401, "no_token"),
        ({"Authorization": f"Bearer {TOKEN}x"}, 401, "wrong_token"),
        ({"Authorization": f"Bearer {TOKEN[:-1]}"}, 401, "wrong_token"),
        ({"Authorization": f"Bearer {TOKEN}".encode() + b"\xff"}, 401, "wrong_token"),
        ({**BEARER, "Origin": "http://127.0.0.1:1"}, 403, "browser"),
        ({**BEARER, "Origin": "null"}, 403, "browser"),
        ({**BEARER, "Host": "evil.example"}, 403, "wrong_host"),
        ({**BEARER, "Host": "127.0.0.1.evil.example"}, 403, "wrong_host"),
        ({**BEARER, "Host": "127.0.0.1@evil.example"}, 403, "wrong_host"),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, 403, "wrong_host"),
    ],
)
def test_who_is_let_in(service: Served, headers: dict[str, str], status: int, code: str) -> None:
    answer = service.call("GET", GRAPH, headers=headers)
    assert answer.status_code == status
    assert answer.json().get("code", "") == code
    assert TOKEN not in answer.text
    assert ("www-authenticate" in answer.headers) == (status == 401)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("GET", "/threads", 405),
        ("GET", "/docs", 404),
        ("GET", "/openapi.json", 404),
        ("GET", "/assistants/gmail/graph/", 404),
        ("GET", "/assistants/other/graph", 404),
        ("PUT", GRAPH, 405),
        ("OPTIONS", GRAPH, 405),
        ("POST", "/graph/stream_log", 501),
    ],
)
def test_nothing_else_is_there(service: Served, method: str, path: str, status: int) -> None:
    answer = service.call(method, path)
    assert answer.status_code == status
    assert set(answer.json()) == {"code", "detail"}


def test_strangers_learn_no_paths(service: Served) -> None:
    assert service.call("GET", "/nowhere", headers={}).status_code == 401


def test_two_hosts_are_none(service: Served) -> None:
    where = ("127.0.0.1", int(service.url.rpartition(":")[2]))
    with socket.create_connection(where, timeout=10) as line:
        line.sendall(f"GET {GRAPH} HTTP/1.1\r\nHost: a\r\nHost: b\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode())
        assert line.recv(64).split()[1] in (b"400", b"403")


def test_a_service_without_a_token_does_not_stand(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="token"):
        RequestGuard(lambda *_: None, "", ("localhost",))  # type: ignore[arg-type, return-value]


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
    assert b" 200 " in await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
    return reader, writer


async def test_connections_without_a_whole_request_head_are_closed(
    place: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.service.server.HEAD_S", 0.3)
    half_open = [await asyncio.open_connection(*place) for _ in range(MOST_OF_ADDRESS)]
    half_open[0][1].write(b"POST /threads HTTP/1.1\r\nHost: 127")
    for reader, writer in half_open:
        with contextlib.suppress(ConnectionError):
            assert await asyncio.wait_for(reader.read(), 60) == b""
        writer.close()
    reader, writer = await ask(place)
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert b" 200 " in await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
    writer.close()


async def test_hundreds_of_idle_connections_do_not_shut_the_owner_out(place: tuple[str, int]) -> None:
    reader, busy = await ask(place, "/slow")
    idle = [await (ask(place) if number % 2 else asyncio.open_connection(*place)) for number in range(400)]
    await ask(place)
    assert await asyncio.wait_for(reader.readexactly(4), 60) == b"done", "what is being answered is left alone"
    for _reader, writer in [*idle, (reader, busy)]:
        writer.close()
