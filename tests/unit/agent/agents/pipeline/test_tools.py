"""Nodes of the pipeline: the calendar they look at, retrieval, and the flags of a draft."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.agent.agents.pipeline.retrieve import retrieve
from app.agent.agents.pipeline.review import review
from app.agent.agents.pipeline.tools import CUT, check_calendar, execute_tools
from app.agent.drafting.sources import EXCERPT_LIMIT, tool_sources
from app.agent.language.times import DAYS_AHEAD, MOST_DAYS, free_times
from app.agent.runtime.state import DraftPayload, MailState, initial_state, pack, triage_update
from app.agent.runtime.steps import step
from app.agent.runtime.transitions import Node
from app.domain.drafting.draft import Draft
from app.domain.drafting.meeting import BusyTime, looked_at
from app.domain.drafting.review import FlagKind, ToolStep
from app.domain.errors import NotFound
from app.domain.ids import AccountId
from app.domain.mail.message import Address, Message
from app.domain.mail.triage import Category, Decision, Triage
from fakes.engine.agent_mailbox import ANN, OWNER, SENT, FixedTriage, Room, ScriptedCalendar, mail, verdict

FAR = datetime(2027, 1, 15, 14, 0, tzinfo=UTC)
"""Eight weeks ahead of the room's clock."""


class Asked(ScriptedCalendar):
    """Remembers what it was asked for."""

    def __init__(self, *busy: BusyTime) -> None:
        super().__init__(busy)
        self.windows: list[tuple[datetime, datetime]] = []

    async def busy(self, start: datetime, end: datetime) -> tuple[BusyTime, ...]:
        self.windows.append((start, end))
        return await super().busy(start, end)


def hour(start: datetime, title: str = "Secret") -> BusyTime:
    return BusyTime(start, start + timedelta(hours=1), title)


def asking(room: Room, text: str) -> Message:
    (message,) = room.put(mail(text))
    return message


async def test_a_day_beyond_the_weeks_to_come_is_looked_at(room: Room) -> None:
    message = asking(room, "Can we meet on 15 January at 14:00 or on 2027-03-02?")
    calendar = Asked(hour(FAR))
    deps = room.deps(FixedTriage(verdict()), calendar=calendar)
    _, result = await check_calendar(message, room.corpus.account(AccountId(1)), deps)
    assert [one.date().isoformat() for one, _ in calendar.windows[1:]] == ["2027-01-15", "2027-03-02"]
    assert [one["start"] for one in result["busy"]] == [FAR.isoformat()]
    assert "Friday 2027-01-15: 14:00 to 15:00. Tuesday 2027-03-02: nothing." in result["summary"]
    assert "Secret" not in result["summary"]


async def test_the_card_of_a_reply_knows_which_times_were_looked_at(room: Room) -> None:
    message = asking(room, "Can we meet on 15 January at 14:00?")
    deps = room.deps(FixedTriage(verdict()), calendar=Asked(hour(FAR)))
    state: MailState = {**initial_state(room.start(message)), "selected_tools": ["check_calendar"]}
    outcome = (await execute_tools(state, deps))["tool_results"]["check_calendar"]
    steps = (ToolStep("check_calendar", json.dumps(outcome["arguments"]), json.dumps(outcome["result"]), "", 1.0),)
    assert looked_at(steps, FAR, FAR + timedelta(hours=1))
    assert looked_at(steps, room.now, room.now + timedelta(days=DAYS_AHEAD))
    assert not looked_at(steps, FAR + timedelta(days=1), FAR + timedelta(days=1, hours=1))
    assert free_times((), room.now, deps.hours, count=99)[-1] < room.now + timedelta(days=DAYS_AHEAD + 1)


