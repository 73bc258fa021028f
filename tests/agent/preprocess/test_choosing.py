"""Which preprocessor a mail gets, the exact words it makes, and that a broken form comes unchanged and says so."""

import pytest

from app.agent.preprocess.choosing import preprocess
from app.domain.mail import Message
from app.domain.tools import Preprocessed
from fakes.mailroom import CRISP, Room


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


def test_another_form_is_another_preprocessor(room: Room) -> None:
    class Shouting:
        name = "shouting"

        def matches(self, message: Message) -> bool:
            return message.subject.isupper()

        def run(self, message: Message) -> Preprocessed:
            return Preprocessed(self.name, "", "", "", message.body_text.lower())

    assert preprocess(room.one("HELP", subject="NOW"), (Shouting(),)).prompt == "help"
