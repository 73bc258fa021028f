"""What a model may get wrong, and what stops a run: no call, unknown tools, garbage, no end, another call than approved."""

import json

import pytest

from app.agent.agents.responder.casework import CALL_A_TOOL, MOST_ERRORS
from app.agent.graph import MailGraph
from app.domain.agents.runs import Route, RunStatus
from app.domain.drafting.review import Action, ReviewKind
from app.domain.mail.triage import Category
from app.domain.record import replace
from fakes.engine.agent_mailbox import FixedTriage, Room, ScriptedCalendar, mail, verdict
from fakes.models.model_server import Answer, ModelServer, calls, structured
from fakes.models.response_agent import MEETING, asks, done, gateway, office, sends

GARBAGE = b"""{"id": "x", "object": "chat.completion", "created": 1, "model": "scripted", "choices": [{"index": 0,
 "finish_reason": "tool_calls", "message": {"role": "assistant", "content": null, "tool_calls": [{"id": "a",
 "type": "function", "function":
 {"name": "send_email", "arguments": "{\\"email_id\\": "}}]}}], "usage": {"prompt_tokens": 1, "completion_tokens": 1,
 "total_tokens": 2}}"""


REPLY = {"email_id": "1", "email_address": "ann@partner.org"}


async def test_a_turn_without_a_call_is_asked_again(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    async with office(room, model, message) as at_work:
        assert await at_work.say(Answer("I would say yes."), asks("Where?")) is RunStatus.WAITING
    assert [one["content"] for one in model.history[-1]["messages"][-2:]] == ["I would say yes.", CALL_A_TOOL]


async def test_no_call_twice_hands_the_mail_to_the_pipeline(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    drafted = structured(language="English", questions=[], body="Hello Ann,\n\n[[when]]\n\nMia")
    async with office(room, model, message) as at_work:
        assert await at_work.say(Answer("Yes."), Answer(""), drafted) is RunStatus.WAITING
    (review,) = room.all_reviews()
    assert review.proposal.kind is ReviewKind.REPLY
    assert not model.script


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (calls(("schedule_meeting", {"title": "x"})), "There is no tool schedule_meeting"),
        (calls(("check_calendar", {"dates": ["23-11-2026"]})), "There is no tool check_calendar"),
        (calls(("mark_as_read", {})), "There is no tool mark_as_read"),
        (calls(("Question", {"words": "Where?"})), "do not fit Question"),
        (Answer(raw=GARBAGE), "do not fit send_email"),
        (calls(("Question", {"content": "\ud800", "more": 10**30})), "do not fit Question"),
        (calls(("\ud83d", {})), "There is no tool ?"),
        (
            calls(("send_email", {"email_id": "999", "response_text": "x", "email_address": "ann@partner.org"})),
            "No mail of this thread has the email_id 999",
        ),
        (calls(("send_email", REPLY | {"response_text": "I'm sorry, but I can't help with that."})), "body is not a reply"),
        (calls(("send_email", REPLY | {"response_text": "See you on Monday.\n\nThanks\nAnn"})), "body is signed by the sender"),
        (
            calls(("send_email", {"email_id": "1", "response_text": "x", "email_address": "a@b.c\r\nBcc: eve@e.e"})),
            "do not fit send_email: email_address",
        ),
    ],
)
async def test_what_cannot_be_done_is_told(room: Room, model: ModelServer, answer: Answer, words: str) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    async with office(room, model, message) as at_work:
        assert await at_work.say(answer, done()) is RunStatus.DONE
        (result,) = at_work.heard()
        assert result["status"] == "error"
        assert words in result["error"]
    assert [one.proposal.detail for one in room.all_reviews()] == ["nothing_to_do"]


