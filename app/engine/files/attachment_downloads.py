"""Downloads files of messages on demand. Resumes them after an interruption and a restart.

The files have safe names and are in a private folder.
"""

import asyncio
import logging
import shutil
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path

from app.domain.errors import ExpectedError, NotFound, Offline
from app.domain.ids import MessageId
from app.domain.mail.files import SOURCE_PART, FetchFile, FileChanged, FileState, StoredFile, safe_name
from app.domain.mail.message import Attachment, Message
from app.engine.accounts.connections import Connections
from app.engine.runtime.background_imports import preload
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp

log = logging.getLogger(__name__)

KEEP = timedelta(days=30)
TOLD_EVERY_S = 0.2
OFFLINE_PAUSE_S = 20.0
TIMEOUT_S = 40.0
"""Longest wait for a file that a query needs."""
TEMP = "temporary"
"""The folder of files that are read once and deleted."""
Key = tuple[MessageId, str]


class AttachmentDownloads:
    """Downloads files into `folder`, with a folder per account and per message."""

    def __init__(self, tables: Tables, announcer: EventBus, connections: Connections, folder: Path) -> None:
        self._tables, self._announcer = tables, announcer
        self._connections, self._folder = connections, folder
        self._coming: dict[Key, asyncio.Task[Path]] = {}
        self._at_once = asyncio.Semaphore(2)
        self._wake_up = WakeUp()
        connections.listen(self._wake_up.ring)

    async def fetch(self, wanted: FetchFile) -> None:
        """Starts a download, unless the file exists or is being fetched. Raises `NotFound`."""
        message_id, part_id = wanted.message_id, wanted.part_id
        there = await self._there(message_id, part_id)
        if there is not None:
            self._tell((message_id, part_id), FileState.HERE, there.size)
            return
        await self._begin(message_id, part_id)

    async def fetched(self, message_id: MessageId, part_id: str) -> Path:
        """Returns the file's path, after downloading it if necessary. Raises `ExpectedError`."""
        there = await self._there(message_id, part_id)
        if there is not None:
            return there.path
        coming = await self._begin(message_id, part_id)
        try:
            async with asyncio.timeout(TIMEOUT_S):
                return await asyncio.shield(coming)
        except TimeoutError as error:
            raise Offline("The file could not be fetched yet.", "It comes when you are online.") from error

    @asynccontextmanager
    async def temporary_copy(self, message_id: MessageId, part_id: str) -> AsyncIterator[Path]:
        """The path of a file while the block runs. A file that was not here is deleted afterwards. Raises `ExpectedError`."""
        there = await self._there(message_id, part_id)
        if there is not None:
            yield there.path
            return
        message = await self._tables.run(self._tables.messages.get, message_id)
        target = self._folder / TEMP / str(message_id) / _name(message, part_id)
        try:
            async with self._at_once:
                await self._fill(message, part_id, target)
            yield target
        finally:
            await self._tables.run(partial(shutil.rmtree, target.parent, ignore_errors=True))

    async def run(self) -> None:
        """Repeats interrupted downloads and deletes old files once a day."""
        for message_id, part_id in await self._tables.run(self._tables.downloads.wanted):
            try:
                await self._begin(message_id, part_id)
            except NotFound:
                log.info("a file of message %d is gone", message_id)
        while True:
            await self._tables.run(self._sweep)
            await asyncio.sleep(86_400)

    async def close(self) -> None:
        """Cancels downloads. They begin again at the next start."""
        tasks = list(self._coming.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _there(self, message_id: MessageId, part_id: str) -> StoredFile | None:
        row = await self._tables.run(self._tables.downloads.get, message_id, part_id)
        if row is None or row.state is not FileState.HERE or not row.path.exists():
            return None
        await self._tables.run(self._tables.downloads.put, message_id, part_id, row)
        return row

    async def _begin(self, message_id: MessageId, part_id: str) -> "asyncio.Task[Path]":
        key = (message_id, part_id)
        if key in self._coming:
            return self._coming[key]
        message = await self._tables.run(self._tables.messages.get, message_id)
        target = self._folder / str(message.account_id) / str(message_id) / _name(message, part_id)
        wanted = StoredFile(FileState.WANTED, target, 0, "")
        await self._tables.run(self._tables.downloads.put, message_id, part_id, wanted)
        task = asyncio.create_task(self._bring(message, part_id, target))
        self._coming[key] = task
        task.add_done_callback(partial(self._ended, key))
        self._tell(key, FileState.WANTED, 0)
        return task

    def _ended(self, key: Key, task: "asyncio.Task[Path]") -> None:
        self._coming.pop(key, None)
        if not task.cancelled():
            task.exception()  # avoids a warning when nobody waits for it

    async def _bring(self, message: Message, part_id: str, target: Path) -> Path:
        key = (message.id, part_id)
        try:
            while True:
                try:
                    async with self._at_once:
                        await self._fill(message, part_id, target)
                    break
                except Offline:
                    await self._settle(key, StoredFile(FileState.WANTED, target, 0, Offline.code))
                    await self._wake_up.wait(OFFLINE_PAUSE_S)
        except (ExpectedError, OSError) as error:
            code = error.code if isinstance(error, ExpectedError) else "disk_full"
            log.info("a file of message %d was not brought: %s", message.id, code)
            await self._settle(key, StoredFile(FileState.FAILED, target, 0, code))
            raise
        except Exception as error:
            log.exception("a file of message %d was not brought", message.id)
            self._announcer.bug("file", error)
            await self._settle(key, StoredFile(FileState.FAILED, target, 0, "bug"))
            raise
        await self._tables.run(target.chmod, 0o600)
        await self._settle(key, StoredFile(FileState.HERE, target, (await self._tables.run(target.stat)).st_size, ""))
        return target

    async def _fill(self, message: Message, part_id: str, target: Path) -> None:
        for folder in (self._folder, target.parent.parent, target.parent):
            await self._tables.run(partial(folder.mkdir, mode=0o700, exist_ok=True))
        archived = await self._tables.run(self._tables.downloads.archived_at, message.account_id, message.gmail_id)
        if archived is not None:
            await preload("app.mail.archives.reader")
            from app.mail.archives.reader import cut_out

            await self._tables.run(cut_out, archived, part_id, target)
        else:
            server = self._connections.server(message.account_id)
            if server is None:
                raise Offline("The account is not connected now.", "It can be fetched when you are online.")
            await server.download(message.gmail_id, part_id, target, self._progress((message.id, part_id)))

    async def _settle(self, key: Key, file: StoredFile) -> None:
        await self._tables.run(self._tables.downloads.put, *key, file)
        self._tell(key, file.state, file.size, file.error)

    def _progress(self, key: Key) -> Callable[[int], None]:
        """A callback that reports progress a few times a second, from any thread."""
        loop, last = asyncio.get_running_loop(), [0.0]

        def told(done_bytes: int) -> None:
            now = time.monotonic()
            if now - last[0] >= TOLD_EVERY_S:
                last[0] = now
                loop.call_soon_threadsafe(self._tell, key, FileState.WANTED, done_bytes)

        return told

    def _tell(self, key: Key, state: FileState, done_bytes: int, error: str = "") -> None:
        self._announcer.tell(FileChanged(*key, state, done_bytes, error))

    def _sweep(self) -> None:
        """Deletes files unused for a month and files of deleted messages."""
        for path in self._tables.downloads.forget_before(self._tables.clock() - KEEP):
            path.unlink(missing_ok=True)
        folders = {int(one.name): one for one in self._folder.glob("*/*") if one.parent.name != TEMP and one.name.isdecimal()}
        for gone in folders.keys() - self._tables.downloads.alive(list(folders)):
            shutil.rmtree(folders[gone], ignore_errors=True)


def _name(message: Message, part_id: str) -> str:
    """A safe file name that begins with the part id, so that equal names do not clash. Raises `NotFound`."""
    if part_id == SOURCE_PART:
        return safe_name(f"{message.subject[:60]}.eml", "mail.eml")
    found: Attachment | None = next((one for one in message.attachments if one.part_id == part_id), None)
    if found is None:
        raise NotFound("This mail has no such file.")
    ending = found.mime_type.rpartition("/")[2] if "/" in found.mime_type else "bin"
    return f"{safe_name(part_id, '0').replace('.', '-')}-{safe_name(found.filename, f'file.{ending}'[:16])}"
