"""A decision that comes before the run has stopped for it is carried out once."""

import asyncio
from datetime import datetime
from typing import Any

import pytest

from app.agent.graph import MailGraph, RunLocks
from app.domain.agents.runs import Route, RunStatus
from app.domain.drafting.meeting import BusyTime
from app.domain.drafting.review import Action, Proposal, ReviewKind, ReviewStatus
from app.domain.ids import ReviewId
from fakes.engine.agent_mailbox import FixedTriage, Room, ScriptedCalendar, mail
from fakes.models.model_server import Answer, ModelServer, calls
from fakes.models.profile_agent import PARALEN, agency, inquiry
from fakes.models.response_agent import MEETING, asks, done, gateway, looks, office

pytestmark = pytest.mark.anyio
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
