"""Which preprocessor a mail gets, the exact words it makes, and that a broken form comes unchanged and says so."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.agent.preprocess.choosing import preprocess
from app.domain.mail import Address, Message
from app.domain.tools import Preprocessed
from fakes.mailroom import Room, mail

CRISP = Address("session_1@crisp.email", "Crisp")
BODY = "Od: Jan Novák\nE-mail: jan@pacient.example\n---\nMáte Ibuprofen?\n---\nOdesláno přes Crisp"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with Room(tmp_path) as made:
        yield made


def stored(room: Room, text: str, **rest: object) -> Message:
    (message,) = room.put(mail(text, **rest))  # type: ignore[arg-type]
    return message


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
    made = preprocess(stored(room, text, sender=CRISP))
    assert (made.maker, made.note) == ("default", note)
    assert made.body == text
    assert text in made.prompt


def test_another_form_is_another_preprocessor(room: Room) -> None:
    class Shouting:
        name = "shouting"

        def matches(self, message: Message) -> bool:
            return message.subject.isupper()

        def run(self, message: Message) -> Preprocessed:
            return Preprocessed(self.name, "", "", "", message.body_text.lower())

    assert preprocess(stored(room, "HELP", subject="NOW"), (Shouting(),)).prompt == "help"
