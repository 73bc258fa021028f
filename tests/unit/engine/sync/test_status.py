"""Sync: the order of a listing, its progress, and how the connection stands."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.domain.mail.message import SystemLabel
from app.domain.record import replace
from app.engine.sync.listing import wants_triage
from fakes.engine.store.values import remote

FRESH = remote("m", labels=("INBOX", "UNREAD"))
"""Came in the millisecond in which the owner agreed."""
SHIFTS = st.integers(-5, 5)


@given(st.frozensets(st.sampled_from([*SystemLabel, "Label_7"])), st.none() | SHIFTS, SHIFTS, st.booleans())
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
