"""When an own reply is taken, and what becomes of it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from app.agent.drafting.reuse import nearest, rewrite
from app.agent.retrieval import mail_text
from app.domain.drafting.draft import Draft, SpanKind
from app.domain.mail.message import Address, Message
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.ports.agents import OwnReply
from fakes.gmail.messages import ASKS, mail, own_reply

HOURS = "Hi Ann,\n\nWe are open Monday to Friday from 9:00 to 17:00. A jug is 45 euros.\n\nCheers,\nOlga"
ASKED_HOURS = "Hello, when is your pottery open and how much is a jug?"
NEW = mail(
    "Hi, what are the opening hours of the pottery, and the price of a jug?\n\nThanks,\nBen",
    sender=Address("ben@b.example", "Ben Okri"),
)


def taken(message: Message, replies: Sequence[OwnReply], triage: Triage = ASKS, fresh: bool = True) -> OwnReply | None:
    """The own reply chosen for a mail."""
    found = nearest(message, mail_text(message.subject, message.body_text), replies, triage, fresh)
    return None if found is None else found.reply


def written(message: Message, reply: OwnReply) -> Draft:
    """The draft made of an own reply."""
    body, spans = rewrite(message, mail_text(message.subject, message.body_text), reply).finish()
    return Draft((), (), (), "", body, "own-reply", message.id, spans)


def test_a_near_question_takes_the_reply_and_is_complete() -> None:
    reply = own_reply(ASKED_HOURS, HOURS, 0.75)
    assert taken(NEW, [reply]) is reply
    draft = written(NEW, reply)
    assert draft.complete
    assert draft.body == HOURS.replace("Hi Ann,", "Hi Ben,")
    kept = [draft.body[span.start : span.end] for span in draft.spans]
    assert kept == ["Monday to Friday from 9:00 to 17:00", "45 euros"]
    assert {span.source_message_id for span in draft.spans} == {reply.answer.id}


@pytest.mark.parametrize(
    ("reply", "triage", "fresh"),
    [
        (own_reply(ASKED_HOURS, HOURS, 0.35), ASKS, True),
        (own_reply("Do you repair violins?", "Hi,\n\nNo, we only sell tea from our garden.", 0.6), ASKS, True),
        (own_reply(ASKED_HOURS, HOURS, 0.8), ASKS, False),
        (own_reply(ASKED_HOURS, HOURS, 0.8), replace(ASKS, category=Category.COMPLAINT), True),
        (own_reply(ASKED_HOURS, HOURS, 0.8), replace(ASKS, category=Category.FOLLOW_UP), True),
        (own_reply(ASKED_HOURS, HOURS, 0.8), replace(ASKS, decision=Decision.NOTIFY), True),
        (own_reply(ASKED_HOURS, "Hi Ann,\n\nThe opening hours of the pottery are in the attached list.", 0.8), ASKS, True),
        (own_reply("Kdy máte otevřeno?", "Dobrý den,\n\nmáme otevřeno od devíti do pěti hodin.", 0.8), ASKS, True),
        (own_reply(ASKED_HOURS, "Cheers,\nOlga", 0.8), ASKS, True),
    ],
)
def test_what_does_not_fit_is_not_taken(reply: OwnReply, triage: Triage, fresh: bool) -> None:
    assert taken(NEW, [reply], triage, fresh) is None


def test_a_clear_lead_is_enough_without_common_words() -> None:
    asks = mail("At what times can customers come by?")
    near, far = own_reply("When do you open?", HOURS, 0.66), own_reply("Do you mend roofs?", HOURS, 0.3, number=70)
    assert taken(asks, [near, far]) is near
    assert taken(asks, [near, replace(far, similarity=0.6)]) is None


def test_what_belonged_to_the_old_case_becomes_a_slot() -> None:
    old = own_reply(
        "Could I fetch order #4412 tomorrow? It is for my sister Rosa.",
        "Hi Ann,\n\nYes, order #4412 can be fetched tomorrow at 15:00, Ann. A box costs 3 euros.\n\nCheers,\nOlga",
        0.9,
    )
    draft = written(mail("Could I fetch my order on Friday? What is a box?", sender=Address("b@c.example", "Ben")), old)
    body, _, _ = draft.body.partition("Cheers")
    for gone in ("4412", "tomorrow", "15:00", "Ann"):
        assert gone not in body
        assert any(gone in prompt for prompt in draft.open_slots)
    assert "3 euros" in body
    assert not draft.complete


def test_a_number_that_the_new_mail_names_too_stays() -> None:
    old = own_reply("What does glaze 5512345 cost?", "Hi Ann,\n\nGlaze 5512345 costs 12 euros.", 0.9)
    draft = written(mail("Price of glaze 5512345 please?"), old)
    assert draft.complete
    assert "5512345" in draft.body


def test_a_further_question_gets_its_own_slot() -> None:
    reply = own_reply(ASKED_HOURS, HOURS, 0.8)
    draft = written(mail("What are the opening hours of the pottery? Do you hire wheelchairs for grandparents?"), reply)
    assert draft.open_slots == ("Your answer to: Do you hire wheelchairs for grandparents?",)
    assert draft.body.endswith("Cheers,\nOlga")


@pytest.mark.parametrize(("new", "complete"), [("Eva Malá Nováková", True), ("Karel Dvořák", False), ("", False)])
def test_czech_forms_that_tell_a_gender(new: str, complete: bool) -> None:
    old = own_reply(
        "Dobrý den, půjčujete hrnčířský kruh?",
        "Dobrý den, paní Svobodová,\n\nkruh půjčujeme. Napište mi, kdy byste ho chtěla.\n\nS pozdravem,\nOlga",
        0.9,
        asker=Address("jana@s.example", "Jana Svobodová"),
    )
    draft = written(mail("Dobrý den, půjčujete kruh?", sender=Address("x@y.example", new)), old)
    assert draft.complete is complete
    assert draft.body.startswith("Dobrý den,\n\nkruh")
    assert ("chtěla" in draft.body) is complete


def test_quoted_history_and_signature_are_left_behind() -> None:
    old = own_reply(ASKED_HOURS, HOURS + "\n\n-- \nOlga Marsh, potter\n\n> when is your pottery open", 0.8)
    draft = written(NEW, old)
    assert "potter\n" not in draft.body
    assert ">" not in draft.body
    assert all(span.kind is SpanKind.FROM_SOURCE for span in draft.spans)
