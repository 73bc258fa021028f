"""The client side of the protocol over asyncio pipes: starts the engine as a child process."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import IO

from app.domain.wire import Answer, Command, Event, Query
from app.link.client import Answered, ClientEnd, Failed, Received
from app.link.codec import Hello
from app.link.frames import LinkBroken, LinkClosed

READ_BYTES = 256 * 1024


class EngineClient:
    def __init__(self, process: asyncio.subprocess.Process, program: str) -> None:
        self._process = process
        self._end = ClientEnd(program)
        self._waiting: dict[int, asyncio.Future[Answer | None]] = {}
        self._listeners: list[Callable[[Event], None]] = []
        self._closed = False
        self._write(self._end.hello())
        self._reading = asyncio.create_task(self._read())
        self.engine: Hello | None = None

    @classmethod
    async def start(
        cls, command: Sequence[str], environment: Mapping[str, str], program: str, stderr: IO[bytes] | None = None
    ) -> "EngineClient":
        """Starts `command` and sends hello. Returns before the engine is ready. Its standard error goes to `stderr`."""
        process = await asyncio.create_subprocess_exec(
            *command, env=dict(environment), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=stderr
        )
        return cls(process, program)

    @property
    def pid(self) -> int:
        """The engine's process id."""
        return self._process.pid

    def send(self, command: Command) -> "asyncio.Future[Answer | None]":
        """Sends a command. The future is done when the engine has handled it; the outcome comes as events."""
        number, data = self._end.command(command)
        return self._expect(number, data)

    async def ask(self, query: Query) -> Answer:
        """Sends a query and awaits its answer; cancelling withdraws it. Raises `ExpectedError`, or `LinkClosed` when the engine
        is gone.
        """
        number, data = self._end.query(query)
        try:
            answer = await self._expect(number, data)
        except asyncio.CancelledError:
            self._write(self._end.cancel(number))
            raise
        if answer is None:
            raise LinkBroken(f"The engine answered {type(query).__name__} with nothing.")
        return answer

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Calls `listener` with each event from now on. Returns a function that unsubscribes."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def kill(self) -> None:
        """Kills the engine, as a crash would."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def wait(self) -> int:
        """Waits for the engine's end and returns its exit code. Raises `LinkBroken` where it sent invalid data and was killed."""
        code = await self._process.wait()
        await self._reading
        return code

    async def close(self) -> int:
        """Closes the engine's input, as an ending window does, and waits. Returns its exit code."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        return await self.wait()

    def _expect(self, number: int, data: bytes) -> "asyncio.Future[Answer | None]":
        future: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        if self._closed:
            future.set_exception(LinkClosed("The engine is gone."))
            return future
        self._waiting[number] = future
        future.add_done_callback(lambda _: self._waiting.pop(number, None))
        self._write(data)
        return future

    def _write(self, data: bytes) -> None:
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(data)

    async def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            while data := await self._process.stdout.read(READ_BYTES):
                for received in self._end.receive(data):
                    self._deliver(received)
        except LinkBroken:
            self.kill()  # else it runs on, and `wait` never returns
            raise
        finally:
            self._closed = True
            for future in list(self._waiting.values()):
                if not future.done():
                    future.set_exception(LinkClosed("The engine is gone."))
                    future.exception()  # avoids "exception was never retrieved": a command may not be awaited

    def _deliver(self, received: Received) -> None:
        if isinstance(received, Hello):
            self.engine = received
        elif isinstance(received, Answered | Failed):
            future = self._waiting.get(received.number)
            if future is None or future.done():
                return
            if isinstance(received, Failed):
                future.set_exception(received.error)
            else:
                future.set_result(received.answer)
        else:
            for listener in tuple(self._listeners):
                listener(received)
