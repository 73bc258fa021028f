"""The Gmail agent in this process: what it searches, what it proposes, and that nothing is asked of a model again."""

import pytest

from app.agent.gmail.outcome import Proposed, Searched
from fakes.gmail_stage import SEARCHES, SENDS, ends, searches, stage, task, writes
from fakes.mailroom import Room, mail
from fakes.model_server import ModelServer

pytestmark = pytest.mark.anyio
INVOICE = "The invoice for March is 1,200 EUR and due on 4 April."


async def test_a_search_ends_with_the_contract_of_the_chosen_mail_and_an_answer(room: Room, model: ModelServer) -> None:
    invoice, _ = room.put(mail(INVOICE, subject="Invoice"), mail("We walked.", key="m2", thread="t2"))
    model.enqueue(SEARCHES, searches("invoice march"), ends("It is due on 4 April.", invoice.id))
    async with stage(room, model) as at_work:
        found = await at_work.agent.work(task("When is the invoice for March due?"))
        assert isinstance(found, Searched)
        assert found.data == {
            "action": "search",
            "result": "found",
            "subject": "Invoice",
            "from": "ann@partner.org",
            "content": INVOICE,
            "tool_used": True,
        }
        assert (found.answer, [one.message_id for one in found.sources]) == ("It is due on 4 April.", [invoice.id])
        assert at_work.offered(1) == ["gmail_search"]
        assert at_work.offered(2) == ["gmail_search", "Done"]
        assert at_work.audit() == [("gmail_search", "reads_only", "ran"), ("Done", "reads_only", "ran")]


async def test_a_mail_is_proposed_and_nothing_leaves(room: Room, model: ModelServer) -> None:
    model.enqueue(SENDS, writes())
    async with stage(room, model) as at_work:
        found = await at_work.agent.work(task())
        assert isinstance(found, Proposed)
        assert (found.mail.to, found.mail.subject, found.mail.body) == (("ann@partner.org",), "Invoice", "Hello Ann.")
        assert found.mail.model == "openai/scripted"
        assert at_work.audit() == [("gmail_send", "send_asks", "waiting")]
    assert room.db.read("SELECT count(*) FROM outbox")[0][0] == 0
