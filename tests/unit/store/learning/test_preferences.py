"""Preferences: remembered once, counted, undone."""

import pytest

from app.domain.agents.memory import LONGEST_TEXT, Namespace, PreferenceRule, RuleKind, sentence
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import ReviewId
from app.store.db.database import Database
from app.store.learning.preferences import Preferences, insert
from fakes.engine.store.rows import all_preferences
from fakes.engine.store.values import NOON, HandClock


def test_a_preference_lives(db: Database, clock: HandClock) -> None:
    """Added, used, edited, deleted, restored."""
    preferences = Preferences(db, clock)
    first = preferences.add(Namespace.RESPONSE, "Short greetings.", ReviewId(3))
    second = preferences.add(Namespace.RESPONSE, "Sign as M.")
    preferences.add(Namespace.TRIAGE, "Short greetings.")
    preferences.used([first, second, first])
    preferences.used([first])
    preferences.edit(second, "Sign as Mia.")
    found = preferences.active(Namespace.RESPONSE)
    assert [(one.id, one.text, one.uses, one.source_review) for one in found] == [
        (first, "Short greetings.", 2, 3),
        (second, "Sign as Mia.", 1, 0),
    ]
    assert found[0].created_at == NOON
    preferences.delete(first)
    assert [one.id for one in preferences.active(Namespace.RESPONSE)] == [second]
    assert next(one for one in all_preferences(preferences) if one.id == first).deleted_at == NOON
    preferences.restore(first)
    assert len(preferences.active(Namespace.RESPONSE)) == 2


def test_the_same_text_is_the_same_preference(db: Database, clock: HandClock) -> None:
    """Learning again what was deleted brings the row back with its uses."""
    preferences = Preferences(db, clock)
    first = preferences.add(Namespace.CALENDAR, "No Mondays.")
    preferences.used([first])
    preferences.delete(first)
    assert preferences.add(Namespace.CALENDAR, "No Mondays.") == first
    assert [one.uses for one in preferences.active(Namespace.CALENDAR)] == [1]


def test_a_rule_is_edited_by_its_value(db: Database, clock: HandClock) -> None:
    """The sentence follows the user's words; a rule without words of the user is refused."""
    preferences = Preferences(db, clock)
    sign_off, silent = (
        PreferenceRule(RuleKind.SIGN_OFF, "en", "Cheers"),
        PreferenceRule(RuleKind.SENDER, "sender:a@b.example", "ignore"),
    )
    with db.transaction() as connection:
        first = insert(connection, Namespace.RESPONSE, sentence(sign_off), sign_off, ReviewId(3), 0)
        second = insert(connection, Namespace.TRIAGE, sentence(silent), silent, ReviewId(4), 0)
    preferences.edit(first, "Best regards,\nMia")
    (found,) = preferences.rules(Namespace.RESPONSE)
    assert found.rule == PreferenceRule(RuleKind.SIGN_OFF, "en", "Best regards,\nMia")
    assert (found.typed, found.evidence) == (True, (3,))
    assert "Best regards" in found.text
    with pytest.raises(NotAllowed):
        preferences.edit(second, "something else")
    assert preferences.rules(Namespace.TRIAGE)[0].rule == silent


def test_odd_words_are_refused(db: Database, clock: HandClock) -> None:
    """Nothing, too much, or a preference that is not there."""
    preferences = Preferences(db, clock)
    for text in (" ", "x" * (LONGEST_TEXT + 1)):
        with pytest.raises(NotAllowed):
            preferences.add(Namespace.RESPONSE, text)
    for act in (preferences.delete, preferences.restore):
        with pytest.raises(NotFound):
            act(5)
    with pytest.raises(NotFound):
        preferences.edit(5, "words")
    assert all_preferences(preferences) == ()
