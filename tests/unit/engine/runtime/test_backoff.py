"""Waits that grow: from the first on, doubled, and never without end, however often something has failed."""

from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import Offline
from app.domain.ids import AccountId
from app.domain.protocol.events import ConnectionState
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.throttle import doubled_s
from app.engine.sync.status import ConnectionHealth

WEEKS = 50_000
"""Failures in a row, one a minute."""


def test_each_failure_doubles_the_wait_up_to_its_bound() -> None:
    assert [doubled_s(1.0, failures, 60.0) for failures in (1, 2, 3, 6, 7, 8)] == [1.0, 2.0, 4.0, 32.0, 60.0, 60.0]


@given(st.floats(0.1, 60.0), st.integers(0, 10**9), st.floats(60.0, 7200.0))
def test_whatever_failed_the_wait_lies_between_the_first_and_the_longest(first_s: float, failures: int, longest_s: float) -> None:
    assert first_s <= doubled_s(first_s, failures, longest_s) <= longest_s


def test_an_account_that_was_offline_for_weeks_is_offline_and_nothing_else() -> None:
    health = ConnectionHealth(AccountId(1), EventBus(lambda event: None))
    waits = {health.failed(ConnectionState.OFFLINE, Offline("no network")) for _ in range(WEEKS)}
    assert max(waits) == 60.0
