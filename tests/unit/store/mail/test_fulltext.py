"""Both full-text indexes are built anew from their tables, and a difference is noticed."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app.domain.ids import AccountId
from app.store.db.database import Database
from app.store.mail.mail_writing import check_indexes, rebuild_indexes
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from fakes.engine.store.values import remote


@pytest.mark.parametrize(
    "damage", ["DELETE FROM contact_fts_data WHERE id > 10", "INSERT INTO contact_fts (contact_fts) VALUES ('delete-all')"]
)
def test_what_is_lost_is_found_and_comes_back(db: Database, account: AccountId, tmp_path: Path, damage: str) -> None:
    Messages(db).apply(account, SyncPage(messages=(remote("a"),)))
    db.close()
    with closing(sqlite3.connect(tmp_path / "mail.db", isolation_level=None)) as connection:
        check_indexes(connection)
        connection.execute(damage)
        with pytest.raises(sqlite3.DatabaseError):
            check_indexes(connection)
        rebuild_indexes(connection)
        check_indexes(connection)
