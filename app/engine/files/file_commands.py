"""Commands about files and archives: download, unsubscribe, import.

Long work runs in the background and reports its end.
"""

import logging
from collections.abc import Awaitable
from pathlib import Path
from typing import get_args

from app.domain.error_texts import ErrorText
from app.domain.errors import ExpectedError, NotAllowed
from app.domain.ids import MessageId
from app.domain.mail.files import FetchFile, Unsubscribe, Unsubscribed
from app.domain.mail.message import way_out
from app.domain.protocol.archive_commands import ContinueImport, FileCommand, ImportArchive, StopImport
from app.domain.protocol.events import command_failed
from app.engine.accounts.connections import Connections
from app.engine.files.archive_importer import Importer
from app.engine.files.attachment_downloads import AttachmentDownloads
from app.engine.runtime.background_imports import load, preload
from app.engine.runtime.event_bus import EventBus, failed_command
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import TaskSet

log = logging.getLogger(__name__)


class FileCommands:
    """Handles `FileCommand`s. `folder` is private to the user. MIME code is imported at the first use."""

    commands = get_args(FileCommand)

    def __init__(self, tables: Tables, announcer: EventBus, connections: Connections, folder: Path) -> None:
        self._tables, self._announcer = tables, announcer
        self.files = AttachmentDownloads(tables, announcer, connections, folder)
        self.importer = Importer(tables, announcer)
        self._background_tasks = TaskSet()

    async def do(self, command: FileCommand) -> None:
        """Starts one command. Raises `ExpectedError`."""
        match command:
            case FetchFile():
                await self.files.fetch(command)
            case Unsubscribe(message_id):
                self._run_in_background(command, self._leave(message_id))
            case ImportArchive():
                self._run_in_background(command, self.importer.start(command))
            case ContinueImport():
                self._run_in_background(command, self.importer.go_on(command))
            case StopImport():
                self._run_in_background(command, self.importer.stop(command))

    async def run(self) -> None:
        """Continues what a restart interrupted."""
        await self.importer.resume()
        await self.files.run()

    async def close(self) -> None:
        """Stops everything. Unfinished work continues at the next start."""
        await self._background_tasks.cancel()
        await self.importer.close()
        await self.files.close()

    async def _leave(self, message_id: MessageId) -> None:
        message = await self._tables.run(self._tables.messages.get, message_id)
        way = way_out(message.headers)
        if way is None or not way.one_click:
            raise NotAllowed("This mail offers no verified way to unsubscribe with one click.")
        await preload("app.mail.unsubscribe")
        from app.mail.unsubscribe import leave_list, public_guard

        await load(lambda: leave_list(way.url, public_guard()))
        self._announcer.tell(Unsubscribed(message_id, way.host))

    def _run_in_background(self, command: FileCommand, work: Awaitable[object]) -> None:
        """Runs `work` in the background. A failure is sent as `CommandFailed`."""

        async def guarded() -> None:
            try:
                await work
            except ExpectedError as error:
                self._announcer.tell(await failed_command(self._tables, command, error))
            except Exception as error:
                log.exception("%s failed", type(command).__name__)
                self._announcer.tell(command_failed(command, "bug", ErrorText.of(type(error).__name__)))

        self._background_tasks.start(guarded())
