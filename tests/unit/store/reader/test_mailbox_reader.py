"""People are found by what is typed: the same as one by one, through an index that follows every change of a contact."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.domain.ids import AccountId, GmailId
from app.domain.mail.message import Address
from app.domain.ports.services import PeopleChanges, Person
from app.domain.protocol.views import SPLITS, Glance, MailView
from app.store.accounts import Accounts
from app.store.contacts import Contacts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.reader.base_reader import DatabaseReader
from app.store.reader.glance import glance
from app.store.reader.mailbox_reader import CANDIDATES, SqliteMailboxReader, found_people
from fakes.engine.store.sample_store import lively_store
from fakes.engine.store.values import ME, remote


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> sqlite3.Connection:
    """A database with an account in it, for many examples."""
    path = tmp_path_factory.mktemp("people") / "mail.db"
    with closing(Database.open(path)) as db:
        Accounts(db).add("me@x.org", "", (), "", "")
    connection = sqlite3.connect(path, isolation_level=None)
    connection.row_factory = sqlite3.Row
    return connection


def put(connection: sqlite3.Connection, email: str, name: str, sent: int = 0, received: int = 1) -> None:
    """A contact."""
    sql = "INSERT INTO contacts (account_id, email, name, received, sent, last_contact) VALUES (1, ?, ?, ?, ?, 0)"
    connection.execute(sql, (email, name, received, sent))


def test_any_word_of_name_address_and_domain_finds_somebody(empty: sqlite3.Connection) -> None:
    empty.execute("BEGIN")
    put(empty, "ana@partner.org", "Ana Nováková")
    put(empty, "tom@cycles.example", "")
    found = [
        len(found_people(empty, one, 8, by_firm=False)) for one in ("novak", "AN", "cycles", "tom@", "x", " ", "nov ana", "org")
    ]
    empty.execute("ROLLBACK")
    assert found == [1, 1, 1, 1, 0, 0, 1, 0]


def test_those_written_to_come_first_whatever_the_number_of_others(empty: sqlite3.Connection) -> None:
    empty.execute("BEGIN")
    for number in range(CANDIDATES + 50):
        put(empty, f"p{number}@x.org", "Petra", received=100)
    put(empty, "last@x.org", "Petra", sent=1)
    found = [one.address.email for one in found_people(empty, "pe", 3, by_firm=False)]
    empty.execute("ROLLBACK")
    assert found[0] == "last@x.org"
    assert len(found) == 3


def test_the_index_follows_every_change(db: Database, account: AccountId, tmp_path: Path) -> None:
    messages, contacts = Messages(db), Contacts(db)
    reader = SqliteMailboxReader(tmp_path / "mail.db")

    def found(typed: str, firm: bool = False) -> list[str]:
        return [one.address.email for one in reader.people(typed, 5, by_firm=firm)]

    bob = Address("bob@b.org", "Bob Marly")
    messages.apply(account, SyncPage(messages=(remote("a", sender=bob),)))
    assert found("mar") == ["bob@b.org"]
    messages.apply(account, SyncPage(messages=(remote("b", sender=Address("bob@b.org", "Bobby Zoo"), minutes=9),)))
    assert (found("mar"), found("zo")) == ([], ["bob@b.org"])
    messages.apply(account, SyncPage(messages=(remote("c", sender=Address("zora@b.org", "Zora"), minutes=9),)))
    messages.apply(account, SyncPage(messages=(remote("d", sender=ME, to=(Address("zora@b.org", "Zora"),), labels=("SENT",)),)))
    assert found("zo")[0] == "zora@b.org"
    eve = Person((Address("eve@c.org", "Eve"),), "Quartz Ltd", "", "people/eve", "1")
    contacts.apply(account, PeopleChanges((eve,), (), "t", whole=False), lambda: datetime.now(UTC))
    assert (found("qua"), found("qua", firm=True)) == ([], ["eve@c.org"])
    assert reader.known_emails(("eve@c.org", "who@c.org")) == {"eve@c.org"}
    assert reader.known_emails(()) == frozenset()
    messages.apply(account, SyncPage(delete=(GmailId("c"), GmailId("d"))))
    assert found("zo") == ["bob@b.org"]
    reader.close()


def test_it_follows_the_file(tmp_path: Path) -> None:
    path, other = tmp_path / "mail.db", tmp_path / "other.db"
    handle = DatabaseReader(path)
    with handle.reading() as connection:
        empty = connection
        assert not connection.execute("SELECT id FROM accounts").fetchall()
    for made in (path, other):
        Database.open(made).close()
    with handle.reading() as connection:
        assert connection is not empty
        first = connection
    other.replace(path)
    with handle.reading() as connection:
        assert connection is not first
    handle.close()


LISTED = [view for view in MailView if view not in (MailView.SNOOZED, *SPLITS)]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lively mailbox's file."""
    path = tmp_path_factory.mktemp("glance") / "mail.db"
    lively_store(path).close()
    return path


@pytest.fixture
def reader(filled: Path) -> Iterator[SqliteMailboxReader]:
    """The window's reader on it."""
    made = SqliteMailboxReader(filled)
    yield made
    made.close()


@pytest.mark.parametrize("view", LISTED)
def test_rows_are_those_of_the_reader(filled: Path, reader: SqliteMailboxReader, view: MailView) -> None:
    ids = reader.thread_ids(view)
    rows = reader.thread_rows(ids)
    seen = glance(filled, str(view), 1000)
    assert seen.accounts
    wanted = [rows[one] for one in ids]
    assert [(one.who, one.subject, one.snippet, one.unread, one.messages) for one in seen.rows] == [
        (one.sender, one.subject, one.snippet, one.unread, one.message_count) for one in wanted
    ]
    assert [one.date_ms for one in seen.rows] == [int(one.date.timestamp() * 1000) for one in wanted]
    assert glance(filled, str(view), 2).rows == seen.rows[:2]


def test_the_queue_stands_in_its_order_and_other_pages_have_no_rows(filled: Path, reader: SqliteMailboxReader) -> None:
    ids = reader.review_ids()
    rows = reader.review_rows(ids)
    seen = glance(filled, "review", 1000)
    assert [(one.who, one.subject) for one in seen.rows] == [(rows[one].sender, rows[one].subject) for one in ids]
    assert seen.rows
    assert glance(filled, "settings", 5) == Glance(accounts=True)
