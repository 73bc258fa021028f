"""Entry point of the engine process. Builds everything in order and closes it in reverse order.

The wire and the database come first, so that the window is served within half a second. Slow imports follow.
"""

import asyncio
import gc
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from app.config import logs
from app.config.paths import DataFolder
from app.domain.errors import ExpectedError
from app.domain.protocol.events import ErrorReported
from app.engine.process.supervisor import EngineSupervisor, RequestGate
from app.engine.runtime.background_imports import put_off, spare, still_loading
from app.engine.runtime.clock import SteadyClock
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.lock import FolderLock
from app.link.server import ServerEnd, take_standard_streams

log = logging.getLogger(__name__)

EXIT_TROUBLE = 3

COLLECTED_AT = (20_000, 20, 20)
"""Mail is many small tuples that die young. A collection after every 700 of them finds nothing."""

ONLY_OURS = 0o077
"""umask: other users get no rights on any file, including logs, checkpoints and vectors that libraries write."""


def run_engine(data: Path, environment: Mapping[str, str], wall_s: Callable[[], float] = time.time) -> int:
    """Serves one data folder over standard input and output.

    Runs until `Shutdown`, the end of the input or SIGTERM. `wall_s` is the machine's clock in Unix seconds; it may jump. Returns
    0, or 3 when the folder cannot be used (an event says why).
    """
    gc.set_threshold(*COLLECTED_AT)
    os.umask(ONLY_OURS)
    spare()
    put_off()
    source, sink = take_standard_streams()
    folder = DataFolder(data)
    folder.prepare()
    logs.setup(folder.logs, "engine")
    code = asyncio.run(_serve(folder, environment, source, sink, SteadyClock(wall_s)))
    if still_loading():
        # Everything is closed. An import that still runs cannot be stopped, and tearing down the interpreter under it could
        # crash.
        logging.shutdown()
        os._exit(code)
    return code


async def _serve(folder: DataFolder, environment: Mapping[str, str], source: int, sink: int, clock: SteadyClock) -> int:
    """Runs the engine inside the wire, so that any error can be reported to the window."""
    end = ServerEnd(source, sink, _program_version())
    announcer = EventBus(end.emit)
    try:
        await _work(folder, environment, end, announcer, clock)
    except ExpectedError as error:
        log.error("cannot work with this folder: %s", error)
        announcer.tell(ErrorReported.of(error))
        return EXIT_TROUBLE
    finally:
        announcer.flush()
        await end.close()
    return 0


async def _work(
    folder: DataFolder, environment: Mapping[str, str], end: ServerEnd, announcer: EventBus, clock: SteadyClock
) -> None:
    """Locks the data folder and runs the supervisor until the engine ends."""
    async with AsyncExitStack() as stack:
        lock = FolderLock(folder.lock)
        lock.take()
        stack.callback(lock.release)
        gate = RequestGate()
        supervisor = EngineSupervisor(folder, environment, announcer, gate, clock)
        _on_signals(supervisor.stop)
        serving: set[asyncio.Task[None]] = set()

        def serve() -> None:
            task = asyncio.create_task(end.serve(gate.handle, gate.answer))
            serving.add(task)
            task.add_done_callback(lambda _: supervisor.stop())

        await supervisor.run(serve)
        log.info("ending: %s", "the window is gone" if any(task.done() for task in serving) else "asked to")
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)


def _on_signals(stop: Callable[[], None]) -> None:
    """Calls `stop` on SIGTERM and Ctrl+C."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        if sys.platform == "win32":
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))
        else:
            loop.add_signal_handler(number, stop)


def _program_version() -> str:
    try:
        return version("replyroom")
    except PackageNotFoundError:
        return "source"
