"""Research: a bounded loop over tools that only read, with an answer that cites nothing it has not read."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.domain.agents.requests import ALL_MAIL, Capability, MailScope, StepStatus
from app.domain.agents.tools import WebHit, WebPage
from app.domain.drafting.draft import SourceKind
from app.domain.drafting.meeting import BusyTime
from app.domain.ids import RequestId
from app.domain.mail.message import Address, Message
from app.domain.policy.policy import Budget
from app.domain.protocol.assistant_commands import AskAssistant
from app.store.runs.model_calls import load_sent_calls
from fakes.engine.agent_mailbox import ANN, NOON, OWNER, Room, ScriptedCalendar, mail
from fakes.models.model_server import Answer, ModelServer, calls
from fakes.models.requests import Requests, answers, looks, plans, requests_at

ORDER = "Order 4411 ships on Friday."


class Web:
    """A search engine and a page that say one thing."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def find(self, words: str, limit: int) -> tuple[WebHit, ...]:
        self.asked.append(words)
        return (WebHit("Ships", "https://ships.example/", "They sail in May."),)

    async def read(self, url: str) -> WebPage:
        return WebPage(url, "Ships", "They sail in May.")


def heard(model: ModelServer) -> list[dict[str, Any]]:
    """What the model was told last of its calls."""
    return [json.loads(one["content"]) for one in model.history[-1]["messages"] if one["role"] == "tool"]


def audited(at_work: Requests) -> list[tuple[str, str]]:
    """Every call with its outcome."""
    rows = at_work.tables.db.read("SELECT tool, outcome FROM tool_audit ORDER BY id")
    return [tuple(row) for row in rows]


async def test_an_answer_cites_the_mails_it_rests_on(room: Room, model: ModelServer) -> None:
    order, other, elsewhere = room.put(
        mail(ORDER, key="a", thread="a", subject="Order 4411"),
        mail("The order was late.", key="b", thread="b", subject="Late"),
        mail("Secret.", key="c", thread="c", subject="Other"),
    )
    async with requests_at(room, model) as at_work:
        turns = (
            looks("order 4411"),
            calls(("read_thread", {"thread_id": int(order.thread_id)})),
            answers("It ships on Friday.", order.id, elsewhere.id, 999, order.id),
        )
        step = await at_work.step("When does order 4411 ship?", Capability.RESEARCH, *turns)
        assert audited(at_work) == [("mail_search", "ran"), ("read_thread", "ran")]
        sent = at_work.tables.db.load(load_sent_calls, datetime(2000, 1, 1, tzinfo=UTC))[::-1]
        assert [order.id in one.mails for one in sent] == [False, True, True], "what a tool read is sent with the next turn"
        assert [one.people for one in sent][1:] == [(ANN.email,)] * 2
    assert (step.status, step.answer) == (StepStatus.DONE, "It ships on Friday.")
    (source,) = step.sources
    assert (source.message_id, source.title) == (order.id, "Order 4411")
    assert ANN.email in source.readers
    data = json.loads(step.contract)["data"]
    assert data["mails"] == [order.id]
    assert order.id in data["read"]
    assert elsewhere.id not in data["read"]
    assert other.id in data["read"] or len(data["read"]) == 1


async def test_facts_that_nobody_told_are_named(room: Room, model: ModelServer) -> None:
    order = room.one(ORDER, subject="Order 4411")
    async with requests_at(room, model) as at_work:
        invented = answers("Order 4411 ships on Friday for 875 EUR, says Kowalski.", order.id)
        step = await at_work.step("When does order 4411 ship?", Capability.RESEARCH, looks("order 4411"), invented)
    assert step.answer.endswith("\n\nNot found in anything that was read: 875, Kowalski.")


