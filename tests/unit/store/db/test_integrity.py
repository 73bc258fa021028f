"""The database file: whole or not, and values as text and bytes."""

from pathlib import Path

import pytest

from app.domain.errors import NotAllowed, StoreDamaged
from app.domain.ids import AccountId
from app.store.db.database import Database
from app.store.db.migrate import check_file, copy_database, is_whole
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from fakes.engine.store.values import remote


def filled(db: Database, account: AccountId) -> None:
    """Enough pages that a check looks up in between."""
    Messages(db).apply(account, SyncPage(messages=tuple(remote(f"m{at}", text="word " * 900) for at in range(60))))


def test_a_good_file_passes_while_it_is_written(db: Database, account: AccountId) -> None:
    """The check has a connection of its own: a transaction under way does not matter."""
    filled(db, account)
    with db.transaction() as connection:
        connection.execute("UPDATE accounts SET name = 'later'")
        db.check()
    assert is_whole(db.path)


def test_a_check_can_be_stopped(db: Database, account: AccountId) -> None:
    """It ends at once and says nothing about the file."""
    filled(db, account)
    with pytest.raises(NotAllowed):
        check_file(db.path, lambda: False)


def test_a_still_file_gets_nothing_beside_it(db: Database, account: AccountId, tmp_path: Path) -> None:
    """Looking at a copy leaves no log and no index."""
    filled(db, account)
    folder = tmp_path / "copies"
    folder.mkdir()
    db.load(copy_database, folder / "copy.db")
    check_file(folder / "copy.db", still=True)
    assert [one.name for one in folder.iterdir()] == ["copy.db"]


def test_damage_is_told_to_who_opened_the_store(db: Database, account: AccountId) -> None:
    """Whatever query meets it: the owner of the store hears, and the caller gets the error."""
    filled(db, account)
    db.close()
    raw = bytearray(db.path.read_bytes())
    kept = len(raw) * 2 // 3  # the schema, which every opening reads
    raw[kept:] = b"\x5a" * (len(raw) - kept)
    db.path.write_bytes(raw)
    told: list[StoreDamaged] = []
    again = Database.open(db.path, told.append)
    with pytest.raises(StoreDamaged):
        again.read("SELECT sum(length(text)) FROM bodies")
    with pytest.raises(StoreDamaged), again.transaction() as connection:
        connection.execute("DELETE FROM bodies")
    with pytest.raises(StoreDamaged):
        again.check()
    again.close()
    assert len(told) == 3
