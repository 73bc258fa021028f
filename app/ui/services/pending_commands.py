"""Commands that the engine has not answered. Keeps their order, sends them again after a crash and keeps them across a quit.

Every command may be written twice, since decisions and letters carry their revision. The engine answers in order, so one that
ends the engine is the first without an answer; after some deaths it is given up and the others stay.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from app.domain.protocol.account_commands import SignInAgain, WindowAttention
from app.domain.protocol.commands import ConnectGmail, ConnectService, Shutdown, StoreKey
from app.domain.wire import Command

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
        try:
            loaded = _unpacked(self._kept.read_bytes())
        except _unreadable() as error:
            from app.domain.errors import BadFile

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
        beside = self._kept.with_suffix(".new")
        beside.touch(mode=0o600)
        with beside.open("wb") as file:
            file.write(_packed(left))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self._kept)
        self._file_exists = True


def _packed(commands: Iterable[Command]) -> bytes:
    from app.link import codec
    from app.link.frames import pack

    return b"".join(pack(codec.command_frame(command, number)) for number, command in enumerate(commands, 1))


def _unpacked(data: bytes) -> list[Command]:
    """Raises the exceptions that `_unreadable` names."""
    from app.link import codec
    from app.link.frames import FrameDecoder, LinkBroken

    decoder = FrameDecoder()
    commands = [codec.decode_command(frame) for frame in decoder.feed(data)]
    if decoder.pending_bytes:
        raise LinkBroken("The last command is cut short.")
    return commands


def _unreadable() -> tuple[type[Exception], ...]:
    from app.link.frames import LinkBroken

    return (LinkBroken, OSError)
