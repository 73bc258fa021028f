"""The engine's end of the connection: reads commands and queries, writes answers and events.

An unknown command or query is answered as failed; a broken frame, a reused number or the end of the input ends `serve`. Standard
input and output are read and written by two threads, because asyncio's pipe transports cannot read the pipes a parent on Windows
hands over.
"""

import asyncio
import contextlib
import logging
import os
import queue
import sys
import threading
from collections.abc import Awaitable, Callable
from functools import partial

from app.domain.error_texts import ErrorText
from app.domain.errors import ExpectedError, NotAllowed
from app.domain.wire import Answer, Command, Event, Query
from app.link import codec
from app.link.frames import Frame, FrameDecoder, FrameKind, LinkBroken, pack

log = logging.getLogger(__name__)

MAX_QUEUED_BYTES = 64 * 1024 * 1024
READ_BYTES = 256 * 1024


def take_standard_streams() -> tuple[int, int]:
    """Takes standard input and output for the connection and returns their descriptors.

    Afterwards `print` goes to standard error and nothing else can read the input.
    """
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(nothing, 1)
    os.close(nothing)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(source, os.O_BINARY)
        msvcrt.setmode(sink, os.O_BINARY)
    return source, sink


class PipeReader:
    """Reads a descriptor in a thread and passes chunks to the loop."""

    def __init__(self, descriptor: int, loop: asyncio.AbstractEventLoop) -> None:
        self._descriptor, self._loop = descriptor, loop
        self._chunks: asyncio.Queue[bytes | None] = asyncio.Queue()
        threading.Thread(target=self._run, name="link-reader", daemon=True).start()

    async def read(self) -> bytes | None:
        """The next chunk, None at the end of the stream."""
        return await self._chunks.get()

    def stop(self) -> None:
        """Ends the stream for `read`, whatever the descriptor still receives. Call it in the loop."""
        self._chunks.put_nowait(None)

    def _run(self) -> None:
        while True:
            try:
                data = os.read(self._descriptor, READ_BYTES)
            except OSError:
                data = b""
            with contextlib.suppress(RuntimeError):  # the loop is closed: the process is ending
                self._loop.call_soon_threadsafe(self._chunks.put_nowait, data or None)
            if not data:
                return


class PipeWriter:
    """Writes queued bytes to a descriptor in a thread. `lost()` is called in the loop when the reader is gone or stuck."""

    def __init__(self, descriptor: int, loop: asyncio.AbstractEventLoop, lost: Callable[[], None]) -> None:
        self._descriptor, self._loop, self._lost = descriptor, loop, lost
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._queued_bytes = 0
        self._thread = threading.Thread(target=self._run, name="link-writer", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Queues bytes. Call it from the loop's thread only."""
        self._queued_bytes += len(data)
        if self._queued_bytes > MAX_QUEUED_BYTES:
            self._lost()
        else:
            self._queue.put(data)

    def close(self, timeout_s: float) -> None:
        """Writes what is queued, for at most `timeout_s`, and stops. Blocks: call it in a thread or at the very end."""
        self._queue.put(None)
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while (data := self._queue.get()) is not None:
            view = memoryview(data)
            try:
                while view:
                    view = view[os.write(self._descriptor, view) :]
            except OSError:
                self._tell(self._lost)
                return
            self._tell(partial(self._written, len(data)))

    def _written(self, size: int) -> None:
        self._queued_bytes -= size

    def _tell(self, call: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call)


CommandHandler = Callable[[Command], Awaitable[None]]
QueryHandler = Callable[[Query], Awaitable[Answer]]


class ServerEnd:
    """One connection. Create it in the running loop; it owns the descriptors `source` and `sink`."""

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
        """Sends an event without blocking. Has no effect once the window is gone."""
        self._write(codec.event_frame(event))

    async def serve(self, on_command: CommandHandler, on_query: QueryHandler) -> None:
        """Serves until the input ends, the window stops reading, or it sends invalid data (logged).

        Commands start in order of arrival. Handlers should not raise; their exceptions are logged as bugs.
        """
        try:
            while (data := await self._reader.read()) is not None:
                for frame in self._decoder.feed(data):
                    self._dispatch(frame, on_command, on_query)
        except LinkBroken as error:
            log.error("the window's end of the wire is broken: %s", error)

    async def finish(self, timeout_s: float) -> None:
        """Cancels open queries and waits for running commands. What is not answered, the window sends again."""
        for task in self._queries.values():
            task.cancel()
        waiting = [*self._queries.values(), *self._commands]
        if waiting:
            await asyncio.wait(waiting, timeout=timeout_s)

    async def close(self, timeout_s: float = 2.0) -> None:
        """Finishes what was begun and writes what is queued."""
        await self.finish(timeout_s)
        await asyncio.to_thread(self._writer.close, timeout_s)

    def _dispatch(self, frame: Frame, on_command: CommandHandler, on_query: QueryHandler) -> None:
        if not self._greeted:
            codec.check_hello(frame)
            self._greeted = True
        elif frame.kind in (FrameKind.COMMAND, FrameKind.QUERY):
            if frame.number <= self._newest:
                raise LinkBroken(f"{frame.kind} {frame.number} came again; the last number was {self._newest}.")
            self._newest = frame.number
            try:
                self._begin(frame, on_command, on_query)
            except LinkBroken as error:
                log.error("%s %d is refused: %s", frame.kind, frame.number, error)
                self._write(codec.failed_frame(error.code, error.text, frame.number))
        elif frame.kind is FrameKind.CANCEL:
            if frame.number in self._queries:
                self._queries[frame.number].cancel()
        else:
            raise LinkBroken(f"The window sent a {frame.kind} frame.")

    def _begin(self, frame: Frame, on_command: CommandHandler, on_query: QueryHandler) -> None:
        """Starts a command or query. Raises `LinkBroken` for an unknown one."""
        if frame.kind is FrameKind.COMMAND:
            command = asyncio.create_task(self._run_command(frame.number, codec.decode_command(frame), on_command))
            self._commands.add(command)
            command.add_done_callback(self._commands.discard)
        else:
            query = asyncio.create_task(self._run_query(frame.number, codec.decode_query(frame), on_query))
            self._queries[frame.number] = query
            query.add_done_callback(lambda _: self._queries.pop(frame.number, None))

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
            frame = codec.failed_frame(error.code, error.text, number)
        except Exception as error:
            log.exception("query %s failed", type(query).__name__)
            frame = codec.failed_frame("bug", ErrorText.of(type(error).__name__), number)
        self._write(frame)

    def _write(self, frame: Frame) -> None:
        try:
            self._writer.write(pack(frame))
        except NotAllowed as error:
            log.error("a frame was not sent: %s", error)
            if frame.kind is FrameKind.ANSWER:
                self._writer.write(pack(codec.failed_frame(error.code, error.text, frame.number)))
