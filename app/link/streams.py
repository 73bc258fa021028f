"""Standard input and output as the wire: taken away from everybody else, read and written by two threads.

Threads, not asyncio's pipe transports: those cannot read the pipes that a parent on Windows hands over.
Refuses to hold back a loop: writes are queued, and a reader that never reads ends the connection at `MAX_QUEUED_BYTES`.
"""

import asyncio
import contextlib
import os
import queue
import sys
import threading
from collections.abc import Callable
from functools import partial

MAX_QUEUED_BYTES = 64 * 1024 * 1024
READ_BYTES = 256 * 1024


def take_standard_streams() -> tuple[int, int]:
    """Descriptors (in, out) for the wire. Afterwards a stray `print` goes to standard error and nobody else reads the input."""
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
    """Reads a descriptor in a thread and hands chunks to the loop; `None` marks the end."""

    def __init__(self, descriptor: int, loop: asyncio.AbstractEventLoop) -> None:
        self._descriptor = descriptor
        self._loop = loop
        self._chunks: asyncio.Queue[bytes | None] = asyncio.Queue()
        threading.Thread(target=self._run, name="link-reader", daemon=True).start()

    async def read(self) -> bytes | None:
        """The next chunk, None at the end of the stream."""
        return await self._chunks.get()

    def stop(self) -> None:
        """Say that the stream ended, whatever the descriptor still brings; called in the loop."""
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
    """Writes queued bytes to a descriptor in a thread; `lost()` is called in the loop when the reader is gone or stuck."""

    def __init__(self, descriptor: int, loop: asyncio.AbstractEventLoop, lost: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._loop = loop
        self._lost = lost
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._queued_bytes = 0
        self._thread = threading.Thread(target=self._run, name="link-writer", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Queue bytes; called from the loop's thread only."""
        self._queued_bytes += len(data)
        if self._queued_bytes > MAX_QUEUED_BYTES:
            self._lost()
        else:
            self._queue.put(data)

    def close(self, timeout_s: float) -> None:
        """Write what is queued, for at most `timeout_s`, and stop. Blocks: call it off the loop or at the very end."""
        self._queue.put(None)
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while (data := self._queue.get()) is not None:
            try:
                self._write_all(data)
            except OSError:
                self._tell(self._lost)
                return
            self._tell(partial(self._written, len(data)))

    def _write_all(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]

    def _written(self, size: int) -> None:
        self._queued_bytes -= size

    def _tell(self, call: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call)
