"""The graph with a scripted model behind HTTP: how many calls, what is asked, what is checked, what happens offline."""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from typing import Any

import pytest

from app.agent.drafting.sources import message_text
from app.agent.graph import MailGraph
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.target import ModelTarget
from app.domain.agents.egress import LocalOnlyRules
from app.domain.agents.owner_profile import OwnerFacts, Voice, WritingStyle, profile_rules
from app.domain.agents.runs import BY_RULE, Route, RunStatus
from app.domain.drafting.draft import SpanKind, fill_slots
from app.domain.drafting.meeting import BusyTime
from app.domain.drafting.review import Action, FlagKind, ReviewKind
from app.domain.error_texts import ErrorText
from app.domain.errors import AgentsPaused, ModelUnavailable
from app.domain.ids import RunId
from app.domain.mail.message import Address, Message
from app.domain.mail.triage import Category, Decision, Triage
from app.engine.learning.memory import StoredMemory
from app.store.learning.preferences import Preferences
from app.store.runs.audit import export_lines
from fakes.engine.agent_mailbox import ANN, OWNER, SENT, FixedTriage, Room, ScriptedCalendar, mail, verdict
from fakes.engine.runs import open_graph
from fakes.models.model_server import Answer, ModelServer, structured

UNSURE = FixedTriage(verdict(maker="local:83"))


@asynccontextmanager
async def opened(room: Room, model: ModelServer, triage: Any = UNSURE, **changes: Any) -> AsyncIterator[MailGraph]:
    """A graph whose model is scripted."""
    key, cap = changes.pop("key", "key"), changes.pop("cap", 0)
    target = ModelTarget("openai/scripted", model.api_base, key, timeout_s=20, daily_calls=cap)
    gateway = LiteLlmGateway(target, room.runs, room.clock, backoff_s=(0.0, 0.0))
    for decision in list(Decision) * changes.pop("right", 0):
        gateway.trust.learn(decision, decision)
    async with open_graph(room.folder / "checkpoints.db", room.deps(triage, gateway=gateway, **changes)) as graph:
        yield graph


def judged(decision: str, category: str, confidence: float = 0.9, **more: Any) -> Answer:
    """A triage answer, or with more fields one that has the draft too."""
    return structured(decision=decision, category=category, confidence=confidence, reason="Asks for a price.", **more)


def written(decision: str, body: str) -> Answer:
    """A verdict with its draft."""
    return judged(decision, "other", language="English", questions=[], body=body)


def drafted(body: str) -> Answer:
    return structured(language="English", questions=["price"], body=body)


def call_types(room: Room) -> list[str]:
    return [row[0] for row in room.db.read("SELECT call_type FROM llm_calls ORDER BY rowid")]


PLAIN = "Hello Ann,\n\nthank you for asking. The price is [[the price]].\n\nBest regards\nMia"


@pytest.fixture
def message(room: Room) -> Message:
    (message,) = room.put(mail("What is the price?"))
    return message


@pytest.mark.parametrize(
    ("local", "script", "calls", "status"),
    [
        (verdict(Decision.IGNORE, Category.OTHER, maker="rule:list-mail"), [], [], RunStatus.DONE),
        (verdict(), [judged("ignore", "other")], ["triage"], RunStatus.DONE),
        (verdict(), [judged("respond", "spam", 0.8)], ["triage"], RunStatus.DONE),
        (verdict(), [judged("respond", "spam", 0.79)], ["triage"], RunStatus.WAITING),
        (verdict(), [judged("notify", "other")], ["triage"], RunStatus.WAITING),
        (verdict(), [judged("respond", "inquiry"), drafted(PLAIN)], ["triage", "generate"], RunStatus.WAITING),
        (verdict(), [judged("respond", "complaint"), drafted(PLAIN)], ["triage", "generate"], RunStatus.WAITING),
        (verdict(), [judged("respond", "meeting_request"), drafted(PLAIN)], ["triage", "generate"], RunStatus.WAITING),
        (
            verdict(),
            [judged("respond", "other"), structured(tools=["get_contact"]), drafted(PLAIN)],
            ["triage", "plan", "generate"],
            RunStatus.WAITING,
        ),
    ],
)
async def test_the_call_budget(
    room: Room, model: ModelServer, local: Any, script: list[Answer], calls: list[str], status: RunStatus, message: Message
) -> None:
    model.enqueue(*script)
    async with opened(room, model, FixedTriage(local)) as graph:
        assert await graph.run(room.start(message)) is status
    assert call_types(room) == calls
    assert not model.script


