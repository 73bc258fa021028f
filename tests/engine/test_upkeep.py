"""When the store is copied: in quiet moments, and not while a mailbox is fetched for the first time."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.ids import GmailId, GmailThreadId
from app.engine.tables import Tables, open_tables
from app.engine.upkeep import OVERDUE, copy_now
from app.store.backups import back_up, newest_copy
from app.store.pages import SyncPage, ToFetch
from fakes.stored_mail import HandClock


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    tables = open_tables(tmp_path / "mail.db", HandClock())
    yield tables
    tables.db.close()


def fetch_on(tables: Tables) -> None:
    """Mail waits to be fetched."""
    account = tables.accounts.add("me@example.org", "Me", ("me@example.org",), "", "#123456")
    tables.messages.apply(account, SyncPage(to_fetch=(ToFetch(GmailId("g1"), GmailThreadId("t1"), "listed"),)))


def test_a_quiet_store_without_a_copy_is_copied_at_once(tables: Tables) -> None:
    assert copy_now(tables, tables.clock())


def test_half_a_mailbox_is_not_copied(tables: Tables) -> None:
    fetch_on(tables)
    began = tables.clock()
    assert not copy_now(tables, began)
    assert not copy_now(tables, began - OVERDUE + timedelta(minutes=1))
    assert copy_now(tables, began - OVERDUE)


def test_a_copy_that_is_overdue_waits_for_no_quiet(tables: Tables) -> None:
    fetch_on(tables)
    back_up(tables.db.path)
    made = newest_copy(tables.db.path).stat().st_mtime

    def after(hours: float) -> bool:
        clock = tables.clock
        assert isinstance(clock, HandClock)
        clock.now = clock.now.fromtimestamp(made, tz=clock.now.tzinfo) + timedelta(hours=hours)
        return copy_now(tables, clock.now)

    assert [after(hours) for hours in (1, 25, 31)] == [False, False, True]
