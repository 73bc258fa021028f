"""What all of the owner's calendars say together."""

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.errors import NotFound, Offline
from app.domain.ids import AccountId
from app.domain.ports.agents import BusyTime
from app.engine.services import Services
from fakes.mailroom import ScriptedCalendar

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)


class Writable(ScriptedCalendar):
    """A calendar that can be closed."""

    closed = False

    async def has(self, event_id: str) -> bool:
        return False

    async def insert(self, payload: bytes) -> None:
        raise AssertionError(payload)

    async def close(self) -> None:
        self.closed = True


def hour(at: int, title: str) -> BusyTime:
    """An hour that is taken."""
    return BusyTime(NOW + timedelta(hours=at), NOW + timedelta(hours=at + 1), title)


async def test_busy_times_of_all_calendars_come_together_and_once() -> None:
    services, told = Services(), []
    services.listen(lambda: told.append(1))
    with pytest.raises(NotFound):
        await services.busy(NOW, NOW + timedelta(days=1))
    work, home = Writable((hour(2, "Work"), hour(4, "Both"))), Writable((hour(4, "Both"), hour(1, "Home")))
    await services.put_calendar(AccountId(1), work)
    await services.put_calendar(AccountId(2), home)
    found = await services.busy(NOW, NOW + timedelta(days=1))
    assert [one.title for one in found] == ["Home", "Work", "Both"]
    assert services.may_schedule(AccountId(2))
    await services.put_calendar(AccountId(2), None)
    assert (home.closed, services.may_schedule(AccountId(2)), len(told)) == (True, False, 3)
    await services.close()
    assert work.closed


async def test_half_of_the_truth_is_not_told() -> None:
    services = Services()
    await services.put_calendar(AccountId(1), Writable((hour(2, "Work"),)))
    await services.put_calendar(AccountId(2), Writable(trouble=Offline("no way out")))
    with pytest.raises(Offline):
        await services.busy(NOW, NOW + timedelta(days=1))