async def test_a_draft_with_slots_and_its_maker(room: Room, model: ModelServer, message: Message) -> None:
    model.enqueue(judged("respond", "inquiry"), drafted(PLAIN))
    async with opened(room, model) as graph:
        await graph.run(room.start(message))
    (review,) = room.all_reviews()
    draft = review.proposal.draft
    assert draft.open_slots == ("the price",)
    assert "[[" not in draft.body
    assert (draft.maker, review.proposal.maker) == ("openai/scripted", "openai/scripted")
    assert draft.to == (ANN,)
    assert draft.subject == "Re: Question"
    assert draft.reply_to == message.id


async def test_unsupported_claims_go_back_once_and_are_marked(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("What is the price of model 7?"))
    wrong = "Hello Ann,\n\nModel 7 costs 499 EUR. See https://shop.example/7 for more.\n\nMia"
    still = "Hello Ann,\n\nModel 7 costs 499 EUR.\n\nMia"
    model.enqueue(judged("respond", "inquiry"), drafted(wrong), drafted(still))
    async with opened(room, model) as graph:
        await graph.run(room.start(message))
    assert call_types(room) == ["triage", "generate", "generate"]
    assert "figure: 499" in model.prompts()[2]
    assert "https://shop.example/7" in model.prompts()[2]
    assert room.steps() == [
        *("route", "classify", "retrieve", "decide", "execute_tools", "generate", "check", "generate", "check", "review")
    ]
    draft = room.all_reviews()[0].proposal.draft
    assert draft is not None
    marks = [(draft.body[one.start : one.end].strip(), one.note) for one in draft.spans if one.kind is SpanKind.UNSUPPORTED]
    assert marks == [("499", "figure")]


async def test_a_mended_draft_has_no_marks(room: Room, model: ModelServer, message: Message) -> None:
    model.enqueue(judged("respond", "inquiry"), drafted("Hello Ann, it costs 499 EUR. Mia"), drafted(PLAIN))
    async with opened(room, model) as graph:
        await graph.run(room.start(message))
    draft = room.all_reviews()[0].proposal.draft
    assert draft is not None
    assert [one.kind for one in draft.spans] == [SpanKind.OPEN_SLOT]


async def test_feedback_is_followed_by_the_model(room: Room, model: ModelServer, message: Message) -> None:
    model.enqueue(judged("respond", "inquiry"), drafted(PLAIN), drafted("Hello Ann,\n\nit is 12 EUR.\n\nMia"))
    async with opened(room, model) as graph:
        run = room.start(message)
        await graph.run(run)
        room.decide(room.all_reviews()[0].id, Action.RESPOND, "say it is 12 EUR")
        assert await graph.resume(run.id) is RunStatus.WAITING
    (review,) = room.all_reviews()
    assert review.revision == 2
    assert review.proposal.draft.body.startswith("Hello Ann,\n\nit is 12 EUR.")
    assert not [one for one in review.proposal.draft.spans if one.kind is SpanKind.UNSUPPORTED]
    assert "The owner says: say it is 12 EUR" in model.prompts()[2]


async def test_a_change_that_copies_the_mail_leaves_the_draft(room: Room, model: ModelServer, message: Message) -> None:
    model.enqueue(judged("respond", "inquiry"), drafted(PLAIN), *[drafted(message_text(message))] * 2)
    async with opened(room, model) as graph:
        run = room.start(message)
        await graph.run(run)
        room.decide(room.all_reviews()[0].id, Action.RESPOND, "shorter, please")
        await graph.resume(run.id)
    (review,) = room.all_reviews()
    assert review.proposal.draft is not None and review.proposal.draft.body.startswith("Hello Ann,")
    assert "UNUSABLE_TWICE" in review.proposal.detail


