"""The helpdesk's mail: known by sender, header or form, and the exact words it becomes."""

import pytest

from app.agent.preprocess.choosing import preprocess
from app.domain.mail import Address
from fakes.mailroom import CRISP, Room

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
    "rest",
    [
        {"sender": CRISP},
        {"sender": Address("x@mail.crisp.chat")},
        {"headers": (("X-Crisp-Session", "1"),)},
        {},
    ],
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
