"""The window's handle: empty until there is a file of our version, and the new file when one takes the old one's place."""

from pathlib import Path

import pytest

from app.domain.errors import StoreTooNew
from app.store.db.database import Database
from app.store.reader.base_reader import DatabaseReader


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
    handle.interrupt()
    handle.close()


def test_a_newer_file_is_refused(tmp_path: Path) -> None:
    db = Database.open(tmp_path / "mail.db")
    with db.transaction() as connection:
        connection.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreTooNew), DatabaseReader(tmp_path / "mail.db").reading():
        pass