async def test_what_the_model_sees(room: Room, model: ModelServer) -> None:
    before, answer, _earlier, message = room.put(
        mail("Do you deliver on Saturdays?", key="q", thread="t9", sender=ANN),
        mail("Dear Ann, we deliver on weekdays only. Mia", key="a", thread="t9", sender=OWNER, to=(ANN,), labels=SENT),
        mail("Our order was late.", key="m0"),
        mail(
            "So when do you deliver?\n\nOn Fri, Nov 20, 2026 at 9:00 AM Mia <me@example.com> wrote:\n> the old secret words",
            key="m1",
        ),
    )
    room.corpus.replies = [(before.id, answer.id, 0.8)]
    room.corpus.near = [(before.id, 0.9)]
    model.enqueue(judged("respond", "follow_up"), drafted("Dear Ann, we deliver on weekdays only. Mia"))
    async with opened(room, model, background="Mia runs a bakery.") as graph:
        await graph.run(room.start(message))
    triage, draft = model.prompts()
    assert "Mia runs a bakery." in triage
    assert "So when do you deliver?" in triage
    assert "the old secret words" not in triage + draft
    assert "Do you deliver on Saturdays?" not in draft, "only the owner's half"
    assert "we deliver on weekdays only" in draft
    assert "Our order was late." in draft
    marks = [line for line in draft.splitlines() if line.startswith("<<<")]
    assert len({line.split()[-1] for line in marks}) == len(marks) >= 3
    made = room.all_reviews()[0].proposal.draft
    assert made is not None
    quoted = [one for one in made.spans if one.kind is SpanKind.FROM_SOURCE]
    assert [made.body[one.start : one.end] for one in quoted] == ["Dear Ann, we deliver on weekdays only. Mia"]
    assert quoted[0].source_message_id == answer.id


async def test_triage_sees_what_code_knows(room: Room, model: ModelServer) -> None:
    _earlier, message = room.put(
        mail("Our order was late.", key="m0"),
        mail("Any news?", key="m1", headers=(("Authentication-Results", "mx; spf=pass x; dkim=fail y"), ("List-Id", "<a.b>"))),
    )
    model.enqueue(judged("notify", "other"))
    async with opened(room, model, language="Czech") as graph:
        await graph.run(room.start(message))
    (prompt,) = model.prompts()
    for words in (
        "Our order was late.",
        "It was sent to the owner alone.",
        "Authentication: spf pass, dkim fail.",
        "headers of programs: List-Id.",
        "The local classifier says respond, inquiry (0.70)",
        "one short sentence in Czech",
        "Friday 2026-11-20 12:05 UTC",
    ):
        assert words in prompt


SURE = FixedTriage(verdict(confidence=0.95))


@pytest.mark.parametrize(
    ("decision", "kinds", "status"),
    [
        ("respond", [ReviewKind.REPLY], RunStatus.WAITING),
        ("notify", [ReviewKind.NOTIFY], RunStatus.WAITING),
        ("ignore", [], RunStatus.DONE),
    ],
)
async def test_one_call_judges_and_writes_where_an_answer_is_nearly_sure(
    room: Room, model: ModelServer, decision: str, kinds: list[ReviewKind], status: RunStatus, message: Message
) -> None:
    body = PLAIN if decision == "respond" else ""
    said = {"decision": decision, "category": "other", "confidence": 0.8, "reason": "It asks."}
    model.enqueue(structured(**said, language="English", questions=[], body=body))
    async with opened(room, model, SURE, right=30) as graph:
        assert await graph.run(room.start(message)) is status
    assert call_types(room) == ["generate"]
    assert [one.proposal.kind for one in room.all_reviews()] == kinds
    (row,) = room.db.read("SELECT decision, maker FROM messages WHERE id = ?", (message.id,))
    assert tuple(row) == (decision, "openai/scripted")


