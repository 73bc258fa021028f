"""What langgraph-sdk calls beside streams: runs that wait or go on in the background, threads, assistants, health."""

import json
import time
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import ConflictError, NotFoundError, UnprocessableEntityError

from fakes.models.graph import SmallGraph
from fakes.models.graph_service import TOKEN, Served


@pytest.fixture
def client(service: Served) -> Iterator[SyncLangGraphClient]:
    with get_sync_client(url=service.url, api_key=TOKEN) as found:
        yield found


def asked(words: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": words}]}


def contract(values: Any) -> Any:
    return json.loads(values["messages"][-1]["content"])


def test_a_run_is_awaited_with_and_without_a_thread(client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    assert contract(client.runs.wait(thread, "gmail", input=asked("find a")))["data"]["subject"] == "a"
    assert contract(client.runs.wait(None, "gmail", input=asked("find b")))["data"]["subject"] == "b"
    assert [one["thread_id"] for one in client.threads.search()] == [thread]


def test_a_proposal_is_in_the_values_and_resumed(client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    values: Any = client.runs.wait(thread, "gmail", input=asked("send a@example.org"))
    assert values["__interrupt__"][0]["value"]["args"] == {"to": ["a@example.org"]}
    found = client.threads.get(thread)
    assert (found["status"], len(found["interrupts"])) == ("interrupted", 1)
    values = client.runs.wait(thread, "gmail", command={"resume": {"status": "sent"}})
    assert contract(values)["data"]["status"] == "sent"
    assert client.threads.get(thread)["status"] == "idle"


@pytest.mark.expects_warnings
def test_a_failed_run_tells_why(client: SyncLangGraphClient) -> None:
    with pytest.raises(Exception, match="model_unavailable: The model is away"):
        client.runs.wait(None, "gmail", input=asked("fail away"))
    with pytest.raises(Exception, match="internal: The service met a fault"):
        client.runs.wait(None, "gmail", input=asked("fail"))


def test_a_run_goes_on_in_the_background(client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    run = client.runs.create(thread, "gmail", input=asked("wait 0.3"))
    assert (run["status"], run["thread_id"]) == ("running", thread)
    with pytest.raises(ConflictError):
        client.runs.create(thread, "gmail", input=asked("find a"), multitask_strategy="reject")
    assert contract(client.runs.join(thread, run["run_id"]))["completed_capability"] == "gmail"
    assert client.runs.get(thread, run["run_id"])["status"] == "success"
    with pytest.raises(NotFoundError):
        client.runs.get(str(uuid4()), run["run_id"])


def test_a_background_run_is_cancelled(client: SyncLangGraphClient, graph: SmallGraph) -> None:
    thread = client.threads.create()["thread_id"]
    run = client.runs.create(thread, "gmail", input=asked("wait 600"))
    while not graph.seen:
        time.sleep(0.01)
    assert client.threads.get(thread)["status"] == "busy"
    client.runs.cancel(thread, run["run_id"])
    assert client.runs.get(thread, run["run_id"])["status"] == "error"
    assert client.threads.get(thread)["status"] != "busy"


def test_the_client_that_goes_away_ends_its_run(service: Served, client: SyncLangGraphClient, graph: SmallGraph) -> None:
    thread = client.threads.create()["thread_id"]
    calls = {
        f"/threads/{thread}/runs/wait": {"assistant_id": "gmail", "input": asked("wait 600")},
        "/graph/invoke": {"input": asked("wait 600"), "config": {"configurable": {"thread_id": thread}}},
        "/graph/batch": {"inputs": [asked("wait 600")], "config": {"configurable": {"thread_id": thread}}},
    }
    for count, (path, body) in enumerate(calls.items(), start=1):
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(service.url + path, json=body, headers={"x-api-key": TOKEN}, timeout=0.5)
        assert len(graph.seen) == count
        while client.threads.get(thread)["status"] == "busy":
            time.sleep(0.02)


def test_a_task_without_messages_is_refused_before_it_runs(client: SyncLangGraphClient, graph: SmallGraph) -> None:
    for given in ({}, {"messages": []}, {"context": {"account_id": 1}}, {"messages": [{"role": "assistant", "content": "x"}]}):
        with pytest.raises(httpx.HTTPStatusError, match="no_messages"):
            client.runs.wait(None, "gmail", input=given)
    assert graph.seen == []


def test_threads_are_searched(client: SyncLangGraphClient) -> None:
    ended, waiting, empty = (client.threads.create()["thread_id"] for _ in range(3))
    client.runs.wait(ended, "gmail", input=asked("find a"))
    client.runs.wait(waiting, "gmail", input=asked("send a@example.org"))
    assert [one["thread_id"] for one in client.threads.search()] == [waiting, ended, empty]
    assert [one["thread_id"] for one in client.threads.search(status="interrupted")] == [waiting]
    assert [one["thread_id"] for one in client.threads.search(limit=1, offset=1)] == [ended]
    assert [one["thread_id"] for one in client.threads.search(ids=[empty])] == [empty]
    with pytest.raises(UnprocessableEntityError):
        client.threads.search(metadata={"a": 1})
    with pytest.raises(NotFoundError):
        client.threads.get(str(uuid4()))


def test_the_assistant_is_described(client: SyncLangGraphClient) -> None:
    (one,) = client.assistants.search()
    assert one == client.assistants.get("gmail")
    assert (one["assistant_id"], one["graph_id"]) == ("gmail", "gmail")
    assert client.assistants.search(graph_id="other") == []
    schemas = client.assistants.get_schemas("gmail")
    assert "messages" in schemas["input_schema"]["properties"]  # type: ignore[index]
    with pytest.raises(NotFoundError):
        client.assistants.get("other")


def test_health_and_versions_are_told(service: Served) -> None:
    assert service.call("GET", "/ok").json() == {"ok": True}
    assert set(service.call("GET", "/info").json()) == {"version", "langgraph_py_version", "flags"}
