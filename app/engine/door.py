"""Where commands and queries come in: they go to the house that stands, and wait while it is built anew.

Refuses to lose one: the wire is served by this door as long as the process lives.
"""

import asyncio
from typing import Protocol

from app.domain.commands import Answer, Command, Query

PATIENCE_S = 10.0


class Serving(Protocol):
    """What the door leads to."""

    async def handle(self, command: Command) -> None:
        """Do it, or say why not."""

    async def answer(self, query: Query) -> Answer:
        """The answer. Raises `ExpectedError`."""


class Door:
    """Opened for one house after the other."""

    def __init__(self) -> None:
        self._inside: asyncio.Future[Serving] = asyncio.get_running_loop().create_future()
        self._busy: set[asyncio.Task[object]] = set()

    def open(self, inside: Serving) -> None:
        """Let in what waits and what comes."""
        self._inside.set_result(inside)

    async def close(self) -> None:
        """Let nobody in any more; wait for commands under way, for a while."""
        if self._inside.done():
            self._inside = asyncio.get_running_loop().create_future()
        if self._busy:
            await asyncio.wait(set(self._busy), timeout=PATIENCE_S)

    async def handle(self, command: Command) -> None:
        """Do it as soon as there is a house."""
        inside = await asyncio.shield(self._inside)
        task = asyncio.current_task()
        assert task is not None
        self._busy.add(task)
        try:
            await inside.handle(command)
        finally:
            self._busy.discard(task)

    async def answer(self, query: Query) -> Answer:
        """Answer it as soon as there is a house."""
        return await (await asyncio.shield(self._inside)).answer(query)