@pytest.mark.parametrize(
    ("local", "script", "cause"),
    [
        (SURE, [written("notify", "")], "VERDICT_OVERRULED"),
        (SURE, [written("respond", "spam")] * 2, "UNUSABLE_TWICE"),
        (SURE, [written("respond", "Dobrý den, děkuji za dotaz, cenu zjistím a napíšu.")] * 2, "UNUSABLE_TWICE"),
        (SURE, [written("respond", "price price price price price")] * 2, "UNUSABLE_TWICE"),
        (FixedTriage(verdict(Decision.NOTIFY, confidence=0.8)), [judged("respond", "inquiry")], ""),
    ],
)
async def test_a_weak_model_makes_nothing_worse(
    room: Room, model: ModelServer, local: FixedTriage, script: list[Answer], cause: str, message: Message
) -> None:
    model.enqueue(*script)
    async with opened(room, model, local, key="") as graph:
        assert await graph.run(room.start(message)) is RunStatus.WAITING
    (review,) = room.all_reviews()
    assert review.proposal.maker == "local:83" and cause in str(review.proposal.detail)
    assert review.proposal.draft is None if not cause else review.proposal.draft is not None and review.proposal.draft.by_rule


LONG = (
    "Good morning Mia, the blue bicycle that I rented at the station lost its chain on the bridge yesterday evening. I walked "
    "home in the rain and missed the train to Vienna, so the ticket is lost as well. May I bring it back on Saturday, and what "
    "happens with the deposit and the helmet? The key of the lock is with my neighbour, who leaves for Berlin tomorrow."
)


async def test_the_mail_with_its_headers_is_no_reply(room: Room, model: ModelServer, message: Message) -> None:
    model.enqueue(*[written("respond", message_text(message))] * 2)
    async with opened(room, model, SURE, key="") as graph:
        await graph.run(room.start(message))
    (review,) = room.all_reviews()
    assert review.proposal.draft is not None and review.proposal.draft.by_rule


@pytest.mark.parametrize(
    ("body", "usable"),
    [
        ("Good morning Ann, yes, please bring the bicycle on Saturday. You get the deposit back.\n\nMia", True),
        ("Dear Ann, as an AI language model I cannot see the rental, but I hope this helps.\n\nMia", False),
        ("Here is a draft reply to the email:\n\nDear Ann, please bring the bicycle on Saturday.\n\nMia", False),
        ("Thank you, I will bring the bicycle on Saturday and fetch the deposit.\n\nThanks\nAnn", False),
        ("Rules: answer only the newest mail, every question in it, in the order asked. The bicycle is blue.\n\nMia", False),
        ("I'm sorry, but I can't help with that request about the bicycle.", False),
        ("Option 1: Dear Ann, bring the bicycle.\n\nOption 2: Hi Ann, keep the bicycle.", False),
        ("[[your answer]]", False),
        ("Hello Mia, thank you, I will bring the bicycle on Saturday and fetch the deposit.\n\nAnn", False),
        ("Hi Ann, the blue bicycle that I rented at the station lost its chain on the bridge yesterday evening. Mia", False),
        (
            "Dear Ann, our quarterly newsletter covers machine learning, gardening, and healthy recipes. Subscribers receive "
            "articles about tomatoes, investments, programming, meditation, furniture, astronomy, chess openings, coffee "
            "roasting, marketing strategy, insurance, mortgage rates, fitness, parenting, sustainable fashion. Enjoy reading!",
            False,
        ),
        ("Dobrý den,\n\nděkuji za zprávu, ozvu se vám prosím co nejdříve. [[kdy]]\n\nS pozdravem\nMia", False),
    ],
)
async def test_a_draft_that_answers_nothing_is_replaced(room: Room, model: ModelServer, body: str, usable: bool) -> None:
    """What sent mail told of the owner names languages, and excuses none."""
    (message,) = room.put(mail(LONG))
    model.enqueue(*[written("respond", body)] * 2)
    known = Preferences(room.db, room.clock)
    styles = tuple(WritingStyle(one, False, "Hello", "Mia", 30) for one in ("en", "cs"))
    known.put_profile(profile_rules(room.account_id, Voice(9, styles, gender="f"), OwnerFacts(9)))
    async with opened(room, model, SURE, key="", memory=StoredMemory(known)) as graph:
        assert await graph.run(room.start(message)) is RunStatus.WAITING
    (review,) = room.all_reviews()
    assert review.proposal.draft.by_rule is not usable


