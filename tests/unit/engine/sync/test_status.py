"""Sync: the order of a listing, its progress, and how the connection stands."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import ApiOff, Intercepted, LoginNeeded, Offline, QuotaReached
from app.domain.ids import AccountId, GmailId
from app.domain.mail.message import SystemLabel
from app.domain.protocol.events import ConnectionChanged, ErrorReported, SyncPhase, SyncProgress
from app.domain.record import replace
from app.domain.wire import Event
from app.engine.runtime.event_bus import EventBus
from app.engine.sync.listing import STEPS, ListingProgress, wants_triage
from app.engine.sync.status import LEAST_S, LONGEST_PAUSE_S, QUOTA_PAUSE_S, REFUSED_PAUSE_S, ConnectionHealth, ProgressMeter
from app.store.mail.sync_page import SyncPage
from fakes.engine.store.values import remote
from fakes.engine.sync import row, sync_stage

LISTED = ListingProgress(step=len(STEPS), total=500)


async def test_counts_are_real_and_the_estimate_is_the_last_minutes_pace(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 1) as stage:
        told: list[Event] = []
        announcer = EventBus(told.append)
        meter = ProgressMeter(stage.mirror, announcer, lambda: stage.now)

        async def said(progress: ListingProgress, mirrored: int, after_s: float = LEAST_S) -> SyncProgress:
            stage.now += after_s
            stage.mirror.have = {GmailId(f"m{number}") for number in range(mirrored)}
            await meter.tell(progress)
            announcer.flush()
            last = told[-1]
            assert isinstance(last, SyncProgress)
            return last

        await stage.mirror.apply(SyncPage(to_fetch=tuple(row(f"w{number}") for number in range(60))))
        first = await said(ListingProgress(total=100), 0)
        assert (first.phase, first.done, first.total, first.eta_s) == (SyncPhase.LISTING, 0, 100, -1.0)
        burst = await said(ListingProgress(total=100), 9, after_s=2)
        assert burst.eta_s == -1.0, "the first burst is no pace"
        assert (await said(ListingProgress(total=100), 10, after_s=LEAST_S - 2)).eta_s == pytest.approx(90 * LEAST_S / 10)
        within = await said(ListingProgress(terms="newer_than:7d"), 20)
        assert (within.total, within.eta_s) == (80, -1.0), "how many are within is not known yet"
        listed = await said(LISTED, 40)
        assert (listed.phase, listed.total) == (SyncPhase.BACKFILL, 100)
        assert listed.eta_s == pytest.approx(60 * LEAST_S / 20)
        assert (await said(LISTED, 40, after_s=61)).eta_s == -1.0, "nothing came for a minute"
        count = len(told)
        await said(LISTED, 41, after_s=0.1)
        assert len(told) == count, "not at every turn"
        await meter.done()
        announcer.flush()
        assert told[-1] == SyncProgress(stage.mirror.account_id, SyncPhase.CURRENT, 41, 101, 0.0)


async def test_while_older_mail_is_paused_its_number_is_what_is_known_of_it(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 1) as stage:
        told: list[Event] = []
        announcer = EventBus(told.append)
        meter = ProgressMeter(stage.mirror, announcer, lambda: stage.now)
        await stage.mirror.apply(SyncPage(to_fetch=tuple(row(f"w{number}") for number in range(60))))
        stage.mirror.have = {GmailId(f"m{number}") for number in range(10)}
        totals = []
        for progress in (ListingProgress(total=100), ListingProgress(total=50), LISTED):
            await meter.paused(progress)
            announcer.flush()
            last = told[-1]
            assert isinstance(last, SyncProgress)
            assert (last.phase, last.done, last.eta_s) == (SyncPhase.PAUSED, 10, -1.0)
            totals.append(last.total)
        assert totals == [100, 70, 70]


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


def test_changes_are_told_and_rests_grow() -> None:
    told: list[Event] = []
    health = ConnectionHealth(AccountId(1), EventBus(told.append))
    rests = [health.met(Offline("no route")) for _ in range(9)]
    assert rests[:4] == [1, 2, 4, 8]
    assert rests[-1] == LONGEST_PAUSE_S
    health.worked()
    health.worked()
    assert [health.met(Intercepted("a page")) for _ in range(2)] == [1, 2]
    assert [one.state for one in told if isinstance(one, ConnectionChanged)] == ["offline", "online", "offline"]
    assert [one.code for one in told if isinstance(one, ErrorReported)] == ["intercepted"]


def test_what_only_a_human_can_end_is_said_once_and_is_not_called_offline() -> None:
    told: list[Event] = []
    health = ConnectionHealth(AccountId(1), EventBus(told.append))
    assert [health.met(ApiOff("403")) for _ in range(3)] == [REFUSED_PAUSE_S] * 3
    health.worked()
    health.met(ApiOff("403"))
    assert [one.code for one in told if isinstance(one, ErrorReported)] == ["api_off", "api_off"]
    assert [one.state for one in told if isinstance(one, ConnectionChanged)] == ["online"]


def test_each_trouble_has_its_state_and_its_rest() -> None:
    told: list[Event] = []
    health = ConnectionHealth(AccountId(1), EventBus(told.append))
    rests = [health.met(error) for error in (QuotaReached(), QuotaReached("", 70.0), LoginNeeded(), Offline())]
    assert rests[:3] == [QUOTA_PAUSE_S, 70.0, REFUSED_PAUSE_S]
    assert [one.state for one in told if isinstance(one, ConnectionChanged)] == ["quota", "login_needed", "offline"]
