"""An archive that breaks its reader is given up, not read for ever; tests/flows/test_importing.py reads real ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.archives import ArchivedMail, ImportArchive, StopImport
from app.domain.events import Trouble
from app.engine.importing import Importer, OpenArchive
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
