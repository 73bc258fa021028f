"""A profile's run across crashes: whatever was written when the process died, each effect is there once and the run ends."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from app.agent.graph import MailGraph
from app.domain.review import Action, ReviewStatus
from app.domain.runs import Route, RunStatus
from fakes.agency import PARALEN, agency, agent_row, inquiry
from fakes.mailroom import Room
from fakes.model_server import Answer, ModelServer, calls

pytestmark = pytest.mark.anyio
BOOK = calls(("manage_reservation", {"action": "create", "drug_name": PARALEN.code}))
ESCALATE = calls(("escalate", {"reason": "Help."}))


class Crash(BaseException):
    """The process is gone."""


def crashing(target: Any, name: str, at: int) -> Any:
    """`target` with a method that dies after it has done its work for the `at`-th time."""
    real, seen = getattr(target, name), [0]

    def dies(*arguments: Any, **named: Any) -> Any:
        done = real(*arguments, **named)
        seen[0] += 1
        if seen[0] == at:
            raise Crash
        return done

    return dies


@pytest.mark.parametrize("place", ["note", "finish"])
@pytest.mark.parametrize("at", [1, 2])
async def test_a_crash_after_a_note_doubles_nothing(
    room: Room, model: ModelServer, monkeypatch: pytest.MonkeyPatch, place: str, at: int
) -> None:
    (message,) = room.put(inquiry("Prosím o rezervaci."))
    async with agency(room, model, message) as at_work:
        assert await at_work.say(BOOK) is RunStatus.WAITING
        at_work.decide(Action.ACCEPT)
        model.enqueue(ESCALATE, Answer("Hotovo."))
        book = at_work.graph._deps.toolbox.book  # type: ignore[union-attr]
        with monkeypatch.context() as broken:
            broken.setattr(book, place, crashing(book, place, at))
            with suppress(Crash):
                await at_work.graph.run(at_work.run)
        assert await at_work.graph.run(at_work.run) is RunStatus.DONE
    assert room.db.read("SELECT count(*) FROM reservations")[0][0] == 1
    assert [one[0] for one in room.db.read("SELECT tool FROM tool_executions ORDER BY call_order")] == [
        "manage_reservation",
        "escalate",
    ]
    assert len([one for one in room.all_reviews() if one.status is ReviewStatus.PENDING]) == 1
    assert len([one for one in room.runs.events(message.id) if one.kind == "agent_run"]) == 1
    assert (agent_row(room)["status"], agent_row(room)["iterations"]) == ("completed", 3)
    assert len(model.history) == 3


async def test_a_run_whose_checkpoints_are_lost_goes_on_from_its_row(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Prosím o rezervaci."))
    async with agency(room, model, message) as at_work:
        await at_work.say(BOOK)
        review = at_work.waiting()
        await at_work.graph.forget(at_work.run.id)
        at_work.decide(Action.ACCEPT)
        model.enqueue(Answer("Hotovo."))
        assert await at_work.graph.resume(at_work.run.id, review.id) is RunStatus.DONE
    assert room.db.read("SELECT count(*) FROM reservations")[0][0] == 1
    assert agent_row(room)["tool_calls_log"][0]["tool"] == "manage_reservation"


async def test_a_draft_sent_back_is_written_anew_by_the_agent(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Máte Paralen?"))
    letter = {"to": "jana@patients.example", "subject": "Re: Nový dotaz", "body": "Ano."}
    async with agency(room, model, message) as at_work:
        assert await at_work.say(calls(("create_draft", letter)), Answer("Hotovo.")) is RunStatus.DONE
        await at_work.graph.forget(at_work.run.id)
        review = at_work.decide(Action.RESPOND, "Vlídněji.")
        model.enqueue(calls(("create_draft", {**letter, "body": "Ano, rádi."})), Answer("Hotovo."))
        assert await at_work.graph.resume(at_work.run.id, review.id) in (RunStatus.DONE, RunStatus.NEEDS_REVIEW)
        assert any("Vlídněji." in str(one["content"]) for one in model.history[2]["messages"])


async def test_a_notice_answered_with_words_is_drafted_by_the_pipeline(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Máte Paralen?"))
    async with agency(room, model, message) as at_work:
        assert await at_work.say(Answer("Nevím.")) is RunStatus.DONE
        await at_work.graph.forget(at_work.run.id)
        review = at_work.decide(Action.RESPOND, "Řekněte ano.")
        model.enqueue(Answer('{"decision": "respond", "category": "inquiry", "confidence": 0.9, "reason": "r"}'))
        model.enqueue(Answer('{"selected_tools": []}'), *(Answer('{"language": "cs", "questions": [], "body": "Ano."}'),) * 3)
        await at_work.graph.resume(at_work.run.id, review.id)
    assert "retrieve" in room.steps()


async def test_two_runs_at_once_keep_apart(room: Room, model: ModelServer) -> None:
    first, second = room.put(inquiry("Jedna"), inquiry("Dva", key="m2", thread="t2"))
    async with agency(room, model, first) as at_work:
        other = room.start(second, "run-2", route=Route.AGENT, profile="pharmacy")
        model.enqueue(*(Answer("Hotovo."),) * 2)
        graph: MailGraph = at_work.graph
        assert await asyncio.gather(graph.run(at_work.run), graph.run(other)) == [RunStatus.DONE, RunStatus.DONE]
    assert room.db.read("SELECT count(*) FROM agent_runs")[0][0] == 2
