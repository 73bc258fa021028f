"""Imports mail archives into local accounts, page by page with little memory. Continues after a stop, a crash or a restart.

`run_import` is the command `replyroom import FILE`.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec

from app.config import logs
from app.config.paths import DataFolder
from app.domain.error_texts import Cause, ErrorText
from app.domain.errors import BadFile, ExpectedError
from app.domain.ids import AccountId
from app.domain.protocol.archive_commands import (
    ArchivedMail,
    ArchiveReader,
    ContinueImport,
    ImportArchive,
    ImportProgress,
    StopImport,
)
from app.domain.protocol.events import ErrorReported, Initiator
from app.domain.wire import Event
from app.engine.runtime.background_imports import load
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.process_control import FolderLock
from app.engine.runtime.tables import Tables, open_tables
from app.store.archives import Archive, ArchiveState

log = logging.getLogger(__name__)

PAGE_MAILS = 40
PAGE_BYTES = 20_000_000
MOST_NAMES = 5
"""Most unreadable files named in a report."""


class ImportPosition(msgspec.Struct, frozen=True):
    """Where reading continues: the number of the mailbox file and the byte in it."""

    box: int = 0
    start: int = 0


def open_archive(path: Path) -> ArchiveReader:
    """Opens an archive. Blocks; the first call imports the reader. Raises `BadFile`."""
    from app.mail.archives import reader

    return reader.open_archive(path)


class Importer:
    """Imports archives, each in its own task. Files are read outside the store's threads, which must not wait."""

    def __init__(self, tables: Tables, announcer: EventBus, opened: Callable[[Path], ArchiveReader] = open_archive) -> None:
        self._tables, self._announcer, self._open_archive = tables, announcer, opened
        self._reading: dict[AccountId, asyncio.Task[None]] = {}
        self._deciding = asyncio.Lock()

    async def start(self, wanted: ImportArchive) -> AccountId:
        """Starts or continues an import. Returns its account. Raises `BadFile`."""
        path = wanted.path.expanduser().absolute()
        reader = await load(partial(self._open_archive, path))
        running = await self._tables.run(self._tables.archives.account_at, path)
        if running in self._reading:
            return running
        archive = await self._tables.run(self._tables.archives.open, path, reader.total_bytes)
        if archive.account_id not in self._reading:
            task = asyncio.create_task(self._read(archive, reader))
            self._reading[archive.account_id] = task
            task.add_done_callback(lambda _: self._reading.pop(archive.account_id, None))
            self._tell(archive)
        return archive.account_id

    async def go_on(self, wanted: ContinueImport) -> AccountId:
        """Continues an import where it stopped. Raises `BadFile` or `NotFound`."""
        archive = await self._tables.run(self._tables.archives.get, wanted.account_id)
        return await self.start(ImportArchive(archive.path))

    async def stop(self, wanted: StopImport) -> None:
        """Stops an import after the current page. Raises `NotFound`."""
        async with self._deciding:
            task = self._reading.get(wanted.account_id)
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            self._tell(await self._tables.run(self._tables.archives.settle, wanted.account_id, ArchiveState.STOPPED))

    async def resume(self) -> None:
        """Continues imports that a restart interrupted."""
        async with self._deciding:  # a stop that comes meanwhile waits and then takes effect
            for archive in await self._tables.run(self._tables.archives.unfinished):
                try:
                    await self.start(ImportArchive(archive.path))
                except BadFile:
                    self._tell(await self._tables.run(self._tables.archives.settle, archive.account_id, ArchiveState.FAILED))

    async def finished(self, account_id: AccountId) -> Archive:
        """Waits until an import ended and returns its row."""
        task = self._reading.get(account_id)
        if task is not None:
            await asyncio.gather(task, return_exceptions=True)
        return await self._tables.run(self._tables.archives.get, account_id)

    async def close(self) -> None:
        """Cancels running imports. They continue at the next start."""
        tasks = list(self._reading.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self, archive: Archive, reader: ArchiveReader) -> None:
        settle = self._tables.archives.settle
        try:
            place = msgspec.json.decode(archive.place, type=ImportPosition) if archive.place else ImportPosition()
            mails = reader.mails(place.box, place.start)
            while await self._read_page(archive, mails):
                pass
            if reader.unread:
                log.info("archive %d: %d files cannot be read", archive.account_id, len(reader.unread))
                names = ", ".join(one.name for one in reader.unread[:MOST_NAMES])
                more = "" if len(reader.unread) <= MOST_NAMES else ", …"
                why = ErrorText.of(Cause.FILES_UNREADABLE, archive.path.name, f"{names}{more}")
                self._announcer.tell(ErrorReported("bad_file", why))
            seen = (await self._tables.run(self._tables.archives.get, archive.account_id)).seen
            whole = not reader.unread or (seen and await load(archive.path.exists))
            done = await self._tables.run(settle, archive.account_id, ArchiveState.DONE if whole else ArchiveState.FAILED)
        except (ExpectedError, OSError) as error:
            log.info("archive %d stopped: %s", archive.account_id, type(error).__name__)
            done = await self._tables.run(settle, archive.account_id, ArchiveState.FAILED)
            why = error.text if isinstance(error, BadFile) else ErrorText.of(Cause.READING_STOPPED)
            self._announcer.tell(ErrorReported("bad_file", why._replace(place=archive.path.name)))
        except Exception as error:
            log.exception("archive %d failed", archive.account_id)
            done = await self._tables.run(settle, archive.account_id, ArchiveState.FAILED)
            self._announcer.bug(f"archive {archive.account_id}", error)
        self._tell(done)

    async def _read_page(self, archive: Archive, mails: Iterator[ArchivedMail]) -> bool:
        """Reads and stores one page. Returns whether there may be more.

        Raises the error that stopped the reading, after the mail before it was stored.
        """
        page, failure = await load(partial(_page, mails))
        if page:
            last = page[-1]
            place = msgspec.json.encode(ImportPosition(last.box, last.place.start + last.place.length)).decode()
            applied = await self._tables.run(self._tables.archives.write, archive.account_id, page, place)
            self._announcer.mail(archive.account_id, applied.thread_ids, Initiator.SYNC)
            self._tell(await self._tables.run(self._tables.archives.get, archive.account_id))
        if failure is not None:
            raise failure
        return bool(page)

    def _tell(self, archive: Archive) -> None:
        self._announcer.tell(archive.progress)


