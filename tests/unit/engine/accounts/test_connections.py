"""What all of the owner's calendars say together.

Address books are read whole, then by what changed, into the cards; trouble is waited out.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.domain.drafting.meeting import BusyTime
from app.domain.errors import NotFound, Offline
from app.domain.ids import AccountId
from app.domain.mail.message import Address
from app.domain.ports.services import PeopleChanges, Person
from app.engine.accounts.connections import AFTER_TROUBLE_S, EVERY_S, AddressBooks, GoogleServices
from fakes.engine.agent_mailbox import ScriptedCalendar
from fakes.engine.engine_parts import engine_parts

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
    services, told = GoogleServices(), []
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
    services = GoogleServices()
    await services.put_calendar(AccountId(1), Writable((hour(2, "Work"),)))
    await services.put_calendar(AccountId(2), Writable(trouble=Offline("no way out")))
    with pytest.raises(Offline):
        await services.busy(NOW, NOW + timedelta(days=1))


EVE = Person((Address("eve@x.org", "Eve"),), "Bikes", "", "people/1", "1")


class Book:
    """An address book with one contact, or with trouble; `asked` are the tokens it got."""

    def __init__(self, trouble: bool = False) -> None:
        self.trouble = trouble
        self.asked: list[str] = []

    async def changes(self, sync_token: str) -> PeopleChanges:
        if self.trouble:
            raise Offline("no way out")
        self.asked.append(sync_token)
        people = () if sync_token else (EVE,)
        return PeopleChanges(people, (), f"t{len(self.asked)}", whole=not sync_token)

    async def close(self) -> None:
        return


async def test_a_book_is_read_whole_and_then_from_its_token(tmp_path: Path) -> None:
    async with engine_parts(tmp_path) as parts:
        services, book = GoogleServices(), Book()
        books = AddressBooks(parts.tables, services)
        assert await books.look() == EVERY_S
        await services.put_book(parts.account_id, book)
        assert await books.look() == EVERY_S
        assert await books.look() == EVERY_S
        assert book.asked == ["", "t1"]
        card = parts.tables.contacts.card(parts.account_id, "eve@x.org")
        assert card is not None
        assert card.organization == "Bikes"


async def test_a_book_that_does_not_answer_is_tried_again(tmp_path: Path) -> None:
    async with engine_parts(tmp_path) as parts:
        services = GoogleServices()
        await services.put_book(parts.account_id, Book(trouble=True))
        assert await AddressBooks(parts.tables, services).look() == AFTER_TROUBLE_S
