"""How a connection stands is told when it changes; what comes between is told in words, once."""

from app.domain.errors import ApiOff, Intercepted, LoginNeeded, Offline, QuotaReached
from app.domain.ids import AccountId
from app.domain.protocol.events import ConnectionChanged, ConnectionState, ErrorReported, Event
from app.engine.runtime.event_bus import EventBus
from app.engine.sync.status import LONGEST_PAUSE_S, QUOTA_PAUSE_S, REFUSED_PAUSE_S, ConnectionHealth


def test_changes_are_told_and_rests_grow() -> None:
    told: list[Event] = []
    health = ConnectionHealth(AccountId(1), EventBus(told.append))
    rests = [health.failed(ConnectionState.OFFLINE, Offline("no route")) for _ in range(9)]
    assert rests[:4] == [1, 2, 4, 8]
    assert rests[-1] == LONGEST_PAUSE_S
    health.worked()
    health.worked()
    assert [health.failed(ConnectionState.OFFLINE, Intercepted("a page")) for _ in range(2)] == [1, 2]
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
