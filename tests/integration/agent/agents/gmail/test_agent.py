"""What a task came to outlasts the program: it is found again without a model, and goes when it is settled."""

import asyncio
import json
import os
import signal
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.agent.agents.gmail import graph as agent_module
from app.agent.agents.gmail.graph import KEPT_ENDED, KEPT_WAITING, LocalGmailAgent
from app.agent.agents.gmail.interface import GmailFound, GmailProposed
from app.agent.llm.turns import UnusableAnswer
from app.agent.runtime.checkpoints import kept_runs
from app.domain.errors import ModelUnavailable, NotAllowed
from fakes.engine.agent_mailbox import Room, mail
from fakes.engine.processes.fork_server import SPEAKING, ran
from fakes.engine.store.rows import audited_calls
from fakes.models.gmail_agent import CHECKPOINTS, RUN, SEARCHES, SENDS, THREAD, ends, searches, stage, task, writes
from fakes.models.model_server import Answer, ModelServer, calls, structured

INVOICE = "The invoice for March is 1,200 EUR and due on 4 April."


async def test_an_ended_search_is_found_again_for_a_while(room: Room, model: ModelServer) -> None:
    invoice = room.one(INVOICE, subject="Invoice")
    model.enqueue(SEARCHES, searches(), ends("In April.", invoice.id))
    async with stage(room, model) as at_work:
        first = await at_work.agent.work(task())
    now = [datetime.now(UTC)]
    async with stage(room, model) as later:
        agent = await LocalGmailAgent.open(room.folder / CHECKPOINTS, later.deps, lambda: now[0])
        try:
            assert await agent.work(task()) == first
            model.enqueue(SENDS, writes())
            another = task(thread="another", run_id="ask-2")
            await agent.work(another)
            assert set(await kept_runs(room.folder / CHECKPOINTS)) == {THREAD, "another"}
            now[0] += KEPT_ENDED + timedelta(minutes=1)
            await agent.work(another)
            assert await kept_runs(room.folder / CHECKPOINTS) == ["another"]
            now[0] += KEPT_WAITING
            model.enqueue(SENDS, writes())
            await agent.work(task(thread="third"))
            assert await kept_runs(room.folder / CHECKPOINTS) == ["third"]
        finally:
            await agent.close()


async def test_the_next_round_takes_the_place_of_the_one_before(room: Room, model: ModelServer) -> None:
    model.enqueue(SENDS, writes(), writes(subject="Changed"))
    async with stage(room, model) as at_work:
        first = await at_work.agent.work(task())
        assert isinstance(first, GmailProposed)
        await at_work.agent.work(task(thread="round-2", before=first.mail, feedback="Another subject."))
        assert await kept_runs(room.folder / CHECKPOINTS) == ["round-2"]
        await at_work.agent.settle(task(), {"status": "sent"})
        assert at_work.audit() == [("gmail_send", "owner_refused", "denied"), ("gmail_send", "send_asks", "waiting")]


@pytest.mark.parametrize(
    ("status", "outcome"), [("sent", ("owner_approved", "ran", "user")), ("rejected", ("owner_refused", "denied", ""))]
)
async def test_settling_ends_the_thread_and_its_call(
    room: Room, model: ModelServer, status: str, outcome: tuple[str, str, str]
) -> None:
    model.enqueue(SENDS, writes())
    async with stage(room, model) as at_work:
        await at_work.agent.work(task())
        at_work.paused[0] = True
        await at_work.agent.settle(task(), {"status": status})
        assert await kept_runs(room.folder / CHECKPOINTS) == []
        (row,) = audited_calls(at_work.book, RUN)
        assert (row.outcome.value, row.approved_by) == outcome[1:]
        await at_work.agent.settle(task(), {"status": status})
        await at_work.agent.settle(task(thread="never-begun"), {"status": status})
        assert at_work.book.sends_since(room.now - timedelta(hours=1)) == (status == "sent")
    assert len(model.history) == 2


@pytest.mark.parametrize(
    ("outcome", "data"),
    [
        (
            {"status": "sent"},
            {"status": "sent", "to": "ann@partner.org, bo@partner.org", "subject": "Invoice", "attachment": True},
        ),
        ({"status": "draft"}, {"status": "draft", "attachment": True}),
        ({"status": "rejected"}, {"status": "rejected"}),
        (
            {"status": "sent", "to": "eve@partner.org", "subject": "Other", "attachment": False},
            {"to": "eve@partner.org", "subject": "Other", "attachment": False},
        ),
    ],
)
async def test_the_contract_is_written_from_what_became_of_the_mail(
    room: Room, model: ModelServer, outcome: dict[str, Any], data: dict[str, Any]
) -> None:
    async with stage(room, model) as at_work:
        report = at_work.file()
        model.enqueue(SENDS, writes(["ann@partner.org", "bo@partner.org"], attachments=[report.id]))
        asked = task("Write to ann@partner.org and bo@partner.org.", documents=(report,))
        await at_work.agent.work(asked)
        state = await resumed(at_work.agent, {"status": "delivered"}, "sent", outcome)
    contract = json.loads(state["messages"][-1].text)
    assert contract["completed_capability"] == "gmail"
    assert contract["data"].items() >= {"action": "send", "tool_used": True, **data}.items()
    assert state["context"]["results"]["data"] == contract["data"]
    assert [one.type for one in state["messages"]] == ["human", "ai"]
    assert state["next"] == "Gmail"
    assert len(model.history) == 2