async def test_only_tools_that_read_are_there_and_each_has_its_backend(room: Room, model: ModelServer) -> None:
    web = Web()
    at = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
    calendar = ScriptedCalendar((BusyTime(at, at + timedelta(hours=1), "Dentist"),))
    async with requests_at(room, model, calendar=calendar) as at_work:
        await at_work.step("Is Tuesday free?", Capability.RESEARCH, answers("I do not know."))
        assert at_work.offered() == ["mail_search", "read_thread", "get_contact", "check_calendar", "answer"]
        turns = (calls(("check_calendar", {"dates": ["24-11-2026"]})), answers("Busy from 09:00 to 10:00."))
        step = await at_work.step("Is 24 November free?", Capability.RESEARCH, *turns)
        assert json.loads(step.contract)["data"]["beyond_mail"] is True
        assert "Dentist" not in json.dumps(model.history)
    async with requests_at(room, model, tools={"web": web, "reader": web}) as at_work:
        turns = (calls(("web_search", {"query": "old ships"}), ("write_document", {"name": "a.md", "content": "x"})),)
        step = await at_work.step("When do old ships sail?", Capability.RESEARCH, *turns, answers("They sail in May."))
        assert at_work.offered() == ["mail_search", "read_thread", "get_contact", "web_search", "fetch_url", "answer"]
        found, refused = heard(model)
    assert web.asked == ["old ships"]
    assert found["results"][0]["snippet"] == "They sail in May."
    assert "There is no tool write_document" in refused["error"]
    assert step.answer == "They sail in May."


async def test_an_answer_cites_the_web_pages_it_rests_on(room: Room, model: ModelServer) -> None:
    said = {"text": "They sail in May.", "mails": [], "pages": ["https://ships.example/", "https://never-read.example/"]}
    async with requests_at(room, model, tools={"web": Web()}) as at_work:
        turns = (calls(("web_search", {"query": "old ships"})), calls(("answer", said)))
        step = await at_work.step("When do old ships sail?", Capability.RESEARCH, *turns)
    assert [(one.kind, one.title, one.excerpt) for one in step.sources] == [
        (SourceKind.PAGE, "Ships (https://ships.example/)", "They sail in May.")
    ]


async def test_private_words_do_not_go_out_with_a_search(room: Room, model: ModelServer) -> None:
    secret = room.one("The merger with Halcyon closes in June.", subject="Merger")
    web = Web()
    async with requests_at(room, model, tools={"web": web}) as at_work:
        wanted = at_work.planned("What about Halcyon?", (Capability.RESEARCH, "Look."), (Capability.RESEARCH, "Look again."))
        leak = calls(("web_search", {"query": "merger with Halcyon closes"}))
        turns = (looks("merger"), leak, answers("The merger with Halcyon closes in June.", secret.id), leak, answers("Nothing."))
        await at_work.run(wanted, *turns)
    assert web.asked == []
    assert "may not repeat private text" in heard(model)[-1]["error"]


async def test_codes_are_never_read(room: Room, model: ModelServer) -> None:
    code = room.one("Your verification code is 123456", subject="Code")
    async with requests_at(room, model) as at_work:
        step = await at_work.step("What is my code?", Capability.RESEARCH, looks("code"), answers("123456", code.id))
    assert step.sources == ()
    assert "123456" not in json.dumps(model.history)


async def test_it_comes_to_an_end(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model, tools={"budget": Budget(iterations=3)}) as at_work:
        step = await at_work.step("Look", Capability.RESEARCH, looks(), looks(), answers("Nothing was found."))
        assert at_work.offered() == ["answer"]
        assert step.answer == "Nothing was found."
        step = await at_work.step("Look", Capability.RESEARCH, looks(), looks(), looks())
    assert step.status is StepStatus.FAILED
    assert "but gave no answer" in str(step.error)
    assert len(model.history) == 6


async def test_a_model_that_only_talks_is_reminded_and_then_believed_without_sources(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model) as at_work:
        step = await at_work.step("Look", Capability.RESEARCH, Answer("I would look."), Answer("Nothing to tell."))
    assert (step.status, step.answer, step.sources) == (StepStatus.DONE, "Nothing to tell.", ())
    assert "Call a tool" in model.prompts()[-1]