async def test_the_local_verdict_and_draft_stand_where_that_call_fails(room: Room, model: ModelServer, message: Message) -> None:
    model.enqueue(Answer("no"), Answer("no"))
    async with opened(room, model, SURE) as graph:
        assert await graph.run(room.start(message)) is RunStatus.WAITING
    (review,) = room.all_reviews()
    assert (review.proposal.maker, review.proposal.confidence) == ("local:83", 0.95)
    assert review.proposal.draft.by_rule


async def test_calendar_titles_stay_here(room: Room, model: ModelServer) -> None:
    from datetime import timedelta

    from app.domain.drafting.meeting import BusyTime

    (message,) = room.put(mail("Can we meet on Monday?"))
    busy = BusyTime(room.now + timedelta(days=1), room.now + timedelta(days=1, hours=1), "Doctor")
    model.enqueue(judged("respond", "meeting_request"), drafted(PLAIN))
    async with opened(room, model, calendar=ScriptedCalendar((busy,))) as graph:
        await graph.run(room.start(message))
    assert "Free for a meeting: Monday 23 November, " in model.prompts()[1]
    assert "Doctor" not in model.prompts()[1]
    assert "Doctor" in room.all_reviews()[0].proposal.tools[0].result


async def test_without_the_models_verdict_the_local_one_counts(room: Room, model: ModelServer, message: Message) -> None:
    model.enqueue(Answer("no idea"), Answer("really not"))
    async with opened(room, model) as graph:
        assert await graph.run(room.start(message)) is RunStatus.WAITING
    (review,) = room.all_reviews()
    assert (review.proposal.kind, review.proposal.maker) == (ReviewKind.REPLY, "local:83")
    assert review.proposal.draft.maker == "template"
    assert "gave an answer that can't be used" in str(ErrorText.of_stored(review.proposal.detail))
    assert call_types(room) == ["triage", "triage"]


async def test_the_owners_wish_waits_for_the_model(room: Room, model: ModelServer, message: Message) -> None:
    model.enqueue(judged("respond", "inquiry"), drafted(PLAIN), *[Answer("down", status=503)] * 3)
    async with opened(room, model) as graph:
        run = room.start(message)
        await graph.run(run)
        room.decide(room.all_reviews()[0].id, Action.RESPOND, "say it is 12 EUR")
        with pytest.raises(ModelUnavailable):
            await graph.resume(run.id)


async def test_a_used_up_cap_costs_no_draft(room: Room, model: ModelServer, message: Message) -> None:
    model.enqueue(judged("respond", "inquiry"))
    async with opened(room, model, cap=1) as graph:
        assert await graph.run(room.start(message)) is RunStatus.WAITING
    assert call_types(room) == ["triage"]
    assert "the cap is 1" in str(ErrorText.of_stored(room.all_reviews()[0].proposal.detail))


class Fails:
    """The gateway, except that agents are paused when a draft is asked for."""

    def __init__(self, gateway: LiteLlmGateway) -> None:
        self._gateway = gateway

    @property
    def model(self) -> str:
        return self._gateway.model

    async def weighed(self, local: Triage, said: Triage) -> Triage:
        return await self._gateway.weighed(local, said)

    async def structured(self, run_id: RunId, call_type: str, *asked: Any) -> Any:
        if call_type == "generate":
            raise AgentsPaused("gone")
        return await self._gateway.structured(run_id, call_type, *asked)


async def test_what_is_kept_of_a_run_names_no_class_of_ours(room: Room, model: ModelServer, message: Message) -> None:
    failing = Fails(LiteLlmGateway(ModelTarget("openai/scripted", model.api_base, "key", timeout_s=20), room.runs, room.clock))
    run, path = room.start(message), room.folder / "checkpoints.db"
    for _ in range(2):  # the second begins behind the verdict, as the log tells it
        model.enqueue(judged("respond", "inquiry"))
        graph = await MailGraph.open(path, room.deps(UNSURE, gateway=failing))
        with pytest.raises(AgentsPaused):
            await graph.run(run)
        await graph.close()
        with closing(sqlite3.connect(path)) as file:
            rows = [bytes(one[0]) for one in file.execute("SELECT checkpoint FROM checkpoints")]
        assert rows
        assert not any(b"app.agent" in one for one in rows)
        for file in room.folder.glob("checkpoints.db*"):
            file.unlink()