async def resumed(agent: LocalGmailAgent, *outcomes: Any) -> Mapping[str, Any]:
    """The state of a graph that was resumed with values one after the other, each but the last of which is no outcome."""
    graph, config = agent._graph, agent_module._config(THREAD)
    for outcome in outcomes:
        assert (await graph.aget_state(config)).interrupts
        await graph.ainvoke(agent_module.Command(resume=outcome), config)
    state = await graph.aget_state(config)
    assert not state.next
    values: Mapping[str, Any] = state.values
    return values


async def test_what_passes_is_gone_on_from_and_paid_for_once(room: Room, model: ModelServer) -> None:
    room.one(INVOICE, subject="Invoice")
    unreachable = [Answer("overloaded", status=503)] * 3
    model.enqueue(SEARCHES, searches(), *unreachable)
    async with stage(room, model) as at_work:
        with pytest.raises(ModelUnavailable):
            await at_work.agent.work(task())
    asked = len(model.history)
    model.enqueue(ends("None."))
    async with stage(room, model) as later:
        found = await later.agent.work(task())
    assert isinstance(found, GmailFound)
    assert len(model.history) == asked + 1


@pytest.mark.parametrize(
    ("answers", "trouble"),
    [((SENDS, Answer("No."), Answer("No.")), NotAllowed), ((structured(intent="x"), structured(intent="y")), UnusableAnswer)],
)
async def test_what_cannot_be_done_leaves_nothing_and_may_be_tried_again(
    room: Room, model: ModelServer, answers: tuple[Answer, ...], trouble: type[Exception]
) -> None:
    model.enqueue(*answers, SENDS, writes())
    async with stage(room, model) as at_work:
        with pytest.raises(trouble):
            await at_work.agent.work(task())
        assert await kept_runs(room.folder / CHECKPOINTS) == []
        assert isinstance(await at_work.agent.work(task()), GmailProposed)


async def test_a_stopped_task_goes_on_where_it_was(room: Room, model: ModelServer) -> None:
    room.one(INVOICE, subject="Invoice")
    model.enqueue(SEARCHES, searches(), Answer("slow", wait_s=1.0))
    async with stage(room, model) as at_work:
        working = asyncio.create_task(at_work.agent.work(task()))
        while len(model.history) < 3:
            await asyncio.sleep(0.02)
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working
        model.enqueue(ends("None."))
        assert isinstance(await at_work.agent.work(task()), GmailFound)
    assert len(model.history) == 4


async def test_what_another_version_left_begins_anew(room: Room, model: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    model.enqueue(SENDS, writes(), SENDS, writes(subject="Anew"))
    async with stage(room, model) as at_work:
        await at_work.agent.work(task())
    monkeypatch.setattr(agent_module, "VERSION", 99)
    async with stage(room, model) as later:
        found = await later.agent.work(task())
        assert isinstance(found, GmailProposed)
        assert found.mail.subject == "Anew"


async def test_no_mail_stands_in_the_file_once_it_is_settled(room: Room, model: ModelServer) -> None:
    invoice = room.one(INVOICE, subject="Invoice")
    model.enqueue(SENDS, searches(), writes(reply_to_message_id=invoice.id))
    async with stage(room, model) as at_work:
        await at_work.agent.work(task())
        await at_work.agent.settle(task(), {"status": "sent"})
    with closing(sqlite3.connect(room.folder / CHECKPOINTS)) as file:
        for table in ("checkpoints", "writes"):
            assert file.execute(f"SELECT count(*) FROM {table}").fetchall() == [(0,)]


class SteadyModel(ModelServer):
    """Answers by what it was told so far, however often it is asked."""

    def next_answer(self, request: Mapping[str, Any]) -> Answer:
        """The intent, a search, a mail."""
        if "response_format" in request:
            return SENDS
        done = any(one["role"] == "tool" for one in request["messages"])
        return writes() if done else calls(("gmail_search", {"query": "invoice"}))


@pytest.mark.soak
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_anywhere_the_proposal_is_made_once_and_found_by_the_next_program(tmp_path: Path) -> None:
    with Room(tmp_path) as room:
        room.put(mail(INVOICE, subject="Invoice"))
    with SteadyModel() as model:
        finished = ran(
            "fakes.models.killed.gmail_agent", [str(tmp_path), model.api_base], (*SPEAKING, "fakes.models.gmail_agent")
        )
    assert finished.returncode == 0, finished.stderr
    reports = [json.loads(line) for line in finished.stdout.splitlines()]
    assert len(reports) > 8
    for report in reports:
        assert report["killed"] == signal.SIGKILL, report
        assert report["subject"] == "Invoice", report
        assert report["audit"] == [["gmail_search", "ran"], ["gmail_send", "waiting"]], report
    # Of three answers one is asked for again where the program died between it and its checkpoint, and nowhere else.
    assert sorted(one["asked"] for one in reports) == [3] * (len(reports) - 3) + [4] * 3
    assert reports[-1]["asked"] == 3
