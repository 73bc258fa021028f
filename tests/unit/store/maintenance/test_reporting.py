"""Counts of rows for a report: every table by name, nothing else, and nothing where there is no store."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app.domain.errors import StoreDamaged
from app.domain.ids import AccountId
from app.store.db.database import Database
from app.store.db.errors import VERSION
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.maintenance.reporting import row_counts, verdicts
from fakes.engine.store.values import remote


def test_every_table_is_counted(db: Database, account: AccountId, tmp_path: Path) -> None:
    """Also while the engine has the file open."""
    Messages(db).apply(account, SyncPage(messages=(remote("a"), remote("b"))))
    counts = row_counts(db.path)
    assert (counts["messages"], counts["accounts"], counts["outbox"], counts["user_version"]) == (2, 1, 0, VERSION)
    assert not [name for name in counts if name.startswith(("sqlite_", "mail_fts"))]
    assert row_counts(tmp_path / "absent.db") == {}
    assert not (tmp_path / "absent.db").exists()


def test_verdicts_are_ids_and_triage(db: Database, account: AccountId) -> None:
    """Messages without a verdict are there with empty fields."""
    Messages(db).apply(account, SyncPage(messages=(remote("a"),)))
    found = verdicts(db.path)
    assert [(one.gmail_id, one.labels, one.decision) for one in found] == [("a", {"INBOX", "UNREAD"}, "")]


def test_garbage_is_said(tmp_path: Path) -> None:
    """Not a traceback of SQLite's."""
    path = tmp_path / "mail.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE a (b)")
    path.write_bytes(b"garbage" * 999)
    with pytest.raises(StoreDamaged):
        row_counts(path)
