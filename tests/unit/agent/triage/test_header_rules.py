"""The table of rules."""

import pytest

from app.agent.triage.evidence import gather
from app.agent.triage.header_rules import answerable, by_header, by_list
from app.domain.mail.message import Address, Message
from app.domain.mail.triage import Triage, reason_text
from app.domain.ports.agents import Contact
from fakes.gmail.messages import OWNER, card, mail

PRESSING = "Urgent: your account is suspended. Verify your password and card details within 24 hours at http://x-verify.example/a"
BOUNCE = (("Content-Type", 'multipart/report; report-type="delivery-status"; boundary=x'),)


def header_rule(message: Message, contact: Contact | None = None) -> Triage | None:
    """What the header rules say."""
    return by_header(message, OWNER, gather(message, (), OWNER, contact, message.body_text))


@pytest.mark.parametrize(
    ("message", "maker", "decision", "category"),
    [
        (mail("x", headers=BOUNCE), "rule:delivery-status", "notify", "other"),
        (mail("x", sender=Address("mailer-daemon@mx.example")), "rule:delivery-status", "notify", "other"),
        (mail("Away", headers=(("Auto-Submitted", "auto-replied"),)), "rule:auto-submitted", "ignore", "other"),
        (mail("Away", headers=(("X-Autoreply", "yes"),)), "rule:auto-submitted", "ignore", "other"),
        (mail("x", labels=("SPAM",)), "rule:spam-label", "ignore", "spam"),
        (mail(PRESSING, sender=Address("a@n.example", "Netflix")), "rule:phishing", "ignore", "spam"),
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


@pytest.mark.parametrize(
    "header", [("List-Id", "<a.b>"), ("List-Unsubscribe", "<x>"), ("Precedence", "bulk"), ("List-Post", "<y>")]
)
def test_list_mail_is_ignored(header: tuple[str, str]) -> None:
    message = mail("Anybody here?", headers=(header,))
    verdict = by_list(gather(message, (), OWNER, None, message.body_text))
    assert verdict is not None
    assert (verdict.decision, verdict.maker) == ("ignore", "rule:list-mail")


def test_a_list_answer_to_the_owner_is_left_to_the_classifier() -> None:
    own = mail("My question", number=1, thread=5, labels=("SENT",), minutes=-60)
    back = mail("Which kiln?", number=2, thread=5, answers="<1@example>", headers=(("List-Id", "<a.b>"),))
    assert by_list(gather(back, (own, back), OWNER, None, back.body_text)) is None


def test_a_long_text_with_a_way_to_leave_is_a_newsletter_unless_the_owner_knows_the_sender() -> None:
    message = mail("Clay news of the month. " * 60 + "To unsubscribe write to us.")
    verdict = by_list(gather(message, (), OWNER, None, message.body_text))
    assert verdict is not None
    assert verdict.maker == "rule:newsletter"
    assert by_list(gather(message, (), OWNER, card(), message.body_text)) is None


def test_machines_cannot_be_answered() -> None:
    machine = mail("Paid", sender=Address("noreply@shop.example"))
    person = mail("Paid?")
    assert not answerable(gather(machine, (), OWNER, None, "Paid"))
    assert answerable(gather(person, (), OWNER, None, "Paid?"))
