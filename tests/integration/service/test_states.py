"""States, checkpoints and history as the unmodified client reads and writes them."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from langgraph.pregel.remote import RemoteGraph

from fakes.models.graph import SmallGraph
from fakes.models.graph_service import TOKEN, Served, served


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(SmallGraph().built(), tmp_path_factory.mktemp("states") / "checkpoints.db") as found:
        yield found


@pytest.fixture
def remote(service: Served) -> RemoteGraph:
    return RemoteGraph("gmail", url=service.url, api_key=TOKEN)


@pytest.fixture
def config(remote: RemoteGraph) -> Any:
    thread: Any = {"configurable": {"thread_id": str(uuid4())}}
    remote.invoke({"messages": [{"role": "user", "content": "send a@example.org"}]}, thread)
    return thread


def test_history_goes_back_to_the_beginning(remote: RemoteGraph, config: Any) -> None:
    history = list(remote.get_state_history(config))
    assert [one.next for one in history] == [("gmail",), ("__start__",)]
    assert [one.next for one in remote.get_state_history(config, limit=1)] == [("gmail",)]
    earlier = list(remote.get_state_history(config, before=history[0].config))
    assert [one.next for one in earlier] == [("__start__",)]
    assert remote.get_state(history[1].config).next == ("__start__",)


def test_an_update_is_a_new_checkpoint(remote: RemoteGraph, config: Any) -> None:
    placed = remote.update_state(config, {"context": {"noted": True}})
    assert remote.get_state(placed).values["context"] == {"noted": True}


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("state", {"values": {"context": {}}, "as_node": "nowhere"}, 422),
        ("state", {"values": "words"}, 422),
        ("state", {"values": {}, "checkpoint": {"thread_id": str(uuid4())}}, 422),
        ("state", {"values": {}, "checkpoint_id": str(uuid4())}, 404),
        ("state/checkpoint", {"checkpoint": {"checkpoint_id": str(uuid4())}}, 404),
        ("state/checkpoint", {"checkpoint": {"checkpoint_ns": "inner:1"}}, 422),
        ("state/checkpoint", {}, 422),
        ("history", {"limit": 0}, 422),
        ("history", {"limit": 100_000}, 422),
        ("history", {"limit": "many"}, 422),
    ],
)
def test_what_is_no_place_or_update(service: Served, config: Any, path: str, body: Any, status: int) -> None:
    thread = config["configurable"]["thread_id"]
    assert service.call("POST", f"/threads/{thread}/{path}", json=body).status_code == status


@pytest.mark.parametrize(("method", "path"), [("GET", "state"), ("POST", "history")])
def test_unknown_and_impossible_threads(service: Served, method: str, path: str) -> None:
    body = {"json": {}} if method == "POST" else {}
    assert service.call(method, f"/threads/{uuid4()}/{path}", **body).status_code == 404
    assert service.call(method, f"/threads/no-uuid/{path}", **body).status_code == 422
