"""One window per data folder: a lock file tells the first start, and a local socket brings its window to the front.

A second start waits a short time for an answer, hands over one line (only a `mailto:` address counts) and ends. `QtProgram` is
the QApplication: macOS hands it addresses as events, not as arguments.
"""

import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLockFile, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from app.config.paths import DataFolder

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

CONNECT_MS = 300
HAND_OVER_MS = 3000
LONGEST_LINE = 300_000
"""Bytes: the longest address with each of its signs in UTF-8, and room."""
RAISE = b"raise"
WRITE = b"write "


def server_name(root: Path) -> str:
    """A name for this folder, the same for every path that leads to it."""
    return "replyroom-" + hashlib.sha256(str(root.resolve()).encode()).hexdigest()[:16]


def raise_first(root: Path, mailto: str = "") -> bool:
    """Ask the window that has this folder to come forward, and to write to an address; False if there is none."""
    from PySide6.QtNetwork import QLocalSocket  # the first frame does not need it

    socket = QLocalSocket()
    socket.connectToServer(server_name(root))
    if not socket.waitForConnected(CONNECT_MS):
        return False
    socket.write((WRITE + mailto.encode("utf-8", "replace") if mailto else RAISE).replace(b"\n", b" ") + b"\n")
    while socket.bytesToWrite() and socket.waitForBytesWritten(HAND_OVER_MS):
        pass
    socket.disconnectFromServer()
    return True


def listen(
    root: Path, come_forward: Callable[[], None], write_to: Callable[[str], None] = lambda _address: None
) -> "QLocalServer":
    """Hear second starts; a name left over from a crash is taken over."""
    from PySide6.QtNetwork import QLocalServer

    server = QLocalServer()
    server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
    QLocalServer.removeServer(server_name(root))
    server.listen(server_name(root))

    def greet() -> None:
        while (visitor := server.nextPendingConnection()) is not None:
            _attend(visitor, come_forward, write_to)

    server.newConnection.connect(greet)
    return server


def _attend(visitor: "QLocalSocket", come_forward: Callable[[], None], write_to: Callable[[str], None]) -> None:
    """Whoever comes brings the window forward; their line may ask for a letter."""
    said = bytearray()

    def read() -> None:
        said.extend(visitor.readAll().data())
        if b"\n" not in said and len(said) <= LONGEST_LINE:
            return
        line = bytes(said.partition(b"\n")[0])
        said.clear()
        visitor.readyRead.disconnect(read)
        if line[: len(WRITE) + 7].lower() == WRITE + b"mailto:" and len(line) <= LONGEST_LINE:
            write_to(line[len(WRITE) :].decode("utf-8", "replace"))

    visitor.readyRead.connect(read)
    visitor.disconnected.connect(visitor.deleteLater)
    come_forward()
    if visitor.bytesAvailable():
        read()


TRIES = 12
PAUSE_S = 0.25
"""A window that is just starting does not listen yet."""


class SingleInstance:
    """Holds the lock from its making until `release` or the end of the process, however it comes."""

    def __init__(self, data: DataFolder) -> None:
        self._root = data.root
        self._lock = QLockFile(str(data.window_lock))
        self._lock.setStaleLockTime(0)

    def raised_other(self, mailto: str = "") -> bool:
        """Whether another window has this folder and was brought forward, to write to `mailto` if there is such an address."""
        if self._lock.tryLock(0):
            return False

        for _ in range(TRIES):
            if raise_first(self._root, mailto):
                return True
            if self._lock.tryLock(0):
                return False
            time.sleep(PAUSE_S)
        return False

    def release(self) -> None:
        """Let the next one in."""
        self._lock.unlock()


class QtProgram(QApplication):
    """`opened(address)` for each; those that came before anybody listened are in `early`."""

    opened = Signal(str)

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self.early: list[str] = []
        self._heard = False

    def hear(self) -> list[str]:
        """From now on somebody listens to `opened`; what came before."""
        self._heard = True
        early, self.early = self.early, []
        return early

    def event(self, event: QEvent) -> bool:
        """Only events for the program itself pass here, not those of its widgets."""
        if isinstance(event, QFileOpenEvent):
            address = bytes(event.url().toEncoded().data()).decode("ascii", "replace")
            if self._heard:
                self.opened.emit(address)
            else:
                self.early.append(address)
            return True
        return super().event(event)
