"""The table of routings and failures over the whole graph with a scripted model: every row at every call of the model."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from app.agent.agents.pipeline.tools import TOOLS
from app.agent.graph import MailGraph
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.target import ModelTarget
from app.domain.agents.runs import AGAIN, RunStatus
from app.domain.drafting.review import Action, ReviewKind, ReviewStatus
from app.domain.errors import Offline
from app.domain.ids import ReviewId
from app.domain.mail.message import Address
from app.domain.mail.triage import Category
from app.domain.policy.policy import AutoApprove, PolicyReason
from fakes.engine.agent_mailbox import ANN, OWNER, SENT, FixedTriage, Room, ScriptedCalendar, mail, verdict
from fakes.engine.runs import open_graph
from fakes.models.model_server import Answer, ModelServer, structured

FINISHED = "Hello Ann,\n\nthank you, we have your message and will look into it.\n\nBest regards\nMia"
SLOTTED = "Hello Ann,\n\nthe price is [[the price]].\n\nMia"


class Approves:
    """An approver that decides as the engine would."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.approved: list[int] = []

    async def approve(self, review_id: ReviewId) -> bool:
        """Once."""
        self.approved.append(review_id)
        self.room.decide(review_id, Action.SAVE_DRAFT)
        return True


@asynccontextmanager
async def opened(room: Room, api_base: str, timeout_s: float = 20.0, **changes: Any) -> AsyncIterator[MailGraph]:
    """A graph whose model answers at an address, asked once a call."""
    gateway = LiteLlmGateway(ModelTarget("openai/scripted", api_base, "key", timeout_s=timeout_s), room.runs, room.clock, ())
    triage = FixedTriage(verdict())
    async with open_graph(room.folder / "checkpoints.db", room.deps(triage, gateway=gateway, **changes)) as graph:
        yield graph


def judged(decision: str = "respond", category: str = "inquiry", confidence: float = 0.9) -> Answer:
    return structured(decision=decision, category=category, confidence=confidence, reason="It asks.")


def drafted(body: str = SLOTTED) -> Answer:
    return structured(language="English", questions=["price"], body=body)


ON = AutoApprove(frozenset({Category.INQUIRY, Category.COMPLAINT}))
OFF = AutoApprove()


@pytest.mark.parametrize(
    ("setting", "confidence", "category", "body", "why"),
    [
        (ON, 0.8, "inquiry", FINISHED, PolicyReason.APPROVED_BY_RULE),
        (ON, 1.0, "inquiry", FINISHED, PolicyReason.APPROVED_BY_RULE),
        (ON, 0.7999, "inquiry", FINISHED, PolicyReason.LOW_CONFIDENCE),
        (OFF, 0.8, "inquiry", FINISHED, PolicyReason.AUTO_OFF),
        (OFF, 0.7999, "inquiry", FINISHED, PolicyReason.AUTO_OFF),
        (ON, 0.99, "complaint", FINISHED, PolicyReason.COMPLAINT),
        (ON, 0.79, "complaint", FINISHED, PolicyReason.COMPLAINT),
        (ON, 0.99, "follow_up", FINISHED, PolicyReason.CATEGORY_NOT_ALLOWED),
        (ON, 0.99, "inquiry", SLOTTED, PolicyReason.INCOMPLETE),
        (ON, 0.99, "inquiry", "Hello Ann,\n\nsee https://pay.example/now please.\n\nMia", PolicyReason.UNSUPPORTED_CLAIM),
    ],
)
async def test_review_decides_on_both_sides_of_the_edge(
    room: Room, model: ModelServer, setting: AutoApprove, confidence: float, category: str, body: str, why: PolicyReason
) -> None:
    _, message = room.put(
        mail("Hi Ann, good to meet you.", key="m0", thread="t0", sender=OWNER, to=(ANN,), labels=SENT), mail("What about it?")
    )
    model.enqueue(judged("respond", category, confidence), drafted(body), drafted(body))
    approver = Approves(room)
    async with opened(room, model.api_base, approver=approver, auto_approve=setting) as graph:
        status = await graph.run(room.start(message))
    allowed = why is PolicyReason.APPROVED_BY_RULE
    (logged,) = room.db.read("SELECT output_state FROM run_steps WHERE step_name = 'review'")
    assert json.loads(logged[0])["why"] == why
    assert status is (RunStatus.DONE if allowed else RunStatus.WAITING)
    assert len(approver.approved) == allowed
    assert room.steps()[-1] == ("dispatch" if allowed else "review")