async def test_an_approved_reply_ends_without_another_call(room: Room, model: ModelServer, message: Message) -> None:
    model.enqueue(judged("respond", "inquiry"), drafted(PLAIN))
    async with opened(room, model) as graph:
        run = room.start(message)
        assert await graph.run(run) is RunStatus.WAITING
        (review,) = room.all_reviews()
        assert review.proposal.draft is not None
        room.decide(review.id, Action.ACCEPT, draft=fill_slots(review.proposal.draft, ("12 EUR",)))
        assert await graph.resume(run.id, review.id) is RunStatus.DONE
        await graph.forget(run.id)
    assert room.steps()[-2:] == ["gate", "dispatch"]
    assert call_types(room) == ["triage", "generate"]


async def test_a_draft_that_goes_back_stays_when_no_other_comes(room: Room, model: ModelServer, message: Message) -> None:
    model.enqueue(judged("respond", "inquiry"), drafted("Hello Ann, it costs 499 EUR. Mia"), *[Answer("down", status=503)] * 2)
    async with opened(room, model) as graph:
        assert await graph.run(room.start(message)) is RunStatus.WAITING
    assert not model.script
    (review,) = room.all_reviews()
    assert review.proposal.draft.maker == "openai/scripted"
    assert [one.note for one in review.proposal.draft.spans if one.kind is SpanKind.UNSUPPORTED] == ["figure"]
    assert review.proposal.detail == ""


async def test_the_export_shows_what_each_node_of_a_pipeline_run_read_and_wrote(room: Room, model: ModelServer) -> None:
    earlier, message = room.put(mail("It was 12 EUR.", key="m0", thread="t0"), mail("What is the price?"))
    room.corpus.near = [(earlier.id, 0.9)]
    model.enqueue(judged("respond", "inquiry"), drafted(PLAIN))
    async with opened(room, model) as graph:
        run = room.start(message)
        await graph.run(run)
    lines = [json.loads(one) for one in export_lines(room.db, run.created_at)]
    (shown,) = [one for one in lines if one["record"] == "run"]
    assert (shown["id"], shown["route"]) == (run.id, "pipeline")
    nodes = {one["step_name"]: one for one in lines if one["record"] == "node"}
    assert list(nodes) == room.steps()
    assert nodes["classify"]["input_state"]["email"]["text"] == "What is the price?"
    assert nodes["retrieve"]["output_state"]["context"][0]["mail"]["text"] == "It was 12 EUR."
    for node in ("generate", "review"):
        assert "thank you for asking" in str(nodes[node]["output_state"]["draft_response"])
    assert {one["call_type"] for one in lines if one["record"] == "llm_call"} >= {"triage", "generate"}
    assert [one["tool"] for one in lines if one["record"] == "tool_call"]


async def test_a_draft_without_the_model_asks_it_nothing(room: Room, model: ModelServer, message: Message) -> None:
    """The owner wants one where a model failed."""
    async with opened(room, model) as graph:
        run = room.start(message, f"run-1{BY_RULE}", answer=True)
        assert await graph.run(run) is RunStatus.WAITING
    assert call_types(room) == []
    (review,) = room.all_reviews()
    assert review.proposal.draft.by_rule
    assert ErrorText.of_stored(review.proposal.detail).cause == "ASKED_WITHOUT_MODEL"


STAYING = (
    LocalOnlyRules(people=frozenset({"ann@partner.org"})),
    LocalOnlyRules(people=frozenset({"partner.org"})),
    LocalOnlyRules(labels=frozenset({"private"}), label_names=lambda _account: {"Label_1": "Private"}),
    LocalOnlyRules(kinds=frozenset({"health"})),
)


