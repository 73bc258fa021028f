"""Allows one window per data folder, by a lock file. A second start brings the first window to the front over a local socket.

The second start waits a short time for an answer, sends one line (only a `mailto:` address counts) and ends. `QtProgram` is the
QApplication because macOS delivers addresses as events, not as arguments.
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCryptographicHash, QEvent, QLockFile, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from app.config.paths import DataFolder

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

CONNECT_MS = 300
HAND_OVER_MS = 3000
LONGEST_LINE = 300_000
"""Bytes: room for the longest allowed address in UTF-8."""
RAISE = b"raise"
WRITE = b"write "


def server_name(root: Path) -> str:
    found = QCryptographicHash.hash(str(root.resolve()).encode(), QCryptographicHash.Algorithm.Sha256)
    return "replyroom-" + bytes(found.toHex().data()).decode()[:16]


def raise_first(root: Path, mailto: str = "") -> bool:
    """Asks the window of this folder to come to the front. It also opens the editor for `mailto`, if given. False if no window
    answers.
    """
    from PySide6.QtNetwork import QLocalSocket  # not needed for the first frame

    socket = QLocalSocket()
    socket.connectToServer(server_name(root))
    if not socket.waitForConnected(CONNECT_MS):
        return False
    socket.write((WRITE + mailto.encode("utf-8", "replace") if mailto else RAISE).replace(b"\n", b" ") + b"\n")
    while socket.bytesToWrite() and socket.waitForBytesWritten(HAND_OVER_MS):
        pass
    socket.disconnectFromServer()
    return True


def start_again() -> None:
    """Starts the program as this process was started, without an address to write to. Call it after the lock is released."""
    from PySide6.QtCore import QProcess

    QProcess.startDetached(sys.executable, [one for one in sys.orig_argv[1:] if not one.lower().startswith("mailto:")])


def listen(
    root: Path, bring_to_front: Callable[[], None], write_to: Callable[[str], None] = lambda _address: None
) -> "QLocalServer":
    """Listens for second starts. Takes over a socket name left by a crash."""
    from PySide6.QtNetwork import QLocalServer

    server = QLocalServer()
    server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
    QLocalServer.removeServer(server_name(root))
    server.listen(server_name(root))

    def read(visitor: "QLocalSocket") -> None:
        """Opens the editor if the line, which is read once it is whole, holds a `mailto:` address."""
        said = bytes(visitor.peek(LONGEST_LINE + 1).data())
        line, end, _rest = said.partition(b"\n")
        if end and line[: len(WRITE) + 7].lower() == WRITE + b"mailto:":
            write_to(line[len(WRITE) :].decode("utf-8", "replace"))
        if end or len(said) > LONGEST_LINE:
            visitor.readyRead.disconnect()
            visitor.readAll()

    def greet() -> None:
        while (visitor := server.nextPendingConnection()) is not None:
            visitor.readyRead.connect(partial(read, visitor))
            visitor.disconnected.connect(visitor.deleteLater)
            bring_to_front()
            if visitor.bytesAvailable():
                read(visitor)

    server.newConnection.connect(greet)
    return server


TRIES = 12
PAUSE_S = 0.25
"""Retry interval: a window that is just starting does not listen yet."""


class SingleInstance:
    """Holds the folder's lock from `raised_other` until `release`. The end of the process releases it too, even after a crash."""

    def __init__(self, data: DataFolder) -> None:
        self._root = data.root
        self._lock = QLockFile(str(data.window_lock))
        self._lock.setStaleLockTime(0)

    def raised_other(self, mailto: str = "") -> bool:
        """Takes the lock. If another window has it, brings that window to the front with `mailto` and returns True."""
        for _ in range(TRIES):
            if self._lock.tryLock(0):
                return False
            if raise_first(self._root, mailto):
                return True
            time.sleep(PAUSE_S)
        return False

    def release(self) -> None:
        self._lock.unlock()


class QtProgram(QApplication):
    """The QApplication. Emits `opened(address)` for addresses from the system that are received after `hear`."""

    opened = Signal(str)

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self._early: list[str] | None = []

    def hear(self) -> list[str]:
        """Returns the addresses received so far; later ones are emitted by `opened`."""
        early, self._early = self._early, None
        return early or []

    def event(self, event: QEvent) -> bool:
        """Catches `QFileOpenEvent`. Only events of the application pass here, not those of its widgets."""
        if isinstance(event, QFileOpenEvent):
            address = bytes(event.url().toEncoded().data()).decode("ascii", "replace")
            if self._early is None:
                self.opened.emit(address)
            else:
                self._early.append(address)
            return True
        return super().event(event)
