"""After damage: the damaged file is kept, the last good copy works, ids are never given twice, nothing is sent twice."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.domain.errors import StoreDamaged
from app.domain.ids import AccountId, GmailDraftId, HistoryId, OutboxId
from app.domain.mail.outbox import HoldReason, OutboxKind, OutboxState
from app.store.accounts import Accounts
from app.store.db import migrate
from app.store.db.database import Database
from app.store.db.migrate import backup_path, check_file, is_whole
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.maintenance import recovery
from app.store.maintenance.backups import back_up, newest_copy, note_damaged, seen_damaged
from app.store.maintenance.recovery import ID_STEP, kept_files, recover
from app.store.outbox import Outbox
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.store.reviews.reviews import Reviews
from app.store.search.search import Search
from fakes.engine.store.values import NOON, HandClock, new_outbox, proposal, remote

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def damage(path: Path) -> bytes:
    """Overwrite the second half of the file; what it is now."""
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2 :] = b"\x5a" * (len(raw) - len(raw) // 2)
    path.write_bytes(raw)
    return bytes(raw)


def put(db: Database, account: AccountId, *keys: str) -> None:
    """Store mails."""
    Messages(db).apply(
        account, SyncPage(messages=tuple(remote(key, text="word " * 300) for key in keys), cursor=HistoryId(len(keys)))
    )


@pytest.fixture
def copied(db: Database, account: AccountId) -> Database:
    """A store with mail whose copy is a day behind; closed."""
    put(db, account, *(f"m{at}" for at in range(40)))
    back_up(db.path)
    put(db, account, *(f"late{at}" for at in range(40)))
    db.close()
    return db


def test_the_copy_takes_its_place_and_the_damaged_file_is_kept(copied: Database, account: AccountId) -> None:
    """Byte for byte kept; the copy opens, is whole, and asks the server from where it was."""
    broken = damage(copied.path)
    with pytest.raises(StoreDamaged):
        check_file(copied.path)
    found = recover(copied.path, NOW)
    assert found.kept.read_bytes() == broken
    assert "2026-11-21" in found.kept.name
    assert found.copy == newest_copy(copied.path)
    assert not seen_damaged(copied.path)
    with closing(Database.open(copied.path)) as again:
        assert Messages(again).have(account) == {f"m{at}" for at in range(40)}
        assert Accounts(again).sync_state(account).cursor == 40
        again.check()


def test_what_stood_in_the_log_is_kept_too(db: Database, account: AccountId) -> None:
    """A crash leaves mail in the write-ahead log; it goes aside with the file and never into the copy."""
    put(db, account, *(f"m{at}" for at in range(40)))
    back_up(db.path)
    with closing(sqlite3.connect(db.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    put(db, account, "b")
    raw, log = db.path.read_bytes(), db.path.with_name("mail.db-wal").read_bytes()
    other = db.path.parent / "crashed"
    other.mkdir()
    (other / "mail.db").write_bytes(raw[: len(raw) // 2] + b"\x5a" * (len(raw) - len(raw) // 2))
    (other / "mail.db-wal").write_bytes(log)
    newest_copy(other / "mail.db").write_bytes(newest_copy(db.path).read_bytes())
    found = recover(other / "mail.db", NOW)
    assert found.kept.with_name(f"{found.kept.name}-wal").read_bytes() == log
    with closing(Database.open(other / "mail.db")) as again:
        assert "b" not in Messages(again).have(account)
        again.check()


def test_without_any_good_copy_an_empty_store_begins(copied: Database) -> None:
    """Mail comes from the server again; the bad copy stays where it is."""
    damage(copied.path)
    newest_copy(copied.path).write_bytes(b"garbage" * 900)
    found = recover(copied.path, NOW)
    assert (found.copy, found.taken_at) == (None, None)
    assert newest_copy(copied.path).read_bytes() == b"garbage" * 900
    with closing(Database.open(copied.path)) as again:
        assert Accounts(again).all() == ()


def test_a_copy_of_an_older_version_is_brought_up_to_date(copied: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy from before a migration works as well and stays what it was."""
    path = copied.path
    old = backup_path(path, 1)
    shutil.move(newest_copy(path), old)
    before = old.read_bytes()
    damage(path)
    monkeypatch.setattr(migrate, "STEPS", (*migrate.STEPS, lambda one: one.execute("CREATE TABLE later (id INTEGER)")))
    assert recover(path, NOW).copy == old
    assert old.read_bytes() == before
    with closing(Database.open(path)) as again:
        assert again.read("PRAGMA user_version")[0][0] == 2
        assert again.read("SELECT count(*) FROM later")[0][0] == 0
        assert again.read("SELECT count(*) FROM messages")[0][0] > 0


def test_ids_given_since_the_copy_name_nothing_else(copied: Database, account: AccountId, clock: HandClock) -> None:
    """A decision the window still holds about an id from before finds nothing, never another mail; again after a second time."""
    highest = ID_STEP
    for _ in range(2):
        damage(copied.path)
        recover(copied.path, NOW)
        with closing(Database.open(copied.path)) as again:
            applied = Messages(again).apply(
                account, SyncPage(messages=tuple(remote(f"n{at}", text="x " * 900) for at in range(40)))
            )
            assert min(applied.new_ids) > highest
            highest = max(highest, *applied.new_ids)
            review = Reviews(again, clock).open(proposal(f"run-{highest}", message=applied.new_ids[0]), "reply")
            assert review > ID_STEP


