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
from functools import partial
from pathlib import Path

from app.config import logs
from app.config.paths import DataFolder, program_version
from app.config.secrets import Secrets
from app.domain.errors import ExpectedError, StoreCopied
from app.domain.protocol.events import EngineReady, ErrorReported
from app.engine.process.maintenance import Maintenance
from app.engine.process.services import EngineServices
from app.engine.process.store_opening import finish_wipe, keep_noted, open_store, origin_of, report_repair
from app.engine.runtime.background_imports import spare, still_loading
from app.engine.runtime.clock import SteadyClock, keep
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.process_control import EngineExit, FolderLock, age_ms
from app.engine.runtime.workers import WorkerSupervisor
from app.link.server import ServerEnd, take_standard_streams
from app.store.maintenance import backups
from app.store.requests.artifacts import ArtifactFolder

log = logging.getLogger(__name__)

EXIT_ERROR = 3

SHUTDOWN_S = 10.0
"""How long commands under way may take at the end."""

SIGN_IN_VARIABLE = "REPLYROOM_GOOGLE_TOKEN"
"""A sign-in from the environment. It must not bring a wiped account back at once."""

COLLECTED_AT = (20_000, 20, 20)
"""Mail is many small tuples that die young. A collection after every 700 of them finds nothing."""

SWITCH_S = 0.001
"""How long a thread may keep Python to itself. With 5 ms a search took 0.1 to 0.4 s while agents were imported, since it gives
Python up at each row; with 1 ms it takes 10 ms.
"""

ONLY_OURS = 0o077
"""umask: other users get no rights on any file, including logs, checkpoints and vectors that libraries write."""


def run_engine(data: Path, environment: Mapping[str, str], wall_s: Callable[[], float] = time.time) -> int:
    """Serves one data folder over standard input and output.

    Runs until `Shutdown`, the end of the input or SIGTERM, and then returns 0. Returns `EXIT_RESTART` after damage, a wipe or
    lost vectors, which the next start repairs, and 3 when the folder cannot be used (an event says why). `wall_s` is the
    machine's clock in Unix seconds; it may jump.
    """
    gc.set_threshold(*COLLECTED_AT)
    sys.setswitchinterval(SWITCH_S)
    os.umask(ONLY_OURS)
    spare()
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
    end = ServerEnd(source, sink, program_version())
    announcer = EventBus(end.emit)
    try:
        return await _work(folder, environment, end, announcer, clock)
    except ExpectedError as error:
        log.error("cannot work with this folder: %s", error)
        announcer.tell(ErrorReported.of(error))
        return EXIT_ERROR
    finally:
        announcer.flush()
        await end.close()


async def _work(
    folder: DataFolder, environment: Mapping[str, str], end: ServerEnd, announcer: EventBus, clock: SteadyClock
) -> int:
    """Locks and opens the data folder, serves until the end, closes everything and returns the exit code."""
    async with AsyncExitStack() as stack:
        stack.enter_context(FolderLock(folder.lock))
        exits, secrets = EngineExit(), Secrets()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            if sys.platform == "win32":
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(exits.stop))
            else:
                loop.add_signal_handler(number, exits.stop)
        if await finish_wipe(folder, clock, secrets, announcer):
            environment = {name: value for name, value in environment.items() if name != SIGN_IN_VARIABLE}
        tables, recovery = await open_store(folder, clock, exits, announcer)
        unclean = backups.begin(folder.database)
        stack.callback(backups.end, folder.database)
        stack.callback(tables.db.close)
        origin = await asyncio.to_thread(origin_of, folder.database)
        doubted = await asyncio.to_thread(origin.settle, tables.db, clock())
        stack.callback(origin.note, tables.db)
        stack.callback(tables.threads.close)
        services = EngineServices(folder, environment, announcer, tables, exits, secrets)
        stack.push_async_callback(services.close)
        workers = WorkerSupervisor(announcer)
        stack.push_async_callback(workers.stop)
        announcer.tell(EngineReady(age_ms(), services.settings.now.model.name))
        if recovery is not None:
            report_repair(recovery, tables, announcer)
        if doubted:
            announcer.tell(ErrorReported.of(StoreCopied(doubted)))
        workers.start("clock", partial(keep, clock, tables))
        workers.start("origin", partial(keep_noted, origin, tables))
        workers.start("upkeep", Maintenance(tables, announcer, unclean, ArtifactFolder(folder.artifacts)).run)
        serving = asyncio.create_task(end.serve(services.commands.handle, services.commands.answer))
        serving.add_done_callback(lambda _: exits.stop())
        stack.push_async_callback(end.finish, SHUTDOWN_S)
        stack.callback(services.commands.give_up_sign_ins)
        stack.callback(serving.cancel)
        stack.callback(tables.threads.stop_waiting)
        opening = asyncio.create_task(services.open())
        code = await exits.wait()
        log.info("ending with code %d: %s", code, "the window is gone" if serving.done() else "asked to")
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)
    return code
