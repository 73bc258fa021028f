"""The rows that begin with a verdict: tools and tone by category, the ends of a review, where a notice leads, on both routes.

Every row runs the real graph over the real store; the model is scripted and answers over HTTP. Then the loops of the response
agent and of a profile, while the model cannot be reached.
"""

from datetime import timedelta

import pytest

from app.domain.agents.runs import Route, RunStatus
from app.domain.drafting.meeting import BusyTime
from app.domain.drafting.review import Action, ReviewKind, ReviewStatus
from app.domain.errors import ModelUnavailable
from fakes.engine.agent_mailbox import Room, ScriptedCalendar, mail, verdict
from fakes.models.model_server import Answer, ModelServer, calls, structured
from fakes.models.profile_agent import agency, inquiry
from fakes.models.response_agent import Wishes, asks, office

UNSURE = verdict(maker="local:83")
BODY = "Hello Ann,\n\nthe time is [[the time]].\n\nMia"
PREPARE = ["route", "classify", "retrieve", "decide"]
WRITE = ["generate", "check", "review"]
TOOLS = [*PREPARE, "execute_tools", *WRITE]


def judged(decision: str, category: str, confidence: float = 0.9) -> Answer:
    return structured(decision=decision, category=category, confidence=confidence, reason="It asks.")


def drafted(body: str = BODY) -> Answer:
    return structured(language="English", questions=["time"], body=body)


BOTH, NONE = structured(tools=["get_contact", "check_calendar"]), structured(tools=[])


@pytest.mark.parametrize(
    ("category", "calendar", "more", "tools", "tone"),
    [
        ("meeting_request", True, [], ["check_calendar", "get_contact", "create_draft"], ""),
        ("meeting_request", False, [], ["get_contact", "create_draft"], ""),
        ("complaint", True, [], ["get_contact", "create_draft"], "empathetic"),
        ("inquiry", True, [], ["get_contact", "create_draft"], "professional"),
        ("follow_up", True, [], ["get_contact", "create_draft"], "friendly"),
        ("other", True, [BOTH], ["check_calendar", "get_contact", "create_draft"], ""),
        ("other", False, [NONE], ["create_draft"], ""),
        ("spam", True, [], [], ""),
    ],
)
async def test_the_tools_and_the_tone_of_each_category(
    room: Room, model: ModelServer, category: str, calendar: bool, more: list[Answer], tools: list[str], tone: str
) -> None:
    """Spam is answered because the user asked for it: the one way to a draft without any tool."""
    (message,) = room.put(mail("What about it?"))
    busy = BusyTime(room.now + timedelta(days=1), room.now + timedelta(days=1, hours=1), "Doctor")
    wanted = {"calendar": ScriptedCalendar((busy,)) if calendar else None, "memory": Wishes()}
    async with office(room, model, message, UNSURE, Route.PIPELINE, **wanted) as at_work:
        at_work.run = room.start(message, "run-2", answer=category == "spam")
        assert await at_work.say(judged("respond", category), *more, drafted()) is RunStatus.WAITING
        ran = room.db.read("SELECT tool, error FROM tool_calls WHERE run_id = 'run-2' ORDER BY seq")
        assert [tuple(row) for row in ran] == [(tool, "") for tool in tools]
        assert room.steps("run-2") == (TOOLS if tools else [*PREPARE, *WRITE])
        prompt = model.prompts()[-1]
        assert ("Free for a meeting" in prompt) == ("check_calendar" in tools)
        assert ("wish about cal_preferences" in prompt) == (category == "meeting_request")
        assert tone in prompt.lower()
        assert at_work.waiting().proposal.kind is ReviewKind.REPLY
    assert not model.script


@pytest.mark.parametrize(
    ("action", "after", "review"),
    [
        (Action.ACCEPT, ["gate", "dispatch"], ReviewStatus.APPROVED),
        (Action.EDIT, ["gate", "dispatch"], ReviewStatus.APPROVED),
        (Action.SAVE_DRAFT, ["gate", "dispatch"], ReviewStatus.SAVED_AS_DRAFT),
        (Action.IGNORE, ["gate"], ReviewStatus.DISMISSED),
        (Action.RESPOND, ["gate", *WRITE], ReviewStatus.PENDING),
    ],
)
async def test_the_ends_of_a_review(
    room: Room, model: ModelServer, action: Action, after: list[str], review: ReviewStatus
) -> None:
    (message,) = room.put(mail("When does it open?"))
    words = "shorter" if action is Action.RESPOND else ""
    body = "Hello Ann,\n\nat nine.\n\nMia" if action in (Action.ACCEPT, Action.EDIT) else ""
    async with office(room, model, message, UNSURE, Route.PIPELINE) as at_work:
        assert await at_work.say(judged("respond", "inquiry"), drafted()) is RunStatus.WAITING
        before = room.steps()
        decided = at_work.decide(action, words, body)
        more = [drafted("Hello Ann,\n\nat [[the time]].\n\nMia")] if words else []
        assert await at_work.say(*more) is (RunStatus.WAITING if words else RunStatus.DONE)
        assert room.steps()[len(before) :] == after
        assert room.reviews.review(decided.id).status is review
        assert len(at_work.outbox()) == (1 if body else 0)
    assert not model.script


