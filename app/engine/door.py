"""Where commands and queries come in: they go to the house that stands, and wait while it is built anew.

Refuses to lose one: the wire is served by this door as long as the process lives.
"""

import asyncio
from typing import Protocol

from app.domain.account_commands import SignInAgain
from app.domain.commands import Answer, Command, ConnectGmail, ConnectService, Query

PATIENCE_S = 10.0
WITH_PEOPLE = (ConnectGmail, ConnectService, SignInAgain)
"""Commands that wait for somebody at a browser, maybe for minutes: they are given up."""


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
        self._with_people: set[asyncio.Task[object]] = set()

    def open(self, inside: Serving) -> None:
        """Let in what waits and what comes."""
        self._inside.set_result(inside)

    async def close(self) -> None:
        """Let nobody in any more; wait for commands under way, for a while, but for no sign-in."""
        if self._inside.done():
            self._inside = asyncio.get_running_loop().create_future()
        given_up, self._with_people = self._with_people, set()
        for task in given_up:
            task.cancel()
        if waiting := {*self._busy, *given_up}:
            await asyncio.wait(waiting, timeout=PATIENCE_S)

    async def handle(self, command: Command) -> None:
        """Do it as soon as there is a house."""
        inside = await asyncio.shield(self._inside)
        task = asyncio.current_task()
        assert task is not None
        patient = isinstance(command, WITH_PEOPLE)
        under_way = self._with_people if patient else self._busy
        under_way.add(task)
        try:
            await inside.handle(command)
        except asyncio.CancelledError:
            if not patient or task in self._with_people:
                raise
            task.uncancel()  # it was given up here, and has said so
        finally:
            under_way.discard(task)

    async def answer(self, query: Query) -> Answer:
        """Answer it as soon as there is a house."""
        return await (await asyncio.shield(self._inside)).answer(query)
