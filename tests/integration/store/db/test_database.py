"""The file: private, whole after any crash, refused when newer, clear about disk, damage and other programs."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from app.domain.errors import AlreadyRunning, DiskFull, StoreDamaged, StoreTooNew
from app.domain.ids import AccountId
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.db.errors import VERSION
from app.store.db.migrate import copy_database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from fakes.engine.store.rows import account_labels
from fakes.engine.store.values import remote

CRASHING_WRITER = """
import sys
from pathlib import Path
from app.store.db.database import Database
db = Database.open(Path(sys.argv[1]))
with db.transaction() as connection:
    connection.execute("UPDATE accounts SET name = 'half'")
    connection.execute("INSERT INTO labels VALUES (1, 'Label_1', 'half', 'user')")
    connection.execute("PRAGMA cache_spill = 1")
    print("inside", flush=True)
    sys.stdin.read()
"""


def mode(path: Path) -> int:
    """Permission bits."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_files_are_private(db: Database, account: AccountId) -> None:
    """The database, its log and its index are for the user alone."""
    files = [db.path, *db.path.parent.glob("mail.db-*")]
    assert len(files) == 3
    assert {mode(path) for path in files} == {0o600}


def test_settings_of_the_connections(db: Database) -> None:
    """Write-ahead log, full synchronisation, foreign keys; the reader cannot write."""
    with db.transaction() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2
        assert connection.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    assert db.read("PRAGMA journal_mode")[0][0] == "wal"
    assert db.read("PRAGMA user_version")[0][0] == VERSION
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        db.read("DELETE FROM accounts")


def test_a_transaction_is_all_or_nothing(db: Database, account: AccountId) -> None:
    """An exception inside undoes what stood before it; the next transaction works."""
    with pytest.raises(ZeroDivisionError), db.transaction() as connection:
        connection.execute("UPDATE accounts SET name = 'half'")
        _ = 1 / 0
    assert Accounts(db).get(account).name == "Me"
    db.write("UPDATE accounts SET name = 'whole'")
    assert Accounts(db).get(account).name == "whole"


def test_nesting_is_a_bug(db: Database, account: AccountId) -> None:
    """A transaction inside a transaction fails loudly and takes the outer one back."""
    with pytest.raises(RuntimeError, match="transaction is open"), db.transaction() as connection:
        connection.execute("UPDATE accounts SET name = 'half'")
        with db.transaction():
            pass
    assert Accounts(db).get(account).name == "Me"


def test_writers_in_threads_take_turns(db: Database, account: AccountId) -> None:
    """Two threads writing through one store lose nothing."""

    def write(first: int) -> None:
        for at in range(first, first + 30):
            Messages(db).apply(account, SyncPage(messages=(remote(f"m{at}"),)))

    threads = [threading.Thread(target=write, args=(start,)) for start in (0, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(Messages(db).have(account)) == 60


def test_a_read_does_not_wait_for_a_writer(db: Database, account: AccountId) -> None:
    """While a transaction is open, readers see what was committed before it."""
    with db.transaction() as connection:
        connection.execute("UPDATE accounts SET name = 'later'")
        seen: list[str] = []
        thread = threading.Thread(target=lambda: seen.append(Accounts(db).get(account).name))
        thread.start()
        thread.join(timeout=10)
        assert seen == ["Me"]


def test_kill_in_the_middle_of_a_transaction(db: Database, account: AccountId, root: Path) -> None:
    """A process that is killed inside a transaction leaves nothing of it."""
    db.close()
    child = subprocess.Popen(
        [sys.executable, "-c", CRASHING_WRITER, str(db.path)], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdin is not None
    assert child.stdout.readline().strip() == "inside"
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    child.stdin.close()
    with closing(Database.open(db.path)) as again:
        assert Accounts(again).get(account).name == "Me"
        assert account_labels(Accounts(again), account) == ()
        again.check()


def test_a_newer_file_stays_untouched(tmp_path: Path) -> None:
    """A file of the future is refused, byte for byte as it was."""
    path = tmp_path / "mail.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE future (x)")
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
        connection.commit()
    before, listed = path.read_bytes(), sorted(tmp_path.iterdir())
    path.chmod(0o640)
    with pytest.raises(StoreTooNew):
        Database.open(path)
    assert path.read_bytes() == before
    assert mode(path) == 0o640
    assert sorted(tmp_path.iterdir()) == listed


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes) -> None:
    """Garbage is StoreDamaged, and is not overwritten."""
    path = tmp_path / "mail.db"
    path.write_bytes(content)
    with pytest.raises(StoreDamaged):
        Database.open(path)
    assert path.read_bytes() == content


def test_a_damaged_page_is_found(db: Database, account: AccountId) -> None:
    """`check` finds a page that was overwritten."""
    Messages(db).apply(account, SyncPage(messages=tuple(remote(f"m{at}", text="word " * 500) for at in range(40))))
    db.check()
    db.close()
    raw = bytearray(db.path.read_bytes())
    raw[4096 * 3 :] = b"\x5a" * (len(raw) - 4096 * 3)
    db.path.write_bytes(raw)
    with pytest.raises(StoreDamaged), closing(Database.open(db.path)) as again:
        again.check()


def test_a_full_disk_leaves_the_page_whole(db: Database, account: AccountId) -> None:
    """When the file cannot grow, the page is refused as a whole and later succeeds."""
    messages = Messages(db)
    messages.apply(account, SyncPage(messages=(remote("first"),)))
    with db.transaction() as connection:
        size = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {size + 5}")
    page = SyncPage(messages=tuple(remote(f"m{at}", text=f"{at} " * 3000) for at in range(20)))
    with pytest.raises(DiskFull):
        messages.apply(account, page)
    assert messages.have(account) == {"first"}
    db.write("PRAGMA max_page_count = 1000000")
    assert len(messages.apply(account, page).new_ids) == 20


def test_another_writer_is_named(db: Database, account: AccountId) -> None:
    """A second program that holds the file open for writing becomes AlreadyRunning."""
    db.write("PRAGMA busy_timeout = 20")
    with closing(sqlite3.connect(db.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(AlreadyRunning), db.transaction():
            pass
        other.execute("ROLLBACK")
    with db.transaction():
        pass


def test_a_copy_is_whole_and_private(db: Database, account: AccountId, tmp_path: Path) -> None:
    """It holds what was committed, the log included."""
    Messages(db).apply(account, SyncPage(messages=(remote("a"),)))
    target = tmp_path / "copy.db"
    db.load(copy_database, target)
    assert mode(target) == 0o600
    with closing(Database.open(target)) as copy:
        assert Messages(copy).have(account) == {"a"}


def test_errors_of_ours_pass(db: Database) -> None:
    """A wrong statement is a bug and stays what it is."""
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        db.read("SELECT * FROM absent")


def test_only_what_has_to_last_waits_for_the_disk(db: Database) -> None:
    """A commit that need not outlast a power cut is not synchronised; the next one that must be is, and again after it."""
    seen = []
    for lasting in (True, False, False, True, False, True):
        with db.transaction(lasting=lasting) as connection:
            connection.execute("UPDATE jobs SET lease_until = 1")
            seen.append(connection.execute("PRAGMA synchronous").fetchone()[0])
    assert seen == [2, 1, 1, 2, 1, 2]