@pytest.mark.parametrize("rule", STAYING)
@pytest.mark.parametrize("route", [Route.PIPELINE, Route.RESPONSE_AGENT])
async def test_mail_that_stays_here_reaches_no_model(room: Room, model: ModelServer, rule: LocalOnlyRules, route: Route) -> None:
    (message,) = room.put(mail("The patient asks about the diagnosis. When?", labels=frozenset({"INBOX", "UNREAD", "Label_1"})))
    async with opened(room, model, stays_here=rule) as graph:
        assert await graph.run(room.start(message, route=route)) is RunStatus.WAITING
    assert not model.history
    (review,) = room.all_reviews()
    assert review.proposal.draft.by_rule
    assert "keeps this email on this computer" in str(ErrorText.of_stored(review.proposal.detail))


async def test_mail_that_stays_here_is_in_no_request_about_other_mail(room: Room, model: ModelServer) -> None:
    eve = Address("eve@clinic.example", "Eve")
    question, answer, message = room.put(
        mail("What does it cost?", key="q", thread="t9", sender=eve),
        mail(
            "Dear Eve, it costs nothing at all for you and yours. Mia", key="a", thread="t9", sender=OWNER, to=(eve,), labels=SENT
        ),
        mail("What does it cost?", key="m1"),
    )
    room.corpus.replies = [(question.id, answer.id, 0.9)]
    model.enqueue(judged("respond", "inquiry"), drafted(PLAIN))
    async with opened(room, model, stays_here=LocalOnlyRules(people=frozenset({"clinic.example"}))) as graph:
        await graph.run(room.start(message))
    assert len(model.prompts()) == 2
    assert "nothing at all" not in "".join(model.prompts())


DENTIST = BusyTime(datetime(2026, 11, 23, 9, 30, tzinfo=UTC), datetime(2026, 11, 23, 10, tzinfo=UTC), "Dentist")


@pytest.mark.parametrize(
    ("body", "flags"),
    [
        ("Hello Ann, Monday 23 November at 14:00 is fine. Mia", []),
        ("Hello Ann, Monday 23 November at 9:30 is fine. Mia", [(FlagKind.CALENDAR_CONFLICT, "Dentist 09:30-10:00")]),
        ("Hello Ann, Monday 23 November at 20:00 is fine. Mia", [(FlagKind.OUTSIDE_HOURS, "2026-11-23 20:00")]),
        ("Hello Ann, unfortunately Monday 23 November at 9:30 is taken. Mia", []),
    ],
)
async def test_an_accepted_time_that_is_taken_or_outside_working_hours_is_flagged(
    room: Room, model: ModelServer, body: str, flags: list[tuple[FlagKind, str]]
) -> None:
    (message,) = room.put(mail("Shall we meet on Monday 23 November at 9:30, 14:00 or 20:00?"))
    model.enqueue(judged("respond", "meeting_request"), drafted(body), drafted(body))
    async with opened(room, model, calendar=ScriptedCalendar((DENTIST,))) as graph:
        await graph.run(room.start(message))
    found = [(one.kind, one.about) for one in room.all_reviews()[0].proposal.flags]
    assert [one for one in found if one[0] in (FlagKind.CALENDAR_CONFLICT, FlagKind.OUTSIDE_HOURS)] == flags


async def test_corrections_are_examples_for_triage(room: Room, model: ModelServer) -> None:
    other, private, message = room.put(
        mail("Our new prices.", key="o", thread="t8", subject="News"),
        mail("The secret.", key="p", thread="t9", sender=Address("x@clinic.example", "X")),
        mail("Any news?", key="m1"),
    )
    corrected = ((other, Decision.NOTIFY), (private, Decision.IGNORE))
    stays = LocalOnlyRules(people=frozenset({"clinic.example"}))
    model.enqueue(judged("notify", "other"))
    async with opened(room, model, corrections=lambda _account: corrected, stays_here=stays) as graph:
        await graph.run(room.start(message))
    (prompt,) = model.prompts()
    assert "<<<the owner sorted this as notify" in prompt and "Our new prices." in prompt
    assert "The secret." not in prompt
