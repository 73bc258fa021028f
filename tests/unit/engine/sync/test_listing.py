"""The order of a listing and how far it came: everything in the end, the newest and the owner's answers first.

Which mail the agents look at: each condition by itself, and all of them together.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.mail.message import SystemLabel
from app.engine.sync.listing import wants_triage
from fakes.engine.store.values import NOON, remote

CONSENT = int(NOON.timestamp() * 1000)
FRESH = remote("m", labels=("INBOX", "UNREAD"))
"""Came in the millisecond in which the owner agreed."""
SHIFTS = st.integers(-5, 5)


def test_unread_mail_in_the_inbox_is_looked_at_from_the_moment_of_consent_on() -> None:
    assert wants_triage(FRESH, CONSENT, arrived=False)
    assert not wants_triage(FRESH, CONSENT + 1, arrived=False)
    assert not wants_triage(FRESH, CONSENT + 1, arrived=True)
    assert not wants_triage(FRESH, None, arrived=True)


@pytest.mark.parametrize("label", [SystemLabel.SENT, SystemLabel.DRAFT, SystemLabel.SPAM, SystemLabel.TRASH])
def test_what_is_the_owners_own_or_thrown_away_is_never_looked_at(label: SystemLabel) -> None:
    assert not wants_triage(replace(FRESH, labels=FRESH.labels | {label}), CONSENT, arrived=True)


def test_what_was_read_elsewhere_is_looked_at_only_if_it_has_just_come() -> None:
    read = replace(FRESH, labels=frozenset({"INBOX"}))
    assert wants_triage(read, CONSENT, arrived=True)
    assert not wants_triage(read, CONSENT, arrived=False)


@given(
    st.frozensets(st.sampled_from([*SystemLabel, "Label_7"])),
    st.none() | SHIFTS,
    SHIFTS,
    st.booleans(),
)
def test_all_conditions_hold_together(labels: frozenset[str], consent_ms: int | None, at_ms: int, arrived: bool) -> None:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at_ms)
    wanted = (
        consent_ms is not None
        and at_ms >= consent_ms
        and "INBOX" in labels
        and labels.isdisjoint({"SENT", "DRAFT", "SPAM", "TRASH"})
        and (arrived or "UNREAD" in labels)
    )
    assert wants_triage(replace(FRESH, labels=labels, date=moment), consent_ms, arrived) is wanted
