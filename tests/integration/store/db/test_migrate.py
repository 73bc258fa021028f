"""A new database has the current version; an older one is copied and brought up, and no crash leaves half a step."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from app.domain.errors import DiskFull
from app.domain.ids import AccountId
from app.store.accounts import Accounts
from app.store.db import migrate
from app.store.db.database import Database
from app.store.db.errors import VERSION, converted
from app.store.db.migrate import backup_path, is_whole
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from fakes.engine.store.values import remote

NEXT = """
def next_step(connection):
    connection.execute("CREATE TABLE later (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    connection.execute("INSERT INTO later SELECT id, subject FROM messages")
    connection.execute("ALTER TABLE threads ADD COLUMN later INTEGER NOT NULL DEFAULT 0")
    connection.execute("CREATE INDEX later_text ON later (text)")
"""
"""The step that a version to come might have."""

KILLED = f"""
import os, signal, sqlite3, sys
from pathlib import Path
path, after = Path(sys.argv[1]), int(sys.argv[2])
seen = 0
def tick(statement=""):
    global seen
    seen += 1
    if seen > after:
        os.kill(os.getpid(), signal.SIGKILL)
real = sqlite3.connect
def connect(*args, **kwargs):
    connection = real(*args, **kwargs)
    connection.set_trace_callback(tick)
    connection.set_progress_handler(tick, 20)
    return connection
sqlite3.connect = connect
from app.store.db import migrate
{NEXT}
migrate.STEPS = (*migrate.STEPS, next_step)
whole = migrate.copy_database
def copy(source, target):
    whole(source, target, lambda: tick() or True)
migrate.copy_database = copy
from app.store.db.database import Database
Database.open(path).close()
print(seen)
"""


def schema(path: Path) -> dict[str, str]:
    """Every object and its definition."""
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))


def version(path: Path) -> int:
    """What the file says of itself."""
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A database of today's version with some mail."""
    path = tmp_path / "old" / "mail.db"
    path.parent.mkdir()
    with closing(Database.open(path)) as db:
        account = Accounts(db).add("me@example.org", "Me", (), "", "")
        Messages(db).apply(account, SyncPage(messages=tuple(remote(f"m{at}", text="word " * 400) for at in range(60))))
    return path


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> int:
    """The program has one more step."""
    made: dict[str, object] = {}
    exec(NEXT, made)
    monkeypatch.setattr(migrate, "STEPS", (*migrate.STEPS, made["next_step"]))
    return len(migrate.STEPS)


def test_the_version_counts_the_steps() -> None:
    """A step without a new version, or the other way round, would not run."""
    assert len(migrate.STEPS) == VERSION


def test_a_new_database_is_current_and_has_no_backup(tmp_path: Path) -> None:
    """There is nothing to copy, and the index is set for large writes."""
    with closing(Database.open(tmp_path / "mail.db")) as db:
        assert db.read("PRAGMA user_version")[0][0] == VERSION
        options = {row[0]: row[1] for row in db.read("SELECT k, v FROM mail_fts_config")}
        assert (options["hashsize"], options["automerge"], options["crisismerge"]) == (4 << 20, 32, 64)
        assert not db.read("PRAGMA foreign_key_check")
        db.check()
    assert not list(tmp_path.glob("*.bak"))


def test_an_older_database_comes_up_to_date(old: Path, next_version: int) -> None:
    """Its mail is there, the new step was run, and a copy of the file as it was stands beside it."""
    before = schema(old)
    with closing(Database.open(old)) as db:
        assert db.read("PRAGMA user_version")[0][0] == next_version
        assert db.read("SELECT count(*) FROM later")[0][0] == 60
        assert len(Messages(db).have(AccountId(1))) == 60
        db.check()
    assert schema(backup_path(old, VERSION)) == before
    assert is_whole(backup_path(old, VERSION), still=True)


def test_a_step_that_does_not_fit_leaves_the_old_version(old: Path, next_version: int) -> None:
    """A full disk in the middle of a step: the file has its old version, whole."""
    before = schema(old)
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        size = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {size + 1}")
        with pytest.raises(DiskFull), converted():
            migrate.migrate(connection, old)
    assert (version(old), schema(old)) == (VERSION, before)
    with closing(Database.open(old)) as db:
        assert len(Messages(db).have(AccountId(1))) == 60


def run(root: Path, path: Path, after: int) -> subprocess.CompletedProcess[str]:
    """Open the store in a process that kills itself after so many ticks: statements, steps of them, parts of the copy."""
    command = [sys.executable, "-c", KILLED, str(path), str(after)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def proven(root: Path, old: Path, folder: Path, shares: int) -> set[int]:
    """Kill at so many points and look at what is left; the versions that were found."""
    whole = folder / "whole.db"
    shutil.copy(old, whole)
    ticks = int(run(root, whole, 10**9).stdout)
    schemas = {VERSION: schema(old), VERSION + 1: schema(whole)}
    found = set()
    for point in sorted({round(ticks * at / shares) for at in range(shares)} | {ticks - 1}):
        path = folder / f"{point}" / "mail.db"
        path.parent.mkdir()
        shutil.copy(old, path)
        assert run(root, path, point).returncode == -9, f"point {point}"
        reached = version(path)
        assert schema(path) == schemas[reached], f"half a step at point {point}"
        copy = backup_path(path, VERSION)
        assert is_whole(copy, still=True) if copy.exists() else reached == VERSION
        assert run(root, path, 10**9).returncode == 0
        assert schema(path) == schemas[VERSION + 1]
        assert is_whole(copy, still=True)
        assert not list(path.parent.glob("*.part"))
        found.add(reached)
    return found


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_killed_at_some_points(root: Path, old: Path, tmp_path: Path) -> None:
    """From the first statement to the last."""
    assert proven(root, old, tmp_path, 6) == {VERSION, VERSION + 1}


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_killed_everywhere(root: Path, old: Path, tmp_path: Path) -> None:
    """Two hundred points."""
    assert proven(root, old, tmp_path, 200) == {VERSION, VERSION + 1}
