"""When an own reply is taken, and what becomes of it."""

from collections.abc import Sequence

import pytest

from app.agent.drafting.reuse import fitting_reply, rewrite
from app.agent.drafting.templates import asked_of_owner
from app.agent.retrieval import mail_text
from app.domain.drafting.draft import Draft
from app.domain.mail.message import Address, Message
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.ports.agents import OwnReply
from app.domain.record import replace
from fakes.gmail.messages import ASKS, OWNER, mail, own_reply

HOURS = "Hi Ann,\n\nWe are open Monday to Friday from 9:00 to 17:00. A jug is 45 euros.\n\nCheers,\nOlga"
ASKED_HOURS = "Hello, when is your pottery open and how much is a jug?"
NEW = mail(
    "Hi, what are the opening hours of the pottery, and the price of a jug?\n\nThanks,\nBen",
    sender=Address("ben@b.example", "Ben Okri"),
)


def taken(message: Message, replies: Sequence[OwnReply], triage: Triage = ASKS, fresh: bool = True) -> OwnReply | None:
    """The own reply chosen for a mail."""
    return fitting_reply(message, asked_of_owner(message, OWNER), replies, triage, fresh)


def written(message: Message, reply: OwnReply) -> Draft:
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
        (own_reply(ASKED_HOURS, HOURS, 0.8), replace(ASKS, decision=Decision.NOTIFY), True),
        (own_reply(ASKED_HOURS, "Hi Ann,\n\nThe opening hours of the pottery are in the attached list.", 0.8), ASKS, True),
        (own_reply("Kdy máte otevřeno?", "Dobrý den,\n\nmáme otevřeno od devíti do pěti hodin.", 0.8), ASKS, True),
        (own_reply(ASKED_HOURS, "Cheers,\nOlga", 0.8), ASKS, True),
    ],
)
def test_what_does_not_fit_is_not_taken(reply: OwnReply, triage: Triage, fresh: bool) -> None:
    assert taken(NEW, [reply], triage, fresh) is None


BELL = own_reply(
    "Hello, how much is a bell?", "Hi Ann,\n\nA bell costs 390 crowns and we have it in stock.\n\nCheers,\nOlga", 0.9
)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("Hi, what does a bell cost?", True),
        ("Hi, what is the price of the bells?", True),
        ("Hi, how much is a lamp?", False),
        ("Hi, how much is a bell with a compass?", False),
        ("Hi, how much is a bell, and do you mend violins?", False),
        ("Hi, is my bell ready?", False),
        ("Hi, what do 12 bells cost?", False),
        ("Hi, what does a bell cost tomorrow?", False),
    ],
)
def test_the_things_asked_about_must_agree(text: str, fits: bool) -> None:
    """The price of the bell answered a question about a lamp, at a likeness of 0.59."""
    for similarity in (0.59, 0.9):
        reply = replace(BELL, similarity=similarity)
        assert (taken(mail(text), [reply]) is reply) is fits


def test_the_old_senders_name_before_the_first_sentence_is_a_greeting() -> None:
    hugh = Address("h@h.example", "Hugh Grant")
    for greeting in ("Hugh, the", "Hugh,\n\nThe"):
        old = own_reply("How much is a bell?", f"{greeting} bell is 390 crowns.\n\nCheers,\nOlga", 0.9, asker=hugh)
        assert "Hugh" not in written(mail("How much is a bell?", sender=Address("b@b.example", "Ben Okri")), old).body


def test_usual_hours_answer_for_each_day_of_the_week_and_not_for_a_holiday() -> None:
    hours = own_reply("When is your pottery open?", HOURS.replace(" A jug is 45 euros.", ""), 0.8)
    assert taken(mail("Is your pottery open on Wednesdays?"), [hours]) is hours
    assert taken(mail("Is your pottery open at Christmas?"), [hours]) is None


def test_german_answers_are_used_for_german_mail() -> None:
    german = own_reply(
        "Guten Tag, wann haben Sie geöffnet?",
        "Guten Tag,\n\nwir haben von Montag bis Freitag von 9 bis 17 Uhr geöffnet.\n\nViele Grüße\nOlga",
        0.8,
    )
    asks = mail("Hallo, können Sie mir bitte Ihre Öffnungszeiten sagen?", sender=Address("b@b.example", "Ben Okri"))
    assert taken(asks, [german]) is german
    assert written(asks, german).body == german.answer.body_text
    assert written(asks, german).complete
    assert taken(NEW, [german]) is None


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


@pytest.mark.parametrize(
    ("then", "answer", "now"),
    [
        ("How much is the fox mug set?", "The fox mug set is 38 euros.", "How many mugs are in the fox set?"),
        ("When are the bins collected?", "The bins are collected every Wednesday.", "When are the bins collected, and by whom?"),
        ("What does the York trip cost?", "The York trip is £18.", "What does the York trip cost, and when is it due?"),
        ("Is there a desk in the studio?", "Yes, one desk is free from May.", "Is there a desk in the studio?"),
        ("Do you still have the fox bowl?", "Yes, shall I keep one?", "Do you still have the fox bowl?"),
        ("Can we return unused valves?", "Yes, unused valves within 30 days.", "Can we return two unused valves?"),
        ("Is there a seat free tomorrow?", "Yes, at 10:20 there is.", "Is there a seat free tomorrow?"),
        ("When do I get the deposit back?", "I will go to the bank on Friday.", "When do I get the deposit back?"),
        ("Which formats does a logo have?", "A logo has SVG and PDF formats.", "Could you send me the logo in these formats?"),
    ],
)  # fmt: skip
def test_an_answer_of_another_kind_day_or_number_is_not_used(then: str, answer: str, now: str) -> None:
    assert taken(mail(now), [own_reply(then, f"Hi Ann,\n\n{answer}\n\nCheers,\nOlga", 0.9)]) is None


def test_names_within_the_first_and_last_sentence_move_to_their_places() -> None:
    old = own_reply(ASKED_HOURS, "Ross, the pottery is open until 17:00, a jug is 45 euros. Olga", 0.9)
    body = written(NEW, old).body
    assert "Ross" not in body
    assert body.partition("\n\n")[2] == "The pottery is open until 17:00, a jug is 45 euros.\n\nOlga"


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("Hi, what does a bell cost?\n\nThank you very much,\nBen", True),
        ("Hi, we are a school and need forty. What does a bell cost?", False),
        ("Hi, what does a bell cost? I'd like to show you our tower, too.", False),
        ("Hi, my parcel came broken. What does a bell cost?", False),
        ("Hi, my daughter is 16. What does a bell cost?", False),
    ],
)
def test_what_is_told_beside_the_question_stays_open_under_a_short_answer(text: str, complete: bool) -> None:
    draft = written(mail(text), BELL)
    assert draft.complete is complete
    assert complete or draft.open_slots[0].startswith("Does it hold here too: “")
