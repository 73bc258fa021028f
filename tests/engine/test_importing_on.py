"""Where an import goes on, what it takes for the same archive, and what one faulty archive may not do to the others."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from app.domain.archives import ArchivedMail, ImportArchive, ImportProgress
from app.domain.events import Trouble
from app.engine.file_hand import open_archive_reader
from app.engine.importing import Importer, Place
from app.store.archive_rows import ArchiveState
from fakes.engine_parts import Parts

pytestmark = [pytest.mark.anyio, pytest.mark.expects_warnings]


def letter(number: int) -> bytes:
    """A mail in an mbox."""
    head = f"From - Mon Nov  2 10:00:00 2026\nFrom: a@b.example\nSubject: {number}\nMessage-ID: <{number}@b.example>\n"
    return head.encode() + b"\nWords.\n\n"


def mbox(path: Path, numbers: range) -> Path:
    """An mbox file with these mails."""
    path.write_bytes(b"".join(map(letter, numbers)))
    return path


def importer_of(parts: Parts) -> Importer:
    """As the engine has it."""
    return Importer(parts.tables, parts.threads, parts.announcer, open_archive_reader)


async def test_a_place_is_behind_the_last_mail_that_was_read(parts: Parts, tmp_path: Path) -> None:
    path, importer = mbox(tmp_path / "a.mbox", range(3)), importer_of(parts)
    archive = await importer.finished(await importer.start(ImportArchive(path)))
    (place,) = (row[0] for row in parts.tables.db.read("SELECT place FROM archives"))
    assert msgspec.json.decode(place or archive.place, type=Place) == Place(0, path.stat().st_size)


async def test_large_mails_make_small_pages(parts: Parts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty large mails at once would be a gigabyte in memory."""
    monkeypatch.setattr("app.engine.importing.PAGE_BYTES", 1)
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

    def sample(self) -> Iterator[ArchivedMail]:
        return iter(())


async def test_what_came_before_a_fault_of_the_disk_is_kept(parts: Parts, tmp_path: Path) -> None:
    importer = Importer(parts.tables, parts.threads, parts.announcer, lambda: Unreadable)
    archive = await importer.finished(await importer.start(ImportArchive(mbox(tmp_path / "a.mbox", range(2)))))
    assert (archive.state, archive.mails) == (ArchiveState.FAILED, 2)
    assert [one.code for one in parts.events(Trouble)] == ["bad_file"]


async def test_two_starts_at_once_are_one_reading(parts: Parts, tmp_path: Path) -> None:
    """A double click, or a restart that goes on with what the user starts again."""
    path, importer = mbox(tmp_path / "a.mbox", range(200)), importer_of(parts)
    first, second = await asyncio.gather(*(importer.start(ImportArchive(path)) for _ in range(2)))
    archive = await importer.finished(first)
    assert (first, archive.state, archive.seen, archive.added) == (second, ArchiveState.DONE, 200, 200)


async def test_an_archive_that_is_gone_holds_no_other_up(parts: Parts, tmp_path: Path) -> None:
    gone, there = mbox(tmp_path / "gone.mbox", range(2)), mbox(tmp_path / "there.mbox", range(2, 4))
    for path in (gone, there):
        parts.tables.archives.open(path, path.stat().st_size, None)
    gone.unlink()
    importer = importer_of(parts)
    await importer.resume()
    accounts = [row[0] for row in parts.tables.db.read("SELECT account_id FROM archives ORDER BY account_id")]
    found = [await importer.finished(account) for account in accounts]
    assert [(one.path.name, one.state, one.mails) for one in found] == [
        ("gone.mbox", ArchiveState.FAILED, 0),
        ("there.mbox", ArchiveState.DONE, 2),
    ]


async def test_a_copy_that_is_wanted_apart_is_an_archive_of_its_own(parts: Parts, tmp_path: Path) -> None:
    old, copy, importer = mbox(tmp_path / "a.mbox", range(3)), tmp_path / "b.mbox", importer_of(parts)
    first = await importer.start(ImportArchive(old))
    await importer.finished(first)
    old.rename(copy)
    apart = await importer.start(ImportArchive(copy, apart=True))
    assert (apart != first, (await importer.finished(apart)).mails) == (True, 3)


async def test_one_mail_in_common_makes_no_older_copy(parts: Parts, tmp_path: Path) -> None:
    """One newsletter that two people have: nobody is asked which archive it is."""
    importer = importer_of(parts)
    await importer.finished(await importer.start(ImportArchive(mbox(tmp_path / "a.mbox", range(2)))))
    begun = await importer.ask_or_start(ImportArchive(mbox(tmp_path / "b.mbox", range(1, 25))))
    assert isinstance(begun, int)
    assert (await importer.finished(begun)).mails == 24
