"""Daily copies: whole, private, checked before they take a place, made beside a writer, and never at the price of a good one."""

import os
import sqlite3
import stat
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.domain.errors import NotAllowed, StoreDamaged
from app.domain.ids import AccountId, GmailDraftId, GmailId
from app.domain.mail.outbox import OutboxKind, OutboxState
from app.store.db.database import Database
from app.store.db.migrate import COPY_PAGES, backup_path, copy_database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.maintenance import backups
from app.store.maintenance.backups import all_copies, back_up, backup_due, good_copies, newest_copy, older_copy, taken_at
from app.store.maintenance.recovery import ID_STEP, make_safe
from app.store.outbox import Outbox
from fakes.engine.store.values import HandClock, new_outbox, remote


def now() -> datetime:
    """The machine's time: copies carry the file system's."""
    return datetime.now(UTC)


def put(db: Database, account: AccountId, *keys: str, text: str = "") -> None:
    """Store mails."""
    Messages(db).apply(account, SyncPage(messages=tuple(remote(key, text=text) for key in keys)))


def mails(path: Path) -> set[str]:
    """The Gmail ids in a copy, read without leaving anything beside it."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        return {row[0] for row in connection.execute("SELECT gmail_id FROM messages")}


def test_two_copies_are_kept_and_each_is_whole(db: Database, account: AccountId) -> None:
    """The newest holds the newest mail, the one before what was there before; nothing else is left in the folder."""
    for key in ("a", "b", "c"):
        put(db, account, key)
        assert back_up(db.path) == newest_copy(db.path)
    assert mails(newest_copy(db.path)) == {"a", "b", "c"}
    assert mails(older_copy(db.path)) == {"a", "b"}
    names = {one.name for one in db.path.parent.iterdir()}
    assert names == {"mail.db", "mail.db-wal", "mail.db-shm", "mail.db.daily.bak", "mail.db.daily.older.bak"}
    if os.name != "nt":
        assert stat.S_IMODE(newest_copy(db.path).stat().st_mode) == 0o600


def test_due_once_a_day_whatever_the_clock_does(db: Database) -> None:
    """Due without a copy, a day after one, and when the copy seems to come from the future."""
    assert backup_due(db.path, now())
    back_up(db.path)
    made = taken_at(newest_copy(db.path))
    assert abs(made - now()) < timedelta(minutes=1)
    assert not backup_due(db.path, now() + timedelta(hours=23))
    assert backup_due(db.path, now() + timedelta(hours=25))
    assert backup_due(db.path, now() - timedelta(hours=25))


def test_a_writer_at_work_does_not_start_the_copy_over(db: Database, account: AccountId) -> None:
    """The copy is the state at its beginning, however much is written meanwhile."""
    put(db, account, *(f"m{at}" for at in range(300)), text="word " * 6000)
    looks = 0

    def write_between() -> bool:
        nonlocal looks
        looks += 1
        assert looks < 500, "the copy starts over and over"
        put(db, account, f"late{looks}")
        return True

    back_up(db.path, write_between)
    assert looks > 1
    assert mails(newest_copy(db.path)) == {f"m{at}" for at in range(300)}
    assert db.path.stat().st_size > 2 * COPY_PAGES * 4096


def test_a_stopped_copy_leaves_the_good_one(db: Database, account: AccountId) -> None:
    """Stopping, at the copy or at its check, changes nothing."""
    put(db, account, "a")
    back_up(db.path)
    put(db, account, *(f"m{at}" for at in range(30)), text="word " * 3000)
    before = newest_copy(db.path).read_bytes()
    with pytest.raises(NotAllowed):
        back_up(db.path, lambda: False)
    assert newest_copy(db.path).read_bytes() == before
    assert {one.name for one in db.path.parent.glob("mail.db.*")} == {"mail.db.daily.bak"}


def test_a_damaged_database_never_replaces_a_good_copy(db: Database, account: AccountId) -> None:
    """Pages can be copied and still be garbage; the check finds that before the good copy moves."""
    put(db, account, *(f"m{at}" for at in range(60)), text="word " * 900)
    back_up(db.path)
    db.close()
    raw = bytearray(db.path.read_bytes())
    raw[len(raw) // 2 :] = b"\x5a" * (len(raw) - len(raw) // 2)
    db.path.write_bytes(raw)
    before = newest_copy(db.path).read_bytes()
    with pytest.raises(StoreDamaged):
        back_up(db.path)
    assert newest_copy(db.path).read_bytes() == before
    assert not older_copy(db.path).exists()


def test_good_copies_are_found_newest_first_and_bad_ones_passed_over(db: Database, account: AccountId) -> None:
    """Daily copies and those from before a migration, by the time they were made."""
    for path, age_h in ((newest_copy(db.path), 1), (older_copy(db.path), 25), (backup_path(db.path, 2), 12)):
        db.load(copy_database, path)
        os.utime(path, (now().timestamp() - age_h * 3600,) * 2)
    assert all_copies(db.path) == [newest_copy(db.path), backup_path(db.path, 2), older_copy(db.path)]
    newest_copy(db.path).write_bytes(b"garbage" * 5000)
    assert list(good_copies(db.path)) == [backup_path(db.path, 2), older_copy(db.path)]


def test_readers_and_writers_go_on_beside_the_copy(db: Database, account: AccountId) -> None:
    """Nobody waits for the copy: it has a connection of its own."""
    put(db, account, *(f"m{at}" for at in range(50)), text="word " * 3000)
    seen: list[int] = []

    def look() -> bool:
        thread = threading.Thread(target=lambda: seen.append(len(Messages(db).have(account))))
        thread.start()
        thread.join(timeout=10)
        return True

    back_up(db.path, look)
    assert set(seen) == {50}


@pytest.mark.parametrize("kind", list(OutboxKind))
def test_only_what_reaches_others_is_doubted(db: Database, account: AccountId, clock: HandClock, kind: OutboxKind) -> None:
    outbox = Outbox(db, clock)
    item_id = outbox.add(new_outbox(kind=kind))
    with db.transaction() as connection:
        doubted = make_safe(connection, clock(), ID_STEP)
    waits = kind in (OutboxKind.MODIFY, OutboxKind.CREATE_LABEL)
    assert doubted == (not waits)
    assert outbox.get(item_id).state is (OutboxState.QUEUED if waits else OutboxState.UNCERTAIN)


def test_a_draft_that_the_copy_knows_is_looked_for_anew(db: Database, account: AccountId, clock: HandClock) -> None:
    outbox = Outbox(db, clock)
    item_id = outbox.add(new_outbox())
    outbox.move(item_id, OutboxState.QUEUED, OutboxState.DRAFTING)
    known = {"draft_id": GmailDraftId("d"), "draft_message": GmailId("m")}
    outbox.move(item_id, OutboxState.DRAFTING, OutboxState.DRAFTED, **known)
    outbox.set_not_before(item_id, clock.now)
    with db.transaction() as connection:
        make_safe(connection, clock(), ID_STEP)
    item = outbox.get(item_id)
    assert (item.state, item.draft_id, item.draft_message) == (OutboxState.UNCERTAIN, "", "")
    assert [one.new for one in outbox.steps(item_id)][-1] == "uncertain"


def test_an_end_in_order_leaves_no_mark(tmp_path: Path) -> None:
    """Only an end without `end` makes the next beginning an unclean one."""
    path = tmp_path / "mail.db"
    assert not backups.begin(path)
    assert backups.begin(path)
    backups.end(path)
    assert not backups.begin(path)


def test_a_check_is_due_once_a_day(tmp_path: Path) -> None:
    """Before the first, after a day, and when the clock was set back."""
    path, now = tmp_path / "mail.db", datetime.now(UTC)
    assert backups.check_due(path, now)
    backups.note_checked(path)
    assert not backups.check_due(path, now)
    assert backups.check_due(path, now + timedelta(days=2))
    assert backups.check_due(path, now - timedelta(days=2))
    os.utime(tmp_path / "mail.db.checked", (0, 0))
    backups.note_checked(path)
    assert not backups.check_due(path, now)


def test_damage_stays_noted_until_mended(tmp_path: Path) -> None:
    """Noting twice is once."""
    path = tmp_path / "mail.db"
    assert not backups.seen_damaged(path)
    backups.note_damaged(path)
    backups.note_damaged(path)
    assert backups.seen_damaged(path)
    backups.note_repaired(path)
    backups.note_repaired(path)
    assert not backups.seen_damaged(path)
