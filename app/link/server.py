"""The engine's end of the wire: reads commands and queries, writes answers and events.

Refuses to decide anything: what a command does is the engine's matter. A command or query that is none is answered as failed; a
broken frame, a number that was used before, or the end of the input ends `serve`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from app.domain.commands import Answer, Command, Query
from app.domain.errors import ExpectedError, Refused
from app.domain.events import Event
from app.link import codec
from app.link.codec import Failure
from app.link.decoder import FrameDecoder
from app.link.errors import LinkBroken
from app.link.frames import Frame, FrameKind, pack
from app.link.streams import PipeReader, PipeWriter

log = logging.getLogger(__name__)

CommandHandler = Callable[[Command], Awaitable[None]]
QueryHandler = Callable[[Query], Awaitable[Answer]]


class EngineEnd:
    """One connection. Build it inside the running loop; `source` and `sink` are descriptors it owns from then on."""

    def __init__(self, source: int, sink: int, program: str) -> None:
        loop = asyncio.get_running_loop()
        self._reader = PipeReader(source, loop)
        self._writer = PipeWriter(sink, loop, self._reader.stop)
        self._decoder = FrameDecoder()
        self._greeted = False
        self._newest = 0
        self._queries: dict[int, asyncio.Task[None]] = {}
        self._commands: set[asyncio.Task[None]] = set()
        self._write(codec.hello_frame(program))

    def emit(self, event: Event) -> None:
        """Send an event. Never blocks; after the window is gone it does nothing that matters."""
        self._write(codec.event_frame(event))

    async def serve(self, on_command: CommandHandler, on_query: QueryHandler) -> None:
        """Serve until the input ends, the window stops reading, or it sends nonsense (logged). Commands start in the order of
        their arrival; handlers must not raise (what they raise is logged as a bug)."""
        try:
            while (data := await self._reader.read()) is not None:
                for frame in self._decoder.feed(data):
                    self._dispatch(frame, on_command, on_query)
        except LinkBroken as error:
            log.error("the window's end of the wire is broken: %s", error)

    async def close(self, timeout_s: float = 2.0) -> None:
        """Cancel open queries, wait for commands under way, write what is queued."""
        for task in self._queries.values():
            task.cancel()
        waiting = [*self._queries.values(), *self._commands]
        if waiting:
            await asyncio.wait(waiting, timeout=timeout_s)
        await asyncio.to_thread(self._writer.close, timeout_s)

    def _dispatch(self, frame: Frame, on_command: CommandHandler, on_query: QueryHandler) -> None:
        if not self._greeted:
            codec.check_hello(frame)
            self._greeted = True
        elif frame.kind in (FrameKind.COMMAND, FrameKind.QUERY):
            self._check_number(frame)
            try:
                self._begin(frame, on_command, on_query)
            except LinkBroken as error:
                log.error("%s %d is refused: %s", frame.kind, frame.number, error)
                self._write(codec.failed_frame(codec.failure_of(error), frame.number))
        elif frame.kind is FrameKind.CANCEL:
            if frame.number in self._queries:
                self._queries[frame.number].cancel()
        else:
            raise LinkBroken(f"The window sent a {frame.kind} frame.")

    def _begin(self, frame: Frame, on_command: CommandHandler, on_query: QueryHandler) -> None:
        """Start what a frame asks for. Raises `LinkBroken` where that is nothing this program knows."""
        if frame.kind is FrameKind.COMMAND:
            command = asyncio.create_task(self._run_command(frame.number, codec.decode_command(frame), on_command))
            self._commands.add(command)
            command.add_done_callback(self._commands.discard)
        else:
            query = asyncio.create_task(self._run_query(frame.number, codec.decode_query(frame), on_query))
            self._queries[frame.number] = query
            query.add_done_callback(partial(self._forget, frame.number))

    def _check_number(self, frame: Frame) -> None:
        """Numbers grow: one that does not was heard before."""
        if frame.number <= self._newest:
            raise LinkBroken(f"{frame.kind} {frame.number} came again; the last number was {self._newest}.")
        self._newest = frame.number

    def _forget(self, number: int, _task: "asyncio.Task[None]") -> None:
        self._queries.pop(number, None)

    async def _run_command(self, number: int, command: Command, handler: CommandHandler) -> None:
        try:
            await handler(command)
        except Exception:
            log.exception("command %s failed", type(command).__name__)
        self._write(codec.answer_frame(None, number))

    async def _run_query(self, number: int, query: Query, handler: QueryHandler) -> None:
        try:
            frame = codec.answer_frame(await handler(query), number)
        except ExpectedError as error:
            frame = codec.failed_frame(codec.failure_of(error), number)
        except Exception as error:
            log.exception("query %s failed", type(query).__name__)
            frame = codec.failed_frame(Failure("bug", type(error).__name__, ""), number)
        self._write(frame)

    def _write(self, frame: Frame) -> None:
        try:
            self._writer.write(pack(frame))
        except Refused as error:
            log.error("a frame was not sent: %s", error)
            if frame.kind is FrameKind.ANSWER:
                self._writer.write(pack(codec.failed_frame(codec.failure_of(error), frame.number)))
