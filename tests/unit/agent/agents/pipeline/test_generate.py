"""Single nodes of the pipeline: what they choose, find, run and put up."""

import json
from datetime import timedelta
from typing import Any

import pytest

from app.agent.agents.pipeline.decide import decide
from app.agent.agents.pipeline.generate import busy_times, generate
from app.agent.agents.pipeline.retrieve import retrieve
from app.agent.agents.pipeline.review import review
from app.agent.agents.pipeline.tools import execute_tools
from app.agent.runtime.state import DraftPayload, MailState, initial_state, pack, run_id_of, triage_update, unpack
from app.agent.runtime.steps import NodeSpec, step
from app.agent.runtime.transitions import Node
from app.domain.drafting.draft import Draft
from app.domain.drafting.meeting import BusyTime
from app.domain.drafting.review import FlagKind
from app.domain.mail.message import Address, Message
from app.domain.mail.triage import Category, Decision, Triage
from fakes.engine.agent_mailbox import ANN, OWNER, SENT, FixedTriage, Room, ScriptedCalendar, mail, verdict

pytestmark = pytest.mark.anyio


def state_of(room: Room, message: Message, judged: Triage | None = None, **more: Any) -> MailState:
    """The state after classify."""
    state = initial_state(room.start(message))
    return MailState(**{**state, **triage_update(judged or verdict()), **more})  # type: ignore[typeddict-item]


@pytest.mark.parametrize(
    ("category", "calendar", "known", "tools"),
    [
        (Category.MEETING_REQUEST, True, False, ["check_calendar", "create_draft"]),
        (Category.MEETING_REQUEST, False, False, ["create_draft"]),
        (Category.COMPLAINT, True, False, ["get_contact", "create_draft"]),
        (Category.INQUIRY, True, True, ["get_contact", "create_draft"]),
        (Category.INQUIRY, True, False, ["create_draft"]),
        (Category.FOLLOW_UP, False, False, ["get_contact", "create_draft"]),
        (Category.OTHER, True, True, ["get_contact", "create_draft"]),
        (Category.OTHER, True, False, ["create_draft"]),
        (Category.SPAM, True, True, []),
    ],
)
async def test_tools_by_category(room: Room, category: Category, calendar: bool, known: bool, tools: list[str]) -> None:
    (message,) = room.put(mail("x"))
    if not known:
        room.corpus.contact = lambda account_id, email: None  # type: ignore[method-assign]
    deps = room.deps(FixedTriage(verdict()), calendar=ScriptedCalendar() if calendar else None)
    assert await decide(state_of(room, message, verdict(category=category)), deps) == {"selected_tools": tools}


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


async def test_tools_run_once_each_and_leave_rows(room: Room) -> None:
    _, message = room.put(
        mail("Hi", key="s", thread="t0", sender=OWNER, to=(ANN,), labels=SENT),
        mail("Can we meet?", reply_to=(Address("list@partner.org"),), cc=(Address("bob@other.org"),)),
    )
    calendar = ScriptedCalendar((BusyTime(room.now + timedelta(hours=1), room.now + timedelta(hours=30), "Trip"),))
    state = state_of(room, message, selected_tools=["check_calendar", "get_contact", "create_draft", "send_email"])
    deps = room.deps(FixedTriage(verdict()), calendar=calendar)
    update = await execute_tools(state, deps)
    await deps.book.write(run_id_of(state))
    results = update["tool_results"]
    assert results["check_calendar"]["result"]["busy"][0]["title"] == "Trip"
    assert "Trip" not in results["check_calendar"]["result"]["summary"]
    assert "Friday 2026-11-20 13:05 to Saturday 2026-11-21 18:05" in results["check_calendar"]["result"]["summary"]
    assert "1 mails received, 1 sent" in results["get_contact"]["result"]["summary"]
    assert results["create_draft"]["result"] == {
        "to": [["list@partner.org", ""]],
        "cc": [["bob@other.org", ""]],
        "subject": "Re: Question",
    }
    assert results["send_email"]["error"].startswith("refused: ")
    assert [row[0] for row in room.db.read("SELECT tool FROM tool_calls ORDER BY seq")] == state["selected_tools"]
    busy = busy_times(MailState(tool_results=results))
    assert busy == calendar.times
    assert busy_times(MailState(tool_results={})) is None


@pytest.mark.expects_warnings
async def test_a_bug_in_a_tool_is_isolated(room: Room) -> None:
    (message,) = room.put(mail("Can we meet?"))

    class Broken:
        async def busy(self, start: Any, end: Any) -> Any:
            raise KeyError("words of a mail")

    state = state_of(room, message, selected_tools=["check_calendar", "create_draft"])
    results = (await execute_tools(state, room.deps(FixedTriage(verdict()), calendar=Broken())))["tool_results"]
    assert [one["error"] for one in results.values()] == ["KeyError", ""]


async def test_a_draft_without_a_model_goes_to_everybody_but_the_owner(room: Room) -> None:
    (message,) = room.put(mail("Price?", to=(OWNER, Address("bob@other.org"))))
    drafted = unpack((await generate(state_of(room, message), room.deps(FixedTriage(verdict()))))["draft_response"])
    assert (drafted.draft.to, drafted.draft.cc) == ((ANN,), (Address("bob@other.org"),))
    assert drafted.draft.subject == "Re: Question"


async def test_review_computes_flags_and_opens_once(room: Room) -> None:
    (message,) = room.put(mail("Price?"))
    draft = Draft((ANN, Address("eve@evil.org")), (), (), "Re: x", "See https://evil.org", "m", message.id)
    state = state_of(room, message, draft_response=pack(DraftPayload(draft)))
    deps = room.deps(FixedTriage(verdict()))
    first, second = [(await step(Node.REVIEW, NodeSpec(review), deps)(state)).update for _ in range(2)]
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
