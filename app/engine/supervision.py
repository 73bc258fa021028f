"""Workers that live as long as the engine: a fault of one is told and it starts again; it never takes the others along."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from app.domain.errors import ExpectedError
from app.domain.events import Trouble
from app.engine.announcer import Announcer

log = logging.getLogger(__name__)

RESTART_S = 5.0
TELL_AGAIN_S = 2.0


class Workers:
    """Named tasks, cancelled together in the reverse order of their start."""

    def __init__(self, announcer: Announcer) -> None:
        self._announcer = announcer
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Run `work` for ever: when it raises, that is told and it starts again; when it returns, it is done."""
        self._tasks.append(asyncio.create_task(self._watched(name, work), name=name))

    async def stop(self) -> None:
        """Cancel all and wait until each has cleaned up; one that does not hear is told again."""
        for task in reversed(self._tasks):
            while not task.done():
                task.cancel()
                await asyncio.wait({task}, timeout=TELL_AGAIN_S)
        self._tasks.clear()

    async def _watched(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await work()
                return
            except ExpectedError as error:
                log.error("%s stopped: %s", name, error)
                self._announcer.tell(Trouble(error.code, error.detail, error.remedy))
            except Exception as error:
                log.exception("%s failed", name)
                self._announcer.tell(Trouble("bug", f"{name}: {type(error).__name__}", "", bug=True))
            await asyncio.sleep(RESTART_S)
