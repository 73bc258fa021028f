"""Threads: one run at a time, answers once, old ones gone, and what a restart finds."""

import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio
import pytest
from langgraph.pregel.remote import RemoteGraph
from langgraph.types import Command
from langgraph_sdk.errors import ConflictError

from app.service.server import opened_threads
from app.service.threads import KEPT_FOR, config_of
from fakes.models.graph import SmallGraph
from fakes.models.graph_service import TOKEN, Served, served


def asked(words: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": words}]}


def remote(service: Served) -> RemoteGraph:
    return RemoteGraph("gmail", url=service.url, api_key=TOKEN)


def test_a_second_run_waits_for_the_first_or_is_refused(service: Served, graph: SmallGraph) -> None:
    thread = str(uuid4())
    config: Any = {"configurable": {"thread_id": thread}}
    first = threading.Thread(target=lambda: remote(service).invoke(asked("wait 1"), config))
    first.start()
    while not graph.seen:
        time.sleep(0.01)
    with pytest.raises(ConflictError, match="under way"):
        remote(service).invoke(asked("find a"), config, multitask_strategy="reject")
    assert service.call("DELETE", f"/threads/{thread}").status_code == 409
    remote(service).invoke(asked("find b"), config)
    first.join()
    assert graph.seen == ["wait 1", "find b"]


def test_of_two_answers_at_once_one_counts(service: Served, graph: SmallGraph) -> None:
    config: Any = {"configurable": {"thread_id": str(uuid4())}}
    remote(service).invoke(asked("send a@example.org"), config)
    waiting = remote(service).get_state(config).interrupts[0].id
    refused: list[str] = []

    def answer(status: str) -> None:
        try:
            remote(service).invoke(Command(resume={waiting: {"status": status}}), config)
        except ConflictError as error:
            refused.append(error.message)

    both = [threading.Thread(target=answer, args=(status,)) for status in ("sent", "rejected")]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert len(graph.answers) == len(refused) == 1


def test_what_waits_outlives_the_service(graph: SmallGraph, tmp_path: Path) -> None:
    config: Any = {"configurable": {"thread_id": str(uuid4())}}
    with served(graph.built(), tmp_path / "checkpoints.db") as service:
        remote(service).invoke(asked("send a@example.org"), config)
    with served(graph.built(), tmp_path / "checkpoints.db") as service:
        waiting = remote(service).get_state(config).interrupts[0]
        remote(service).invoke(Command(resume={waiting.id: {"status": "sent"}}), config)
    assert graph.answers == [{"status": "sent"}]


def test_old_threads_are_forgotten_and_new_ones_stay(graph: SmallGraph, tmp_path: Path) -> None:
    async def run() -> None:
        async with opened_threads(graph.built(), tmp_path / "checkpoints.db") as threads:
            thread = str(uuid4())
            await threads.graph.ainvoke(asked("find x"), config_of(thread))
            now = datetime.now(UTC)
            assert await threads.forget_old(now + KEPT_FOR - timedelta(minutes=1)) == 0
            assert await threads.known(thread)
            assert await threads.forget_old(now + KEPT_FOR + timedelta(minutes=1)) == 1
            assert not await threads.known(thread)

    anyio.run(run)


def test_create_and_delete(service: Served) -> None:
    made = service.call("POST", "/threads", json={}).json()
    assert made["status"] == "idle"
    thread = made["thread_id"]
    assert service.call("POST", "/threads", json={"thread_id": thread}).status_code == 409
    assert service.call("POST", "/threads", json={"thread_id": thread, "if_exists": "do_nothing"}).status_code == 200
    assert service.call("GET", f"/threads/{thread}/state").json()["values"] == {}
    assert service.call("DELETE", f"/threads/{thread}").status_code == 204
    assert service.call("GET", f"/threads/{thread}/state").status_code == 404
    assert service.call("DELETE", f"/threads/{thread}").status_code == 404
