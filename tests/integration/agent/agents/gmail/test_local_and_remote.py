"""One set of tests for both Gmail agents: in this process, and as a service over HTTP with the same graph."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from app.agent.agents.gmail.interface import GmailAgent, GmailFound, GmailProposed
from app.agent.llm.turns import UnusableAnswer
from app.domain.agents.requests import ALL_MAIL, MailScope
from app.domain.errors import ModelUnavailable, NotAllowed
from app.domain.mail.message import SystemLabel
from app.store.requests.artifacts import ArtifactFolder
from fakes.engine.agent_mailbox import NOON, SENT, Room, mail
from fakes.models.gmail_agent import SEARCHES, SENDS, THREAD, ends, searches, stage, task, writes
from fakes.models.gmail_service import remote_agent, service_of
from fakes.models.model_server import Answer, ModelServer, calls

INVOICE = "The invoice for March is 1,200 EUR and due on 4 April."


@dataclass
class Either:
    """One of the two, with what stands behind it."""

    agent: GmailAgent
    room: Room
    model: ModelServer
    files: ArtifactFolder


@pytest.fixture(params=["here", "service"])
async def either(request: pytest.FixtureRequest, room: Room, model: ModelServer) -> AsyncIterator[Either]:
    files = ArtifactFolder(room.folder / "artifacts")
    if request.param == "here":
        async with stage(room, model) as at_work:
            yield Either(at_work.agent, room, model, files)
    else:
        async with service_of(room.folder, model) as url, remote_agent(room, url) as agent:
            yield Either(agent, room, model, files)


async def test_a_search_has_the_chosen_mails_contract(either: Either) -> None:
    invoice, _ = either.room.put(mail(INVOICE, subject="Invoice"), mail("We walked.", key="m2", thread="t2"))
    either.model.enqueue(SEARCHES, searches("invoice march"), ends("It is due on 4 April.", invoice.id))
    found = await either.agent.work(task("When is the invoice for March due?"))
    assert isinstance(found, GmailFound)
    assert found.data == {
        "action": "search",
        "result": "found",
        "subject": "Invoice",
        "from": "ann@partner.org",
        "content": INVOICE,
        "tool_used": True,
    }
    assert (found.answer, [one.message_id for one in found.sources]) == ("It is due on 4 April.", [invoice.id])


async def test_operators_find_what_words_would_not(either: Either) -> None:
    invoice, _ = either.room.put(mail(INVOICE, subject="Invoice"), mail("We walked.", key="m2", thread="t2"))
    either.model.enqueue(SEARCHES, searches("from:ann subject:invoice"), ends("Here.", invoice.id))
    found = await either.agent.work(task("Find Ann's invoice."))
    assert isinstance(found, GmailFound)
    assert [one.message_id for one in found.sources] == [invoice.id]


@pytest.mark.parametrize("query", ["from:ann subject:unicorn", '"walked far"', "walked -dog", "subject:(unicorn OR dragon)"])
async def test_operators_find_only_what_they_match(either: Either, query: str) -> None:
    either.room.put(mail(INVOICE, subject="Invoice"), mail("We walked the dog.", key="m2", thread="t2"))
    either.model.enqueue(SEARCHES, searches(query), ends("There is no such mail."))
    found = await either.agent.work(task("Find Ann's unicorn."))
    assert isinstance(found, GmailFound)
    assert heard(either) == {"result": "not_found", "messages": []}
    assert found.data["result"] == "not_found"


async def test_a_widened_search_is_told_to_the_model(either: Either) -> None:
    either.room.put(mail(INVOICE, subject="Invoice"))
    either.model.enqueue(SEARCHES, searches("invoice unicorn"), ends("There is no such mail."))
    await either.agent.work(task("Find the unicorn's invoice."))
    assert "No mail matches this query" in heard(either)["widened"]
    either.model.enqueue(SEARCHES, searches("invoice march"), ends("There is no such mail."))
    await either.agent.work(task("Find the invoice.", thread=THREAD[:-1] + "3"))
    assert set(heard(either)) == {"messages"}


SCOPES = {
    "inbox": (MailScope(inbox=True), {"inbox", "beside"}),
    "sent": (MailScope(sent=True), {"sent"}),
    "both": (MailScope(inbox=True, sent=True), {"inbox", "beside", "sent"}),
    "since": (MailScope(since=NOON - timedelta(days=2)), {"inbox", "beside", "sent"}),
    "sent since": (MailScope(sent=True, since=NOON + timedelta(hours=2)), set[str]()),
    "all": (ALL_MAIL, {"inbox", "beside", "sent", "archived"}),
}


@pytest.mark.parametrize("query", ["lamp", "lamp candle"])  # operators, and a search that has to be widened
@pytest.mark.parametrize("name", [*SCOPES, "conversation"])
async def test_a_search_keeps_to_the_scope(either: Either, name: str, query: str) -> None:
    old = NOON - timedelta(days=9)
    labels = {"inbox": frozenset({SystemLabel.INBOX.value}), "sent": SENT, "archived": frozenset[str]()}
    mails = [
        mail("The lamp.", key="beside", thread="t1", subject="beside", labels=labels["inbox"]),
        mail("A lamp.", key="inbox", thread="t2", subject="inbox", labels=labels["inbox"]),
        mail("My lamp.", key="sent", thread="t3", subject="sent", labels=labels["sent"]),
        mail("Old lamp.", key="archived", thread="t1", subject="archived", labels=labels["archived"], at=old),
    ]
    stored = either.room.put(*mails)
    scope, wanted = SCOPES.get(name, (MailScope(conversation=stored[0].id), {"beside", "archived"}))
    either.model.enqueue(SEARCHES, searches(query, limit=10), ends("Here."))
    await either.agent.work(task("Find the lamp.", scope=scope))
    found = heard(either)
    assert {
        word for one in found["messages"] for word in ("beside", "inbox", "sent", "archived") if word in one["text"]
    } == wanted
    assert found.get("only", "") == scope.words


async def test_an_operator_that_gmail_lacks_is_an_error_for_the_model(either: Either) -> None:
    either.model.enqueue(SEARCHES, searches("colour:red"), searches("red"), ends("There is no such mail."))
    await either.agent.work(task("Find the red one."))
    assert "colour: is no operator" in told(either)[0]["error"]


async def test_a_long_file_carries_that_it_is_cut(either: Either) -> None:
    long, short = (either.files.write(f"{name}.md", words) for name, words in (("long", b"word " * 9000), ("short", b"All.")))
    reads = [calls(("read_file_content", {"document": one.id})) for one in (long, short)]
    either.model.enqueue(SENDS, *reads, writes())
    await either.agent.work(task(documents=(long, short)))
    assert [(one["cut"], len(one["text"])) for one in told(either)] == [(True, 20_000), (False, 4)]


def told(either: Either) -> list[dict[str, Any]]:
    """All tool results given to the model so far."""
    return [json.loads(one["content"]) for one in either.model.history[-1]["messages"] if one["role"] == "tool"]


def heard(either: Either) -> dict[str, Any]:
    return told(either)[-1]


async def test_nothing_found_is_said(either: Either) -> None:
    either.model.enqueue(SEARCHES, searches("unicorn"), ends("There is no such mail."))
    found = await either.agent.work(task("Find the unicorn."))
    assert isinstance(found, GmailFound)
    assert (found.data["result"], found.answer, found.sources) == ("not_found", "There is no such mail.", ())


async def test_a_proposal_waits_and_costs_one_round(either: Either) -> None:
    either.model.enqueue(SENDS, writes(subject="Hello"))
    first = await either.agent.work(task())
    asked = len(either.model.history)
    again = await either.agent.work(task())
    assert isinstance(first, GmailProposed)
    assert first == again
    assert (first.mail.to, first.mail.subject, first.mail.model) == (("ann@partner.org",), "Hello", "openai/scripted")
    assert len(either.model.history) == asked
    assert either.room.db.read("SELECT count(*) FROM outbox")[0][0] == 0


async def test_a_found_result_is_found_again(either: Either) -> None:
    invoice = either.room.one(INVOICE)
    either.model.enqueue(SEARCHES, searches("invoice"), ends("On 4 April.", invoice.id))
    first = await either.agent.work(task("When?"))
    assert await either.agent.work(task("When?")) == first
    assert not either.model.script


async def test_feedback_is_a_new_round(either: Either) -> None:
    either.model.enqueue(SENDS, writes(body="Dear Ann."), writes(body="Hi Ann."))
    first = await either.agent.work(task())
    assert isinstance(first, GmailProposed)
    second = task(thread=THREAD[:-1] + "2", feedback="Less stiff.", before=first.mail)
    changed = await either.agent.work(second)
    assert isinstance(changed, GmailProposed)
    assert (first.mail.body, changed.mail.body) == ("Dear Ann.", "Hi Ann.")
    assert "Less stiff." in either.model.prompts()[-1]


async def test_an_answer_names_the_mail_it_answers(either: Either) -> None:
    invoice = either.room.one(INVOICE)
    either.model.enqueue(SENDS, searches("invoice"), writes(reply_to_message_id=invoice.id), writes(body="Again."))
    found = await either.agent.work(task("Tell Ann that it is paid."))
    assert isinstance(found, GmailProposed)
    assert found.mail.reply_to == invoice.id
    assert [one.message_id for one in found.sources] == [invoice.id]
    await either.agent.work(task(thread=THREAD[:-1] + "2", feedback="Shorter.", before=found.mail))
    assert f"Answers mail: {invoice.id}" in either.model.prompts()[-1]


async def test_a_file_is_read_and_attached_by_its_handle(either: Either) -> None:
    report = either.files.write("report.md", b"The figures are good.")
    either.model.enqueue(
        SENDS,
        calls(("read_file_content", {"document": report.id})),
        writes(attachments=["/etc/passwd"]),
        writes(attachments=[report.id]),
    )
    found = await either.agent.work(task(documents=(report,)))
    assert isinstance(found, GmailProposed)
    assert found.mail.attachments == (report.id,)
    told = [one["content"] for one in either.model.history[-1]["messages"] if one["role"] == "tool"]
    assert "The figures are good." in told[0]
    assert "never by path" in told[1]


async def test_settled_is_settled(either: Either) -> None:
    either.model.enqueue(SENDS, writes(), SENDS, writes(subject="Second"))
    await either.agent.work(task())
    await either.agent.settle(task(), {"status": "rejected"})
    await either.agent.settle(task(), {"status": "sent"})
    again = await either.agent.work(task())
    assert isinstance(again, GmailProposed)
    assert again.mail.subject == "Second"


@pytest.mark.parametrize(
    ("answers", "trouble"),
    [
        ((Answer("no key", status=401),), ModelUnavailable),
        ((Answer("nothing"), Answer("nothing")), UnusableAnswer),
        ((SENDS, Answer("I need an address."), Answer("I need an address.")), NotAllowed),
    ],
)
async def test_trouble_is_the_same_trouble(either: Either, answers: tuple[Answer, ...], trouble: type[Exception]) -> None:
    either.model.enqueue(*answers)
    with pytest.raises(trouble) as met:
        await either.agent.work(task())
    assert isinstance(met.value, trouble)
