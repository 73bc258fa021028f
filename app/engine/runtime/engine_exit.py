"""The end of the engine process: when it comes, and whether the window is to start the engine again at once."""

import asyncio
import logging

from app.link.frames import EXIT_RESTART

log = logging.getLogger(__name__)


class EngineExit:
    """Ends the engine. What a restart has to repair is noted in the data folder before."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._code: asyncio.Future[int] = self._loop.create_future()

    def stop(self) -> None:
        self._end(0)

    def restart(self, why: str) -> None:
        """Ends the engine with the code that makes the window start it again. May be called from any thread."""
        log.warning("the engine restarts: %s", why)
        self._loop.call_soon_threadsafe(self._end, EXIT_RESTART)

    async def wait(self) -> int:
        """Waits until one of them is called. Returns the exit code of the first call."""
        return await asyncio.shield(self._code)

    def _end(self, code: int) -> None:
        if not self._code.done():
            self._code.set_result(code)
