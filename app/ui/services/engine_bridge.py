"""The window's end of the link to the engine, a child process over QProcess that is restarted when it dies.

Commands keep their order until the engine has answered them, and are sent again after a restart of the engine or of the program.
So each may be written twice; decisions and letters carry their revision, so none counts twice. The engine answers in order: one
that ends the engine is the first without an answer, and after some deaths it is given up while the others stay. An engine that
exits with `EXIT_RESTART` repairs its data at its next start. It is started again at once, and the open queries are asked again.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QProcess, Signal

from app.domain.error_texts import NO_TEXT, ErrorText
from app.domain.errors import BadFile, ExpectedError
from app.domain.protocol.account_commands import SignInAgain, WindowAttention
from app.domain.protocol.commands import ConnectGmail, ConnectService, Shutdown, StoreKey
from app.domain.protocol.events import CommandFailed, EngineReady, command_failed
from app.domain.wire import Answer, Command, Event, Query
from app.link.frames import EXIT_RESTART, LinkBroken, LinkClosed
from app.ui.services.async_task import single_shot
from app.ui.services.engine_process import spawn
from app.ui.services.notices import ErrorBoundary

NEVER_KEPT = (Shutdown, StoreKey, WindowAttention, SignInAgain, ConnectGmail, ConnectService)
"""Valid in this run only: no browser opens by itself at the next start, and no secret is written to a file."""

GIVEN_UP_AFTER = 4
"""Number of times in a row that the engine died over the same command."""


class PendingCommands:
    """A queue of commands. Call `take` before writing, `written` after it, `done` after the answer, `engine_died` after a
    crash and `engine_restarts` after an end that the engine chose. `kept` is the file for commands left at quit.
    """

    def __init__(self, kept: Path | None = None) -> None:
        self._kept = kept
        self._waiting: list[Command] = []
        self._unanswered: dict[int, Command] = {}
        self._suspect: Command | None = None
        self._deaths = 0
        self._session_keys: dict[str, StoreKey] = {}
        self._file_exists = False

    def add(self, command: Command) -> None:
        self._waiting.append(command)

    def take(self) -> Command | None:
        return self._waiting.pop(0) if self._waiting else None

    def written(self, number: int, command: Command) -> None:
        self._unanswered[number] = command

    def done(self, number: int) -> Command | None:
        """Removes an answered command and returns it. None if the number belongs to no command."""
        command = self._unanswered.pop(number, None)
        if isinstance(command, StoreKey):
            self._session_keys.pop(command.provider, None)
            if command.session_only and command.key:
                self._session_keys[command.provider] = command
        if self._file_exists and not self._waiting and not self._unanswered and self._kept is not None:
            self._kept.unlink(missing_ok=True)
            self._file_exists = False
        return command

    def engine_died(self) -> Command | None:
        """Puts unanswered commands back in front of the queue. Returns the one that is given up, or None."""
        number, first = next(iter(self._unanswered.items()), (0, None))
        self._deaths = self._deaths + 1 if first is self._suspect else 1
        self._suspect = first
        given_up = self.done(number) if self._deaths >= GIVEN_UP_AFTER else None
        self.engine_restarts()
        return given_up

    def engine_restarts(self) -> None:
        """Puts unanswered commands, and keys that only the engine's memory held, back in front of the queue."""
        back = [one for one in self._unanswered.values() if not isinstance(one, Shutdown)]
        self._unanswered.clear()
        self._waiting = [*self._session_keys.values(), *back, *self._waiting]
        self._session_keys = {}

    def load(self) -> None:
        """Puts the commands left at the last quit first. Raises `BadFile` for an unreadable file, which is renamed to
        `.unreadable`.
        """
        if self._kept is None or not self._kept.exists():
            return
        from app.link import codec
        from app.link.frames import FrameDecoder

        decoder = FrameDecoder()
        try:
            loaded = [codec.decode_command(frame) for frame in decoder.feed(self._kept.read_bytes())]
            if decoder.pending_bytes:
                raise LinkBroken("The last command is cut short.")
        except (LinkBroken, OSError) as error:
            aside = self._kept.with_suffix(".unreadable")
            self._kept.replace(aside)
            raise BadFile(str(aside), 0, str(error), "Look at the reviews you decided last; decide them again.") from error
        self._waiting = [*loaded, *self._waiting]
        self._file_exists = True

    def keep(self) -> None:
        """Writes unanswered commands to the file (mode 0600). Deletes the file when there are none. Raises `OSError`."""
        left = [one for one in (*self._unanswered.values(), *self._waiting) if not isinstance(one, NEVER_KEPT)]
        if self._kept is None:
            return
        if not left:
            self._kept.unlink(missing_ok=True)
            return
        from app.link import codec
        from app.link.frames import pack

        beside = self._kept.with_suffix(".new")
        beside.touch(mode=0o600)
        with beside.open("wb") as file:
            file.writelines(pack(codec.command_frame(command, number)) for number, command in enumerate(left, 1))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self._kept)
        self._file_exists = True


