"""Reasons that say what was seen and nothing else."""

import pytest

from app.agent.triage.evidence import gather
from app.agent.triage.explanation import counted, explanation
from app.domain.mail.triage import Category, Decision, reason_text
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
        ("Good.", None, "ignore", "other", "Asks nothing of you."),
    ],
)
def test_sentence(body: str, contact: Contact | None, decision: str, category: str, wanted: str) -> None:
    seen = gather(mail(body), (), OWNER, contact, body)
    assert reason_text(explanation(Decision(decision), Category(category), seen, ())) == wanted


def test_where_nothing_was_seen_nothing_is_said() -> None:
    message = mail("Good.", to=("other@b.example",))
    assert explanation(Decision.RESPOND, Category.OTHER, gather(message, (), OWNER, None, "Good."), ()) == ""


def test_what_weighed_most_is_said() -> None:
    seen = gather(mail("Thanks."), (), OWNER, None, "Thanks.")
    told = reason_text(explanation(Decision.IGNORE, Category.OTHER, seen, ["list", "asks_other"]))
    assert told == "Came by a mailing list and speaks to somebody else."


def test_what_the_owner_s_archive_adds_counts_too() -> None:
    assert counted({"asks": 1.0, "list": -2.0, "short": 0.1}, {"list": 2.5, "short": 0.05}) == (("asks", 1.0), ("list", 0.5))
