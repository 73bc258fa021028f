"""Crisp's form in both languages, as text and as the visible text of its HTML, whole and damaged.

The helpdesk's mail: known by sender, header or form, and the exact words it becomes.

Which preprocessor a mail gets, the exact words it makes, and that a broken form comes unchanged and says so.

Any other mail comes as it is.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.preprocess import CrispInquiry, has_form, preprocess, read_form
from app.domain.agents.tools import Preprocessed
from app.domain.mail.message import Address, Message
from app.mail.html.visible import visible_text
from fakes.engine.agent_mailbox import CRISP, Room, mail

HTML = """<html><body><table><tr><td><b>Jméno:</b></td><td>Jan Novák</td></tr>
<tr><td><b>E-mail:</b></td><td><a href="mailto:jan@pacient.example">jan@pacient.example</a></td></tr></table><hr>
<p>Dobrý den,</p><p>máte Ibuprofen 400?</p><hr><p>Odesláno přes Crisp</p>
<p><a href="https://app.crisp.chat/x">Zobrazit konverzaci</a></p>
</body></html>"""
CZECH = """Od: Jan Novák
E-mail: jan@pacient.example
Telefon: +420 777 000 111
---
Dobrý den,
máte Ibuprofen 400?

Děkuji
Jan
---
Odesláno přes Crisp
https://app.crisp.chat/website/1
"""
ENGLISH = """New message from John Smith on dostupnost-leku.cz

Name: John Smith
Email: John@Patient.example
Subject: Ibuprofen
Message:
Hello, is it there?

Sent via Crisp. Reply to this email to answer John.
View this conversation: https://app.crisp.chat/x
"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (CZECH, CrispInquiry("Jan Novák", "jan@pacient.example", "Dobrý den,\nmáte Ibuprofen 400?\n\nDěkuji\nJan")),
        (
            CZECH.replace("\n", "\r\n"),
            CrispInquiry("Jan Novák", "jan@pacient.example", "Dobrý den,\nmáte Ibuprofen 400?\n\nDěkuji\nJan"),
        ),
        (ENGLISH, CrispInquiry("John Smith", "john@patient.example", "Hello, is it there?")),
        (visible_text(HTML), CrispInquiry("Jan Novák", "jan@pacient.example", "Dobrý den,\n\nmáte Ibuprofen 400?")),
        ("From: Jan Novak\nEmail: jan@x.cz\n---\nHello", CrispInquiry("Jan Novak", "jan@x.cz", "Hello")),
        ("From: Jan Novak <jan@x.cz>\n===\nHello", CrispInquiry("Jan Novak", "jan@x.cz", "Hello")),
        ("Nová zpráva od Jany Malé\n\nE-mail: jana@x.cz\nZpráva: Dobrý den", CrispInquiry("Jany Malé", "jana@x.cz", "Dobrý den")),
        ("*Name:* Jan\n*Email:* jan@x.cz\n\nHello", CrispInquiry("Jan", "jan@x.cz", "Hello")),
        ("Jméno:\nJan\n\nE-mail:\njan@x.cz\n\nDotaz:\nMáte?", CrispInquiry("Jan", "jan@x.cz", "Máte?")),
        (
            "--- Forwarded message ---\nFrom: Crisp <x@crisp.chat>\nDate: today\n\nName: Jan\nEmail: jan@x.cz\n\nHello",
            CrispInquiry("Jan", "jan@x.cz", "Hello"),
        ),
        ("Name: Jan\nEmail: jan@x.cz\n---\nHi\n---\nmore\n-- \nJan", CrispInquiry("Jan", "jan@x.cz", "Hi\n---\nmore\n-- \nJan")),
        (
            "Name: Jan\nEmail: jan@x.cz\n---\nReply to this email, please.\nThanks",
            CrispInquiry("Jan", "jan@x.cz", "Reply to this email, please.\nThanks"),
        ),
        ("Name: Jan\nEmail: jan@x.cz\n---\nSee https://shop.cz/x\n", CrispInquiry("Jan", "jan@x.cz", "See https://shop.cz/x")),
        ("Name: Jan\nEmail: jan@x.cz\n---\nhttps://shop.cz/x", CrispInquiry("Jan", "jan@x.cz", "https://shop.cz/x")),
        ("Name: Jan\nEmail: jan@x.cz\n---\nFrom: me\nto you", CrispInquiry("Jan", "jan@x.cz", "From: me\nto you")),
        ("Name: Jan\nEmail: jan@x.cz or eva@x.cz\n---\nHi", CrispInquiry("Jan", "", "Hi")),
        ("Email: jan@x.cz\n---\nHi", CrispInquiry("", "jan@x.cz", "Hi")),
        ("Name: Jan\nEmail: jan@x.cz\n---\nSent via Crisp", CrispInquiry("Jan", "jan@x.cz", "")),
        ("Dear all,\nwrite to jan@x.cz", CrispInquiry()),
        ("", CrispInquiry()),
    ],
)
def test_the_parts_are_found(text: str, wanted: CrispInquiry) -> None:
    assert read_form(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (CZECH, True),
        (ENGLISH, True),
        (visible_text(HTML), True),
        ("From: Jan <jan@x.cz>\n---\nHello", False),
        ("Crisp mornings!\nName: Jan", False),
        ("Hello", False),
    ],
)
def test_a_form_is_told_from_the_header_of_a_forwarded_mail(text: str, wanted: bool) -> None:
    assert has_form(text) is wanted


