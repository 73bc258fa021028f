"""Sentences that say what was seen and nothing else."""

import pytest

from app.agent.local.evidence import gather
from app.agent.local.reasons import sentence
from app.domain.ports.agents import Contact
from app.domain.seen import Seen
from app.domain.triage import Category, Decision
from fakes.local_mail import OWNER, card, mail


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
    assert sentence(Decision(decision), Category(category), seen) == wanted


def test_where_nothing_was_seen_nothing_is_said() -> None:
    message = mail("Good.", to=("other@b.example",))
    assert sentence(Decision.RESPOND, Category.OTHER, gather(message, (), OWNER, None, "Good.")) == ""


def test_rule_sentences_are_sentences() -> None:
    assert all(one.endswith(".") and one[0].isupper() for one in Seen)
