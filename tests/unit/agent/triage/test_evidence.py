"""What is seen in a mail."""

from app.agent.triage.evidence import MailEvidence, features, gather, reply_target
from app.domain.mail.message import Address, Message
from app.domain.ports.agents import Contact
from fakes.gmail.messages import OWNER, card, mail


def look(message: Message, thread: tuple[Message, ...] = (), contact: Contact | None = None) -> MailEvidence:
    """Gather with the mail's own text."""
    return gather(message, thread, OWNER, contact, f"{message.subject}\n{message.body_text}")


def test_a_personal_question() -> None:
    seen = look(mail("Could you send me two jugs for 40 euros on Friday? Thanks!"), contact=card())
    assert (seen.questions, seen.recipients, seen.addressed, seen.written_to, seen.known) == (1, 1, True, True, True)
    assert (seen.dates, seen.amounts, seen.exclamations, seen.second_person) == (1, 1, 1, 1)
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


def test_an_answer_to_the_owner() -> None:
    own = mail("My offer", number=1, thread=9, labels=("SENT",), minutes=-60)
    back = mail("Fine, thanks", number=2, thread=9, answers="<1@example>", subject="Re: Offer")
    later = mail("Later", number=3, thread=9, labels=("SENT",), minutes=60)
    seen = look(back, (own, back, later))
    assert seen.in_reply_to_own
    assert seen.previous == 1
    assert not look(back, (later,)).in_reply_to_own


def test_features_have_the_same_names_and_stay_small() -> None:
    short, long = features(look(mail("Hi"))), features(look(mail("Do you know? " * 900, html='<a href="x">' * 90)))
    assert short.keys() == long.keys()
    assert max(*short.values(), *long.values()) <= 2.0
    assert min(*short.values(), *long.values()) >= -1.0


def test_a_colleague_has_the_owners_domain() -> None:
    assert look(mail("x", sender=Address("jo@potter.example"))).colleague
    assert not look(mail("x", sender=Address("jo@gmail.com"))).colleague


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


def test_a_strangers_answer_to_nothing_is_seen() -> None:
    claim = mail("As agreed", subject="Re: payment")
    own = mail("Offer", number=2, thread=1, labels=("SENT",), minutes=-5)
    assert look(claim).false_reply
    assert not look(claim, contact=card()).false_reply
    assert not look(claim, (own, claim)).false_reply
    assert not look(mail("As agreed", subject="Payment")).false_reply
