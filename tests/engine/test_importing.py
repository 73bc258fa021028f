"""An archive that breaks its reader is given up, not read for ever; tests/flows/test_importing.py reads real ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.archives import ArchivedMail, ImportArchive, MailPlace, StopImport
from app.domain.errors import BadFile, NotFound
from app.domain.events import Trouble
from app.domain.ids import GmailId
from app.domain.mail_files import SOURCE_PART
from app.engine.file_hand import open_archive_reader
from app.engine.importing import Importer, OpenArchive
from app.mail.imports.reader import cut_out
from app.store.archives import ArchiveState
from fakes.engine_parts import Parts

pytestmark = [pytest.mark.anyio, pytest.mark.expects_warnings]


class Breaking:
    """An archive whose first mail cannot be thought of."""

    total_bytes = 10

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
    assert [one.bug for one in parts.events(Trouble)] == [True]


class Whole:
    """An archive that is read at once."""

    total_bytes = 10

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
    assert [(one.code, one.remedy) for one in parts.events(Trouble)] == [("bad_file", "It is torn.")]


async def test_an_archive_in_another_place_is_the_same_account(parts: Parts, tmp_path: Path) -> None:
    old, new, target = tmp_path / "old.mbox", tmp_path / "moved" / "mail.mbox", tmp_path / "one.eml"
    new.parent.mkdir()
    importer = Importer(parts.tables, parts.threads, parts.announcer, open_archive_reader)
    old.write_bytes(letter(1) + letter(2))
    account_id = await importer.start(ImportArchive(old))
    assert (await importer.finished(account_id)).mails == 2
    old.rename(new)
    assert await importer.start(ImportArchive(new)) == account_id
    archive = await importer.finished(account_id)
    assert (archive.mails, archive.path, archive.state) == (2, new, ArchiveState.DONE)
    rows = parts.tables.db.read("SELECT file, start, length, gmail_id FROM archive_places")
    assert {row["file"] for row in rows} == {str(new)}
    cut_out(MailPlace(GmailId(rows[0]["gmail_id"]), rows[0]["file"], rows[0]["start"], rows[0]["length"]), SOURCE_PART, target)
    assert b"Words." in target.read_bytes()


async def test_an_archive_of_the_same_size_with_other_mail_is_another_account(parts: Parts, tmp_path: Path) -> None:
    importer = Importer(parts.tables, parts.threads, parts.announcer, open_archive_reader)
    accounts = set()
    for name, numbers in (("a.mbox", (1, 2)), ("b.mbox", (1, 3)), ("c.mbox", ())):
        path = tmp_path / name
        path.write_bytes(b"".join(letter(one) for one in numbers) or b"From - Mon Nov  2 10:00:00 2026\n\n")
        accounts.add(account_id := await importer.start(ImportArchive(path)))
        await importer.finished(account_id)
    assert len(accounts) == 3
