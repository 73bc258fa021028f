"""One window per data folder: a second start brings the first one to the front, hands it what it was to write to, and ends.

Refuses to believe a visitor much: one line of bounded length, of which only a `mailto:` address counts.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path

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
    socket = QLocalSocket()
    socket.connectToServer(server_name(root))
    if not socket.waitForConnected(CONNECT_MS):
        return False
    socket.write((WRITE + mailto.encode("utf-8", "replace") if mailto else RAISE).replace(b"\n", b" ") + b"\n")
    while socket.bytesToWrite() and socket.waitForBytesWritten(HAND_OVER_MS):
        pass
    socket.disconnectFromServer()
    return True


def listen(root: Path, come_forward: Callable[[], None], write_to: Callable[[str], None] = lambda _address: None) -> QLocalServer:
    """Hear second starts; a name left over from a crash is taken over."""
    server = QLocalServer()
    server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
    QLocalServer.removeServer(server_name(root))
    server.listen(server_name(root))

    def greet() -> None:
        while (visitor := server.nextPendingConnection()) is not None:
            _attend(visitor, come_forward, write_to)

    server.newConnection.connect(greet)
    return server


def _attend(visitor: QLocalSocket, come_forward: Callable[[], None], write_to: Callable[[str], None]) -> None:
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
