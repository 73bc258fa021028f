"""The Gmail node: its task, what it does with whatever an agent comes back with, and the flags on what it puts up."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from app.agent.agents.gmail.interface import GmailFound, GmailProposed, GmailTask, MailProposal
from app.domain.agents.requests import Capability, StepResult, StepStatus, completion_contract, own_thread
from app.domain.drafting.draft import Source, SourceKind, SpanKind
from app.domain.drafting.review import Action, FlagKind
from app.domain.errors import ExpectedError, NotAllowed, Offline
from app.domain.ids import MessageId
from app.domain.mail.message import Address
from app.domain.record import replace
from app.store.accounts import Accounts
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from fakes.engine.agent_mailbox import ANN, NOON, OWNER, SENT, Room, mail
from fakes.models.model_server import ModelServer
from fakes.models.requests import answers, document, looks, requests_at

SENT_CONTRACT = completion_contract(Capability.GMAIL, {"action": "send", "status": "sent"})
BOB = Address("bob@rival.org", "Bob")
HELLO = MailProposal((ANN.email,), "Hello", "Hello Ann.", model="openai/scripted")


class Fixed:
    """An agent, perhaps on another machine, that comes back with one thing, or with what it makes of its task."""

    def __init__(self, outcome: GmailFound | GmailProposed | ExpectedError) -> None:
        self.outcome = outcome
        self.tasks: list[GmailTask] = []

    async def work(self, task: GmailTask) -> GmailFound | GmailProposed:
        """The outcome."""
        self.tasks.append(task)
        if isinstance(self.outcome, ExpectedError):
            raise self.outcome
        return self.outcome

    async def settle(self, task: GmailTask, outcome: Mapping[str, Any]) -> None:
        """Nothing to end."""


def flagged(flags: Any) -> set[tuple[str, str]]:
    """Kinds with what they are about."""
    return {(one.kind.value, one.about) for one in flags}


async def test_a_task_holds_the_request_the_contracts_and_the_instruction(room: Room, model: ModelServer) -> None:
    message = room.one("Order 4411 ships on Friday.", subject="Order 4411")
    agent = Fixed(GmailProposed(HELLO))
    async with requests_at(room, model, agent) as at_work:
        steps = ((Capability.RESEARCH, "Find it."), (Capability.CREATE_DOCUMENT, "Write."), (Capability.GMAIL, "Send it."))
        wanted = at_work.planned("Find, write and send to ann@partner.org", *steps)
        turns = (looks("order"), answers("On Friday.", message.id), document("On Friday."))
        request = await at_work.run(wanted, *turns)
        again = at_work.planned("Find", (Capability.GMAIL, "Send it."))
        await at_work.run(again)
    (task, other) = agent.tasks
    assert [role for role, _ in task.messages] == ["human", "ai", "ai", "human"]
    assert (task.messages[0][1], task.messages[-1][1]) == (request.text, "Send it.")
    assert [json.loads(text)["completed_capability"] for role, text in task.messages if role == "ai"] == [
        "research",
        "create_document",
    ]
    assert (task.request, task.documents) == (request.text, request.documents)
    assert (task.run_id, task.account_id, task.feedback, task.before) == (request.run_id, room.account_id, "", None)
    assert task.thread != other.thread


async def test_a_mail_of_its_own_goes_up_in_a_thread_of_its_own(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model, Fixed(GmailProposed(HELLO))) as at_work:
        step = await at_work.step(f"Greet {ANN.email}", Capability.GMAIL)
        proposal = at_work.review(step).proposal
        number = at_work.tables.db.read("SELECT number FROM requests")[0][0]
    assert step.status is StepStatus.WAITING
    assert (proposal.thread_id, proposal.message_id) == (own_thread(number, 0), 0)
    assert (proposal.maker, proposal.flags) == ("openai/scripted", ())
    assert proposal.draft.body == "Hello Ann."


async def test_an_answer_goes_up_in_the_thread_of_its_mail(room: Room, model: ModelServer) -> None:
    asked = room.one("When do you come?", subject="Visit", cc=(BOB,))
    reply = replace(HELLO, subject="Visit", body="On Monday.", reply_to=asked.id)
    async with requests_at(room, model, Fixed(GmailProposed(reply))) as at_work:
        step = await at_work.step("Answer Ann that I come on Monday", Capability.GMAIL)
        proposal = at_work.review(step).proposal
    assert (proposal.thread_id, proposal.message_id) == (asked.thread_id, asked.id)
    assert (proposal.draft.subject, proposal.draft.reply_to) == ("Re: Visit", asked.id)
    assert proposal.draft.to == (ANN,)
    assert proposal.flags == ()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"to": ()}, "no recipient"),
        ({"to": ("ann@partner.org, eve@evil.example",)}, "isn't exactly one email address"),
        ({"to": ("ann@partner.org\nBcc: eve@evil.example",)}, "isn't exactly one email address"),
        ({"attachments": ("/etc/passwd",)}, "No step of this request created"),
        ({"attachments": ("a" * 64,)}, "No step of this request created"),
        ({"reply_to": MessageId(999)}, "isn't in this mailbox"),
        ({"body": "x" * 30_000}, "up to 20000 characters"),
        ({"to": tuple(f"p{at}@x.org" for at in range(60))}, "up to 50 recipients"),
    ],
)
async def test_what_may_not_be_proposed_fails_in_words(
    room: Room, model: ModelServer, changes: dict[str, Any], words: str
) -> None:
    async with requests_at(room, model, Fixed(GmailProposed(replace(HELLO, **changes)))) as at_work:
        at_work.stage.file()
        step = await at_work.step("Greet Ann", Capability.GMAIL)
    assert (step.status, step.review_id) == (StepStatus.FAILED, 0)
    assert words in str(step.error)


async def test_a_mail_of_another_mailbox_is_neither_answered_nor_cited(room: Room, model: ModelServer) -> None:
    other = Accounts(room.db).add("other@example.net", "Other", (), "", "#336699")
    Messages(room.db).apply(other, SyncPage(messages=(mail("Theirs.", key="x", thread="x"),)))
    foreign = MessageId(1)
    cited = (Source(SourceKind.MESSAGE, "Theirs", "Theirs.", foreign),)
    async with requests_at(room, model, Fixed(GmailProposed(replace(HELLO, reply_to=foreign)))) as at_work:
        step = await at_work.step("Answer", Capability.GMAIL)
    assert "isn't in this mailbox" in str(step.error)
    async with requests_at(room, model, Fixed(GmailFound({"result": "found"}, "There.", cited))) as at_work:
        step = await at_work.step("Find", Capability.GMAIL)
    assert (step.status, step.sources) == (StepStatus.DONE, ())


async def test_a_search_leaves_the_contract_of_its_form(room: Room, model: ModelServer) -> None:
    found = room.one("Order 4411 ships on Friday.", subject="Order 4411")
    data = {"result": "found", "subject": "Order 4411", "from": "ann@partner.org", "content": "…", "status": "sent", "read": [5]}
    outcome = GmailFound(data, " It is there. ", (Source(SourceKind.MESSAGE, "forged", "forged", found.id),))
    async with requests_at(room, model, Fixed(outcome)) as at_work:
        step = await at_work.step("Find it", Capability.GMAIL)
    assert step.answer == "It is there."
    assert [one.title for one in step.sources] == ["Order 4411"]
    told = {"action": "search", "result": "found", "subject": "Order 4411", "from": "ann@partner.org", "content": "…"}
    assert json.loads(step.contract) == {"completed_capability": "gmail", "data": {**told, "tool_used": True}}


async def test_a_service_that_does_not_answer_leaves_the_step_where_it_is(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model, Fixed(Offline("The service does not answer."))) as at_work:
        wanted = at_work.planned("Greet Ann", (Capability.GMAIL, "Greet."))
        with pytest.raises(Offline):
            await at_work.run(wanted)
        assert at_work.desk.request(wanted).steps[0].status is StepStatus.RUNNING
    async with requests_at(room, model, Fixed(NotAllowed("Nothing to write."))) as at_work:
        assert (await at_work.step("Greet Ann", Capability.GMAIL)).error.values == ("Nothing to write.",)


async def test_the_flags_of_a_mail_that_says_too_much(room: Room, model: ModelServer) -> None:
    room.put(mail("Hi Ann", key="s", thread="s", sender=OWNER, to=(ANN,), labels=SENT, at=NOON))
    secret = room.one("The merger with Halcyon closes in June at four hundred million.", key="b", thread="b", sender=BOB)
    body = (
        "They write: the merger with Halcyon closes in June. See https://evil.example/x, IBAN GB29 NWBK 6016 1331 9268 19."
        " The price is [[price]] and Kowalski agrees."
    )
    proposed = MailProposal(("eve@partner.orq",), "News", body, bcc=(ANN.email,))
    cited = (Source(SourceKind.MESSAGE, "", "", secret.id),)
    async with requests_at(room, model, Fixed(GmailProposed(proposed, cited))) as at_work:
        step = await at_work.step("Write to Eve about the merger", Capability.GMAIL)
        proposal = at_work.review(step).proposal
    kinds = {one.kind for one in proposal.flags}
    assert kinds == {
        FlagKind.NEVER_WRITTEN_TO,
        FlagKind.NOT_FROM_USER,
        FlagKind.BCC,
        FlagKind.LINK_NOT_FROM_USER,
        FlagKind.CREDENTIAL,
        FlagKind.QUOTES_PRIVATE_SOURCE,
    }
    assert ("never_written_to", ANN.email) not in flagged(proposal.flags)
    assert proposal.draft.open_slots == ("price",)
    marks = {proposal.draft.body[one.start : one.end] for one in proposal.draft.spans if one.kind is SpanKind.UNSUPPORTED}
    assert "Kowalski" in marks
    assert [one.message_id for one in proposal.sources] == [secret.id]


async def test_a_look_alike_of_a_known_domain_is_flagged_though_it_was_typed(room: Room, model: ModelServer) -> None:
    known, _ = room.put(
        mail("The offer.", key="b", thread="b", subject="Offer"),
        mail("Hi Ann", key="s", thread="s", sender=OWNER, to=(ANN,), labels=SENT),
    )
    cited = (Source(SourceKind.MESSAGE, "", "", known.id),)
    twin = replace(HELLO, to=("ann@partner.0rg",))
    async with requests_at(room, model, Fixed(GmailProposed(twin, cited))) as at_work:
        step = await at_work.step("Send Ann's offer to ann@partner.0rg", Capability.GMAIL)
        proposal = at_work.review(step).proposal
    assert flagged(proposal.flags) == {("look_alike_domain", "ann@partner.0rg ≈ partner.org")}


async def test_a_file_is_looked_through_like_the_mail(room: Room, model: ModelServer) -> None:
    room.one("The merger with Halcyon closes in June at four hundred million.", key="b", thread="b", sender=BOB)
    agent = Fixed(GmailProposed(HELLO))
    async with requests_at(room, model, agent) as at_work:
        steps = ((Capability.RESEARCH, "Find it."), (Capability.CREATE_DOCUMENT, "Write."), (Capability.GMAIL, "Send it."))
        wanted = at_work.planned("Report on the merger to ann@partner.org", *steps)
        report = document("The merger with Halcyon closes in June.", "merger")
        request = await at_work.run(wanted, looks("merger"), answers("It closes."), report)
        (file,) = request.documents
        room.decide(request.steps[2].review_id, Action.IGNORE)
        fresh = at_work.planned("Report on the merger to ann@partner.org", *steps)
        turns = (looks("merger"), answers("It closes."), report)
        agent.outcome = GmailProposed(replace(HELLO, attachments=(file.id,)))
        request = await at_work.run(fresh, *turns)
        proposal = at_work.review(request.steps[2]).proposal
    assert proposal.draft is not None
    assert [one.id for one in proposal.draft.attachments] == [file.id]
    assert ("attachment", file.name) in flagged(proposal.flags)
    assert FlagKind.QUOTES_PRIVATE_SOURCE in {one.kind for one in proposal.flags}


async def test_a_second_mail_of_a_request_says_so(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model, Fixed(GmailProposed(HELLO))) as at_work:
        wanted = at_work.planned(f"Write twice to {ANN.email}", (Capability.GMAIL, "One."), (Capability.GMAIL, "Two."))
        first = (await at_work.run(wanted)).steps[0]
        at_work.tables.request_steps.finish(wanted, 0, StepResult(SENT_CONTRACT))
        second = (await at_work.run(wanted)).steps[1]
        flags = [flagged(at_work.review(one).proposal.flags) for one in (first, second)]
    assert flags == [set(), {("second_send", "2")}]