async def test_turns_are_bounded(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    drafted = structured(language="English", questions=[], body="Hello Ann,\n\n[[when]]\n\nMia")
    async with office(room, model, message) as at_work:
        endless = [calls(*[("nothing", {})] * 4)] * MOST_ERRORS
        assert await at_work.say(*endless, drafted) is RunStatus.WAITING
    assert len(model.history) == MOST_ERRORS + 1
    assert room.all_reviews()[0].proposal.kind is ReviewKind.REPLY


@pytest.mark.expects_warnings
async def test_only_the_call_that_was_seen_is_carried_out(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    async with office(room, model, message) as at_work:
        await at_work.say(sends(message))
        at_work.decide(Action.ACCEPT)
        room.db.write("UPDATE review_revisions SET plan_hash = 'another'")
        assert await at_work.say() is RunStatus.NEEDS_REVIEW
        assert at_work.executions() == []


@pytest.mark.expects_warnings
async def test_an_approval_without_an_outbox_row_is_not_called_queued(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    async with office(room, model, message) as at_work:
        await at_work.say(sends(message))
        room.decide(at_work.waiting().id, Action.ACCEPT)
        assert await at_work.say() is RunStatus.NEEDS_REVIEW


async def test_a_newer_mail_of_the_thread_ends_the_run(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    async with office(room, model, message) as at_work:
        await at_work.say(sends(message))
        room.reviews.supersede(message.thread_id)
        assert await at_work.say() is RunStatus.SUPERSEDED
        assert at_work.executions() == []


async def test_waking_without_a_word_waits_on(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    async with office(room, model, message) as at_work:
        await at_work.say(sends(message))
        for _ in range(3):
            assert await at_work.say() is RunStatus.WAITING
        assert len(room.all_reviews()) == 1
        assert at_work.executions() == []
    assert len(model.history) == 1


async def test_without_a_model_it_takes_the_pipeline(room: Room) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    graph = await MailGraph.open(
        room.folder / "checkpoints.db", room.deps(FixedTriage(MEETING), meeting_route=Route.RESPONSE_AGENT)
    )
    assert await graph.run(room.start(message, route=Route.RESPONSE_AGENT)) is RunStatus.WAITING
    await graph.close()
    assert [one.proposal.kind for one in room.all_reviews()] == [ReviewKind.REPLY]


PIPELINE, AGENT = Route.PIPELINE, Route.RESPONSE_AGENT


@pytest.mark.parametrize(
    ("routes", "calendar", "rule", "category", "agent"),
    [
        ((PIPELINE, AGENT), True, "", "meeting_request", True),
        ((PIPELINE, AGENT), False, "", "meeting_request", False),
        ((PIPELINE, PIPELINE), True, "", "meeting_request", False),
        ((PIPELINE, AGENT), True, "my rule", "meeting_request", False),
        ((PIPELINE, AGENT), True, "", "inquiry", False),
        ((AGENT, AGENT), False, "", "inquiry", True),
        ((AGENT, PIPELINE), True, "", "meeting_request", False),
    ],
)
async def test_who_answers_mail_and_meeting_requests(
    room: Room, model: ModelServer, routes: tuple[Route, Route], calendar: bool, rule: str, category: str, agent: bool
) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    run = room.start(message, rule=rule)
    judged = structured(decision="respond", category=category, confidence=0.9, reason="Wants to meet.")
    model.enqueue(judged, asks("Where?") if agent else structured(language="English", questions=[], body="Hello [[name]]"))
    chosen = {"answer_route": routes[0], "meeting_route": routes[1], "calendar": ScriptedCalendar() if calendar else None}
    deps = replace(room.deps(FixedTriage(verdict())), gateway=gateway(room, model), **chosen)
    graph = await MailGraph.open(room.folder / "checkpoints.db", deps)
    assert await graph.run(run) is RunStatus.WAITING
    await graph.close()
    assert ("llm_call" in room.steps()) is agent
    assert (room.runs.get(run.id).route is Route.RESPONSE_AGENT) is agent


@pytest.mark.parametrize(("local", "calls_made"), [("meeting_request", ["agent"]), ("inquiry", ["generate", "agent"])])
async def test_a_likely_answer_needs_no_verdict_of_its_own(
    room: Room, model: ModelServer, local: str, calls_made: list[str]
) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    sure = replace(verdict(category=Category(local), maker="local:83"), confidence=0.95)
    judged = structured(
        decision="respond", category="meeting_request", confidence=0.9, reason="Meet.", language="English", questions=[], body=""
    )
    model.enqueue(*([judged] if "generate" in calls_made else []), sends(message))
    deps = room.deps(
        FixedTriage(sure), gateway=gateway(room, model), meeting_route=Route.RESPONSE_AGENT, calendar=ScriptedCalendar()
    )
    graph = await MailGraph.open(room.folder / "checkpoints.db", deps)
    assert await graph.run(room.start(message)) is RunStatus.WAITING
    await graph.close()
    assert [row[0] for row in room.db.read("SELECT call_type FROM llm_calls ORDER BY rowid")] == calls_made
    assert "Free for a meeting: " in model.prompts()[-1]
    assert [one.proposal.kind for one in room.all_reviews()] == [ReviewKind.TOOL_CALL]


async def test_state_and_log_hold_no_mail(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("The secret of the thread is kept in the store. " * 5))
    async with office(room, model, message) as at_work:
        await at_work.say(sends(message, "An answer that is long enough to be kept as a digest. " * 5))
        checkpoint = await at_work.graph._saver.aget_tuple({"configurable": {"thread_id": "run-1", "checkpoint_ns": ""}})
    assert "secret of the thread" not in json.dumps(checkpoint.checkpoint["channel_values"])
    rows = room.db.read("SELECT input_state || output_state FROM run_steps")
    assert not [row[0] for row in rows if "secret" in row[0] or "long enough" in row[0]]
