"""Reads mail archives into local accounts, page by page, with flat memory; goes on after a stop, a crash or a restart.

Refuses to send, to label anything on a server, and to let agents draft for old mail.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import msgspec

from app.domain.archives import ArchivedMail, ArchiveReader, ImportArchive, ImportProgress, StopImport
from app.domain.errors import BadFile, ExpectedError
from app.domain.events import Initiator, Trouble
from app.domain.ids import AccountId, GmailId
from app.engine.announcer import Announcer
from app.engine.loading import load
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables
from app.store.archives import Archive, ArchiveState
from app.store.pages import SyncPage

log = logging.getLogger(__name__)

PAGE_MAILS = 40
PAGE_BYTES = 20_000_000
FIRST = 5
"""Mails by which an archive is known again in another place."""


class Place(msgspec.Struct, frozen=True):
    """Where reading goes on: the number of the box and the byte in it."""

    box: int = 0
    start: int = 0


OpenArchive = Callable[[Path], ArchiveReader]


class Importer:
    """`open_archive` is loaded when it is first needed."""

    def __init__(
        self, tables: Tables, threads: StoreThreads, announcer: Announcer, open_archive: Callable[[], OpenArchive]
    ) -> None:
        self._tables = tables
        self._threads = threads
        self._announcer = announcer
        self._open_archive = open_archive
        self._reading: dict[AccountId, asyncio.Task[None]] = {}

    async def start(self, wanted: ImportArchive) -> AccountId:
        """Begin to read, or go on; the archive's account. Raises `BadFile`."""
        path = wanted.path.expanduser().absolute()
        opened = await load(self._open_archive)
        reader = await self._threads.run(opened, path)
        await self._threads.run(self._tables.archives.follow, path, reader.total_bytes, lambda: _first(reader))
        archive = await self._threads.run(self._tables.archives.open, path, reader.total_bytes)
        if archive.account_id not in self._reading:
            task = asyncio.create_task(self._read(archive, reader))
            self._reading[archive.account_id] = task
            task.add_done_callback(lambda _: self._reading.pop(archive.account_id, None))
        return archive.account_id

    async def stop(self, wanted: StopImport) -> None:
        """Stop after the page at hand."""
        task = self._reading.get(wanted.account_id)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        self._tell(await self._threads.run(self._tables.archives.stop, wanted.account_id))

    async def resume(self) -> None:
        """Go on with what a restart cut short."""
        for archive in await self._threads.run(self._tables.archives.unfinished):
            try:
                await self.start(ImportArchive(archive.path))
            except BadFile:
                self._tell(await self._threads.run(self._tables.archives.settle, archive.account_id, ArchiveState.FAILED))

    async def finished(self, account_id: AccountId) -> Archive:
        """Wait until reading ended; how it ended."""
        task = self._reading.get(account_id)
        if task is not None:
            await asyncio.gather(task, return_exceptions=True)
        return await self._threads.run(self._tables.archives.get, account_id)

    async def close(self) -> None:
        """Leave what is under way; it goes on at the next start."""
        tasks = list(self._reading.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self, archive: Archive, reader: ArchiveReader) -> None:
        try:
            place = msgspec.json.decode(archive.place, type=Place) if archive.place else Place()
            mails = reader.mails(place.box, place.start)
            while True:
                page, trouble = await self._threads.run(_page, mails)
                if page:
                    await self._write(archive, page)
                if trouble is not None:
                    raise trouble
                if not page:
                    break
            done = await self._threads.run(self._tables.archives.settle, archive.account_id, ArchiveState.DONE)
        except (ExpectedError, OSError) as error:
            log.info("archive %d stopped: %s", archive.account_id, type(error).__name__)
            done = await self._threads.run(self._tables.archives.settle, archive.account_id, ArchiveState.FAILED)
            why = error.detail if isinstance(error, BadFile) else "The file cannot be read on from here."
            self._announcer.tell(Trouble("bad_file", archive.path.name, why))
        except Exception as error:
            log.exception("archive %d failed", archive.account_id)
            done = await self._threads.run(self._tables.archives.settle, archive.account_id, ArchiveState.FAILED)
            self._announcer.tell(Trouble("bug", f"archive {archive.account_id}: {type(error).__name__}", "", bug=True))
        self._tell(done)

    async def _write(self, archive: Archive, page: list[ArchivedMail]) -> None:
        last = page[-1]
        place = msgspec.json.encode(Place(last.box, last.place.start + last.place.length)).decode()
        labels = tuple(dict.fromkeys(label for one in page for label in one.labels))
        messages = tuple(one.message for one in page if one.message is not None)
        places = [one.place for one in page if one.message is not None]
        if labels:
            await self._threads.run(self._tables.archives.add_labels, archive.account_id, labels)
        write = self._tables.archives.write
        sync_page = SyncPage(messages=messages, index=False)
        applied = await self._threads.run(write, archive.account_id, sync_page, places, place, last.done_bytes)
        self._announcer.mail(archive.account_id, applied.thread_ids, Initiator.SYNC)
        self._tell(await self._threads.run(self._tables.archives.get, archive.account_id))

    def _tell(self, archive: Archive) -> None:
        name = archive.path.name
        event = ImportProgress(
            archive.account_id, name, str(archive.state), archive.done_bytes, archive.total_bytes, archive.mails
        )
        self._announcer.tell(event)


def _first(reader: ArchiveReader) -> list[GmailId]:
    """The ids of the first mails, which are digests of their bytes; none where they cannot be read."""
    try:
        return [one.place.gmail_id for one in islice(reader.mails(0, 0), FIRST) if one.message is not None]
    except (ExpectedError, OSError):
        return []


def _page(mails: Iterator[ArchivedMail]) -> tuple[list[ArchivedMail], ExpectedError | OSError | None]:
    """The next mails: some dozens, or fewer large ones; and what kept the archive from being read on, behind what was read."""
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