async def test_a_stranger_is_never_answered_alone(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Hello?", sender=Address("eve@else.example", "Eve")))
    model.enqueue(judged(confidence=1.0), drafted(FINISHED.replace("Ann", "Eve")))
    approver = Approves(room)
    async with opened(room, model.api_base, approver=approver, auto_approve=ON) as graph:
        assert await graph.run(room.start(message)) is RunStatus.WAITING
    assert approver.approved == []
    assert room.all_reviews()[0].proposal.flags == ()


@pytest.mark.parametrize(
    ("category", "confidence", "status", "kinds"),
    [
        ("spam", 0.8, RunStatus.DONE, []),
        ("spam", 1.0, RunStatus.DONE, []),
        ("spam", 0.7999, RunStatus.WAITING, [ReviewKind.NOTIFY]),
        ("spam", 0.0, RunStatus.WAITING, [ReviewKind.NOTIFY]),
    ],
)
@pytest.mark.parametrize("decision", ["respond", "notify", "ignore"])
async def test_spam_whatever_the_model_would_do(
    room: Room, model: ModelServer, decision: str, category: str, confidence: float, status: RunStatus, kinds: list[ReviewKind]
) -> None:
    if decision == "notify":  # who is to be told of it sees it, whatever it is called
        status, kinds = RunStatus.WAITING, [ReviewKind.NOTIFY]
    (message,) = room.put(mail("You have won."))
    model.enqueue(judged(decision, category, confidence))
    async with opened(room, model.api_base) as graph:
        assert await graph.run(room.start(message)) is status
    assert [one.proposal.kind for one in room.all_reviews()] == kinds
    assert len(model.history) == 1
    assert "retrieve" not in room.steps()


CALLS = {"classify": 0, "decide": 1, "generate": 2}
GOOD = (judged("respond", "other"), structured(tools=["get_contact"]), drafted())
"""The three answers of a mail whose tools the model chooses, and which node asks for which."""


@pytest.mark.parametrize("node", CALLS)
@pytest.mark.parametrize("bad", [Answer("no, sorry"), Answer('{"decision": "dance", "tools": 7, "body": {}}'), Answer("")])
async def test_garbage_is_asked_again_once_and_then_done_without(room: Room, model: ModelServer, node: str, bad: Answer) -> None:
    mended, lost = room.put(mail("Hello.", key="m1"), mail("Hello.", key="m2", thread="t2"))
    before, after = GOOD[: CALLS[node]], GOOD[CALLS[node] :]
    async with opened(room, model.api_base) as graph:
        streamed = [bad] if node == "generate" and not bad.text else []  # an empty stream is asked for as a whole first
        model.enqueue(*before, *streamed, bad, *after)
        assert await graph.run(room.start(mended, "run-1")) is RunStatus.WAITING
        assert not model.script
        model.enqueue(*before, bad, bad, *(GOOD[2:] if node == "decide" else ()))
        assert await graph.run(room.start(lost, "run-2")) is RunStatus.WAITING
    assert not model.script
    review = room.all_reviews()[-1]
    assert review.proposal.kind is ReviewKind.REPLY
    assert review.proposal.draft.by_rule is (node != "decide")
    assert bool(review.proposal.detail) is (node != "decide")
    assert room.db.read("SELECT 1 FROM jobs WHERE kind = 'ask_again'") == []


BAD_KEY = Answer("bad key", status=401)
BUSY = Answer("slow down", status=429)
BROKEN = Answer("oops", status=500)
PAGE = Answer(raw=b"<html>not json")
CUT = Answer("cut short", cut_after=40)
LATE = Answer("late", wait_s=1.0)


@pytest.mark.parametrize("bad", [BAD_KEY, BUSY, BROKEN, PAGE, CUT, LATE])
async def test_an_unavailable_model_costs_no_draft_and_is_asked_again(room: Room, model: ModelServer, bad: Answer) -> None:
    (message,) = room.put(mail("Hello."))
    model.enqueue(*GOOD[:2], *[bad] * 4)
    async with opened(room, model.api_base, timeout_s=0.6 if bad.wait_s else 20.0) as graph:
        assert await graph.run(room.start(message)) is RunStatus.WAITING
    (review,) = room.all_reviews()
    assert review.proposal.draft.by_rule
    assert review.proposal.detail
    assert [row[0] for row in room.db.read("SELECT key FROM jobs WHERE kind = 'ask_again'")] == ["run-1"]


async def test_a_repetition_takes_the_place_of_what_was_made_without_the_model(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Hello."))
    async with opened(room, model.api_base) as graph:
        model.enqueue(*GOOD[:2], BAD_KEY)
        await graph.run(room.start(message))
    again = room.start(message, f"run-1{AGAIN}")
    async with opened(room, model.api_base) as graph:
        model.enqueue(BAD_KEY)
        assert await graph.run(again) is RunStatus.SUPERSEDED
        assert [one.status for one in room.all_reviews()] == [ReviewStatus.PENDING]
    more = room.start(message, f"run-1{AGAIN}{AGAIN}")
    async with opened(room, model.api_base) as graph:
        model.enqueue(*GOOD)
        assert await graph.run(more) is RunStatus.WAITING
    first, second = room.all_reviews()
    assert (first.status, second.status) == (ReviewStatus.SUPERSEDED, ReviewStatus.PENDING)
    assert not second.proposal.draft.by_rule
    assert second.proposal.detail == ""


async def test_a_repetition_leaves_what_the_owner_decided(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Hello."))
    async with opened(room, model.api_base) as graph:
        model.enqueue(*GOOD[:2], BAD_KEY)
        await graph.run(room.start(message))
    room.decide(room.all_reviews()[0].id, Action.IGNORE)
    async with opened(room, model.api_base) as graph:
        model.enqueue(*GOOD)
        assert await graph.run(room.start(message, f"run-1{AGAIN}")) is RunStatus.SUPERSEDED
    assert [one.status for one in room.all_reviews()] == [ReviewStatus.DISMISSED]


class Failing:
    """A part of the corpus that fails a number of times."""

    def __init__(self, real: Any, trouble: Exception, times: int) -> None:
        self._real = real
        self._trouble = trouble
        self._times = times
        self.calls = 0

    def __call__(self, *args: Any, **more: Any) -> Any:
        self.calls += 1
        if self.calls <= self._times:
            raise self._trouble
        return self._real(*args, **more)


@pytest.mark.expects_warnings
@pytest.mark.parametrize("trouble", [Offline("gone"), OSError("gone")])
@pytest.mark.parametrize(("part", "node"), [("similar", "retrieve"), ("own_replies", "retrieve"), ("drafter", "generate")])
@pytest.mark.parametrize(("times", "status"), [(2, RunStatus.WAITING), (3, RunStatus.NEEDS_REVIEW)])
async def test_three_attempts_then_needs_review(
    room: Room, trouble: Exception, part: str, node: str, times: int, status: RunStatus
) -> None:
    (message,) = room.put(mail("What is the price?"))
    deps = room.deps(FixedTriage(verdict()))
    changes: dict[str, Any] = {}
    failing = Failing(deps.drafter if part == "drafter" else getattr(room.corpus, part), trouble, times)
    if part == "drafter":
        changes["drafter"] = failing
    else:
        setattr(room.corpus, part, failing)
    async with open_graph(room.folder / "checkpoints.db", room.deps(FixedTriage(verdict()), **changes)) as graph:
        assert await graph.run(room.start(message)) is status
    assert failing.calls == 3
    if status is RunStatus.NEEDS_REVIEW:
        assert room.steps()[-2:] == [node, "needs_review"]
        (review,) = room.all_reviews()
        assert review.proposal.kind is ReviewKind.NEEDS_REVIEW


@pytest.mark.parametrize(
    ("broken", "category"), [("check_calendar", Category.MEETING_REQUEST), ("get_contact", Category.COMPLAINT)]
)
async def test_each_failing_tool_stands_alone(
    room: Room, monkeypatch: pytest.MonkeyPatch, broken: str, category: Category
) -> None:
    async def down(*_: Any) -> Any:
        raise Offline("down")

    monkeypatch.setitem(TOOLS, broken, down)
    (message,) = room.put(mail("Hello?"))
    deps = room.deps(FixedTriage(verdict(category=category)), calendar=ScriptedCalendar())
    async with open_graph(room.folder / "checkpoints.db", deps) as graph:
        assert await graph.run(room.start(message)) is RunStatus.WAITING
    found = {row[0]: row[1] for row in room.db.read("SELECT tool, error FROM tool_calls")}
    assert found.pop(broken) == "offline: down"
    assert "create_draft" in found
    assert set(found.values()) == {""}
    assert room.all_reviews()[0].proposal.kind is ReviewKind.REPLY
