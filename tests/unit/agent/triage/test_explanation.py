"""Reasons that say what was seen and nothing else.

What weighed most is what makes a difference when it is left out.
"""

from itertools import islice, permutations

import numpy as np
import pytest

from app.agent.triage.evidence import gather
from app.agent.triage.explanation import LOOKED_AT, MOST_WORDS, explanation, heaviest_example, telling_words
from app.agent.triage.linear_model import fit
from app.domain.mail.triage import Category, Decision, Reason, ReasonCode, reason_text
from app.domain.ports.agents import Contact
from fakes.gmail.messages import OWNER, card, mail


@pytest.mark.parametrize(
    ("body", "contact", "decision", "category", "wanted"),
    [
        (
            "Is it blue? Is it big?",
            card(),
            "respond",
            "inquiry",
            "Asks two questions and you have written to this address before.",
        ),
        ("Is it blue?", None, "respond", "inquiry", "Asks one question and it was sent to you alone."),
        ("Can we meet on Friday?", None, "respond", "meeting_request", "Asks for a time to meet and asks one question."),
        ("The jug is broken.", None, "respond", "complaint", "Reports that something went wrong and it was sent to you alone."),
        (
            "The parcel comes on Friday.",
            None,
            "notify",
            "other",
            "Names a date or an amount that you may want to know and asks nothing of you.",
        ),
        ("You won the lottery", None, "ignore", "spam", "Promises money or cures and the sender is a stranger."),
        ("Good.", None, "ignore", "other", "Asks nothing of you."),
    ],
)
def test_sentence(body: str, contact: Contact | None, decision: str, category: str, wanted: str) -> None:
    seen = gather(mail(body), (), OWNER, contact, body)
    assert reason_text(explanation(Decision(decision), Category(category), seen)) == wanted


def test_where_nothing_was_seen_nothing_is_said() -> None:
    message = mail("Good.", to=("other@b.example",))
    assert explanation(Decision.RESPOND, Category.OTHER, gather(message, (), OWNER, None, "Good.")) == ""


def weighing(**weights: float) -> list[Reason]:
    """The ground where each word adds its weight."""

    def sureness(text: str) -> float:
        return sum(weights.get(one, 0.0) for one in text.lower().replace("á", "a").split())

    return [telling_words("Odstávka of the water and again water on Monday 2026", sureness)]


def test_the_words_that_count_most_come_first_as_they_were_written() -> None:
    assert weighing(water=0.1, odstavka=0.3, monday=0.05, again=0.01) == [Reason(ReasonCode.WORDS, "odstávka, water, monday")]
    assert MOST_WORDS == 3


def test_short_words_numbers_and_what_makes_no_difference_are_not_named() -> None:
    assert weighing(the=0.5, **{"2026": 0.4}, water=0.0001) == [Reason(ReasonCode.WHOLE)]
    assert weighing(water=-0.3) == [Reason(ReasonCode.WHOLE)]


def test_a_long_mail_is_looked_at_from_its_beginning() -> None:
    asked: list[str] = []

    def sureness(text: str) -> float:
        asked.append(text)
        return 0.0

    many = " ".join("".join(letters) for letters in islice(permutations("abcdef"), 500))
    telling_words(many, sureness)
    assert len(asked) == LOOKED_AT + 1


def test_the_example_that_adds_most_is_found() -> None:
    rows = np.eye(4)
    ridge = fit(rows, np.asarray([0, 1, 0, 1]), 2, np.ones(4), 0.5)
    assert heaviest_example(ridge, np.asarray([0.1, 0.0, 0.9, 0.0]), [0]) == 2
    assert heaviest_example(ridge, np.asarray([0.1, 0.8, 0.7, 0.0]), [1]) == 1
