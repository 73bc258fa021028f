"""The engine process: everything is built here in order, and closed in reverse order.

The wire and the database come first, so that the window is served within half a second; what takes long to import comes after.
"""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from app.config import logs
from app.config.paths import DataFolder
from app.domain.errors import ExpectedError
from app.domain.events import EngineReady, Trouble
from app.engine.announcer import Announcer
from app.engine.house import House
from app.engine.live_files import model_label
from app.engine.loading import still_loading
from app.engine.lock import FolderLock
from app.engine.process_age import age_ms
from app.engine.store_threads import StoreThreads
from app.engine.tables import open_tables
from app.link.server import EngineEnd
from app.link.streams import take_standard_streams

log = logging.getLogger(__name__)

EXIT_TROUBLE = 3


def run_engine(data: Path, environment: Mapping[str, str]) -> int:
    """Serve one data folder over standard input and output until Shutdown, the end of the input or SIGTERM. 0, or 3 when the
    folder cannot be worked with (the wire says why)."""
    source, sink = take_standard_streams()
    folder = DataFolder(data)
    folder.prepare()
    logs.setup(folder.logs, "engine")
    code = asyncio.run(_serve(folder, environment, source, sink))
    if still_loading():
        # Everything is closed; only an import is left that cannot be stopped, and nothing may be torn down under it.
        logging.shutdown()
        os._exit(code)
    return code


async def _serve(folder: DataFolder, environment: Mapping[str, str], source: int, sink: int) -> int:
    """The wire around everything else, so that whatever goes wrong can be told."""
    end = EngineEnd(source, sink, _program_version())
    announcer = Announcer(end.emit)
    try:
        await _work(folder, environment, end, announcer)
    except ExpectedError as error:
        log.error("cannot work with this folder: %s", error)
        announcer.tell(Trouble(error.code, error.detail, error.remedy))
        return EXIT_TROUBLE
    finally:
        announcer.flush()
        await end.close()
    return 0


async def _work(folder: DataFolder, environment: Mapping[str, str], end: EngineEnd, announcer: Announcer) -> None:
    """Build, serve until there is a reason to end, close in reverse order."""
    stop = asyncio.Event()
    _on_signals(stop.set)
    async with AsyncExitStack() as stack:
        lock = FolderLock(folder.lock)
        lock.take()
        stack.callback(lock.release)
        tables = open_tables(folder.database, lambda: datetime.now(UTC))
        stack.callback(tables.db.close)
        threads = StoreThreads()
        stack.callback(threads.close)
        house = House(folder, environment, announcer, tables, threads, stop.set)
        stack.push_async_callback(house.close)
        announcer.tell(EngineReady(age_ms(), model_label(house.settings.now)))
        serving = asyncio.create_task(end.serve(house.commands.handle, house.queries.answer))
        opening = asyncio.create_task(house.open())
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        log.info("ending: %s", "asked to" if stop.is_set() else "the window is gone")
        for task in (serving, stopping, opening):
            task.cancel()
        await asyncio.gather(serving, stopping, opening, return_exceptions=True)


def _on_signals(stop: Callable[[], None]) -> None:
    """SIGTERM and Ctrl+C end the engine in order."""
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
