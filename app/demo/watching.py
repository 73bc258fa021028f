"""Waiting for the engine: remembers its events and lets a script wait for what it needs, with a limit and a clear error."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from app.domain.errors import ExpectedError
from app.domain.events import CommandFailed, Event, Trouble
from app.domain.ports.window import EngineLink

E = TypeVar("E")

LOOK_AGAIN_S = 0.25


class DemoStuck(ExpectedError):
    """The demo waited in vain; the detail says for what."""

    code = "demo_stuck"


class Watcher:
    """Everything the engine said, in order."""

    def __init__(self, link: EngineLink, limit_s: float) -> None:
        self.events: list[Event] = []
        self._deadline = time.monotonic() + limit_s
        self._stop = link.subscribe(self.events.append)

    async def until(self, what: str, reached: Callable[[], bool]) -> None:
        """Wait until `reached()`; raises `DemoStuck` naming `what` and the engine's last trouble at the limit."""
        while not reached():
            if time.monotonic() > self._deadline:
                raise DemoStuck(f"Waited in vain for {what}. {self.last_trouble()}".strip())
            await asyncio.sleep(LOOK_AGAIN_S)

    def last(self, kind: type[E]) -> E | None:
        """The newest event of a kind."""
        return next((event for event in reversed(self.events) if isinstance(event, kind)), None)

    def last_trouble(self) -> str:
        """The newest trouble in words, if there was any."""
        for event in reversed(self.events):
            if isinstance(event, Trouble | CommandFailed):
                return f"The engine last said: {event.code}: {event.detail}"
        return ""

    def close(self) -> None:
        """Listen no more."""
        self._stop()
