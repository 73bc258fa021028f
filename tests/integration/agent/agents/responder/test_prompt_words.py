"""Every word of the user on every tool that asks, over the real graph: one row a cell of the table.

For each: what becomes of the review, whether something leaves, what the model hears, whether it speaks again, and whether there
is something to learn from the decision.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from app.domain.agents.runs import RunStatus
from app.domain.drafting.meeting import BusyTime
from app.domain.drafting.review import Action, FlagKind, ReviewKind, ReviewStatus, request_of
from app.domain.mail.outbox import OutboxKind
from fakes.engine.agent_mailbox import OWNER, Room, ScriptedCalendar, mail
from fakes.models.model_server import Answer, ModelServer
from fakes.models.response_agent import asks, done, office, schedules, sends

PRAGUE = ZoneInfo("Europe/Prague")
DENTIST = BusyTime(datetime(2026, 11, 23, 9, 30, tzinfo=UTC), datetime(2026, 11, 23, 10, tzinfo=UTC), "Dentist")
SEND, MEET, ASK = "send_email", "schedule_meeting", "Question"


@dataclass(frozen=True)
class Cell:
    """`learns`: a memory job is written; `again`: the model gets another turn."""

    tool: str
    action: Action
    status: ReviewStatus
    hears: str
    leaves: bool = False
    learns: bool = False
    again: bool = True


TABLE = (
    Cell(SEND, Action.ACCEPT, ReviewStatus.APPROVED, "queued", leaves=True),
    Cell(SEND, Action.EDIT, ReviewStatus.APPROVED, "queued", leaves=True, learns=True),
    Cell(SEND, Action.RESPOND, ReviewStatus.ANSWERED, "feedback", learns=True),
    Cell(SEND, Action.IGNORE, ReviewStatus.REJECTED, "ignored", learns=True, again=False),
    Cell(MEET, Action.ACCEPT, ReviewStatus.APPROVED, "queued", leaves=True),
    Cell(MEET, Action.EDIT, ReviewStatus.APPROVED, "queued", leaves=True, learns=True),
    Cell(MEET, Action.RESPOND, ReviewStatus.ANSWERED, "feedback", learns=True),
    Cell(MEET, Action.IGNORE, ReviewStatus.REJECTED, "ignored", learns=True, again=False),
    Cell(ASK, Action.RESPOND, ReviewStatus.ANSWERED, "answer"),
    Cell(ASK, Action.IGNORE, ReviewStatus.DISMISSED, "ignored", learns=True, again=False),
)


def shorter(request_json: str) -> str:
    """The arguments of a meeting of half an hour."""
    return json.dumps({**request_of(request_json)[1], "end_time": "2026-11-23T10:30:00"})


@pytest.mark.parametrize("cell", TABLE, ids=lambda one: f"{one.tool}-{one.action}")
async def test_each_word_on_each_tool(room: Room, model: ModelServer, cell: Cell) -> None:
    (message,) = room.put(mail("Shall we meet on Monday?"))
    turns = {SEND: sends(message), MEET: schedules(organizer_email=OWNER.email), ASK: asks("Where?")}
    calendar = ScriptedCalendar((DENTIST,))
    changes = {"calendar": calendar, "may_schedule": lambda _: True, "time_zone": PRAGUE}
    async with office(room, model, message, **changes) as at_work:
        assert await at_work.say(turns[cell.tool]) is RunStatus.WAITING
        seen = at_work.waiting()
        edit = cell.action is Action.EDIT
        body = "Dear Ann,\n\nno.\n\nMia" if edit and cell.tool == SEND else ""
        arguments = shorter(seen.proposal.request_json) if edit and cell.tool == MEET else ""
        text = "Later, please" if cell.action is Action.RESPOND else ""
        decided = at_work.decide(cell.action, text, body, arguments=arguments)
        assert decided.status is cell.status
        assert await at_work.say(*([done()] if cell.again else [])) is RunStatus.DONE
        assert [result["status"] for call, _, result in at_work.executions() if call == "c1_1"] == [cell.hears]
        assert len(model.history) == (2 if cell.again else 1)
        assert len(at_work.outbox()) == int(cell.leaves)
    assert bool(room.db.read("SELECT 1 FROM jobs WHERE kind = 'memory'")) == cell.learns
    marked = bool(room.db.read("SELECT 1 FROM tool_calls WHERE tool = 'mark_as_read'"))
    assert marked == cell.again


async def test_a_meeting_is_put_up_with_its_calendar_and_its_flags(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet on Monday?"))
    guests = ["ann@partner.org", "eve@strangers.test"]
    changes = {"calendar": ScriptedCalendar((DENTIST,)), "may_schedule": lambda _: True, "time_zone": PRAGUE}
    async with office(room, model, message, **changes) as at_work:
        await at_work.say(schedules(organizer_email=OWNER.email, attendees=guests))
        proposal = at_work.waiting().proposal
    assert (proposal.kind, proposal.draft) == (ReviewKind.TOOL_CALL, None)
    assert request_of(proposal.request_json)[0] == MEET
    flags = {(one.kind, one.about) for one in proposal.flags}
    assert (FlagKind.CALENDAR_CONFLICT, "Dentist 10:30-11:00") in flags
    assert {about for kind, about in flags if kind is FlagKind.RECIPIENT_OUTSIDE_THREAD} == {"eve@strangers.test"}
    (step,) = proposal.tools
    assert "Dentist" in step.result
    assert "Dentist" not in json.dumps(model.history)


async def test_an_edited_meeting_is_what_the_model_has_said(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet on Monday?"))
    changes = {"calendar": ScriptedCalendar(), "may_schedule": lambda _: True, "time_zone": PRAGUE}
    async with office(room, model, message, **changes) as at_work:
        await at_work.say(schedules(organizer_email=OWNER.email))
        seen = at_work.waiting()
        at_work.decide(Action.EDIT, arguments=shorter(seen.proposal.request_json))
        await at_work.say(done())
        (heard,) = at_work.heard()
        assert heard["arguments"]["end_time"] == "2026-11-23T10:30:00"
        told = next(one for one in model.history[-1]["messages"] if one.get("tool_calls"))
        assert json.loads(told["tool_calls"][0]["function"]["arguments"])["end_time"] == "2026-11-23T10:30:00"
        item = at_work.tables.outbox.for_review(seen.id)
    assert item.kind is OutboxKind.CALENDAR
    assert b"10:30:00+01:00" in item.mime


async def test_a_reply_after_an_approved_meeting_is_the_first_mail(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet on Monday?"))
    changes = {"calendar": ScriptedCalendar(), "may_schedule": lambda _: True, "time_zone": PRAGUE}
    async with office(room, model, message, **changes) as at_work:
        await at_work.say(schedules(organizer_email=OWNER.email))
        at_work.decide(Action.ACCEPT)
        await at_work.say(sends(message, "Yes, Monday."))
        assert FlagKind.SECOND_SEND not in {one.kind for one in at_work.waiting().proposal.flags}


WRONG = [
    ({"organizer_email": "eve@strangers.test"}, "organizer_email"),
    ({"timezone": "Mars/Base"}, "timezone"),
    ({"end_time": "2026-11-23T09:00:00"}, "end_time"),
    ({"start_time": "soon"}, "do not fit"),
]


@pytest.mark.parametrize(("wrong", "named"), WRONG)
async def test_arguments_that_name_no_meeting_go_back_to_the_model(
    room: Room, model: ModelServer, wrong: dict[str, str], named: str
) -> None:
    (message,) = room.put(mail("Shall we meet on Monday?"))
    changes = {"calendar": ScriptedCalendar(), "may_schedule": lambda _: True}
    async with office(room, model, message, **changes) as at_work:
        assert await at_work.say(schedules(**{"organizer_email": OWNER.email, **wrong}), done()) is RunStatus.DONE
        (heard,) = at_work.heard()
    assert heard["status"] == "error"
    assert named in heard["error"]


@pytest.mark.parametrize("may", [False, True])
async def test_the_tool_is_offered_only_where_a_calendar_can_be_written(room: Room, model: ModelServer, may: bool) -> None:
    (message,) = room.put(mail("Shall we meet on Monday?"))
    turns: list[Answer] = [done()] if may else [schedules(organizer_email=OWNER.email), done()]
    async with office(room, model, message, calendar=ScriptedCalendar(), may_schedule=lambda _: may) as at_work:
        assert await at_work.say(*turns) is RunStatus.DONE
        asked = model.history[0]
    assert (MEET in {one["function"]["name"] for one in asked["tools"]}) == may
    rules = asked["messages"][0]["content"]
    assert ("cannot enter meetings" in rules) != may
