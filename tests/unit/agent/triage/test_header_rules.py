"""The table of rules."""

import logging

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from app.agent.runtime.state import triage_update
from app.agent.triage.evidence import gather
from app.agent.triage.habits import Habits, Tally
from app.agent.triage.header_rules import answerable, by_header
from app.domain.mail.message import Address, Message
from app.domain.mail.triage import Triage, reason_text
from app.domain.ports.agents import Contact
from fakes.gmail.messages import OWNER, card, mail

BOUNCE = (("Content-Type", 'multipart/report; report-type="delivery-status"; boundary=x'),)


def header_rule(message: Message, contact: Contact | None = None) -> Triage | None:
    """What the header rules say."""
    return by_header(message, OWNER, gather(message, (), OWNER, contact, message.body_text))


@pytest.mark.parametrize(
    ("message", "maker", "decision", "category"),
    [
        (mail("x", headers=BOUNCE), "rule:delivery-status", "notify", "other"),
        (mail("x", sender=Address("mailer-daemon@mx.example")), "rule:delivery-status", "notify", "other"),
        (mail("Away", headers=(("Auto-Submitted", "auto-replied"),)), "rule:auto-submitted", "notify", "other"),
        (mail("We have your request.", headers=(("Auto-Submitted", "auto-replied"),)), "rule:auto-submitted", "ignore", "other"),
        (mail("Away", headers=(("X-Autoreply", "yes"),)), "rule:auto-submitted", "notify", "other"),
        (mail("x", labels=("SPAM",)), "rule:spam-label", "ignore", "spam"),
        (mail("x", labels=("SENT",)), "rule:own-mail", "ignore", "other"),
    ],
)
def test_header_rules(message: Message, maker: str, decision: str, category: str) -> None:
    verdict = header_rule(message)
    assert verdict is not None
    assert (verdict.maker, verdict.decision, verdict.category) == (maker, decision, category)
    assert verdict.confidence >= 0.85
    assert reason_text(verdict.reason).endswith(".")


@pytest.mark.parametrize(
    "message",
    [
        mail("When are you open?"),
        mail("x", headers=(("Auto-Submitted", "no"),)),
        mail("x", sender=Address(OWNER.email), labels=("INBOX",)),
        mail("Join us", calendar=True),
    ],
)
def test_no_rule_settles_a_persons_mail(message: Message) -> None:
    assert header_rule(message) is None


def test_an_invitation_from_a_known_person_asks_for_an_answer() -> None:
    asked = header_rule(mail("Join us", calendar=True), card())
    told = header_rule(mail("x", subject="Cancelled: Lunch", calendar=True), card())
    assert asked is not None
    assert told is not None
    assert (asked.decision, asked.category, told.decision) == ("respond", "meeting_request", "notify")


def test_a_list_of_strangers_is_not_answered_and_an_own_one_may_be() -> None:
    strange = mail("Anybody here?", to=("talk@list.example",), headers=(("List-Id", "<talk.list.example>"),))
    mine = Habits(mailing_list=Tally(received=9, answered=3, sent=4), learned=True)
    assert not answerable(gather(strange, (), OWNER, None, strange.body_text))
    assert answerable(gather(strange, (), OWNER, None, strange.body_text, mine))


def test_machines_cannot_be_answered() -> None:
    machine = mail("Paid", sender=Address("noreply@shop.example"))
    person = mail("Paid?")
    assert not answerable(gather(machine, (), OWNER, None, "Paid"))
    assert answerable(gather(person, (), OWNER, None, "Paid?"))


def test_a_checkpoint_reads_the_verdict_back_without_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    verdict = header_rule(mail("x", labels=("SENT",)))
    assert verdict is not None
    stored = JsonPlusSerializer(allowed_msgpack_modules=None)
    with caplog.at_level(logging.WARNING):
        read = stored.loads_typed(stored.dumps_typed(triage_update(verdict)))
    assert (read, caplog.messages) == (triage_update(verdict), [])
    assert {type(value) for value in read.values()} == {str, float}
