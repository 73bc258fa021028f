"""Runs of a graph: decided early, closed, killed.

The table of transitions, node by node, and that the compiled graph has exactly these edges.
"""

import asyncio
import json
import os
import signal
import threading
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app.agent.graph import MailGraph, RunLocks
from app.agent.runtime.checkpoints import open_checkpoints
from app.agent.runtime.state import MailState
from app.agent.runtime.transitions import Node, next_node
from app.domain.agents.runs import Route, RunStatus
from app.domain.drafting.meeting import BusyTime
from app.domain.drafting.review import Action, Proposal, ReviewKind, ReviewStatus
from app.domain.ids import ReviewId
from fakes.engine.agent_mailbox import FixedTriage, Room, ScriptedCalendar, mail
from fakes.engine.processes.fork_server import THINKING, ran
from fakes.models.model_server import Answer, ModelServer, calls
from fakes.models.profile_agent import PARALEN, agency, inquiry
from fakes.models.response_agent import MEETING, asks, done, gateway, looks, office

BOOK = calls(("manage_reservation", {"action": "create", "drug_name": PARALEN.code}))


class HastyOwner:
    """The review desk, at which the owner decides on an agent's call as soon as its review is stored."""

    def __init__(self, room: Room, action: Action, text: str = "") -> None:
        self._room, self._action, self._text = room, action, text

    def __getattr__(self, name: str) -> Any:
        return getattr(self._room.reviews, name)

    def open(self, proposal: Proposal, key: str, trail: Any = None) -> ReviewId:
        review_id = self._room.reviews.open(proposal, key, trail)
        pending = self._room.reviews.standing(review_id)[0] is ReviewStatus.PENDING
        if pending and proposal.kind in (ReviewKind.TOOL_CALL, ReviewKind.QUESTION):
            self._room.decide(review_id, self._action, self._text)
        return review_id


async def test_a_profiles_run_that_has_ended_is_not_repeated(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Prosím o rezervaci."))
    async with agency(room, model, message, desk=HastyOwner(room, Action.ACCEPT)) as at_work:
        assert await at_work.say(BOOK, Answer("Hotovo.")) is RunStatus.DONE
        await at_work.graph.forget(at_work.run.id)
        before = room.runs.steps(at_work.run.id)
        model.enqueue(BOOK, Answer("Hotovo."))
        assert await at_work.graph.resume(at_work.run.id, ReviewId(1)) is RunStatus.DONE
        assert room.runs.steps(at_work.run.id) == before
    assert len(model.history) == 2
    assert room.db.read("SELECT count(*) FROM reservations")[0][0] == 1


async def test_a_response_agents_run_that_has_ended_is_not_repeated(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    async with office(room, model, message, desk=HastyOwner(room, Action.RESPOND, "At home.")) as at_work:
        assert await at_work.say(asks("Where?"), done()) is RunStatus.DONE
        await at_work.graph.forget(at_work.run.id)
        model.enqueue(done())
        assert await at_work.graph.resume(at_work.run.id, ReviewId(1)) is RunStatus.DONE
    assert len(model.history) == 2


async def test_a_decision_made_anew_after_the_end_is_carried_out(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Prosím o rezervaci."))
    async with agency(room, model, message, desk=HastyOwner(room, Action.IGNORE)) as at_work:
        assert await at_work.say(BOOK) is RunStatus.DONE
        await at_work.graph.forget(at_work.run.id)
        room.reviews.undo(ReviewId(1))
        at_work.decide(Action.ACCEPT, review=room.reviews.review(ReviewId(1)))
        model.enqueue(Answer("Hotovo."))
        assert await at_work.graph.resume(at_work.run.id, ReviewId(1)) is RunStatus.DONE
    assert len(model.history) == 2
    assert room.db.read("SELECT count(*) FROM reservations")[0][0] == 1


class HeldCalendar(ScriptedCalendar):
    """A calendar that answers only once the test lets it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.allowed = asyncio.Event(), asyncio.Event()

    async def busy(self, start: datetime, end: datetime) -> tuple[BusyTime, ...]:
        self.asked.set()
        await self.allowed.wait()
        return await super().busy(start, end)


async def test_a_graph_built_anew_waits_for_the_run_on_the_old_one(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    locks, calendar = RunLocks(), HeldCalendar()
    model.enqueue(looks("23-11-2026"), done())
    deps = room.deps(FixedTriage(MEETING), gateway=gateway(room, model), calendar=calendar)
    run = room.start(message, route=Route.RESPONSE_AGENT)
    old, new = [await MailGraph.open(room.folder / "checkpoints.db", deps, locks) for _ in range(2)]
    try:
        first = asyncio.create_task(old.run(run))
        await calendar.asked.wait()
        second = asyncio.create_task(new.run(run))
        await asyncio.sleep(0)
        calendar.allowed.set()
        assert await asyncio.gather(first, second) == [RunStatus.DONE, RunStatus.DONE]
    finally:
        await old.close()
        await new.close()
    assert len(model.history) == 2


async def test_closing_waits_for_a_write_under_way(tmp_path: Path) -> None:
    saver = await open_checkpoints(tmp_path / "checkpoints.db")
    begun, end = threading.Event(), threading.Event()

    def write() -> None:
        with saver.cursor() as cursor:
            begun.set()
            assert end.wait(10)
            cursor.execute("DELETE FROM checkpoints")

    writing = asyncio.create_task(asyncio.to_thread(write))
    assert await asyncio.to_thread(begun.wait, 10)
    closing = asyncio.create_task(saver.close())
    await asyncio.sleep(0.2)
    assert not closing.done()
    end.set()
    await asyncio.gather(writing, closing)


REPLY = ["route", "classify", "retrieve", "decide", "execute_tools", "generate", "review"]
WANTED = {
    "new": ([["reply", "dismissed", 1]], [*REPLY, "gate"]),
    "notify": ([["notify", "dismissed", 1]], ["route", "classify", "triage_interrupt", "triage_gate"]),
    "decided": ([["reply", "saved_as_draft", 2]], [*REPLY, "gate", "dispatch"]),
    "answered": ([["reply", "dismissed", 2]], [*REPLY, "gate", "generate", "review", "gate"]),
}
POINTS = (len(REPLY) + 2) + 2 + 3 + 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_anywhere_everything_happens_once(tmp_path: Path) -> None:
    done = ran("fakes.models.killed.mail_graph", [str(tmp_path)], (*THINKING, "fakes.engine.agent_mailbox"))
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(reports) == POINTS
    for report in reports:
        stage = report["point"].split(":")[0]
        reviews, steps = WANTED[stage]
        assert report["killed"] == signal.SIGKILL, report
        assert report["reviews"] == reviews, report
        # A crash between a review and its checkpoint is carried on from the review's row, without the step of its gate.
        assert report["steps"] in (steps, steps[:-1] if steps[-1].endswith("gate") else steps), report
        assert report["tools"] == ([] if stage == "notify" else ["get_contact", "create_draft"]), report


@pytest.mark.parametrize("node", [one for one in Node if one is not Node.NEEDS_REVIEW])
def test_an_error_always_leads_to_needs_review(node: Node) -> None:
    assert next_node(node, MailState(error="broken", decision="respond", verdict="accept")) == Node.NEEDS_REVIEW