async def test_an_answer_without_its_call_is_read(room: Room, model: ModelServer) -> None:
    message = room.one("Order 4411 ships on Friday.", subject="Order 4411")
    said = Answer(json.dumps({"text": "It ships on Friday.", "mails": [message.id]}))
    async with requests_at(room, model) as at_work:
        step = await at_work.step("When does order 4411 ship?", Capability.RESEARCH, looks("order 4411"), said)
    assert (step.answer, [one.message_id for one in step.sources]) == ("It ships on Friday.", [message.id])


@pytest.mark.parametrize("silent", [Answer("", raw=b"{}"), Answer("maximum context length", status=400)])
async def test_where_a_model_has_no_answer_the_mails_that_fit_are_listed(room: Room, model: ModelServer, silent: Answer) -> None:
    found = room.one(ORDER, subject="Order 4411")
    async with requests_at(room, model) as at_work:
        step = await at_work.step("What is with order 4411?", Capability.RESEARCH, silent, instruction="order 4411")
    assert [one.message_id for one in step.sources] == [found.id]
    assert step.answer.splitlines()[1] == "- 2026-11-20 Ann Berg: Order 4411"
    assert "gave no usable answer" in step.answer


async def test_wrong_calls_come_back_with_what_is_wrong(room: Room, model: ModelServer) -> None:
    room.one(ORDER)
    async with requests_at(room, model) as at_work:
        turns = (
            calls(("read_thread", {}), ("fly", {}), ("answer", {"text": "x"})),
            calls(("read_thread", {"thread_id": 77})),
            answers("Nothing."),
        )
        step = await at_work.step("Look", Capability.RESEARCH, *turns)
        thread, fly, answer, missing = heard(model)
    assert step.answer == "Nothing."
    assert "thread_id" in thread["error"]
    assert "There is no tool fly" in fly["error"]
    assert "'mails' is a required property" in answer["error"]
    assert "no thread 77" in missing["error"]


async def test_without_a_model_the_mails_that_fit_are_listed(room: Room, model: ModelServer) -> None:
    found: list[Message] = room.put(
        mail(ORDER, key="a", thread="a", subject="Order 4411"),
        mail("Nothing of that.", key="b", thread="b", subject="Hello", sender=Address("bob@x.org", "Bob")),
    )
    async with requests_at(room, model, gateway=None) as at_work:
        plan = await at_work.supervisor.plan(at_work.asked("Send Ann what you find about order 4411"))
        (planned,) = plan.steps
        step = await at_work.step("Send Ann what you find about order 4411", Capability.RESEARCH, instruction=planned.instruction)
        assert audited(at_work) == [("mail_search", "ran")]
        none = await at_work.step("Najdi prosím žirafu", Capability.RESEARCH, instruction="žirafu")
        answer = await at_work.step("What is the capital of France?", Capability.DIRECT_ANSWER)
    lines = step.answer.splitlines()
    assert lines[0] == "Mail that fits “Ann order 4411”, best first:"
    assert lines[1] == "- 2026-11-20 Ann Berg: Order 4411"
    assert found[0].id in [one.message_id for one in step.sources]
    assert "Nothing was written or sent" in step.answer
    assert "only searches" in step.answer
    assert none.sources == ()
    assert none.answer.startswith("Výrazu „žirafu“ neodpovídá žádná pošta.")
    assert (answer.status, "needs a language model" in str(answer.error)) == (StepStatus.FAILED, True)
    assert model.history == []


async def test_without_a_model_what_came_is_received_and_newest_first(room: Room, model: ModelServer) -> None:
    room.put(
        mail("Invoice 1 is attached.", key="a", thread="a", subject="Invoice 1", at=NOON - timedelta(days=60)),
        mail("Invoice 2 is attached.", key="b", thread="b", subject="Invoice 2", at=NOON - timedelta(days=2)),
        mail("Invoice 3 is attached.", key="c", thread="c", subject="Invoice 3", at=NOON - timedelta(days=1)),
        mail("Our invoice.", key="d", thread="d", subject="Invoice of ours", sender=OWNER, at=NOON),
    )
    async with requests_at(room, model, gateway=None) as at_work:
        step = await at_work.step("which invoices came this month?", Capability.RESEARCH, instruction="invoices")
    lines = step.answer.splitlines()
    assert lines[0] == "Received mail that fits “invoices”, newest first:"
    assert [line.rpartition(": ")[2] for line in lines[1:3]] == ["Invoice 3", "Invoice 2"]
    assert "Invoice 1" not in step.answer and "Invoice of ours" not in step.answer


