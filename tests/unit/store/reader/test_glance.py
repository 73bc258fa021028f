"""The glance for the first frame shows what the reader shows a moment later, and never fails."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.protocol.views import SPLITS, Glance, MailView
from app.store.reader.glance import glance
from app.store.reader.mailbox_reader import SqliteMailboxReader
from fakes.engine.store.sample_store import lively_store

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


def test_no_file_means_no_account(tmp_path: Path) -> None:
    assert glance(tmp_path / "mail.db", "inbox", 5) == Glance(accounts=False)
    assert not (tmp_path / "mail.db").exists()


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


def test_what_is_wrong_with_the_file_is_left_to_the_reader(tmp_path: Path) -> None:
    (tmp_path / "mail.db").write_bytes(b"no database at all" * 100)
    assert glance(tmp_path / "mail.db", "inbox", 5) == Glance(accounts=True)
    other = tmp_path / "newer.db"
    connection = sqlite3.connect(other)
    connection.execute("PRAGMA user_version = 9999")
    connection.close()
    assert glance(other, "inbox", 5) == Glance(accounts=True)
