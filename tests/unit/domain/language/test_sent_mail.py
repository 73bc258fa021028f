"""Promises in sent mail, and the summary of a conversation."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.language.sent_mail import LONGEST, promises_in
from app.domain.language.summary import chosen, weighed

NOW = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    "sentence",
    [
        "I will send you the invoice by Friday.",
        "I'll call you tomorrow.",
        "We’ll get back to you as soon as we know more.",
        "We are going to fix the brakes next week.",
        "I promise to check the frame before the end of the month.",
        "Fakturu vám pošlu do pátku.",
        "Zítra se vám ozvu se a zavolám vám.",
        "Dám vám vědět, jakmile dorazí.",
        "Leave it with me.",
        "You'll have the figures tomorrow.",
        "The spare part will be with you by Friday.",
        "I'm sending the contract over on Monday.",
        "I can have it ready by Thursday.",
        "Do pátku to máte na stole.",
        "V pondělí bude opraveno.",
        "Morgen schicke ich Ihnen das Angebot.",
        "Die Unterlagen bekommen Sie bis Freitag.",
        "Ich reiche die Belege nach.",
        "Le enviaré la factura.",
        "Je vous enverrai le devis.",
        "Je m'en occupe.",
    ],
)
def test_promises_are_found(sentence: str) -> None:
    found = promises_in(f"Hello Ann,\n\nthank you. {sentence}\n\nMia", NOW)
    assert [(one.text, one.sent) for one in found] == [(sentence, NOW)]


@pytest.mark.parametrize(
    "text",
    [
        "Will you send the invoice by Friday?",
        "I would like to order 12 sets by Friday.",
        "She will send it tomorrow.",
        "I will not send it.",
        "I will see.",
        "We will have to wait.",
        "You will have to send it by Friday.",
        "She will like it.",
        "Please leave it at the door.",
        "Will it be ready by Friday?",
        "I will be 40.",
        "Thank you for your order.",
        "Posíláte to i do Brna?",
        f"I will send {'very ' * LONGEST}soon.",
    ],
)
def test_other_sentences_are_none(text: str) -> None:
    assert promises_in(text, NOW) == ()


def test_quoted_mail_promises_nothing() -> None:
    body = "Thank you!\n\nOn Mon, 16 Nov 2026 at 12:42, Ann Berg <ann@x.org> wrote:\n> I will send it by Friday."
    assert promises_in(body, NOW) == ()


@given(st.text())
def test_any_text_is_survived(text: str) -> None:
    assert all(one.text in " ".join(text.split()) or one.text for one in promises_in(text, NOW))


TALK = "Hello Ondřej,\n\nThanks for your note. We are still comparing rims with the workshop in Graz.\n\nRegards\nVera"


def summary(*bodies: str) -> list[str]:
    lines = [line for number, body in enumerate(bodies) for line in weighed(number, len(bodies), "Vera", body)]
    return [line.sentence for line in chosen(lines)]


def test_what_was_agreed_and_what_is_asked_stand_out() -> None:
    bodies = [TALK] * 30
    bodies[12] = "The price is 2,450 euros for the whole set, carriage paid."
    bodies[28] = "Hello,\n\nWe agreed on 42 wheels for 2,450 euros. Delivery is on Friday at ten."
    bodies[29] = "Hello,\n\nCan you confirm the number, please?\n\nBest regards\nVera"
    assert summary(*bodies) == [
        "We agreed on 42 wheels for 2,450 euros.",
        "Delivery is on Friday at ten.",
        "Can you confirm the number, please?",
    ]


def test_what_is_said_twice_is_told_once_as_said_last() -> None:
    assert summary("We meet on Monday at nine in the shop.", TALK, "So we meet on Monday at nine in the shop.") == [
        "We are still comparing rims with the workshop in Graz.",
        "So we meet on Monday at nine in the shop.",
    ]
