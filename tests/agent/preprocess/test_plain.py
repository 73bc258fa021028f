"""Any other mail comes as it is."""

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


def test_any_other_mail_comes_unchanged(room: Room) -> None:
    made = preprocess(stored(room, "Hello,\nName: me", subject="Hi", sender=Address("eve@notcrisp.chat")))
    assert made == Preprocessed("default", "eve@notcrisp.chat", "Hi", "Hello,\nName: me", made.prompt)
    assert made.prompt == "From: eve@notcrisp.chat\nSubject: Hi\n\nHello,\nName: me"