async def test_a_full_calendar_is_given_whole_and_its_summary_says_where_it_ends(room: Room) -> None:
    message = asking(room, "Can we meet on Friday 15 January?")
    many = [hour(room.now + timedelta(hours=2 * number)) for number in range(200)]
    deps = room.deps(FixedTriage(verdict()), calendar=Asked(*many, hour(FAR)))
    account = room.corpus.account(AccountId(1))
    arguments, result = await check_calendar(message, account, deps)
    assert len(result["busy"]) == 201
    assert result["summary"].endswith(CUT)
    assert "Friday 2027-01-15: 14:00 to 15:00." in result["summary"]
    outcome = {"arguments": arguments, "result": result, "error": "", "latency_ms": 1.0}
    (source,) = tool_sources({"check_calendar": outcome}, account)  # type: ignore[dict-item]
    assert source.excerpt == result["summary"]
    assert len(source.excerpt) <= EXCERPT_LIMIT


async def test_a_mail_that_names_a_whole_year_asks_for_few_days(room: Room) -> None:
    text = " ".join(f"2027-{month:02}-{day:02}" for month in range(2, 12) for day in range(1, 28))
    calendar = Asked()
    deps = room.deps(FixedTriage(verdict()), calendar=calendar)
    _, result = await check_calendar(asking(room, f"Can we meet on {text}?"), room.corpus.account(AccountId(1)), deps)
    assert len(calendar.windows) == 1 + MOST_DAYS
    assert len(result["summary"]) <= EXCERPT_LIMIT


async def test_no_calendar_is_said(room: Room) -> None:
    with pytest.raises(NotFound):
        await check_calendar(asking(room, "Meet?"), room.corpus.account(AccountId(1)), room.deps(FixedTriage(verdict())))


def state_of(room: Room, message: Message, judged: Triage | None = None, **more: Any) -> MailState:
    """The state after classify."""
    state = initial_state(room.start(message))
    return MailState(**{**state, **triage_update(judged or verdict()), **more})  # type: ignore[typeddict-item]


async def test_retrieval_keeps_to_the_correspondents_and_leaves_secrets(room: Room) -> None:
    bob = Address("bob@other.org")
    with_ann, from_bob, code, asked, said, far, message = room.put(
        mail("Your order is on its way", key="a", thread="ta"),
        mail("Bob's salary is 5", key="b", thread="tb", sender=bob),
        mail("Your verification code is 123456", key="c", thread="tc"),
        mail("Open on Sunday?", key="q", thread="tq", sender=bob),
        mail("No, sorry.", key="r", thread="tq", sender=OWNER, to=(bob,), labels=SENT),
        mail("Something far", key="f", thread="tf"),
        mail("Where is my order?"),
    )
    room.corpus.near = [(with_ann.id, 0.9), (from_bob.id, 0.8), (code.id, 0.7), (far.id, 0.1)]
    room.corpus.replies = [(asked.id, said.id, 0.8), (asked.id, said.id, 0.2)]
    update = await retrieve(state_of(room, message), room.deps(FixedTriage(verdict())))
    assert update["context"] == [f"message:{with_ann.id}@0.9000", f"own_reply:{said.id}/{asked.id}@0.8000"]


async def test_review_computes_flags_and_opens_once(room: Room) -> None:
    (message,) = room.put(mail("Price?"))
    draft = Draft((ANN, Address("eve@evil.org")), (), (), "Re: x", "See https://evil.org", "m", message.id)
    state = state_of(room, message, draft_response=pack(DraftPayload(draft)))
    deps = room.deps(FixedTriage(verdict()))
    node = step(Node.REVIEW, {Node.REVIEW: (review, 1)}, deps)
    first, second = [(await node({"mail": state})).update["mail"] for _ in range(2)]
    assert first["review_id"] == second["review_id"]
    assert first["draft_response"] == f"review:{first['review_id']}"
    assert (first["requires_approval"], first["why"]) == (True, "auto_off")
    (stored,) = room.all_reviews()
    assert {flag.kind for flag in stored.proposal.flags} == {
        FlagKind.RECIPIENT_OUTSIDE_THREAD,
        FlagKind.NEVER_WRITTEN_TO,
        FlagKind.LINK_NOT_FROM_USER,
    }
    assert (stored.proposal.decision, stored.proposal.category, stored.proposal.reason) == (
        Decision.RESPOND,
        Category.INQUIRY,
        "Asks two questions.",
    )
    assert json.loads(json.dumps(first)) == first
