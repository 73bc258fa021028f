"""Who is let in: the table of Host, Origin and token, each asked of a service that really listens."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.service.asgi import RequestGuard, host_name
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


@pytest.mark.parametrize(
    ("hosts", "name"),
    [
        (["127.0.0.1:80"], "127.0.0.1"),
        (["LocalHost"], "localhost"),
        (["[::1]:8010"], "::1"),
        (["::1"], ""),
        (["a:b"], ""),
        (["a b"], ""),
        ([], ""),
        (["a", "a"], ""),
    ],
)
def test_host_names(hosts: list[str], name: str) -> None:
    assert host_name(hosts) == name


def test_a_service_without_a_token_does_not_stand(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="token"):
        RequestGuard(lambda *_: None, "", ("localhost",))  # type: ignore[arg-type, return-value]
