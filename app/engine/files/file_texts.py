"""Reads the text of files in mail for search: fetches a file, reads it in a process of its own, indexes its words.

The newest mail comes first. The owner's settings limit which files are fetched; a file that was not here before is deleted again.
A process that takes too long or too much memory is ended, and its file is not tried again.
"""

import asyncio
import logging
import time
from itertools import groupby

from app.domain.errors import ExpectedError, Offline
from app.engine.files.attachment_downloads import AttachmentDownloads
from app.engine.runtime.background_imports import preload
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp
from app.mail.file_process import read_in_process
from app.store.mail.files import UnreadFile

log = logging.getLogger(__name__)

AT_ONCE = 20
MEGABYTE = 1_000_000
CALM_START_S = 60.0
"""The start of the engine comes first."""
AGAIN_S = 300.0
OFFLINE_S = 30.0
QUIET_S = 5.0
"""Reading starts when no mail came for this long."""
REST = 2.0
"""Seconds of rest for each second of work."""


class FileTextReader:
    """Works until cancelled. Call `wake` after mail came in."""

    def __init__(self, tables: Tables, settings: LiveSettings, files: AttachmentDownloads) -> None:
        self._tables, self._settings, self._files = tables, settings, files
        self._wake_up = WakeUp()

    def wake(self) -> None:
        """Makes `run` look for new files."""
        self._wake_up.ring()

    async def run(self) -> None:
        """Reads files whenever mail came in, until cancelled."""
        await asyncio.sleep(CALM_START_S)
        while True:
            pause_s = await self.read_some()
            if pause_s:
                woken = await self._wake_up.wait(pause_s)
                while woken:
                    woken = await self._wake_up.wait(QUIET_S)

    async def read_some(self) -> float:
        """Reads the files of some messages. Returns how long to wait then, 0 if there may be more."""
        sync = self._settings.now.sync
        if not sync.largest_file_mb:
            return AGAIN_S
        most_bytes = sync.largest_file_mb * MEGABYTE
        found = await self._tables.run(self._tables.file_texts.unread, most_bytes, AT_ONCE, not sync.older_paused)
        for message_id, files in groupby(found, lambda file: file.message_id):
            begun = time.monotonic()
            try:
                texts = [(file.part_id, *await self._text(file)) for file in files]
            except Offline:
                return OFFLINE_S
            await self._tables.run(self._tables.file_texts.put, message_id, texts)
            await asyncio.sleep(REST * (time.monotonic() - begun))
        return 0 if found else AGAIN_S

    async def _text(self, file: UnreadFile) -> tuple[str, str]:
        """A file's state and text. Raises `Offline`."""
        await preload("app.mail.file_text")
        from app.mail.file_text import LOCKED, READ, kind_of

        kind = kind_of(file.filename, file.mime_type)
        if not kind:
            return "no_text", ""
        try:
            async with self._files.temporary_copy(file.message_id, file.part_id) as path:
                code, text = await read_in_process(path, kind)
        except Offline:
            raise
        except (ExpectedError, OSError) as error:
            log.info("a file of message %d cannot be fetched for search: %s", file.message_id, type(error).__name__)
            return "not_fetched", ""
        return {READ: "read", LOCKED: "locked"}.get(code, "damaged"), text.strip()
