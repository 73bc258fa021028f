"""Which of the owner's sentences promise something."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.language.sent_mail import LONGEST, promises_in

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


def test_the_same_sentence_counts_once() -> None:
    assert len(promises_in("I will send it today. I will send it today.", NOW)) == 1


@given(st.text())
def test_any_text_is_survived(text: str) -> None:
    assert all(one.text in " ".join(text.split()) or one.text for one in promises_in(text, NOW))
