"""Preferences: remembered once, counted, undone."""

from app.domain.ids import ReviewId
from app.store.database import Database
from app.store.preferences import Preferences
from fakes.stored_mail import NOON, HandClock


def test_a_preference_lives(db: Database, clock: HandClock) -> None:
    """Added, used, edited, deleted, restored."""
    preferences = Preferences(db, clock)
    first = preferences.add("response_preferences", "Short greetings.", ReviewId(3))
    second = preferences.add("response_preferences", "Sign as M.")
    preferences.add("triage_preferences", "Short greetings.")
    preferences.used([first, second, first])
    preferences.used([first])
    preferences.edit(second, "Sign as Mia.")
    found = preferences.active("response_preferences")
    assert [(one.id, one.text, one.uses, one.source_review) for one in found] == [
        (first, "Short greetings.", 2, 3),
        (second, "Sign as Mia.", 1, 0),
    ]
    assert found[0].created_at == NOON
    preferences.delete(first)
    assert [one.id for one in preferences.active("response_preferences")] == [second]
    assert next(one for one in preferences.all() if one.id == first).deleted_at == NOON
    preferences.restore(first)
    assert len(preferences.active("response_preferences")) == 2


def test_the_same_text_is_the_same_preference(db: Database, clock: HandClock) -> None:
    """Learning again what was deleted brings the row back with its uses."""
    preferences = Preferences(db, clock)
    first = preferences.add("cal_preferences", "No Mondays.")
    preferences.used([first])
    preferences.delete(first)
    assert preferences.add("cal_preferences", "No Mondays.") == first
    assert [one.uses for one in preferences.active("cal_preferences")] == [1]