if TYPE_CHECKING:
    import asyncio

    from app.link.client import ClientEnd, Received

FIRST_RETRY_S = 0.5
LONGEST_RETRY_S = 30.0
STOP_MS = 5000
TURN_S = 0.008
"""Half a frame: the longest time spent on engine output before input and painting have their turn."""


@dataclass(eq=False, slots=True)
class OpenQuery:
    """A query without an answer. `number` is the one that the running engine knows it by, 0 while none does."""

    query: Query
    future: "asyncio.Future[Answer]"
    number: int = 0


class EngineBridge(QObject):
    """Implements `EngineLink`. Emits `down(seconds)` with the delay until the restart when the engine died, and `repairs` when
    it exits to repair its data. `kept` is the file for commands left at quit; `first` is an engine process spawned earlier;
    `clock` counts seconds.
    """

    down = Signal(float)
    repairs = Signal()
    started = Signal()

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        program: str,
        kept: Path | None = None,
        first: QProcess | None = None,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        super().__init__()
        self._clock = clock
        self._command = list(command)
        self._program = program
        self._environment = dict(environment)
        self._first = first
        self._listeners: list[Callable[[Event], None]] = []
        self._undelivered = PendingCommands(kept)
        self._loaded = False
        self._asked: list[OpenQuery] = []
        self._restarting = False
        self._end: ClientEnd | None = None
        self._process: QProcess | None = None
        self._ended_process: QProcess | None = None
        self._retry_s = FIRST_RETRY_S
        self._stopping = False
        self._timer = single_shot(self, self.start)
        self._read_later = single_shot(self, self._read)

    @property
    def pid(self) -> int:
        return int(self._process.processId()) if self._process is not None else 0

    def start(self) -> None:
        if self._process is not None or self._stopping:
            return
        from app.link.client import ClientEnd

        process, self._first = self._first or spawn(self._command, self._environment), None
        # Methods are disconnected when this object is destroyed; lambdas would still be called.
        process.readyReadStandardOutput.connect(self._arrived)
        process.finished.connect(self._ended)
        process.errorOccurred.connect(self._failed)
        self._process, self._end = process, ClientEnd(self._program)
        process.write(self._end.hello())
        if not self._loaded:
            self._loaded = True
            try:
                self._undelivered.load()
            except ExpectedError as error:
                self._notify(CommandFailed("", error.code, ErrorText.of(str(error))))
        self._write_commands()
        for asked in self._asked:
            self._write_query(asked)
        if not self._restarting:
            self.started.emit()
        self._restarting = False
        # Output, or the end, of an engine spawned earlier: its signals were not connected then.
        if process.state() is QProcess.ProcessState.NotRunning:
            self._ended(process.exitCode(), process.exitStatus())
        elif process.bytesAvailable():
            self._read()

    def send(self, command: Command) -> None:
        """Writes a command, or keeps it until the engine is back. One that cannot be encoded is reported as an event."""
        self._undelivered.add(command)
        if self._process is not None:
            self._write_commands()
        elif self._loaded and not self._stopping:
            self._save_commands()

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Calls `listener` with each event. Returns a function that unsubscribes."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def stop(self) -> None:
        """Asks the engine to end and kills it after five seconds. Keeps unanswered commands in the file."""
        self._stopping = True
        self._timer.stop()
        process = self._process
        if process is not None:
            self.send(Shutdown())
            if not process.waitForFinished(STOP_MS):
                process.kill()
                process.waitForFinished(STOP_MS)
        self._save_commands()

    async def ask(self, query: Query) -> Answer:
        """Awaits an answer; cancelling withdraws the query. Raises `LinkClosed` while the engine is down, else the engine's
        `ExpectedError`.
        """
        import asyncio

        if self._process is None and not self._restarting:
            raise LinkClosed("The engine is not running.")
        asked = OpenQuery(query, asyncio.get_running_loop().create_future())
        self._asked.append(asked)
        try:
            self._write_query(asked)
            return await asked.future
        except asyncio.CancelledError:
            if self._process is not None and self._end is not None and asked.number:
                self._process.write(self._end.cancel(asked.number))
            raise
        finally:
            self._asked.remove(asked)

    def _write_query(self, asked: OpenQuery) -> None:
        if self._process is not None and self._end is not None and not asked.future.done():
            asked.number, data = self._end.query(asked.query)
            self._process.write(data)

    def _query(self, number: int) -> "asyncio.Future[Answer] | None":
        return next((one.future for one in self._asked if one.number == number and not one.future.done()), None)

    def _arrived(self) -> None:
        if not self._read_later.isActive():
            self._read()

    def _failed(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._ended()

    def _read(self, turn_s: float = TURN_S) -> None:
        """Handles the engine's output for at most `turn_s` seconds. The rest waits for the next turn of the loop."""
        process, end = self._process, self._end
        if process is None or end is None:
            return
        over = self._clock() + turn_s
        try:
            for received in end.receive(bytes(process.readAllStandardOutput().data())):
                self._deliver(received)
                if self._clock() >= over:
                    self._read_later.start(0)
                    return
        except LinkBroken as error:
            self._notify(CommandFailed("", error.code, error.text))
            process.kill()

    def _deliver(self, received: "Received") -> None:
        from app.link.client import Answered, Failed
        from app.link.codec import Hello

        if isinstance(received, Hello):
            return
        if isinstance(received, Answered):
            self._answered(received.number)
            future = self._query(received.number)
            if future is not None and received.answer is not None:
                future.set_result(received.answer)
        elif isinstance(received, Failed):
            command = self._answered(received.number)
            if command is not None:
                self._notify(command_failed(command, received.error.code, received.error.text))
            future = self._query(received.number)
            if future is not None:
                future.set_exception(received.error)
        else:
            if isinstance(received, EngineReady):
                self._retry_s = FIRST_RETRY_S
            self._notify(received)

    def _write_commands(self) -> None:
        while self._process is not None and self._end is not None and (command := self._undelivered.take()) is not None:
            try:
                number, data = self._end.command(command)
            except ExpectedError as error:
                self._notify(command_failed(command, error.code, error.text))
                continue
            self._undelivered.written(number, command)
            self._process.write(data)

    def _answered(self, number: int) -> Command | None:
        command = self._undelivered.done(number)
        self._write_commands()
        return command

    def _save_commands(self) -> None:
        try:
            self._undelivered.keep()
        except OSError as error:
            self._notify(CommandFailed("", "trouble", ErrorText.of(str(error))))

    def _notify(self, event: Event) -> None:
        for listener in tuple(self._listeners):
            with ErrorBoundary():
                listener(event)

    def _ended(self, code: int = 0, status: QProcess.ExitStatus = QProcess.ExitStatus.CrashExit) -> None:
        self._read_later.stop()
        self._read(inf)
        process, self._process, self._end = self._process, None, None
        if process is None:
            return
        self._ended_process = process  # it is still emitting signals and must outlive them
        self._restarting = status is QProcess.ExitStatus.NormalExit and code == EXIT_RESTART and not self._stopping
        if self._restarting:
            self._undelivered.engine_restarts()
            for asked in self._asked:
                asked.number = 0
            self.repairs.emit()
            self._timer.start(0)
        else:
            self._died()

    def _died(self) -> None:
        """Fails open queries, keeps commands and schedules the start with a growing delay."""
        for asked in self._asked:
            if not asked.future.done():
                asked.future.set_exception(LinkClosed("The engine stopped."))
        if self._stopping:
            return
        given_up = self._undelivered.engine_died()
        if given_up is not None:
            self._notify(command_failed(given_up, "engine_ended", NO_TEXT))
        self.down.emit(self._retry_s)
        self._timer.start(round(self._retry_s * 1000))
        self._retry_s = min(LONGEST_RETRY_S, self._retry_s * 2)
