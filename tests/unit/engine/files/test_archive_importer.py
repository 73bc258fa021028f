"""Imports of archives: where they go on, what is read twice, and what one faulty archive may not do to the others.

`tests/end_to_end/data/test_importing.py` reads real ones through the engine.
"""

import asyncio
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.error_texts import Cause, ErrorText
from app.domain.errors import BadFile, NotFound
from app.domain.mail.files import SOURCE_PART
from app.domain.protocol.archive_commands import ArchivedMail, ContinueImport, ImportArchive, ImportProgress, StopImport
from app.domain.protocol.events import ErrorReported
from app.engine.files.archive_importer import Importer, OpenArchive, open_archive_reader
from app.mail.archives.reader import cut_out
from app.store.archives import ArchiveState
from fakes.engine.engine_parts import Parts

pytestmark = pytest.mark.expects_warnings


class Breaking:
    """An archive whose first mail cannot be thought of."""

    total_bytes = 10
    unread: tuple[Path, ...] = ()

    def mails(self, box: int, start: int) -> Iterator[ArchivedMail]:
        raise ZeroDivisionError


def _opens() -> OpenArchive:
    return lambda _path: Breaking()


async def test_a_bug_ends_the_reading_and_is_told(parts: Parts, tmp_path: Path) -> None:
    path = tmp_path / "old.mbox"
    path.write_bytes(b"From x\n")
    importer = Importer(parts.tables, parts.threads, parts.announcer, _opens)
    archive = await importer.finished(await importer.start(ImportArchive(path)))
    assert archive.state is ArchiveState.FAILED
    assert [one.code == "bug" for one in parts.events(ErrorReported)] == [True]


class Whole:
    """An archive that is read at once."""

    total_bytes = 10
    unread: tuple[Path, ...] = ()

    def mails(self, box: int, start: int) -> Iterator[ArchivedMail]:
        return iter(())


async def test_stopping_what_was_read_to_its_end_changes_nothing(parts: Parts, tmp_path: Path) -> None:
    path = tmp_path / "old.mbox"
    path.write_bytes(b"From x\n")
    importer = Importer(parts.tables, parts.threads, parts.announcer, lambda: lambda _path: Whole())
    account_id = await importer.start(ImportArchive(path))
    assert (await importer.finished(account_id)).state is ArchiveState.DONE
    await importer.stop(StopImport(account_id))
    assert parts.tables.archives.get(account_id).state is ArchiveState.DONE


def letter(number: int) -> bytes:
    """A mail in an mbox."""
    head = f"From - Mon Nov  2 10:00:00 2026\nFrom: a@b.example\nSubject: {number}\nMessage-ID: <{number}@b.example>\n"
    return head.encode() + b"\nWords.\n\n"


async def test_an_archive_that_changed_is_read_anew_without_doubles(parts: Parts, tmp_path: Path) -> None:
    path, target = tmp_path / "old.mbox", tmp_path / "one.eml"
    importer = Importer(parts.tables, parts.threads, parts.announcer, open_archive_reader)
    for numbers in ((1, 2, 3), (1, 2, 3), (1, 2, 3, 4), (9, 2, 3, 4, 5)):
        path.write_bytes(b"".join(map(letter, numbers))[:-1])
        archive = await importer.finished(await importer.start(ImportArchive(path)))
        assert (archive.state, archive.done_bytes) == (ArchiveState.DONE, path.stat().st_size)
    found = parts.tables.db.read(
        "SELECT subject, gmail_id FROM messages WHERE account_id = ? ORDER BY subject", (archive.account_id,)
    )
    assert [row[0] for row in found] == ["1", "2", "3", "4", "5", "9"]
    places = {row[0]: parts.tables.downloads.archived_at(archive.account_id, row[1]) for row in found}
    for number in ("2", "5", "9"):
        place = places[number]
        assert place is not None
        cut_out(place, SOURCE_PART, target)
        assert f"Subject: {number}\n".encode() in target.read_bytes()
    gone = places["1"]
    assert gone is not None
    with pytest.raises(NotFound):
        cut_out(gone, SOURCE_PART, target)


class Torn:
    """An archive that cannot be read on after two mails."""

    total_bytes = 10
    unread: tuple[Path, ...] = ()

    def __init__(self, path: Path) -> None:
        self._path = path

    def mails(self, box: int, start: int) -> Iterator[ArchivedMail]:
        yield from open_archive_reader()(self._path).mails(box, start)
        raise BadFile(str(self._path), 0, "It is torn.", "")


async def test_what_came_before_a_tear_is_kept_and_the_tear_is_told(parts: Parts, tmp_path: Path) -> None:
    path = tmp_path / "old.mbox"
    path.write_bytes(letter(1) + letter(2))
    importer = Importer(parts.tables, parts.threads, parts.announcer, lambda: Torn)
    archive = await importer.finished(await importer.start(ImportArchive(path)))
    assert (archive.state, archive.mails) == (ArchiveState.FAILED, 2)
    assert [(one.code, one.text.values) for one in parts.events(ErrorReported)] == [("bad_file", ("It is torn.",))]


