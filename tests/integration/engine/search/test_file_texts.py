"""The text of files: each kind is found by its words, and no file hangs or takes more than its limits."""

import resource
from pathlib import Path

import pytest

from app.config.settings import Settings, SyncSettings
from app.domain.mail.files import FileState, StoredFile
from app.domain.mail.message import RemoteAttachment
from app.domain.protocol.queries import MatchPlace
from app.domain.record import replace
from app.engine.accounts.connections import Connections
from app.engine.files.attachment_downloads import AttachmentDownloads
from app.engine.files.file_texts import FileTextReader
from app.mail.file_process import MOST_BYTES, read_in_process
from app.mail.file_text import LOCKED, MEMORY_BYTES, MOST_CHARACTERS, SECONDS, kind_of
from app.store.search.search import Search
from fakes.engine.engine_parts import FixedSettings, Parts
from fakes.engine.store.values import remote
from fakes.providers.files_of_every_kind import GOOD, HARMFUL, docx


def filled(parts: Parts, folder: Path, files: dict[str, bytes]) -> dict[str, int]:
    """A message for each file, which is on disk already. Returns message ids by file name."""
    ids = {}
    for number, (name, content) in enumerate(files.items()):
        path = folder / name
        path.write_bytes(content)
        mail = replace(
            remote(f"f{number}", f"t{number}", text="see the file", minutes=number),
            attachments=(RemoteAttachment("2", name, "application/octet-stream", len(content)),),
        )
        (stored,) = parts.mail(mail)
        parts.tables.downloads.put(stored.id, "2", StoredFile(FileState.HERE, path, len(content), ""))
        ids[name] = int(stored.id)
    return ids


def reader_of(parts: Parts, folder: Path, sync: SyncSettings) -> FileTextReader:
    files = AttachmentDownloads(parts.tables, parts.announcer, Connections(), folder)
    return FileTextReader(parts.tables, FixedSettings(Settings(sync=sync)), files)


async def test_a_file_is_found_by_its_words(parts: Parts, tmp_path: Path) -> None:
    names = ("czech.docx", "pages.pdf", "page.html", "names.eml")
    ids = filled(parts, tmp_path, {name: GOOD[name][0] for name in names})
    reader = reader_of(parts, tmp_path / "files", SyncSettings())
    while await reader.read_some() == 0:
        pass
    search = Search(parts.tables.db, parts.clock)
    found = {name: {int(one.message_id) for one in search.find(GOOD[name][1], 99).mails} for name in names}
    assert not [name for name, hits in found.items() if ids[name] not in hits]
    assert not search.find("scriptword", 9).mails  # what a page does not show
    (match,) = search.find("thirdpageword", 9).mails[0].why
    assert match.where is MatchPlace.FILE
    assert match.text[match.start : match.end] == "thirdpageword"
    search.close()


@pytest.mark.parametrize("name", HARMFUL)
async def test_a_harmful_file_ends_within_its_limits(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(HARMFUL[name])
    before = resource.getrusage(resource.RUSAGE_CHILDREN)  # of any child so far
    code, text = await read_in_process(path, kind_of(name, ""))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < SECONDS + 2
    )  # the system ends it at the next whole second
    assert len(text) <= min(MOST_BYTES, MOST_CHARACTERS + 100)
    assert "root:" not in text
    assert (code == LOCKED) is (name == "locked.pdf")
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # a child counts as large as its parent until it runs its program
    assert after.ru_maxrss * 1024 <= max(MEMORY_BYTES, before.ru_maxrss * 1024, own * 1024)


async def test_the_owners_limits_hold(parts: Parts, tmp_path: Path) -> None:
    filled(parts, tmp_path, {"letter.docx": docx("smallword"), "large.txt": b"largeword " * 200_000})
    assert await reader_of(parts, tmp_path, SyncSettings(largest_file_mb=0)).read_some() > 0
    assert not parts.tables.db.read("SELECT 1 FROM file_texts")
    assert await reader_of(parts, tmp_path, SyncSettings(older_paused=True)).read_some() > 0
    assert not parts.tables.db.read("SELECT 1 FROM file_texts")
    await reader_of(parts, tmp_path, SyncSettings(largest_file_mb=1)).read_some()
    assert [row[0] for row in parts.tables.db.read("SELECT trim(text) FROM file_texts")] == ["smallword"]
