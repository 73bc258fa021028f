"""Fixtures: a real database file for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.ids import AccountId
from app.store.accounts import Accounts
from app.store.db.database import Database
from fakes.engine.agent_mailbox import Room
from fakes.engine.store.empty import prepared
from fakes.engine.store.values import HandClock


@pytest.fixture
def clock() -> HandClock:
    """A clock that stands still."""
    return HandClock()


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    opened = Database.open(prepared(tmp_path / "mail.db"))
    yield opened
    opened.close()


@pytest.fixture
def account(db: Database) -> AccountId:
    return Accounts(db).add("me@example.org", "Me", ("me@example.org", "sales@example.org"), "<p>Me</p>", "#336699")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A store with one account, and the dependencies of a graph over it."""
    with Room(tmp_path) as made:
        yield made
