"""Passes the window's commands and queries to the services that handle them.

Commands run one after another in the order of their arrival. Only sign-ins run beside them, because they wait for the user. An
error of a command becomes the event `CommandFailed`; nothing is raised.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, Protocol

from app.domain.error_texts import ErrorText
from app.domain.errors import ExpectedError, NotAllowed
from app.domain.protocol.account_commands import SignInAgain
from app.domain.protocol.commands import ConnectGmail, ConnectService, Shutdown
from app.domain.protocol.events import command_failed
from app.domain.wire import Answer, Command, Query
from app.engine.runtime.event_bus import EventBus, failed_command
from app.engine.runtime.process_control import EngineExit
from app.engine.runtime.tables import Tables

log = logging.getLogger(__name__)

SIGN_INS = (ConnectGmail, ConnectService, SignInAgain)
"""Commands that wait for the user at a browser, maybe for minutes."""


class CommandService(Protocol):
    """Handles some commands."""

    @property
    def commands(self) -> tuple[type, ...]: ...

    async def do(self, command: Any) -> None:
        """Handles one command. Raises `ExpectedError`."""


class QueryService(Protocol):
    """Answers some queries."""

    @property
    def queries(self) -> tuple[type, ...]: ...

    async def answer(self, query: Any) -> Answer:
        """Answers one query. Raises `ExpectedError`."""


class CommandHandler:
    """Handles every command and answers every query that comes over the wire."""

    def __init__(
        self,
        services: Sequence[CommandService],
        answering: Sequence[QueryService],
        tables: Tables,
        announcer: EventBus,
        exits: EngineExit,
    ) -> None:
        self._services = {kind: service for service in services for kind in service.commands}
        self._answering = {kind: service for service in answering for kind in service.queries}
        self._tables, self._announcer, self._exits = tables, announcer, exits
        self._lock = asyncio.Lock()
        self._sign_ins: set[asyncio.Task[None]] = set()

    async def handle(self, command: Command) -> None:
        """Handles one command. A failure is sent as `CommandFailed`."""
        try:
            if isinstance(command, Shutdown):
                self._exits.stop()
            elif isinstance(command, SIGN_INS):
                await self._sign_in(command)
            else:
                async with self._lock:
                    with self._tables.threads.without_waiting():
                        await self._services[type(command)].do(command)
        except ExpectedError as error:
            self._announcer.tell(await failed_command(self._tables, command, error))
        except Exception as error:
            log.exception("%s failed", type(command).__name__)
            self._announcer.tell(command_failed(command, "bug", ErrorText.of(type(error).__name__)))

    def give_up_sign_ins(self) -> None:
        """Ends the sign-ins that wait for the user, because the engine ends. Each is answered as failed."""
        for task in self._sign_ins:
            task.cancel()

    async def _sign_in(self, command: Command) -> None:
        task: asyncio.Task[None] = asyncio.create_task(self._services[type(command)].do(command))
        self._sign_ins.add(task)
        task.add_done_callback(self._sign_ins.discard)
        await asyncio.wait({task})
        if task.cancelled():
            raise NotAllowed("It was given up while it waited for you.", "Begin it again.")
        task.result()

    async def answer(self, query: Query) -> Answer:
        """Answers one query. Raises `ExpectedError`."""
        return await self._answering[type(query)].answer(query)
