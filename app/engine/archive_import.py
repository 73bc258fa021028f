"""`replyroom import FILE`: reads a mail archive without a window, in the same way and into the same store.

Refuses to run beside an engine of the same folder: the window imports there.
"""

import asyncio
import sys
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from app.config import logs
from app.config.paths import DataFolder
from app.domain.archives import ImportArchive, ImportProgress, ImportQuestion
from app.domain.events import Event, Trouble
from app.engine.announcer import Announcer
from app.engine.file_hand import open_archive_reader
from app.engine.importing import Importer
from app.engine.lock import FolderLock
from app.engine.store_threads import StoreThreads
from app.engine.tables import open_tables
from app.store.archive_rows import ArchiveState

MEGABYTE = 1_000_000


def run_import(root: Path, file: Path, *, update: bool = False, apart: bool = False) -> int:
    """Read the archive and say how far it is on standard error; 0 when all of it was read. One that shares mail with an archive
    that is here is only read with `update` (into that one) or `apart`. Raises `BadFile`, `AlreadyRunning`."""
    folder = DataFolder(root)
    folder.prepare()
    logs.setup(folder.logs, "import")
    with ExitStack() as stack:
        lock = FolderLock(folder.lock)
        lock.take()
        stack.callback(lock.release)
        tables = open_tables(folder.database, lambda: datetime.now(UTC))
        stack.callback(tables.db.close)
        threads = StoreThreads()
        stack.callback(threads.close)

        async def read() -> int:
            importer = Importer(tables, threads, Announcer(_show), open_archive_reader)
            try:
                begun = await importer.ask_or_start(ImportArchive(file, apart=apart))
                if isinstance(begun, ImportQuestion):
                    _say_alike(begun)
                    if not update:
                        return 1
                    begun = await importer.start(ImportArchive(file, into=begun.account_id))
                done = await importer.finished(begun)
            finally:
                await importer.close()
            counts = f"{done.seen} read, {done.added} new, {done.relabelled} with other labels"
            sys.stderr.write(f"\n{done.mails} mails are here ({counts}); the archive is {done.state}.\n")
            return 0 if done.state is ArchiveState.DONE else 1

        return asyncio.run(read())


def _say_alike(question: ImportQuestion) -> None:
    sys.stderr.write(f"{question.known} of {question.looked} mails looked at are in the archive {question.name} already.\n")
    sys.stderr.write("--update adds what is new to it and takes label changes over; --apart keeps this file to itself.\n")


def _show(event: Event) -> None:
    if isinstance(event, ImportProgress):
        done, total = event.done_bytes / MEGABYTE, event.total_bytes / MEGABYTE
        sys.stderr.write(f"\r{event.mails} mails, {done:.1f} of {total:.1f} MB")
        sys.stderr.flush()
    elif isinstance(event, Trouble):
        sys.stderr.write(f"\n{event.detail} {event.remedy}\n")