STATES = {
    "queued": (),
    "drafting": (OutboxState.DRAFTING,),
    "drafted": (OutboxState.DRAFTING, OutboxState.DRAFTED),
    "sending": (OutboxState.DRAFTING, OutboxState.DRAFTED, OutboxState.SENDING),
    "held": (OutboxState.HELD,),
    "sent": (OutboxState.SENT,),
    "cancelled": (OutboxState.CANCELLED,),
}
AFTER = dict.fromkeys(("queued", "drafting", "drafted", "sending"), "uncertain")


def test_a_send_that_comes_back_queued_does_not_leave_by_itself(db: Database, account: AccountId, clock: HandClock) -> None:
    """What may have left or been taken back since is doubted; what is held or final stays as it was; label changes go on."""
    put(db, account, *(f"m{at}" for at in range(40)))
    outbox, ids = Outbox(db, clock), {}
    for number, (name, steps) in enumerate(STATES.items(), 1):
        item = outbox.get(outbox.add(new_outbox(marker=f"<{number}@x>")))
        for step in steps:
            draft = GmailDraftId("d") if step is OutboxState.DRAFTED else None
            item = outbox.move(item.id, item.state, step, draft_id=draft)
        ids[name] = item.id
    labelling = [outbox.add(new_outbox(marker="", kind=one)) for one in (OutboxKind.MODIFY, OutboxKind.CREATE_LABEL)]
    back_up(db.path)
    db.close()
    damage(db.path)
    assert recover(db.path, NOW).doubted == 4
    with closing(Database.open(db.path)) as again:
        outbox = Outbox(again, clock)
        for name in STATES:
            item = outbox.get(ids[name])
            assert item.state == AFTER.get(name, name)
            assert (item.reason == HoldReason.FROM_COPY) == (name in AFTER)
            assert not (name in AFTER and item.draft_id), "its draft is looked for by the marker"
        assert outbox.steps(ids["queued"])[-1].new == "uncertain"
        assert {outbox.get(OutboxId(one)).state for one in labelling} == {OutboxState.QUEUED}


def test_damage_in_an_index_loses_nothing(db: Database, account: AccountId) -> None:
    """The full-text index is built anew in place; no copy is needed."""
    put(db, account, "a", "b")
    db.write("DELETE FROM mail_fts_data WHERE id > 100")
    told: list[StoreDamaged] = []
    with closing(Database.open(db.path, told.append)) as watched:
        with closing(Search(watched)) as search, pytest.raises(StoreDamaged):
            search.thread_ids("word")
        assert len(told) == 1
    note_damaged(db.path)
    db.close()
    assert recover(db.path, NOW).kept is None
    assert kept_files(db.path) == []
    with closing(Database.open(db.path)) as again, closing(Search(again)) as search:
        assert len(search.thread_ids("word")) == 2


def test_the_window_reads_the_restored_file(copied: Database) -> None:
    """A handle that was open over the damaged file moves on to the file that took its place."""
    mailbox = SqliteMailboxReader(copied.path)
    assert mailbox.counts().messages == 80
    damage(copied.path)
    recover(copied.path, NOW)
    assert mailbox.counts().messages == 40
    mailbox.close()


CUT = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from app.store.maintenance import recovery
name, path = sys.argv[1], Path(sys.argv[2])
real = getattr(recovery, name)
def cut(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)
setattr(recovery, name, cut)
recovery.recover(path, datetime(2026, 11, 21, tzinfo=UTC))
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
@pytest.mark.parametrize("name", ["_keep", "_prepare", "_make_safe", "taken_at", "settle_folder", "note_repaired"])
def test_a_crash_in_the_middle_is_mended_at_the_next_start(copied: Database, account: AccountId, root: Path, name: str) -> None:
    """Wherever it dies: the mark stands, the damaged bytes are kept, and the next try ends well."""
    broken = damage(copied.path)
    dead = subprocess.run([sys.executable, "-c", CUT, name, str(copied.path)], cwd=root, check=False)
    assert dead.returncode == -9
    assert seen_damaged(copied.path)
    recover(copied.path, NOW)
    assert not seen_damaged(copied.path)
    with closing(Database.open(copied.path)) as again:
        assert Messages(again).have(account) == {f"m{at}" for at in range(40)}
        again.check()
    assert broken in [one.read_bytes() for one in kept_files(copied.path)]


def test_a_sound_file_is_left_alone(copied: Database, account: AccountId) -> None:
    """A mark without damage (a reading error that passed) costs no mail."""
    note_damaged(copied.path)
    assert recovery.recover(copied.path, NOON).kept is None
    assert is_whole(copied.path)
    with closing(Database.open(copied.path)) as again:
        assert len(Messages(again).have(account)) == 80