@given(st.text(alphabet="NameEil:od @x.cz\n-*|<>Cřisp", max_size=200))
def test_any_text_has_parts_or_none(text: str) -> None:
    inquiry = read_form(text)
    assert "\n" not in inquiry.name
    assert len(inquiry.words) <= len(text)


def test_long_lines_and_many_labels_end() -> None:
    assert read_form("Name: " + "a" * 300_000).email == ""
    assert read_form("Name: Jan\n" * 50_000).email == ""
    assert read_form("-" * 400_000 + "\n" + " " * 400_000).words == ""


BODY = "Od: Jan Novák\nE-mail: jan@pacient.example\n---\nMáte Ibuprofen?\n---\nOdesláno přes Crisp"


def test_crisps_mail_becomes_the_prompt_of_an_inquiry(room: Room) -> None:
    made = preprocess(room.one(BODY, sender=CRISP, subject="Dotaz"))
    assert made.maker == "crisp"
    assert made.prompt == "New support inquiry from Jan Novák (jan@pacient.example):\nSubject: Dotaz\n\nMáte Ibuprofen?"
    assert dict(made.fields) == {
        "patient_name": "Jan Novák",
        "patient_email": "jan@pacient.example",
        "original_message": "Máte Ibuprofen?",
    }
    assert (made.sender_email, made.subject, made.body, made.note) == (CRISP.email, "Dotaz", BODY, "")


@pytest.mark.parametrize(
    "rest", [{"sender": CRISP}, {"sender": Address("x@mail.crisp.chat")}, {"headers": (("X-Crisp-Session", "1"),)}, {}]
)
def test_crisp_is_known_by_sender_header_or_form(room: Room, rest: dict[str, object]) -> None:
    assert preprocess(room.one(BODY, **rest)).maker == "crisp"


def test_the_address_may_stand_in_reply_to_alone(room: Room) -> None:
    made = preprocess(room.one("Name: Jan\n---\nHello", sender=CRISP, reply_to=(Address("jan@x.cz"),)))
    assert made.fields["patient_email"] == "jan@x.cz"
    assert preprocess(room.one("Name: Jan\n---\nHello", key="2", sender=CRISP, reply_to=(CRISP,))).maker == "default"


def test_without_a_name_the_address_stands_for_it(room: Room) -> None:
    made = preprocess(room.one("Email: jan@x.cz\n---\nHello", sender=CRISP))
    assert made.prompt.startswith("New support inquiry from jan@x.cz (jan@x.cz):\n")


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("Name: Jan\n---\nHello", "crisp: no single customer address"),
        ("Name: Jan\nEmail: a@x.cz, b@x.cz\n---\nHello", "crisp: no single customer address"),
        ("Name: Jan\nEmail: a@x.cz\n---\nSent via Crisp", "crisp: no message of the customer"),
        ("Just words", "crisp: no single customer address"),
    ],
)
def test_a_broken_form_comes_unchanged_and_says_so(room: Room, text: str, note: str) -> None:
    made = preprocess(room.one(text, sender=CRISP))
    assert (made.maker, made.note) == ("default", note)
    assert made.body == text
    assert text in made.prompt


def test_any_other_mail_comes_unchanged(room: Room) -> None:
    made = preprocess(room.one("Hello,\nName: me", subject="Hi", sender=Address("eve@notcrisp.chat")))
    assert made == Preprocessed("default", "eve@notcrisp.chat", "Hi", "Hello,\nName: me", made.prompt)
    assert made.prompt == "From: eve@notcrisp.chat\nSubject: Hi\n\nHello,\nName: me"


EXAMPLE = """New support inquiry from Jan Novák (jan@pacient.example):
Subject: Ibuprofen

Dobrý den, máte Ibuprofen 400?
"""


@pytest.mark.parametrize("text", [EXAMPLE, "Name: Jan Novák\nEmail: jan@pacient.example\n---\nDobrý den, máte Ibuprofen 400?"])
def test_a_form_from_the_shop_s_own_address_is_known_without_the_helpdesk_s_name(room: Room, text: str) -> None:
    made = preprocess(made_of(room, text, "info@dostupnost-leku.cz"))
    assert (made.maker, made.fields["patient_email"]) == ("crisp", "jan@pacient.example")
    assert made.fields["original_message"] == "Dobrý den, máte Ibuprofen 400?"


def test_a_customer_who_stands_only_in_reply_to_is_found(room: Room) -> None:
    made = preprocess(made_of(room, "Dobrý den, máte Ibuprofen 400?", CRISP.email, Address("jan@pacient.example", "Jan")))
    assert made.prompt.startswith("New support inquiry from Jan (jan@pacient.example):")
    assert made.fields["original_message"] == "Dobrý den, máte Ibuprofen 400?"


def made_of(room: Room, text: str, sender: str, *reply_to: Address) -> Message:
    (message,) = room.put(mail(text, sender=Address(sender), reply_to=reply_to))
    return message
