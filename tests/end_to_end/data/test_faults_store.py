"""The mailbox file and its copies in a running engine: daily copy, check, damage at the start and in the middle of work."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Action, Review
from app.domain.ids import GmailId
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxState
from app.domain.protocol.commands import SendNow, Undo
from app.domain.protocol.events import ErrorReported
from app.store.db.migrate import is_whole
from app.store.maintenance.backups import back_up, newest_copy
from app.store.maintenance.recovery import kept_files
from fakes.engine.engine_process import EngineProcess, engine_client, environment, start_engine
from fakes.gmail.sending import ANN, Stage, opened, question


def damage(path: Path) -> bytes:
    """Overwrite everything behind the first pages, as a failing disk does; the bytes then. Nobody may have it open."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw = bytearray(path.read_bytes())
    half = len(raw) // 2
    raw[half:] = b"\x5a" * (len(raw) - half)
    path.write_bytes(raw)
    return bytes(raw)


async def restored(stage: Stage) -> ErrorReported:
    """The words that the window hears."""
    return await stage.engine.event(ErrorReported, lambda one: one.code == "store_restored")


async def test_a_copy_is_made_once_a_day_when_it_is_quiet(stage: Stage) -> None:
    await stage.ask()
    path = stage.data / "mail.db"
    await stage.engine.until(lambda: "the daily copy is made" in stage.engine.log())
    assert is_whole(newest_copy(path), still=True)
    made = newest_copy(path).stat().st_mtime_ns
    await stage.engine.close()
    assert not (stage.data / "mail.db.open").exists()
    await stage.restart()
    await stage.ask()
    assert newest_copy(path).stat().st_mtime_ns == made
    assert stage.engine.log().count("the daily copy is made") == 1


async def test_after_an_unclean_end_the_file_is_checked_behind_the_work(stage: Stage) -> None:
    await stage.ask()
    await stage.engine.until(lambda: "the database is whole" in stage.engine.log() or None)
    await stage.crash()
    await stage.restart()
    await stage.engine.until(lambda: stage.engine.log().count("the database is whole") == 2 or None)
    await stage.engine.close()
    await stage.restart()
    await stage.ask()
    assert stage.engine.log().count("the database is whole") == 2


async def test_damage_while_it_was_down_is_mended_at_the_start(stage: Stage) -> None:
    first = await stage.ask()
    await stage.engine.close()
    path = stage.data / "mail.db"
    back_up(path)
    await stage.restart()
    second = await stage.ask()
    await stage.engine.close()
    broken = damage(path)
    await stage.restart()
    told = await restored(stage)
    kept = kept_files(path)
    assert [one.read_bytes() for one in kept] == [broken]
    assert kept[0].name in str(told.text)
    assert f"{datetime.now(UTC).astimezone():%Y-%m-%d}" in str(told.text)
    assert "Outbox" in str(told.text)
    for message in (first, second):
        assert (await stage.mirrored(message.gmail_id)).subject == message.subject
    assert stage.engine.reader.counts().messages == 2


async def test_damage_met_in_the_middle_of_work_is_mended_by_a_restart(stage: Stage) -> None:
    message = await stage.ask()
    await stage.engine.close()
    path = stage.data / "mail.db"
    back_up(path)
    await stage.restart()
    with closing(sqlite3.connect(path)) as connection:
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'bodies'").fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\x5a" * size)
    delivered = stage.sandbox.deliver(question_of(stage))
    await stage.engine.restarted()
    await restored(stage)
    assert (await stage.mirrored(message.gmail_id)).body_text == message.body_text
    assert (await stage.mirrored(GmailId(delivered["id"]))).subject
    assert is_whole(path)


def question_of(stage: Stage) -> bytes:
    """One more mail from Ann."""
    return question(next(stage._numbers))


async def sent_after_the_copy(stage: Stage, draft: Draft | None = None) -> tuple[Review, OutboxItem]:
    """A mail is approved, a copy of the database is made while it is queued, it goes out, and then the file is damaged."""
    stage.engine.data.joinpath("settings.toml").write_text(SLOW_UNDO)
    await stage.engine.close()
    await stage.restart()
    review = stage.propose(await stage.ask())
    await stage.decide(review, Action.EDIT if draft else Action.ACCEPT, draft)
    queued = stage.item(review.id)
    assert queued.state is OutboxState.QUEUED
    path = stage.data / "mail.db"
    back_up(path)
    await stage.engine.do(SendNow(queued.id))
    item = await stage.rested(review.id)
    assert (item.state, stage.copies(item)) == (OutboxState.SENT, 1)
    await stage.engine.close()
    damage(path)
    return review, item


SLOW_UNDO = "[sync]\npoll_s = 1\nbudget_units = 100000\n[sending]\nundo_s = 120\n[drafting]\npaused = true\n"


