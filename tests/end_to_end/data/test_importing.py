"""A mail archive becomes a local account: by the window's engine and by hand, stopped, killed and gone on with, never changed."""

import subprocess
from pathlib import Path

import pytest

from app.domain.ids import AccountId
from app.domain.mail.files import SOURCE_PART, FetchFile, FileState
from app.domain.mail.message import ARCHIVE, Message
from app.domain.ports.window import MailView
from app.domain.protocol.archive_commands import ImportArchive, ImportProgress, StopImport
from app.domain.protocol.changes import ChangeLabels
from app.domain.protocol.commands import WipeAccount
from app.domain.protocol.events import CommandFailed
from app.store.mail.messages import Messages
from fakes.engine.engine_process import EngineProcess, running_engine, start_engine
from fakes.engine.processes.fork_server import PLAIN, ran
from fakes.gmail.awkward_mail import awkward_bytes, awkward_names, expectations
from fakes.gmail.sending import opened

NAMES = [name for name in awkward_names() if name != "mbox_from_line"]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Every awkward mail, then two thousand plain ones."""
    path = tmp_path / "old.mbox"
    with path.open("wb") as file:
        for name in NAMES:
            raw = awkward_bytes(name).replace(b"\nFrom ", b"\n>From ")
            file.write(b"From - Mon Nov  2 10:00:00 2026\r\n" + raw + b"\r\n\r\n")
        for number in range(2000):
            head = f"From: a@b.example\nSubject: Plain {number}\nMessage-ID: <{number}@b.example>\n"
            file.write(b"From - Mon Nov  2 10:00:00 2026\n" + head.encode() + b"\nWords.\n\n")
    return path


def stored(folder: Path) -> list[Message]:
    with opened(folder) as db:
        found = Messages(db).many([row[0] for row in db.read("SELECT id FROM messages ORDER BY id")])
        assert db.read("SELECT count(*) FROM jobs WHERE kind IN ('index', 'route')")[0][0] == 0
        assert db.read("SELECT count(*) FROM outbox")[0][0] == 0
    return list(found.values())


async def ended(engine: EngineProcess, state: str = "done") -> ImportProgress:
    """Wait for the end of the reading."""
    return await engine.event(ImportProgress, lambda one: one.state == state)


async def test_killed_and_stopped_all_of_it_is_read_once(tmp_path: Path, archive: Path) -> None:
    folder = tmp_path / "box"
    engine = await start_engine(folder)
    await engine.do(ImportArchive(archive))
    first = await engine.event(ImportProgress, lambda one: one.mails >= 80)
    await engine.kill()
    async with running_engine(folder) as again:
        await again.do(StopImport(first.account_id))
        stopped = await ended(again, "stopped")
        assert first.mails <= stopped.mails < 2000
        await again.do(ImportArchive(archive))
        done = await ended(again)
        assert done.done_bytes == done.total_bytes == archive.stat().st_size
        assert [one.kind for one in again.reader.archives()] == [ARCHIVE]
        assert again.reader.accounts() == ()
        assert len(again.reader.thread_ids(MailView.INBOX)) == 0
    messages = stored(folder)
    plain = [one for one in messages if one.subject.startswith("Plain")]
    assert len(plain) == len({one.rfc822_id for one in plain}) == 2000
    assert done.mails == len(messages)
    by_subject = {one.subject: one for one in messages}
    for name in ("charset_koi8r", "name_rfc2231_pieces", "pgp_signed", "calendar_only"):
        wanted = expectations(from_file=True)[name]
        assert wanted.faults(by_subject[wanted.subject]) == []


async def test_its_mail_is_read_only_and_its_files_come_from_the_archive(tmp_path: Path, archive: Path) -> None:
    async with running_engine(tmp_path / "box") as engine:
        await engine.do(ImportArchive(archive))
        await ended(engine)
        message = next(one for one in stored(tmp_path / "box") if one.subject == "Deep")
        await engine.do(ChangeLabels("k", (message.thread_id,), (), ("INBOX",)))
        assert (await engine.event(CommandFailed)).code == "refused"
        part = next(one.part_id for one in message.attachments if one.filename == "rows.csv")
        for wanted in (part, SOURCE_PART):
            await engine.do(FetchFile(message.id, wanted))

        def read(part_id: str) -> bytes | None:
            file = engine.reader.file(message.id, part_id)
            return file.path.read_bytes() if file and file.state is FileState.HERE else None

        assert await engine.until(lambda: read(part)) == b"a,b"
        assert b"Subject: Deep" in await engine.until(lambda: read(SOURCE_PART))


async def test_an_archive_is_taken_away_in_the_midst_of_its_reading(tmp_path: Path, archive: Path) -> None:
    folder = tmp_path / "box"
    async with running_engine(folder) as engine:
        await engine.do(ImportArchive(archive))
        first = await engine.event(ImportProgress, lambda one: one.mails >= 80)
        await engine.do(WipeAccount(first.account_id))
        await engine.restarted()
        assert engine.reader.archives() == engine.reader.archive_readings() == ()
    assert stored(folder) == []
    assert archive.is_file()


async def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8")
    async with running_engine(tmp_path / "box") as engine:
        await engine.do(ImportArchive(tmp_path / "photo.jpg"))
        assert (await engine.event(CommandFailed)).code == "bad_file"
        assert engine.reader.archives() == ()


def run(folder: Path, file: Path) -> subprocess.CompletedProcess[str]:
    """The command line."""
    return ran("app", ["--data", str(folder), "import", str(file)], PLAIN)


def test_by_hand(tmp_path: Path, archive: Path) -> None:
    folder = tmp_path / "box"
    done = run(folder, archive)
    assert done.returncode == 0, done.stderr
    assert "the archive is done" in done.stderr
    assert len(stored(folder)) > 2000
    again = run(folder, archive)
    assert again.returncode == 0
    assert {one.account_id for one in stored(folder)} == {AccountId(1)}
    wrong = run(folder, tmp_path / "missing")
    assert wrong.returncode == 2
    assert "can't be read" in wrong.stderr
