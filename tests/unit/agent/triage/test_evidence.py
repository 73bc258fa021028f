"""Signs in a mail: cues, evidence and rules on headers."""

import pytest

from app.agent.triage.classifier import LocalTriage
from app.agent.triage.evidence import MailEvidence, features, gather, reply_target
from app.agent.triage.habits import Habits, Tally
from app.agent.triage.header_rules import answerable, by_header
from app.domain.mail.message import Address, Message
from app.domain.mail.triage import Triage, reason_text
from app.domain.ports.agents import Contact
from fakes.gmail.messages import OWNER, card, mail


def look(message: Message, thread: tuple[Message, ...] = (), contact: Contact | None = None) -> MailEvidence:
    """Gather with the mail's own text."""
    return gather(message, thread, OWNER, contact, f"{message.subject}\n{message.body_text}")


def test_a_personal_question() -> None:
    seen = look(mail("Could you send me two jugs for 40 euros on Friday? Thanks!"), contact=card())
    assert (seen.questions, seen.recipients, seen.addressed, seen.written_to, seen.known) == (1, 1, True, True, True)
    assert (seen.dates, seen.amounts, seen.second_person) == (1, 1, 1)
    assert not (seen.list_id or seen.no_reply or seen.auto_submitted or seen.in_reply_to_own)


def test_headers_of_bulk_mail() -> None:
    headers = (("list-unsubscribe", "<x>"), ("LIST-ID", "<a.b>"), ("Precedence", " Bulk "), ("Auto-Submitted", "auto-generated"))
    seen = look(mail("News", headers=headers, to=("list@b.example",)))
    assert seen.list_unsubscribe
    assert seen.list_id
    assert seen.auto_submitted
    assert seen.precedence == "bulk"
    assert not seen.addressed
    assert not look(mail("x", headers=(("Auto-Submitted", "no"),))).auto_submitted


def test_no_reply_looks_at_the_address_an_answer_would_reach() -> None:
    form = mail("A question", sender=Address("no-reply@site.example"), reply_to=(Address("jo@home.example"),))
    assert reply_target(form) == "jo@home.example"
    assert not look(form).no_reply
    for address in ("noreply@a.example", "do-not-reply@a.example", "MAILER-DAEMON@a.example".lower(), "info.no_reply@a.example"):
        assert look(mail("x", sender=Address(address))).no_reply
    assert not look(mail("x", sender=Address("noreen@a.example"))).no_reply


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("Please send the form by Friday.\n\nThis mailbox is not\nmonitored.", True),
        ("Replies to this address are not read.", True),
        ("Bitte senden Sie die Bescheinigung. Antworten werden nicht gelesen.", True),
        ("Zpráva byla vytvořena automaticky, neodpovídejte na ni.", True),
        ("My answers were not right. Please do not reply to Tom.", False),
        ("Na ten dopis zatím neodpovídejte. Bitte antworten Sie nicht vor Freitag.", False),
    ],
)
def test_a_mail_that_says_so_reaches_nobody_when_answered(text: str, unread: bool) -> None:
    assert look(mail(text)).no_reply is unread


def test_automatic_replies_are_known_by_words_too() -> None:
    away = "I am out of the office until Monday with limited access to email."
    assert look(mail(away, subject="Automatic reply: Offer")).auto_replied
    assert look(mail(away, subject="Offer")).auto_replied
    assert not look(mail("Are you out of the office on Friday? I would drop by.")).auto_replied


def test_what_is_asked_of_somebody_else() -> None:
    both = mail("John, can you bring the projector?", to=(OWNER.email, "john@work.example"))
    assert features(look(both))["asks"] == 0.0
    assert features(look(both))["asks_other"] == 1.0
    assert features(look(mail("Can you bring the projector?")))["asks"] == 1.0


def test_a_bill_wants_money_and_no_answer() -> None:
    for text in ("Bitte überweisen Sie 80 EUR bis Freitag.", "Please settle the enclosed bill.", "Prosíme o úhradu do pátku."):
        assert features(look(mail(text)))["asks"] == 0.0
        assert features(look(mail(text, sender=Address("eve@potter.example"))))["asks"] == 1.0
    for text in ("Can you pay the plumber on Friday?", "Please pay by Friday or get in touch.", "Please pay it and let me know."):
        assert features(look(mail(text)))["asks"] == 1.0


