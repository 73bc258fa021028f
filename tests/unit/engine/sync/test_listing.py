"""The order of a listing and how far it came: everything in the end, the newest and the owner's answers first.

Which mail the agents look at: each condition by itself, and all of them together.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import GmailId, GmailThreadId
from app.domain.mail.message import SystemLabel
from app.domain.sync import Listed, ListPage
from app.engine.sync.listing import RECENT_PRIORITY, RECENT_STEPS, STEPS, ListingProgress, unpacked, wanted, wants_triage
from app.store.mail.sync_page import ToFetch
from fakes.engine.store.values import NOON, remote

IDS = st.integers(0, 30).map(lambda number: GmailId(f"{number:x}"))


def test_the_last_step_lists_everything_and_nothing_it_adds_is_dearer_than_before() -> None:
    assert (STEPS[-1].query, STEPS[-1].spam_trash) == ("", True)
    priorities = [step.priority for step in STEPS]
    assert priorities == sorted(set(priorities), reverse=True)


def test_recent_mail_and_the_owners_answers_are_what_drafting_waits_for() -> None:
    recent = STEPS[:RECENT_STEPS]
    assert "newer_than:14d" in {step.query for step in recent}
    assert any(step.query.startswith("in:sent ") for step in recent)
    assert RECENT_PRIORITY == min(step.priority for step in recent) > max(step.priority for step in STEPS[RECENT_STEPS:])


@given(st.lists(st.integers(1, 4), min_size=len(STEPS), max_size=len(STEPS)), st.integers(0, 9), st.text(max_size=9))
def test_each_page_of_each_step_comes_once_and_what_is_known_of_the_mailbox_stays(
    pages: list[int], total: int, terms: str
) -> None:
    progress, seen = ListingProgress(total=total, terms=terms), list[tuple[str, str]]()
    for step, count in zip(STEPS, pages, strict=True):
        for number in range(1, count + 1):
            assert not progress.finished
            assert progress.current is step
            seen.append((step.query, progress.token))
            assert progress.again() == ListingProgress(progress.step, "", total, terms)
            progress = progress.after(ListPage((), f"token {number}" if number < count else "", 0))
            assert (progress.total, progress.terms) == (total, terms)
            assert unpacked(progress.packed()) == progress
    assert progress.finished
    assert len(set(seen)) == sum(pages)


@given(st.lists(st.tuples(IDS, IDS), max_size=20), st.sets(IDS), st.integers(0, 40))
def test_what_is_not_here_is_wanted_with_its_thread_and_in_the_servers_order(
    entries: list[tuple[GmailId, GmailId]], have: set[GmailId], priority: int
) -> None:
    page = ListPage(tuple(Listed(one, GmailThreadId(f"t{thread}")) for one, thread in entries), "", 0)
    missing = [(one, f"t{thread}") for one, thread in entries if one not in have]
    assert wanted(page, have, priority) == tuple(ToFetch(one, GmailThreadId(t), "listed", priority) for one, t in missing)


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
