"""LangServe's wire form, as its `RemoteRunnable` 0.3 writes and reads it; the client itself is tried where it is installed."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import AIMessage

from fakes.models.graph import SmallGraph
from fakes.models.graph_service import TOKEN, Served, served


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(SmallGraph().built(), tmp_path_factory.mktemp("invoke") / "checkpoints.db") as found:
        yield found


def ask(service: Served, words: str, **more: Any) -> Any:
    """What `RemoteRunnable` posts."""
    message = {"content": words, "additional_kwargs": {}, "response_metadata": {}, "type": "human", "name": None, "id": None}
    body = {"input": {"messages": [message], "next": "Gmail", "context": {}}, "config": {}, "kwargs": {}, **more}
    return service.call("POST", "/graph/invoke", json=body)


def test_the_answer_is_one_that_langserve_reads(service: Served) -> None:
    answer = ask(service, "find invoices").json()
    assert set(answer) == {"output", "metadata"}
    assert set(answer["metadata"]) == {"run_id", "feedback_tokens"}
    last = AIMessage.model_validate(answer["output"]["messages"][-1])
    assert json.loads(last.text)["completed_capability"] == "gmail"


def test_a_proposal_stands_in_the_output(service: Served) -> None:
    output = ask(service, "send a@example.org").json()["output"]
    assert output["__interrupt__"][0]["value"]["args"] == {"to": ["a@example.org"]}
    assert [one["type"] for one in output["messages"]] == ["human"]


def test_a_named_thread_can_be_resumed_by_the_other_protocol(service: Served) -> None:
    thread = str(uuid4())
    ask(service, "send a@example.org", config={"configurable": {"thread_id": thread}})
    waiting = service.call("GET", f"/threads/{thread}/state").json()["interrupts"][0]["id"]
    body = {"assistant_id": "gmail", "command": {"resume": {waiting: {"status": "sent"}}}}
    assert service.call("POST", f"/threads/{thread}/runs/stream", json=body).status_code == 200
    assert service.call("GET", f"/threads/{thread}/state").json()["next"] == []


@pytest.mark.expects_warnings
@pytest.mark.parametrize(
    ("words", "more", "status", "code"),
    [
        ("fail away", {}, 503, "model_unavailable"),
        ("fail", {}, 500, "internal"),
        ("find x", {"kwargs": {"a": 1}}, 422, "not_offered"),
        ("find x", {"config": {"configurable": {"thread_id": "no-uuid"}}}, 422, "wrong_form"),
        ("find x", {"input": None}, 422, "wrong_form"),
        ("find x", {"input": {"context": {}}}, 422, "no_messages"),
    ],
)
def test_trouble_is_told(service: Served, words: str, more: dict[str, Any], status: int, code: str) -> None:
    answer = ask(service, words, **more)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert "secret words" not in answer.text


def batched(*words: str, **more: Any) -> dict[str, Any]:
    return {"inputs": [{"messages": [{"content": one, "type": "human"}]} for one in words], "config": {}, "kwargs": {}, **more}


def test_a_batch_is_answered_in_order(service: Served) -> None:
    answer = service.call("POST", "/graph/batch", json=batched("find a", "find b")).json()
    contracts = [json.loads(one["messages"][-1]["content"]) for one in answer["output"]]
    assert [one["data"]["subject"] for one in contracts] == ["a", "b"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (batched(), 422, "wrong_form"),
        (batched("find a", config=[{}, {}]), 422, "wrong_form"),
        (batched("find a", kwargs={"a": 1}), 422, "not_offered"),
        (batched("find a", "fail away"), 503, "model_unavailable"),
    ],
)
def test_trouble_of_a_batch_is_told(service: Served, body: dict[str, Any], status: int, code: str) -> None:
    answer = service.call("POST", "/graph/batch", json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_stream_has_langserves_events(service: Served) -> None:
    body = {"input": {"messages": [{"content": "find a", "type": "human"}]}, "config": {}, "kwargs": {}}
    text = service.call("POST", "/graph/stream", json=body).text
    assert [line.partition(": ")[2] for line in text.splitlines() if line.startswith("event")] == ["metadata", "data", "end"]
    failing = {"input": {"messages": [{"content": "fail away", "type": "human"}]}}
    assert "The model is away" in service.call("POST", "/graph/stream", json=failing).text


@pytest.mark.parametrize("what", ["stream_log", "stream_events", "astream_events", "feedback"])
def test_the_rest_of_langserve_is_a_clear_501(service: Served, what: str) -> None:
    answer = service.call("POST", f"/graph/{what}", json={})
    assert (answer.status_code, answer.json()["code"]) == (501, "not_offered")
    assert what in answer.json()["detail"]


def test_langserves_own_client(service: Served) -> None:
    langserve = pytest.importorskip("langserve")
    runnable = langserve.RemoteRunnable(f"{service.url}/graph", headers={"Authorization": f"Bearer {TOKEN}"})
    left = runnable.invoke({"messages": [{"role": "user", "content": "find invoices"}]})
    assert json.loads(left["messages"][-1].content)["completed_capability"] == "gmail"
    several = runnable.batch([{"messages": [{"role": "user", "content": one}]} for one in ("find a", "find b")])
    assert [json.loads(one["messages"][-1].content)["data"]["subject"] for one in several] == ["a", "b"]
    (update,) = list(runnable.stream({"messages": [{"role": "user", "content": "find a"}]}))
    assert json.loads(update["gmail"]["messages"][-1].content)["data"]["subject"] == "a"
