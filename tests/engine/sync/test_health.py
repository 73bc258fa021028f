"""How a connection stands is told when it changes; what comes between is told in words, once."""

from app.domain.errors import Intercepted, Offline
from app.domain.events import ConnectionChanged, ConnectionState, Event, Trouble
from app.domain.ids import AccountId
from app.engine.announcer import Announcer
from app.engine.sync.health import LONGEST_PAUSE_S, Health


def test_changes_are_told_and_rests_grow() -> None:
    told: list[Event] = []
    health = Health(AccountId(1), Announcer(told.append))
    rests = [health.failed(ConnectionState.OFFLINE, Offline("no route")) for _ in range(9)]
    assert rests[:4] == [1, 2, 4, 8]
    assert rests[-1] == LONGEST_PAUSE_S
    health.worked()
    health.worked()
    for _ in range(2):
        health.failed(ConnectionState.OFFLINE, Intercepted("a page"))
    assert [one.state for one in told if isinstance(one, ConnectionChanged)] == ["offline", "online", "offline"]
    assert [one.code for one in told if isinstance(one, Trouble)] == ["intercepted"]
