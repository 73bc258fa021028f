"""One script of a day's work against servers of every shape: triage, draft, edit, memory, meeting, request with plan, research,
document, mail. The list of what left holds each call as the server got it. The shapes follow the providers' public documentation
(`tests/fakes/providers/shapes`).
"""

from collections import deque
from datetime import timedelta

import pytest

from app.agent.graph import MailGraph
from app.agent.learning.decisions import DecisionContext, propose_lessons
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.litellm_setup import close_litellm
from app.agent.llm.target import ModelTarget
from app.domain.agents.memory import RejectionReason, sender_of
from app.domain.agents.requests import Capability, RequestStatus
from app.domain.agents.runs import Route, RunStatus
from app.domain.drafting.review import Action, ReviewKind, ReviewStatus
from app.domain.mail.message import Message
from app.domain.mail.triage import Category
from app.domain.record import replace
from app.store.runs.model_calls import load_sent_calls
from fakes.engine.agent_mailbox import PROMPTS, FixedTriage, Room, ScriptedCalendar, mail, verdict
from fakes.models.gmail_agent import SENDS, writes
from fakes.models.model_server import Answer, ModelServer, structured
from fakes.models.requests import answers, document, looks, plans, requests_at
from fakes.models.response_agent import sends
from fakes.providers.server import ProviderServer
from fakes.providers.shapes import SHAPES, Asked, Reply, Shape


class Script:
    """Answers in order, whatever is asked, as a behaviour of a server of any shape."""

    def __init__(self, *told: Answer) -> None:
        self.left = deque(told)

    def __call__(self, _asked: Asked, _number: int) -> Reply:
        answer = self.left.popleft()
        return Reply(answer.text, tuple(answer.tool_calls))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.provider)
async def test_a_day_with_every_shape(room: Room, model: ModelServer, shape: Shape) -> None:
    asks, meets, order = room.put(
        mail("What is the price of model 7?", key="m1", thread="t1"),
        mail("Shall we meet on Monday?", key="m2", thread="t2"),
        mail("Order 4411 ships on Friday.", key="m3", thread="t3", subject="Order 4411"),
    )
    judged = structured(decision="respond", category="inquiry", confidence=0.9, reason="Asks for a price.")
    drafted = [
        structured(language="English", questions=["price"], body=body) for body in ("Hello [[price]]", "It is 12 EUR. Mia")
    ]
    lesson = structured(changes=[{"change": "add", "id": 0, "text": "Replies name prices in EUR."}])
    planned = plans(
        ("research", "Find order 4411."), ("create_document", "Write a report."), ("gmail", "Send it to ann@partner.org.")
    )
    script = Script(judged, *drafted, lesson, sends(meets), planned, looks("order 4411"), answers("On Friday.", order.id))
    script.left.extend(
        [document("# Order\n\nFriday.", "Order"), SENDS, writes("ann@partner.org", "Order", "It ships on Friday.")]
    )
    with ProviderServer(shape, script) as server:
        made = LiteLlmGateway(ModelTarget(server.model, server.address, "key-1"), room.runs, room.clock, ())
        await _mail(room, made, asks.id, meets.id)
        async with requests_at(room, model, gateway=made) as at_work:
            request = at_work.asked("Find out when order 4411 ships, write a report and send it to ann@partner.org.")
            plan = await at_work.supervisor.plan(request)
            assert [one.capability for one in plan.steps] == [Capability.RESEARCH, Capability.CREATE_DOCUMENT, Capability.GMAIL]
            at_work.tables.requests.plan(request.id, plan.steps, plan.maker, run=True)
            request = await at_work.run(request.id)
            assert request.status is RequestStatus.WAITING, [str(one.error) for one in request.steps]
            assert [one.name for one in request.documents] == ["Order_20261120_120500.md"]
            proposed = at_work.review(request.steps[2]).proposal.draft
            assert proposed is not None and [one.email for one in proposed.to] == ["ann@partner.org"]
        assert not script.left
        assert [asked.stream for asked in server.asked].count(True) >= 2, "drafts are streamed"
        _check_ledger(room, server, (asks, b"price of model 7"), (meets, b"meet on Monday"), (order, b"ships on Friday"))
    await close_litellm()


STEPS = (
    ("triage", 1), ("generate", 1), ("generate", 1), ("memory", 1), ("agent", 2), ("plan", 0),
    ("agent", 0), ("agent", 3), ("generate", 0), ("agent", 0), ("agent", 0),
)  # fmt: skip
"""The calls of the script in order, and which mail each carries: a verdict, a draft, its change, what an edit teaches, a meeting;
a plan, two turns of research, a document, the intent of a mail and the mail.
"""


def _check_ledger(room: Room, server: ProviderServer, *mails: tuple[Message, bytes]) -> None:
    """The list of what left is what the server got, byte for byte and call for call. It names each mail with words in a call.

    Nothing is left out: litellm sends nothing of its own, also no questions to Ollama about the model (`/api/show`).
    """
    rows = room.db.load(load_sent_calls, room.clock() - timedelta(days=1))[::-1]
    assert [(one.sent_bytes, one.sent_sha256) for one in rows] == server.seen
    assert sum(one.got_bytes for one in rows) == server.answered_bytes
    assert {one.host for one in rows} == {server.address.split("/")[2]}
    carried = [(kind, (mails[number - 1][0].id,) if number else ()) for kind, number in STEPS]
    assert [(one.call_type, one.mails) for one in rows] == carried
    for one, body in zip(rows, server.bodies, strict=True):
        assert {mail.id for mail, words in mails if words in body} <= set(one.mails)


async def _mail(room: Room, gateway: LiteLlmGateway, asks: int, meets: int) -> None:
    """Triage, a draft, its change in words, what an edit teaches, and a meeting request with tools."""
    deps = room.deps(FixedTriage(verdict(maker="local:83")), gateway=gateway, calendar=ScriptedCalendar())
    graph = await MailGraph.open(room.folder / "checkpoints.db", deps)
    message, meeting = (room.corpus.message(one) for one in (asks, meets))  # type: ignore[arg-type]
    run = room.start(message)
    assert await graph.run(run) is RunStatus.WAITING
    room.decide(room.all_reviews()[0].id, Action.RESPOND, "say it is 12 EUR")
    assert await graph.resume(run.id) is RunStatus.WAITING
    (review,) = room.all_reviews()
    draft = review.proposal.draft
    assert draft is not None and draft.body.startswith("It is 12 EUR.")
    room.decide(review.id, Action.EDIT, draft=replace(draft, body="It costs 12 EUR. Mia", spans=()))
    seen = DecisionContext(
        review=room.reviews.review(review.id),
        action=Action.EDIT,
        reason=RejectionReason.NONE,
        words="",
        message=message,
        account=room.corpus.account(message.account_id),
        sender=sender_of(message, written_to=True),
        rejections=(),
        wishes=(),
    )
    (lesson,) = await propose_lessons(gateway, PROMPTS, seen, ())
    assert lesson.text == "Replies name prices in EUR."
    agent = replace(deps, triage=FixedTriage(verdict(category=Category.MEETING_REQUEST, maker="rule:test")))
    other = await MailGraph.open(room.folder / "others.db", agent)
    assert await other.run(room.start(meeting, "run-2", route=Route.RESPONSE_AGENT)) is RunStatus.WAITING
    for one in (graph, other):
        await one.close()
    (waiting,) = [one for one in room.all_reviews() if one.status is ReviewStatus.PENDING]
    assert waiting.proposal.kind is ReviewKind.TOOL_CALL