def _page(mails: Iterator[ArchivedMail]) -> tuple[list[ArchivedMail], ExpectedError | OSError | None]:
    """Reads the next mails, up to `PAGE_MAILS` or `PAGE_BYTES`, and returns the error that stopped the reading."""
    page: list[ArchivedMail] = []
    size = 0
    try:
        for mail in mails:
            page.append(mail)
            size += mail.place.length
            if len(page) >= PAGE_MAILS or size >= PAGE_BYTES:
                break
    except (ExpectedError, OSError) as error:
        return page, error
    return page, None


MEGABYTE = 1_000_000


def run_import(root: Path, file: Path) -> int:
    """Imports the archive and prints its progress to standard error. Returns 0 when all of it was read.

    Raises `BadFile` or `AlreadyRunning`.
    """
    folder = DataFolder(root)
    folder.prepare()
    logs.setup(folder.logs, "import")
    with FolderLock(folder.lock), closing(open_tables(folder.database, lambda: datetime.now(UTC))) as tables:

        async def read() -> int:
            importer = Importer(tables, EventBus(_show))
            try:
                done = await importer.finished(await importer.start(ImportArchive(file)))
            finally:
                await importer.close()
            counts = f"{done.seen} read, {done.added} new"
            sys.stderr.write(f"\n{done.mails} mails are here ({counts}); the archive is {done.state}.\n")
            return 0 if done.state is ArchiveState.DONE else 1

        return asyncio.run(read())


def _show(event: Event) -> None:
    if isinstance(event, ImportProgress):
        done, total = event.done_bytes / MEGABYTE, event.total_bytes / MEGABYTE
        sys.stderr.write(f"\r{event.mails} mails, {done:.1f} of {total:.1f} MB")
        sys.stderr.flush()
    elif isinstance(event, ErrorReported):
        sys.stderr.write(f"\n{event.text}\n")
