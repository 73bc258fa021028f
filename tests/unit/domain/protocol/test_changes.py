"""What crosses between window and engine: changes, and how a sign-in stands."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import GmailId
from app.domain.protocol.account_commands import ended_as_in_testing, ends_at, ends_soon
from app.domain.protocol.changes import LabelChange, fold

LABELS = st.lists(st.sampled_from(["INBOX", "UNREAD", "STARRED", "Label_1"]), max_size=3, unique=True)
IDS = st.lists(st.sampled_from([GmailId(f"m{n}") for n in range(5)]), min_size=1, unique=True)


@st.composite
def change(draw: st.DrawFn) -> LabelChange:
    """A change that does not put on and take off the same label."""
    add = draw(LABELS)
    return LabelChange(tuple(draw(IDS)), tuple(add), tuple(one for one in draw(LABELS) if one not in add))


def applied(changes: list[LabelChange], start: dict[str, set[str]]) -> dict[str, set[str]]:
    """What the labels are afterwards."""
    state = {key: set(labels) for key, labels in start.items()}
    for one in changes:
        for gmail_id in one.gmail_ids:
            state[gmail_id] = (state[gmail_id] - set(one.remove)) | set(one.add)
    return state


@given(
    st.lists(change(), max_size=8),
    st.fixed_dictionaries({f"m{n}": st.sets(st.sampled_from(["INBOX", "UNREAD"])) for n in range(5)}),
)
def test_folding_changes_nothing_about_the_outcome(changes: list[LabelChange], start: dict[str, set[str]]) -> None:
    folded = list(fold(changes))
    assert applied(folded, start) == applied(changes, start)
    named = [gmail_id for one in folded for gmail_id in one.gmail_ids]
    assert len(named) == len(set(named))


SINCE = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(("hours", "testing"), [(1, False), (150, False), (160, True), (168, True), (200, True), (230, False)])
def test_a_week_marks_testing(hours: int, testing: bool) -> None:
    assert ended_as_in_testing(SINCE, SINCE + timedelta(hours=hours)) is testing


def test_what_is_not_known_says_nothing() -> None:
    assert not ended_as_in_testing(None, SINCE)
    assert ends_at(None, True) is None
    assert ends_at(SINCE, False) is None
    assert not ends_soon(SINCE, False, SINCE + timedelta(days=8))


def test_the_last_day_and_what_follows_is_soon() -> None:
    assert ends_at(SINCE, True) == SINCE + timedelta(days=7)
    assert not ends_soon(SINCE, True, SINCE + timedelta(days=5, hours=23))
    assert ends_soon(SINCE, True, SINCE + timedelta(days=6))
    assert ends_soon(SINCE, True, SINCE + timedelta(days=9))
