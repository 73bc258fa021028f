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
from app.domain.protocol.archive_commands import ArchivedMail, ContinueImport, ImportArchive, StopImport
from app.domain.protocol.events import ErrorReported
from app.engine.files.archive_importer import Importer, open_archive
from app.mail.archives.reader import cut_out
from app.store.archives import ArchiveState
from fakes.engine.engine_parts import Parts

pytestmark = pytest.mark.expects_warnings


def letter(number: int) -> bytes:
    """A mail in an mbox."""
    head = f"From - Mon Nov  2 10:00:00 2026\nFrom: a@b.example\nSubject: {number}\nMessage-ID: <{number}@b.example>\n"
    return head.encode() + b"\nWords.\n\n"


async def test_an_archive_that_changed_is_read_anew_without_doubles(parts: Parts, tmp_path: Path) -> None:
    path, target = tmp_path / "old.mbox", tmp_path / "one.eml"
    importer = Importer(parts.tables, parts.announcer)
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
        yield from open_archive(self._path).mails(box, start)
        raise BadFile(str(self._path), 0, "It is torn.", "")


async def test_what_came_before_a_tear_is_kept_and_the_tear_is_told(parts: Parts, tmp_path: Path) -> None:
    path = tmp_path / "old.mbox"
    path.write_bytes(letter(1) + letter(2))
    importer = Importer(parts.tables, parts.announcer, Torn)
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
    importer = Importer(parts.tables, parts.announcer)
    archive = await importer.finished(await importer.start(ImportArchive(folder)))
    assert archive.state is ArchiveState.DONE
    (told,) = parts.events(ErrorReported)
    assert (told.code, told.text) == ("bad_file", ErrorText.of(Cause.FILES_UNREADABLE, "mail", "a.zip, e.zip, c.zip"))
    rows = parts.tables.db.read("SELECT subject FROM messages WHERE account_id = ? ORDER BY subject", (archive.account_id,))
    assert {"1", "4"} <= {row[0] for row in rows}


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


def mbox(path: Path, numbers: range) -> Path:
    """An mbox file with these mails."""
    path.write_bytes(b"".join(map(letter, numbers)))
    return path


def importer_of(parts: Parts) -> Importer:
    """As the engine has it."""
    return Importer(parts.tables, parts.announcer)