@pytest.mark.parametrize("threaded", [True, False], ids=["reply", "new mail"])
async def test_what_was_sent_after_the_copy_is_not_sent_again(stage: Stage, threaded: bool) -> None:
    """The row comes back as queued; its marker is found among the sent mails and it ends as sent, with one copy there."""
    draft = None if threaded else Draft((ANN,), (), (), "Something new", "A new mail.", "template")
    review, item = await sent_after_the_copy(stage, draft)
    await stage.restart()
    told = await restored(stage)
    assert "1 approved mails wait" in str(told.text)
    again = await stage.rested(review.id)
    assert (again.id, again.state, again.sent_gmail_id) == (item.id, OutboxState.SENT, item.sent_gmail_id)
    assert stage.states(item.id) == ["queued", "uncertain", "sent"]
    assert stage.copies(item) == 1
    assert stage.sends()["gmail.users.drafts.send"] == 1
    await stage.no_drafts(item)


async def test_what_was_taken_back_after_the_copy_waits_for_the_user(stage: Stage) -> None:
    """Nobody can tell any more that it was undone: it is held, nothing leaves, and sending anyway sends one copy."""
    stage.engine.data.joinpath("settings.toml").write_text(SLOW_UNDO)
    await stage.engine.close()
    await stage.restart()
    review = stage.propose(await stage.ask())
    await stage.decide(review)
    path = stage.data / "mail.db"
    back_up(path)
    await stage.engine.close()
    damage(path)
    await stage.restart()
    held = await stage.rested(review.id)
    assert (held.state, held.reason) == (OutboxState.HELD, HoldReason.FROM_COPY)
    assert (stage.copies(held), stage.drafts_of(held)) == (0, 0)
    await stage.engine.do(SendNow(held.id))
    sent = await stage.in_state(review.id, OutboxState.SENT)
    assert stage.copies(sent) == 1


async def copied(stage: Stage) -> ErrorReported:
    """The word that the database is a copy."""
    return await stage.engine.event(ErrorReported, lambda one: one.code == "store_copied")


async def test_a_copy_put_back_by_hand_sends_nothing_that_was_taken_back_since(stage: Stage) -> None:
    """A mail for later was cancelled; somebody then puts yesterday's copy in the place of the file, long after it was due."""
    stage.engine.data.joinpath("settings.toml").write_text(SLOW_UNDO)
    await stage.engine.close()
    await stage.restart()
    review = stage.propose(await stage.ask())
    await stage.decide(review)
    path = stage.data / "mail.db"
    copy = back_up(path)
    await stage.engine.do(Undo(review.id))
    await stage.engine.close()
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("UPDATE outbox SET not_before = 0")
        connection.commit()
    for log in ("mail.db-wal", "mail.db-shm"):
        (stage.data / log).unlink(missing_ok=True)
    copy.replace(path)
    await stage.restart()
    assert "1 approved mails wait" in str((await copied(stage)).text)
    held = await stage.rested(review.id)
    assert (held.state, held.reason, stage.copies(held)) == (OutboxState.HELD, HoldReason.FROM_COPY, 0)


async def test_a_folder_brought_to_another_machine_sends_nothing_twice(stage: Stage) -> None:
    """Both have the mail queued: it leaves from the one, and the other finds it among the sent ones."""
    stage.engine.data.joinpath("settings.toml").write_text(SLOW_UNDO)
    await stage.engine.close()
    await stage.restart()
    draft = Draft((ANN,), (), (), "Something new", "A new mail.", "template")
    review = stage.propose(await stage.ask())
    await stage.decide(review, Action.EDIT, draft)
    queued = stage.item(review.id)
    assert queued is not None
    await stage.engine.close()
    origin = stage.data / "mail.db.origin"
    origin.write_bytes(msgspec.json.encode({**msgspec.json.decode(origin.read_bytes()), "machine": "another"}))
    stage.sandbox.mail.send_from_phone(queued.mime, "")
    await stage.restart()
    await copied(stage)
    item = await stage.rested(review.id)
    assert (item.state, stage.copies(item)) == (OutboxState.SENT, 1)


async def test_a_newer_file_is_refused_untouched(tmp_path: Path) -> None:
    """The engine says so in a clear word and ends; not a byte of the folder's database changes."""
    data = tmp_path / "data"
    data.mkdir()
    path = data / "mail.db"
    with opened(data):
        pass
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 900")
    before = path.read_bytes()
    client = await engine_client("app", ["engine", "--data", str(data)], environment("", ""), data)
    engine = EngineProcess(client, data)
    told = await engine.event(ErrorReported)
    assert (told.code, "900" in str(told.text)) == ("store_too_new", True)
    assert await asyncio.wait_for(client.wait(), 30) == 3
    assert path.read_bytes() == before
    assert {one.name for one in data.glob("mail.db*")} == {"mail.db"}
    with pytest.raises(Exception, match="900"):
        engine.reader.counts()
    engine.reader.close()


async def test_a_second_engine_ends_and_the_lock_dies_with_its_process(tmp_path: Path) -> None:
    data = tmp_path / "data"
    first = await start_engine(data)
    second = EngineProcess(await engine_client("app", ["engine", "--data", str(data)], environment("", ""), data), data)
    told = await second.event(ErrorReported)
    assert (told.code, str(data) in str(told.text)) == ("already_running", True)
    assert await asyncio.wait_for(second.client.wait(), 30) == 3
    await first.kill()
    third = await start_engine(data)
    assert await third.close() == 0
    shutil.rmtree(data)
