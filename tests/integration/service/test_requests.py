"""Bodies: what is too large, too slow, no JSON, or asks for what is not offered."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.agent.agents.gmail.graph import RECURSION_LIMIT
from app.service import requests
from app.service.requests import LARGEST_BODY, ConfigOrder, RunOrder
from app.service.runs import run_config
from fakes.models.graph import SmallGraph
from fakes.models.graph_service import TOKEN, Served, served

INPUT = {"messages": [{"role": "user", "content": "find x"}]}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(SmallGraph().built(), tmp_path_factory.mktemp("orders") / "checkpoints.db") as found:
        yield found


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, 200),
        ({"unknown": 1}, 200),
        ({"config": {"recursion_limit": 10**9, "configurable": {"__pregel_resuming": True, "checkpoint_id": "x"}}}, 200),
        ({"assistant_id": "other"}, 404),
        ({"assistant_id": 1}, 422),
        ({"input": [1]}, 422),
        ({"config": {"recursion_limit": "many"}}, 422),
        ({"stream_mode": "events"}, 422),
        ({"stream_mode": []}, 422),
        ({"webhook": "https://evil.example"}, 422),
        ({"checkpoint_id": "x"}, 422),
        ({"interrupt_before": ["gmail"]}, 422),
        ({"after_seconds": 5}, 422),
        ({"multitask_strategy": "interrupt"}, 422),
        ({"on_disconnect": "continue"}, 422),
        ({"command": {"resume": 1}}, 422),
        ({"input": None, "command": {"goto": "gmail"}}, 422),
        ({"input": None, "command": {"update": {"context": {}}, "resume": 1}}, 422),
        ({"input": None, "command": {}}, 422),
    ],
)
def test_wishes(service: Served, changed: dict[str, Any], status: int) -> None:
    answer = service.call("POST", "/runs/stream", json={"assistant_id": "gmail", "input": INPUT, **changed})
    assert answer.status_code == status, answer.text
    assert "event: error" not in answer.text


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"", "application/json", 422),
        (b"{", "application/json", 422),
        (b"[" * 100_000, "application/json", 422),
        (b'{"assistant_id": NaN}', "application/json", 422),
        (b"\xff\xfe", "application/json", 422),
        (b"[]", "application/json", 422),
        (b"{}", "text/plain", 415),
        (b"{}", "application/x-www-form-urlencoded", 415),
        (b" " * (LARGEST_BODY + 1), "application/json", 413),
    ],
)
def test_bodies(service: Served, body: bytes, kind: str, status: int) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": kind}
    assert service.call("POST", "/runs/stream", content=body, headers=headers).status_code == status


def test_a_body_of_unsaid_length_is_counted(service: Served) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    pieces = iter([b" " * 500_000] * 5)
    assert service.call("POST", "/runs/stream", content=pieces, headers=headers).status_code == 413


def test_a_body_that_does_not_come(service: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "BODY_S", 0.1)

    def slowly() -> Iterator[bytes]:
        import time

        yield b"{"
        time.sleep(0.5)
        yield b"}"

    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    assert service.call("POST", "/threads", content=slowly(), headers=headers).status_code == 408


@pytest.mark.parametrize(("asked", "given"), [(5, 5), (10_000, RECURSION_LIMIT), (0, 1), (-3, 1)])
def test_recursion_is_capped(asked: int, given: int) -> None:
    assert run_config(RunOrder("gmail", config=ConfigOrder(asked)), "t")["recursion_limit"] == given