async def test_a_broken_file_in_a_folder_of_archives_is_named_and_the_rest_is_read(parts: Parts, tmp_path: Path) -> None:
    folder = tmp_path / "mail"
    folder.mkdir()
    (folder / "a.zip").write_bytes(b"PK no zip at all")
    (folder / "b.mbox").write_bytes(letter(1))
    torn = folder / "c.zip"
    with zipfile.ZipFile(torn, "w") as packed:
        packed.writestr("Mail/c.mbox", b"".join(letter(2) + b"y" * 100_000 + b"\n" for _ in range(5)))
    torn.write_bytes(torn.read_bytes().replace(b"yyy\n", b"yyz\n"))
    (folder / "d.mbox").write_bytes(letter(4))
    with zipfile.ZipFile(folder / "e.zip", "w") as packed:
        packed.writestr("e.mbox", letter(5))
    cut = folder / "e.zip"
    cut.write_bytes(cut.read_bytes()[:-30])
    importer = Importer(parts.tables, parts.threads, parts.announcer, open_archive_reader)
    archive = await importer.finished(await importer.start(ImportArchive(folder)))
    assert archive.state is ArchiveState.DONE
    (told,) = parts.events(ErrorReported)
    assert (told.code, told.text) == ("bad_file", ErrorText.of(Cause.FILES_UNREADABLE, "mail", "a.zip, e.zip, c.zip"))
    rows = parts.tables.db.read("SELECT subject FROM messages WHERE account_id = ? ORDER BY subject", (archive.account_id,))
    assert {"1", "4"} <= {row[0] for row in rows}


async def test_a_folder_of_which_nothing_can_be_read_is_refused(parts: Parts, tmp_path: Path) -> None:
    folder = tmp_path / "mail"
    folder.mkdir()
    with zipfile.ZipFile(folder / "e.zip", "w") as packed:
        packed.writestr("e.mbox", letter(5))
    (folder / "e.zip").write_bytes((folder / "e.zip").read_bytes()[:-30])
    importer = Importer(parts.tables, parts.threads, parts.announcer, open_archive_reader)
    with pytest.raises(BadFile, match=r"e\.zip can't be read"):
        await importer.start(ImportArchive(folder))


def takeout(number: int, labels: str, words: str = "Words.") -> bytes:
    """A mail of a Takeout: its labels stand in its head."""
    head = f"From {number}@xxx Mon Nov 02 10:00:00 +0000 2026\nX-GM-THRID: {number}\nX-Gmail-Labels: {labels}\n"
    date = f"Date: Mon, 2 Nov 2026 10:{number:02}:00 +0000\n"
    rest = f"{date}From: a@b.example\nSubject: {number}\nMessage-ID: <{number}@b.example>\n\n{words}\n\n"
    return (head + rest).encode()


OLD = b"".join(takeout(number, "Inbox,Trips" if number < 4 else "Sent") for number in range(8))
NEW = b"".join(takeout(number, "Inbox,Work" if number < 4 else "Sent") for number in range(1, 12))


def labelled(parts: Parts, account: int) -> dict[str, set[str]]:
    """Labels by subject."""
    rows = parts.tables.db.read(
        """SELECT m.subject, l.label FROM messages m LEFT JOIN message_labels l ON l.message_id = m.id
            WHERE m.account_id = ?""",
        (account,),
    )
    found: dict[str, set[str]] = {}
    for subject, label in rows:
        found.setdefault(subject, set()).update({label} - {None})
    return found


async def test_a_newer_copy_in_the_same_place_adds_mails_and_labels(parts: Parts, tmp_path: Path) -> None:
    path, importer = tmp_path / "all.mbox", importer_of(parts)
    path.write_bytes(OLD)
    account = await importer.start(ImportArchive(path))
    await importer.finished(account)
    path.write_bytes(NEW)
    assert await importer.start(ImportArchive(path)) == account
    archive = await importer.finished(account)
    assert (archive.mails, archive.seen, archive.added) == (12, 11, 4)
    labels = labelled(parts, account)
    assert (labels["0"], labels["1"], labels["9"]) == ({"archive:Trips"}, {"archive:Trips", "archive:Work"}, {"SENT"})
    rows = parts.tables.db.read("SELECT m.subject, m.gmail_id FROM messages m WHERE m.subject <> '0'")
    for subject, gmail_id in rows:
        place = parts.tables.downloads.archived_at(account, gmail_id)
        assert place is not None
        cut_out(place, SOURCE_PART, tmp_path / "one.eml")
        assert f"Subject: {subject}\n".encode() in (tmp_path / "one.eml").read_bytes()