NOTICE = ["route", "classify", "triage_interrupt", "triage_gate"]


@pytest.mark.parametrize(
    ("route", "answer", "more", "steps", "status"),
    [
        (Route.PIPELINE, judged("ignore", "other"), [], ["route", "classify"], RunStatus.DONE),
        (Route.RESPONSE_AGENT, judged("ignore", "other"), [], ["route", "classify"], RunStatus.DONE),
        (Route.RESPONSE_AGENT, judged("respond", "spam", 0.8), [], ["route", "classify"], RunStatus.DONE),
        (Route.PIPELINE, judged("respond", "inquiry"), [drafted()], [*PREPARE, *WRITE], RunStatus.WAITING),
        (
            Route.RESPONSE_AGENT,
            judged("respond", "inquiry"),
            [asks("When?")],
            ["route", "classify", "llm_call", "interrupt_plan"],
            RunStatus.WAITING,
        ),
    ],
)
async def test_where_a_verdict_leads(
    room: Room, model: ModelServer, route: Route, answer: Answer, more: list[Answer], steps: list[str], status: RunStatus
) -> None:
    (message,) = room.put(mail("Shall we?"))
    async with office(room, model, message, UNSURE, route) as at_work:
        assert await at_work.say(answer, *more) is status
    assert [one for one in room.steps() if one != "execute_tools"] == steps
    assert len(room.all_reviews()) == (status is RunStatus.WAITING)
    assert not model.script


@pytest.mark.parametrize("route", [Route.PIPELINE, Route.RESPONSE_AGENT])
@pytest.mark.parametrize("responds", [True, False])
async def test_where_a_notice_leads(room: Room, model: ModelServer, route: Route, responds: bool) -> None:
    (message,) = room.put(mail("The office closes."))
    async with office(room, model, message, UNSURE, route) as at_work:
        assert await at_work.say(judged("notify", "inquiry")) is RunStatus.WAITING
        assert at_work.waiting().proposal.kind is ReviewKind.NOTIFY
        assert room.steps() == NOTICE[:-1]
        at_work.decide(Action.RESPOND if responds else Action.IGNORE)
        more = [drafted()] if route is Route.PIPELINE else [asks("When?")]
        status = await at_work.say(*(more if responds else []))
        assert status is (RunStatus.WAITING if responds else RunStatus.DONE)
    entered = "retrieve" if route is Route.PIPELINE else "llm_call"
    assert room.steps()[: len(NOTICE)] == NOTICE
    assert room.steps()[len(NOTICE) : len(NOTICE) + 1] == ([entered] if responds else [])
    assert not model.script


OUT_OF_REACH = {
    "key": (Answer("bad key", status=401), 1),
    "busy": (Answer("slow down", status=429), 3),
    "broken": (Answer("oops", status=500), 3),
    "page": (Answer(raw=b"<html>not json"), 3),
    "cut": (Answer("cut short", cut_after=40), 3),
    "late": (Answer("late", wait_s=0.8), 1),
}
SEARCH = calls(("search_drugs", {"query": "paralen"}))


@pytest.mark.parametrize(
    ("turn", "trouble"), [*(("first", one) for one in OUT_OF_REACH if one != "key"), ("later", "late"), ("later", "broken")]
)
async def test_a_profile_waits_for_its_model_and_goes_on(room: Room, model: ModelServer, turn: str, trouble: str) -> None:
    """What was said and done before is neither asked nor done again. A refused key ends the run instead."""
    answer, times = OUT_OF_REACH[trouble]
    (message,) = room.put(inquiry("Máte Paralen?"))
    before = [SEARCH] if turn == "later" else []
    async with agency(room, model, message, timeout_s=0.4 if answer.wait_s else 20.0) as at_work:
        with pytest.raises(ModelUnavailable):
            await at_work.say(*before, *[answer] * times)
        assert room.all_reviews() == []
        model.script.clear()
        assert await at_work.say(Answer("Hotovo.")) is RunStatus.DONE
        assert not model.script
        ran = [tool for _, tool, _ in at_work.executions() if tool == "search_drugs"]
        assert len(ran) == len(before)


async def test_a_rule_that_names_a_profile_asks_for_no_verdict(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Máte Paralen?"))
    async with agency(room, model, message) as at_work:
        assert await at_work.say(Answer("Ano.")) is RunStatus.DONE
    assert room.steps()[:2] == ["route", "profile_agent"]
    assert "classify" not in room.steps()
