"""Crisp's form in both languages, as text and as the visible text of its HTML, whole and damaged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.preprocess.crisp_form import Inquiry, has_form, read_form
from app.mail.markup.visible import visible_text

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
        (CZECH, Inquiry("Jan Novák", "jan@pacient.example", "Dobrý den,\nmáte Ibuprofen 400?\n\nDěkuji\nJan")),
        (
            CZECH.replace("\n", "\r\n"),
            Inquiry("Jan Novák", "jan@pacient.example", "Dobrý den,\nmáte Ibuprofen 400?\n\nDěkuji\nJan"),
        ),
        (ENGLISH, Inquiry("John Smith", "john@patient.example", "Hello, is it there?")),
        (visible_text(HTML), Inquiry("Jan Novák", "jan@pacient.example", "Dobrý den,\n\nmáte Ibuprofen 400?")),
        ("From: Jan Novak\nEmail: jan@x.cz\n---\nHello", Inquiry("Jan Novak", "jan@x.cz", "Hello")),
        ("From: Jan Novak <jan@x.cz>\n===\nHello", Inquiry("Jan Novak", "jan@x.cz", "Hello")),
        ("Nová zpráva od Jany Malé\n\nE-mail: jana@x.cz\nZpráva: Dobrý den", Inquiry("Jany Malé", "jana@x.cz", "Dobrý den")),
        ("*Name:* Jan\n*Email:* jan@x.cz\n\nHello", Inquiry("Jan", "jan@x.cz", "Hello")),
        ("Jméno:\nJan\n\nE-mail:\njan@x.cz\n\nDotaz:\nMáte?", Inquiry("Jan", "jan@x.cz", "Máte?")),
        (
            "--- Forwarded message ---\nFrom: Crisp <x@crisp.chat>\nDate: today\n\nName: Jan\nEmail: jan@x.cz\n\nHello",
            Inquiry("Jan", "jan@x.cz", "Hello"),
        ),
        ("Name: Jan\nEmail: jan@x.cz\n---\nHi\n---\nmore\n-- \nJan", Inquiry("Jan", "jan@x.cz", "Hi\n---\nmore\n-- \nJan")),
        (
            "Name: Jan\nEmail: jan@x.cz\n---\nReply to this email, please.\nThanks",
            Inquiry("Jan", "jan@x.cz", "Reply to this email, please.\nThanks"),
        ),
        ("Name: Jan\nEmail: jan@x.cz\n---\nSee https://shop.cz/x\n", Inquiry("Jan", "jan@x.cz", "See https://shop.cz/x")),
        ("Name: Jan\nEmail: jan@x.cz\n---\nhttps://shop.cz/x", Inquiry("Jan", "jan@x.cz", "https://shop.cz/x")),
        ("Name: Jan\nEmail: jan@x.cz\n---\nFrom: me\nto you", Inquiry("Jan", "jan@x.cz", "From: me\nto you")),
        ("Name: Jan\nEmail: jan@x.cz or eva@x.cz\n---\nHi", Inquiry("Jan", "", "Hi")),
        ("Email: jan@x.cz\n---\nHi", Inquiry("", "jan@x.cz", "Hi")),
        ("Name: Jan\nEmail: jan@x.cz\n---\nSent via Crisp", Inquiry("Jan", "jan@x.cz", "")),
        ("Dear all,\nwrite to jan@x.cz", Inquiry()),
        ("", Inquiry()),
    ],
)
def test_the_parts_are_found(text: str, wanted: Inquiry) -> None:
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
def test_the_form_alone_is_known_only_where_crisp_is_named(text: str, wanted: bool) -> None:
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
