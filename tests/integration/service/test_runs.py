"""Runs as LangGraph's own unmodified `RemoteGraph` starts, watches, interrupts and resumes them."""

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphInterrupt
from langgraph.graph import END, START, StateGraph
from langgraph.pregel.remote import RemoteException, RemoteGraph
from langgraph.types import Command
from langgraph_sdk.errors import ConflictError, NotFoundError

from app.service import runs
from fakes.models.graph import SmallGraph, SmallState
from fakes.models.graph_service import TOKEN, Served


@pytest.fixture
def remote(service: Served) -> RemoteGraph:
    return RemoteGraph("gmail", url=service.url, api_key=TOKEN)


def new_thread() -> RunnableConfig:
    return {"configurable": {"thread_id": str(uuid4())}}


def asked(words: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": words}], "next": "Gmail", "context": {"kept": 1}}


def test_a_search_ends_with_its_contract(remote: RemoteGraph) -> None:
    left = remote.invoke(asked("find invoices"))
    assert json.loads(left["messages"][-1]["content"])["completed_capability"] == "gmail"
    assert left["context"] == {"kept": 1, "results": {"action": "search", "result": "found", "subject": "invoices"}}


def test_every_mode_is_streamed(remote: RemoteGraph) -> None:
    modes = ["values", "updates", "custom", "messages", "tasks"]
    seen = {part.event for part in remote.stream(asked("find x"), stream_mode=modes)}  # type: ignore[arg-type]
    assert seen == {"values", "updates", "custom", "messages", "tasks"}


def test_a_proposal_interrupts_and_is_resumed_by_its_id(remote: RemoteGraph, graph: SmallGraph) -> None:
    config = new_thread()
    parts = list(remote.stream(asked("send a@example.org"), config, stream_mode="updates"))
    assert parts[-1]["__interrupt__"][0]["value"] == {"action": "gmail_send", "args": {"to": ["a@example.org"]}}
    waiting = remote.get_state(config)
    assert waiting.next == ("gmail",)
    left = remote.invoke(Command(resume={waiting.interrupts[0].id: {"status": "sent"}}), config)
    assert json.loads(left["messages"][-1]["content"])["data"]["status"] == "sent"
    assert graph.answers == [{"status": "sent"}]
    assert remote.get_state(config).next == ()


def test_what_would_lose_a_proposal_is_refused(remote: RemoteGraph, graph: SmallGraph) -> None:
    config = new_thread()
    remote.invoke(asked("send a@example.org"), config)
    waiting = remote.get_state(config).interrupts[0].id
    with pytest.raises(ConflictError, match="waits for an answer"):
        remote.invoke(asked("send b@example.org"), config)
    with pytest.raises(ConflictError, match="No such interrupt"):
        remote.invoke(Command(resume={"0" * 32: {"status": "sent"}}), config)
    remote.invoke(Command(resume={waiting: {"status": "rejected"}}), config)
    with pytest.raises(ConflictError, match="No such interrupt"):
        remote.invoke(Command(resume={waiting: {"status": "sent"}}), config)
    assert graph.answers == [{"status": "rejected"}]


def test_a_thread_that_nobody_made(remote: RemoteGraph, service: Served) -> None:
    with pytest.raises(NotFoundError):
        remote.invoke(Command(resume={"0" * 32: 1}), new_thread())
    body = {"assistant_id": "gmail", "input": asked("find x")}
    assert service.call("POST", f"/threads/{uuid4()}/runs/stream", json=body).status_code == 404


def test_as_a_node_it_interrupts_the_graph_around_it(remote: RemoteGraph) -> None:
    outer = StateGraph(SmallState)
    outer.add_node("Gmail", remote)
    outer.add_edge(START, "Gmail")
    outer.add_edge("Gmail", END)
    found: list[object] = []
    with pytest.raises((GraphInterrupt, KeyError)):
        found.append(outer.compile().invoke(asked("send a@example.org")))
        found.append(found[0]["__interrupt__"])  # type: ignore[index]
        raise KeyError
    assert not found or "gmail_send" in str(found)


def test_a_graph_around_it_is_resumed_by_the_interrupts_id(remote: RemoteGraph, graph: SmallGraph) -> None:
    outer = StateGraph(SmallState)
    outer.add_node("Gmail", remote)
    outer.add_edge(START, "Gmail")
    outer.add_edge("Gmail", END)
    around = outer.compile(checkpointer=InMemorySaver())
    config: RunnableConfig = {"configurable": {"thread_id": str(uuid4())}}
    (waiting,) = around.invoke(asked("send a@example.org"), config)["__interrupt__"]
    left = around.invoke(Command(resume={waiting.id: {"status": "sent"}}), config)
    assert "sent" in str(left["messages"][-1])
    assert graph.answers == [{"status": "sent"}]


@pytest.mark.expects_warnings
def test_expected_trouble_has_its_words_and_faults_have_none(remote: RemoteGraph, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(RemoteException) as expected:
        remote.invoke(asked("fail away"))
    assert expected.value.args[0] == {"error": "model_unavailable", "message": "The model is away."}
    with pytest.raises(RemoteException) as fault:
        remote.invoke(asked("fail"))
    assert fault.value.args[0]["error"] == "internal"
    assert "secret words" not in str(fault.value)
    assert [record.name for record in caplog.records if record.levelname == "ERROR"] == ["app.service.requests"]


def test_a_client_that_goes_away_ends_its_run(service: Served, graph: SmallGraph) -> None:
    thread = str(uuid4())
    body = {"assistant_id": "gmail", "input": asked("wait 600"), "if_not_exists": "create"}
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with (
        httpx.Client(trust_env=False) as client,
        client.stream("POST", f"{service.url}/threads/{thread}/runs/stream", json=body, headers=headers) as answer,
    ):
        lines = answer.iter_lines()
        assert next(lines) == "event: metadata"
        while not graph.seen:
            time.sleep(0.01)
    while service.call("DELETE", f"/threads/{thread}").status_code == 409:
        time.sleep(0.05)
    assert graph.seen == ["wait 600"]


def test_a_long_silence_has_signs_of_life(service: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "HEARTBEAT_S", 0.05)
    body = {"assistant_id": "gmail", "input": asked("wait 0.4")}
    assert ": running\r\n" in service.call("POST", "/runs/stream", json=body).text


def test_a_run_without_a_thread_leaves_nothing(service: Served, remote: RemoteGraph, tmp_path: Path) -> None:
    remote.invoke(asked("send a@example.org"))
    remote.invoke(asked("find x"))
    with closing(sqlite3.connect(tmp_path / "checkpoints.db")) as file:
        assert file.execute("SELECT count(*) FROM checkpoints").fetchone() == (0,)


def test_too_many_steps_are_told(service: Served) -> None:
    body = {"assistant_id": "gmail", "input": asked("find x"), "config": {"recursion_limit": 0}}
    assert service.call("POST", "/runs/stream", json=body).status_code == 200