class Meaning:
    """A search that finds something whatever is looked for, as one by meaning does."""

    def __init__(self, *found: Message) -> None:
        self.found = found

    async def find(self, account_id: int, words: str, limit: int, scope: MailScope = ALL_MAIL) -> tuple[Message, ...]:
        """Everything there is."""
        return self.found


async def test_without_a_model_only_mail_that_has_to_do_with_it_is_listed(room: Room, model: ModelServer) -> None:
    order, other = room.put(
        mail("Objednávka přijde v pátek.", key="a", thread="a", subject="Vaše objednávka"),
        mail("See you at lunch.", key="b", thread="b", subject="Lunch"),
    )
    async with requests_at(room, model, gateway=None, tools={"search": Meaning(other, order)}) as at_work:
        inflected = await at_work.step("Najdi mi objednávku", Capability.RESEARCH)
        nothing = await at_work.step("Find the giraffe", Capability.RESEARCH)
    assert [one.message_id for one in inflected.sources] == [order.id]
    assert nothing.answer.startswith("No mail fits “giraffe”.")
    assert nothing.sources == ()


async def test_a_document_of_the_request_can_be_read_and_no_other(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model) as at_work:
        mine, other = at_work.stage.file("mine.md", "Mine."), at_work.stage.file("other.md", "Other.")
        wanted = at_work.planned("Read it", (Capability.CREATE_DOCUMENT, "Write."), (Capability.RESEARCH, "Read mine.md."))
        content = Answer(json.dumps({"name": "mine", "kind": "md", "content": "Mine."}))
        turns = calls(("read_document", {"document": mine.id}), ("read_document", {"document": other.id}))
        request = await at_work.run(wanted, content, turns, answers("Mine."))
        assert ["error" in one for one in heard(model)] == [True, True]
        made = request.documents[0]
        assert made.id != mine.id  # a line's end stands behind it
        turns = calls(("read_document", {"document": made.id}))
        at_work.tables.requests.retry(wanted, 1)
        await at_work.run(wanted, turns, answers("Mine."))
        (read,) = heard(model)
    assert read["text"] == "Mine."


async def test_a_request_reads_only_the_mail_of_its_scope(room: Room, model: ModelServer) -> None:
    here, _, other = room.put(
        mail("The lamp costs 80 EUR.", key="a", thread="a", subject="Lamp"),
        mail("And a second lamp.", key="b", thread="a", subject="Lamp"),
        mail("The lamp of another shop.", key="c", thread="c", subject="Lamp"),
    )
    ask = AskAssistant(RequestId("here"), room.account_id, "What does the lamp cost?", scope=MailScope(conversation=here.id))
    reads = calls(("read_thread", {})), calls(("read_thread", {"thread_id": other.thread_id}))
    async with requests_at(room, model) as at_work:
        request = at_work.tables.requests.add(ask)
        model.enqueue(plans(("research", "Find what the lamp costs.")))
        plan = await at_work.supervisor.plan(request)
        at_work.tables.requests.plan(request.id, plan.steps, plan.maker, run=True)
        done = await at_work.run(request.id, *reads, looks("lamp"), answers("80 EUR.", here.id))
        results = [one["content"] for one in model.history[-1]["messages"] if one["role"] == "tool"]
    assert done.scope == ask.scope
    assert "The owner limits the mail that is read: one conversation" in model.prompts()[0]
    assert "80 EUR" in results[0]
    assert "There is no thread" in results[1]
    assert "80 EUR" in results[2]
    assert not any("another shop" in one for one in results)
    assert [one.message_id for one in done.steps[0].sources] == [here.id]
