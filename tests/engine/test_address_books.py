"""Address books are read whole, then by what changed, into the cards; trouble is waited out."""

from pathlib import Path

import pytest

from app.domain.errors import Offline
from app.domain.mail import Address
from app.domain.ports.services import PeopleChanges, Person
from app.engine.address_books import AFTER_TROUBLE_S, EVERY_S, AddressBooks
from app.engine.services import Services
from fakes.engine_parts import engine_parts

pytestmark = pytest.mark.anyio
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
        services, book = Services(), Book()
        books = AddressBooks(parts.tables, parts.threads, services)
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
        services = Services()
        await services.put_book(parts.account_id, Book(trouble=True))
        assert await AddressBooks(parts.tables, parts.threads, services).look() == AFTER_TROUBLE_S