async def test_a_stopped_reading_keeps_what_was_read_and_goes_on(parts: Parts, tmp_path: Path) -> None:
    path, importer = mbox(tmp_path / "a.mbox", range(500)), importer_of(parts)
    account = await importer.start(ImportArchive(path))
    while parts.tables.archives.get(account).mails == 0:
        await asyncio.sleep(0.01)
    await importer.stop(StopImport(account))
    stopped = parts.tables.archives.get(account)
    assert stopped.state is ArchiveState.STOPPED and 0 < stopped.mails < 500
    await importer.resume()
    assert parts.tables.archives.get(account).state is ArchiveState.STOPPED
    assert await importer.go_on(ContinueImport(account)) == account
    archive = await importer.finished(account)
    assert (archive.state, archive.mails, archive.seen) == (ArchiveState.DONE, 500, 500)


async def test_copies_in_several_folders_are_one_mail_with_all_their_labels(parts: Parts, tmp_path: Path) -> None:
    for folder in ("cur", ".Trips/cur", ".Trash/cur"):
        (tmp_path / "box" / folder).mkdir(parents=True)
    mail = letter(1).split(b"\n", 1)[1]
    (tmp_path / "box" / ".Trips" / "cur" / "1:2,S").write_bytes(mail)
    (tmp_path / "box" / ".Trash" / "cur" / "1:2,S").write_bytes(b"Received: from x\n" + mail)
    (tmp_path / "box" / ".Work").mkdir()
    (tmp_path / "box" / ".Work" / "cur").mkdir()
    (tmp_path / "box" / ".Work" / "cur" / "1:2,F").write_bytes(mail.replace(b"\n", b"\r\n"))
    importer = Importer(parts.tables, parts.threads, parts.announcer, open_archive_reader)
    for _ in range(2):
        account = await importer.start(ImportArchive(tmp_path / "box"))
        assert (await importer.finished(account)).mails == 1
        assert labelled(parts, account) == {"1": {"archive:Trips", "archive:Work", "STARRED"}}


def mbox(path: Path, numbers: range) -> Path:
    """An mbox file with these mails."""
    path.write_bytes(b"".join(map(letter, numbers)))
    return path


def importer_of(parts: Parts) -> Importer:
    """As the engine has it."""
    return Importer(parts.tables, parts.threads, parts.announcer, open_archive_reader)


async def test_large_mails_make_small_pages(parts: Parts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty large mails at once would be a gigabyte in memory."""
    monkeypatch.setattr("app.engine.files.archive_importer.PAGE_BYTES", 1)
    importer = importer_of(parts)
    await importer.finished(await importer.start(ImportArchive(mbox(tmp_path / "a.mbox", range(3)))))
    assert {0, 1, 2, 3} <= {one.mails for one in parts.events(ImportProgress)}


class Unreadable:
    """A disk that fails behind two mails."""

    total_bytes = 10

    def __init__(self, path: Path) -> None:
        self._path = path

    def mails(self, box: int, start: int) -> Iterator[ArchivedMail]:
        yield from open_archive_reader()(self._path).mails(box, start)
        raise OSError(5, "Input/output error")


async def test_what_came_before_a_fault_of_the_disk_is_kept(parts: Parts, tmp_path: Path) -> None:
    importer = Importer(parts.tables, parts.threads, parts.announcer, lambda: Unreadable)
    archive = await importer.finished(await importer.start(ImportArchive(mbox(tmp_path / "a.mbox", range(2)))))
    assert (archive.state, archive.mails) == (ArchiveState.FAILED, 2)
    assert [one.code for one in parts.events(ErrorReported)] == ["bad_file"]


async def test_two_starts_at_once_are_one_reading(parts: Parts, tmp_path: Path) -> None:
    """A double click, or a restart that goes on with what the user starts again."""
    path, importer = mbox(tmp_path / "a.mbox", range(200)), importer_of(parts)
    first, second = await asyncio.gather(*(importer.start(ImportArchive(path)) for _ in range(2)))
    archive = await importer.finished(first)
    assert (first, archive.state, archive.seen, archive.added) == (second, ArchiveState.DONE, 200, 200)


async def test_an_archive_that_is_gone_holds_no_other_up(parts: Parts, tmp_path: Path) -> None:
    gone, there = mbox(tmp_path / "gone.mbox", range(2)), mbox(tmp_path / "there.mbox", range(2, 4))
    for path in (gone, there):
        parts.tables.archives.open(path, path.stat().st_size)
    gone.unlink()
    importer = importer_of(parts)
    await importer.resume()
    accounts = [row[0] for row in parts.tables.db.read("SELECT account_id FROM archives ORDER BY account_id")]
    found = [await importer.finished(account) for account in accounts]
    assert [(one.path.name, one.state, one.mails) for one in found] == [
        ("gone.mbox", ArchiveState.FAILED, 0),
        ("there.mbox", ArchiveState.DONE, 2),
    ]
