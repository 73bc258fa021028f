"""Killed in the middle of a migration, at many points: the old version or the new one, never half, and no mail lost."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from app.domain.ids import AccountId, GmailId
from app.store.database import Database
from app.store.integrity import is_whole
from app.store.messages import Messages
from app.store.migrate import backup_path
from app.store.schema_version import VERSION

pytestmark = pytest.mark.skipif(os.name == "nt", reason="SIGKILL")

KILLED = """
import os, signal, sqlite3, sys
from pathlib import Path
path, after = Path(sys.argv[1]), int(sys.argv[2])
seen = 0
behind = []
def tick(statement=""):
    global seen
    seen += 1
    if seen > after:
        os.kill(os.getpid(), signal.SIGKILL)
    if statement == "BEGIN IMMEDIATE":
        behind.append(seen - 1)
real = sqlite3.connect
def connect(*args, **kwargs):
    connection = real(*args, **kwargs)
    connection.set_trace_callback(tick)
    connection.set_progress_handler(tick, 20)
    return connection
sqlite3.connect = connect
from app.store import migrate
whole = migrate.copy_database
def copy(source, target):
    whole(source, target, lambda: tick() or True)
migrate.copy_database = copy
from app.store.database import Database
Database.open(path).close()
print(seen, *behind)
"""


def run(root: Path, path: Path, after: int) -> subprocess.CompletedProcess[str]:
    """Open the store in a process that kills itself after so many ticks: statements, steps of them, parts of the copy."""
    return subprocess.run(
        [sys.executable, "-c", KILLED, str(path), str(after)], cwd=root, capture_output=True, text=True, check=False
    )


def schema(path: Path) -> tuple[int, dict[str, str]]:
    """The version and every object's definition."""
    with closing(sqlite3.connect(path)) as connection:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        return version, dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))


def proven(root: Path, folder: Path, age: int, points: list[int]) -> set[int]:
    """Kill at each point and look at what is left; the versions that were found."""
    stores = {number: root / "tests" / "data" / "stores" / f"v{number:04d}.db" for number in range(1, VERSION + 1)}
    schemas = {number: schema(path)[1] for number, path in stores.items()}
    found = set()
    for point in points:
        path = folder / f"{point}" / "mail.db"
        path.parent.mkdir()
        shutil.copy(stores[age], path)
        assert run(root, path, point).returncode == -9, f"point {point}"
        version, objects = schema(path)
        assert objects == schemas[version], f"half a migration at point {point}"
        copy = backup_path(path, age)
        assert is_whole(copy, still=True) if copy.exists() else version == age
        with closing(Database.open(path)) as db:
            assert db.read("PRAGMA user_version")[0][0] == VERSION
            assert Messages(db).by_gmail_id(AccountId(1), GmailId("18c0ffee")) is not None
            db.check()
        assert schema(path)[1] == schemas[VERSION]
        assert is_whole(backup_path(path, age), still=True)
        assert not list(path.parent.glob("*.part"))
        found.add(version)
    return found


@pytest.fixture
def counted(root: Path, tmp_path: Path) -> list[int]:
    """How many ticks there are in a whole migration from the first version, and at which of them each version begins."""
    path = tmp_path / "whole.db"
    shutil.copy(root / "tests" / "data" / "stores" / "v0001.db", path)
    return [int(one) for one in run(root, path, 10**9).stdout.split()]


def test_killed_at_some_points(root: Path, tmp_path: Path, counted: list[int]) -> None:
    """From the first statement to the last."""
    ticks = counted[0]
    points = sorted({round(ticks * share) for share in (0.0, 0.08, 0.25, 0.45, 0.6, 0.75, 0.9)})
    assert 1 in proven(root, tmp_path, 1, [*points, ticks - 1])


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_killed_everywhere(root: Path, tmp_path: Path, counted: list[int]) -> None:
    """Three hundred points, and every version in between is met: some are only a few statements long."""
    ticks, *begun = counted
    points = sorted({*random.sample(range(ticks), min(300, ticks)), *begun, ticks - 1})
    assert proven(root, tmp_path, 1, points) == set(range(1, VERSION + 1))
