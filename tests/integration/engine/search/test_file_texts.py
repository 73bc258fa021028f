"""The text of files: each kind is found by its words, and no file hangs or takes more than its limits."""

import asyncio
import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from app.config.settings import Settings, SyncSettings
from app.domain.language.search_text import folded
from app.domain.mail.files import FileState, StoredFile
from app.domain.mail.message import RemoteAttachment
from app.domain.protocol.queries import MatchPlace
from app.domain.record import replace
from app.engine.accounts.connections import Connections
from app.engine.files.attachment_downloads import AttachmentDownloads
from app.engine.files.file_texts import FileTextReader
from app.mail.file_process import MOST_BYTES, read_in_process
from app.mail.file_text import LOCKED, MEMORY_BYTES, MOST_CHARACTERS, READ, SECONDS, kind_of
from app.store.search.search import Search
from fakes.engine.engine_parts import FixedSettings, Parts
from fakes.engine.store.values import remote
from fakes.providers.files_of_every_kind import GOOD, HARMFUL, docx, pdf


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
    files = AttachmentDownloads(parts.tables, parts.announcer, Connections(), folder, lambda *_: None)
    return FileTextReader(parts.tables, FixedSettings(Settings(sync=sync)), files)


READ_ALL = """
import io, json, sys
from pathlib import Path
from app.mail.file_text import kind_of, read_file

texts = {}
for path in Path(sys.argv[1]).iterdir():
    out = io.BytesIO()
    texts[path.name] = read_file(path, kind_of(path.name, ""), out), out.getvalue().decode()
print(json.dumps(texts))
"""


def test_each_kind_is_read(tmp_path: Path, root: Path) -> None:
    """In one process, since each takes a third of a second to start."""
    for name, (content, _) in GOOD.items():
        (tmp_path / name).write_bytes(content)
    done = subprocess.run([sys.executable, "-c", READ_ALL, str(tmp_path)], cwd=root, capture_output=True, check=True)
    texts = json.loads(done.stdout)
    assert not [name for name, (_, word) in GOOD.items() if texts[name][0] != READ or word not in folded(texts[name][1])]


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


async def test_a_damaged_file_is_not_tried_again(parts: Parts, tmp_path: Path) -> None:
    filled(parts, tmp_path, {"cut.pdf": HARMFUL["cut.pdf"], "picture.jpg": b"jpg", "letter.docx": docx("aftermathword")})
    reader = reader_of(parts, tmp_path / "files", SyncSettings())
    await reader.read_some()
    states = {row[0] for row in parts.tables.db.read("SELECT state FROM file_texts")}
    assert states == {"damaged", "no_text", "read"}
    assert not parts.tables.file_texts.unread(10**9, 9, fetch=True)


async def test_the_owners_limits_hold(parts: Parts, tmp_path: Path) -> None:
    filled(parts, tmp_path, {"letter.docx": docx("smallword"), "large.txt": b"largeword " * 200_000})
    assert await reader_of(parts, tmp_path, SyncSettings(largest_file_mb=0)).read_some() > 0
    assert not parts.tables.db.read("SELECT 1 FROM file_texts")
    assert await reader_of(parts, tmp_path, SyncSettings(older_paused=True)).read_some() > 0
    assert not parts.tables.db.read("SELECT 1 FROM file_texts")
    await reader_of(parts, tmp_path, SyncSettings(largest_file_mb=1)).read_some()
    assert [row[0] for row in parts.tables.db.read("SELECT trim(text) FROM file_texts")] == ["smallword"]


async def test_a_file_that_cannot_be_fetched_now_waits(parts: Parts, tmp_path: Path) -> None:
    ids = filled(parts, tmp_path, {"letter.docx": docx("laterword")})
    (tmp_path / "letter.docx").unlink()
    reader = reader_of(parts, tmp_path / "files", SyncSettings())
    assert await reader.read_some() > 0
    (tmp_path / "letter.docx").write_bytes(docx("laterword"))
    assert await reader.read_some() == 0
    search = Search(parts.tables.db, parts.clock)
    assert [int(one.message_id) for one in search.find("laterword", 9).mails] == [ids["letter.docx"]]
    assert not list((tmp_path / "files").rglob("*.docx"))
    search.close()


async def test_text_goes_with_its_message(parts: Parts, tmp_path: Path) -> None:
    ids = filled(parts, tmp_path, {"letter.docx": docx("goneword")})
    await reader_of(parts, tmp_path, SyncSettings()).read_some()
    with parts.tables.db.transaction() as connection:
        from app.domain.ids import MessageId
        from app.store.mail.mail_writing import check_indexes, delete_messages

        delete_messages(connection, [MessageId(ids["letter.docx"])])
        check_indexes(connection)
    search = Search(parts.tables.db, parts.clock)
    assert not search.find("goneword", 9).mails
    assert not parts.tables.db.read("SELECT 1 FROM file_texts")
    search.close()


async def test_a_cancelled_reading_leaves_no_process(tmp_path: Path) -> None:
    path = tmp_path / "pages.pdf"
    path.write_bytes(pdf(*["words"] * 3000))
    task = asyncio.create_task(read_in_process(path, "pdf"))
    await asyncio.sleep(0.3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_kinds() -> None:
    assert kind_of("a.PDF", "") == kind_of("scan", "application/pdf") == "pdf"
    assert kind_of("a", "application/vnd.openxmlformats-officedocument.wordprocessingml.document") == "docx"
    assert kind_of("message", "message/rfc822") == "mail"
    assert not kind_of("photo.jpg", "image/jpeg")
    assert READ == 0
