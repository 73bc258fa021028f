"""Lessons: written once with the decision in force, taken back with it, and never over the user's own words."""

import pytest

from app.domain.agents.memory import (
    Lesson,
    MailFeedback,
    Namespace,
    PreferenceChange,
    PreferenceRule,
    RuleKind,
    lesson_of,
)
from app.domain.drafting.review import Action, Proposal, ReviewKind, ReviewStatus
from app.domain.ids import AccountId, MessageId, RunId, ThreadId
from app.domain.protocol.commands import Decide
from app.domain.record import replace
from app.store.db.database import Database
from app.store.learning.lessons import Lessons, Teaching
from app.store.learning.preferences import Preferences
from app.store.reviews.reviews import Reviews
from fakes.engine.store.rows import all_preferences
from fakes.engine.store.values import HandClock

ANN = "ann@partner.org"
CHEERS = lesson_of(PreferenceRule(RuleKind.SIGN_OFF, "en", "Cheers"))
REGARDS = lesson_of(PreferenceRule(RuleKind.SIGN_OFF, "en", "Best regards"))


class Desk:
    """Reviews that are decided, with their memory keys."""

    def __init__(self, db: Database, clock: HandClock) -> None:
        self.reviews = Reviews(db, clock)
        self.lessons = Lessons(db, clock)
        self.preferences = Preferences(db, clock)

    def decided(self, number: int) -> Teaching:
        """A rejected review."""
        proposal = Proposal(
            AccountId(1),
            RunId(f"r{number}"),
            MessageId(number),
            ThreadId(number),
            ReviewKind.REPLY,
            "respond",
            "other",
            0.9,
            "",
            "t",
        )
        review_id = self.reviews.open(proposal, "reply")
        self.reviews.decide(Decide(review_id, 1, Action.IGNORE), None, ReviewStatus.REJECTED, "{}")
        return Teaching(f"{review_id}:1", review_id, MessageId(number), ANN, MailFeedback.REJECTED)

    def values(self) -> list[str]:
        """The rules' values in force."""
        return [one.rule.value for one in self.preferences.rules(Namespace.RESPONSE) if one.rule]


@pytest.fixture
def desk(db: Database, clock: HandClock) -> Desk:
    return Desk(db, clock)


def test_a_lesson_is_written_once_and_undone_with_its_decision(desk: Desk) -> None:
    """Undo of the decision takes the preference and the teaching away."""
    teaching = desk.decided(1)
    assert len(desk.lessons.write(teaching, [CHEERS])) == 1
    assert desk.lessons.write(teaching, [CHEERS]) == ()
    (kept,) = all_preferences(desk.preferences)
    assert (kept.source_review, kept.evidence, kept.typed) == (teaching.review_id, (teaching.review_id,), False)
    assert desk.lessons.said(ANN, MailFeedback.REJECTED, "sender:x") == (teaching.review_id,)
    desk.reviews.undo(teaching.review_id)
    assert all_preferences(desk.preferences) == ()
    assert desk.lessons.said(ANN, MailFeedback.REJECTED, "sender:x") == ()


def test_a_decision_that_was_undone_teaches_nothing(desk: Desk) -> None:
    """The undo came before the lesson was written."""
    teaching = desk.decided(1)
    assert desk.lessons.stands(teaching.memory_key)
    desk.reviews.undo(teaching.review_id)
    assert not desk.lessons.stands(teaching.memory_key)
    assert desk.lessons.write(teaching, [CHEERS]) == ()
    assert all_preferences(desk.preferences) == ()


def test_a_lesson_is_followed_from_the_second_decision_on(desk: Desk) -> None:
    first, second = desk.decided(1), desk.decided(2)
    (preference_id,) = desk.lessons.write(first, [CHEERS])
    assert desk.values() == []
    assert [one.confirmed for one in desk.preferences.known(Namespace.RESPONSE)] == [False]
    assert desk.lessons.write(second, [CHEERS]) == (preference_id,)
    assert desk.values() == ["Cheers"]
    desk.reviews.undo(second.review_id)
    assert (desk.values(), len(desk.preferences.known(Namespace.RESPONSE))) == ([], 1)
    desk.reviews.undo(first.review_id)
    assert all_preferences(desk.preferences) == ()


def test_the_same_decision_twice_is_one_sign(desk: Desk) -> None:
    teaching = desk.decided(1)
    desk.lessons.write(teaching, [CHEERS])
    desk.lessons.write(teaching, [CHEERS])
    assert desk.values() == []


def test_what_the_user_chose_or_typed_is_followed_at_once(desk: Desk) -> None:
    desk.lessons.write(desk.decided(1), [replace(CHEERS, sure=True)])
    assert desk.values() == ["Cheers"]
    (seen_once,) = desk.lessons.write(desk.decided(2), [lesson_of(PreferenceRule(RuleKind.SIGN_OFF, "cs", "Zdar"))])
    assert desk.values() == ["Cheers"]
    desk.preferences.edit(seen_once, "Zdar")
    assert desk.values() == ["Cheers", "Zdar"]


def test_a_newer_lesson_takes_the_place_and_gives_it_back(desk: Desk) -> None:
    """Undo restores the words and the source of before."""
    first, second, third = (desk.decided(number) for number in (1, 2, 3))
    desk.lessons.write(first, [replace(CHEERS, sure=True)])
    desk.lessons.write(second, [REGARDS])
    assert desk.values() == ["Cheers"]
    desk.lessons.write(third, [REGARDS])
    assert desk.values() == ["Best regards"]
    desk.reviews.undo(third.review_id)
    assert desk.values() == ["Cheers"]
    assert all_preferences(desk.preferences)[0].source_review == first.review_id


def test_undoing_the_older_lesson_takes_its_sign_back(desk: Desk) -> None:
    """And once both are undone nothing is left."""
    first, second = desk.decided(1), desk.decided(2)
    desk.lessons.write(first, [REGARDS])
    desk.lessons.write(second, [REGARDS])
    desk.reviews.undo(first.review_id)
    assert desk.values() == []
    assert desk.preferences.known(Namespace.RESPONSE)[0].evidence == (second.review_id,)
    desk.reviews.undo(second.review_id)
    assert all_preferences(desk.preferences) == ()


def test_what_the_user_typed_is_not_changed(desk: Desk) -> None:
    """Neither by a rule, nor by a model, nor by an undo."""
    first, second = desk.decided(1), desk.decided(2)
    (preference_id,) = desk.lessons.write(first, [CHEERS])
    desk.preferences.edit(preference_id, "Yours, M")
    own = desk.preferences.add(Namespace.RESPONSE, "Be brief.")
    removing = Lesson(PreferenceChange.REMOVE, Namespace.RESPONSE, target=own)
    replacing = Lesson(PreferenceChange.REPLACE, Namespace.RESPONSE, "Be long.", target=own)
    assert desk.lessons.write(second, [REGARDS, removing, replacing]) == ()
    desk.reviews.undo(first.review_id)
    assert [one.text for one in desk.preferences.active(Namespace.RESPONSE)][1] == "Be brief."
    assert desk.values() == ["Yours, M"]
