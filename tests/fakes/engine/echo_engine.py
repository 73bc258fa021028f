"""A child process with a real `ServerEnd` and no engine, for tests of the link.

Commands: SyncNow prints to standard output (which must not reach the link) and emits an event; PauseAgents raises; Shutdown ends
the process. Queries: SearchMail("slow") waits forever, "boom" raises a bug, "offline" an expected error; any other returns its
limit.
"""

import asyncio
import sys

from app.domain.errors import Offline
from app.domain.ids import ThreadId
from app.domain.protocol.commands import PauseAgents, SearchMail, Shutdown, SyncNow, ThreadIds
from app.domain.protocol.events import IndexProgress
from app.domain.protocol.queries import FindMail, FindSimilar, FoundMails, SimilarityState, SimilarMails
from app.domain.wire import Answer, Command, Query
from app.link.server import ServerEnd, take_standard_streams


async def main() -> None:
    """Serves until the input ends or Shutdown arrives."""
    source, sink = take_standard_streams()
    end = ServerEnd(source, sink, "echo")
    stop = asyncio.Event()
    cancelled = 0

    async def on_command(command: Command) -> None:
        match command:
            case SyncNow():
                print("a stray print", flush=True)
                end.emit(IndexProgress(1, 2))
            case PauseAgents():
                raise RuntimeError("a bug")
            case Shutdown():
                stop.set()

    async def on_query(query: Query) -> Answer:
        nonlocal cancelled
        if isinstance(query, FindMail):
            return FoundMails((), more=False)
        if isinstance(query, FindSimilar):
            return SimilarMails((), SimilarityState.NO_WORDS)
        assert isinstance(query, SearchMail)
        if query.text == "slow":
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                cancelled += 1
                end.emit(IndexProgress(cancelled, -1))
                raise
        if query.text == "boom":
            raise RuntimeError("a bug")
        if query.text == "offline":
            raise Offline("no route")
        return ThreadIds((ThreadId(query.limit),))

    serving = asyncio.create_task(end.serve(on_command, on_query))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
    serving.cancel()
    stopping.cancel()
    await end.close()
    sys.stderr.write("in order\n")


if __name__ == "__main__":
    asyncio.run(main())