def test_a_notice_that_asks_the_owner_by_name_is_kept() -> None:
    bulk = (("List-Unsubscribe", "<https://forge.example/u>"), ("List-Id", "<kiln.forge.example>"))
    asked = mail("@olga is the new glaze safe for food?", sender=Address("notifications@forge.example"), headers=bulk)
    told = mail("Olga, is the new glaze safe for food?", sender=Address("notifications@forge.example"), headers=bulk)
    assert (look(asked).mentioned, look(told).mentioned) == (True, False)
    assert LocalTriage().judge(asked, (), OWNER, (), None).decision != "ignore"
    assert LocalTriage().judge(told, (), OWNER, (), None).decision == "ignore"


@pytest.mark.parametrize(
    ("text", "offers"),
    [
        ("Landlords like you wait for rent. Can I show you a short demo?", True),
        ("Would you be open to a confidential call?", True),
        ("Mohu Vám jednu podržet?", True),
        ("We hire for a bakery in Leeds. Interested in hearing more?", True),
        ("I know of a post. Would you like the details?", True),
        ('We have sixty writers. May I send prices? Reply "no" otherwise.', True),
        ("How do you plan your shifts? Bakeries and shops of your size save a day a week with us. Is Monday at 2 free?", True),
        ("Wer druckt Ihre Karten? Unsere Kunden sparen damit im Schnitt 300 Euro. Passt Ihnen Montag, 14 Uhr?", True),
        ("Our customers ask for your bread. Could you bring twenty a week?", False),
        ("Can I see the flat on Friday?", False),
        ("Here are the figures of the week. Could you have a look?", False),
        ("Can I send you my application? Who reads it?", False),
    ],
)
def test_a_stranger_who_only_offers_wares_is_told_from_one_who_asks(text: str, offers: bool) -> None:
    assert features(look(mail(text)))["offers_wares"] == offers
    assert features(look(mail(text), contact=card()))["offers_wares"] == 0.0


BOUNCE = (("Content-Type", 'multipart/report; report-type="delivery-status"; boundary=x'),)


def header_rule(message: Message, contact: Contact | None = None) -> Triage | None:
    return by_header(message, OWNER, gather(message, (), OWNER, contact, message.body_text))


@pytest.mark.parametrize(
    ("message", "maker", "decision", "category"),
    [
        (mail("x", headers=BOUNCE), "rule:delivery-status", "notify", "other"),
        (mail("x", sender=Address("mailer-daemon@mx.example")), "rule:delivery-status", "notify", "other"),
        (mail("Away", headers=(("Auto-Submitted", "auto-replied"),)), "rule:auto-submitted", "notify", "other"),
        (mail("We have your request.", headers=(("Auto-Submitted", "auto-replied"),)), "rule:auto-submitted", "ignore", "other"),
        (mail("Away", headers=(("X-Autoreply", "yes"),)), "rule:auto-submitted", "notify", "other"),
        (mail("Bin nicht in der Praxis.", headers=(("X-Autoreply", "yes"),)), "rule:auto-submitted", "notify", "other"),
        (mail("x", labels=("SPAM",)), "rule:spam-label", "ignore", "spam"),
        (mail("x", labels=("SENT",)), "rule:own-mail", "ignore", "other"),
    ],
)
def test_header_rules(message: Message, maker: str, decision: str, category: str) -> None:
    verdict = header_rule(message)
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
    assert (asked.decision, asked.category, told.decision) == ("respond", "meeting_request", "notify")


def test_a_list_of_strangers_is_not_answered_and_an_own_one_may_be() -> None:
    strange = mail("Anybody here?", to=("talk@list.example",), headers=(("List-Id", "<talk.list.example>"),))
    mine = Habits(mailing_list=Tally(received=9, answered=3, sent=4), learned=True)
    assert not answerable(gather(strange, (), OWNER, None, strange.body_text))
    assert answerable(gather(strange, (), OWNER, None, strange.body_text, mine))
