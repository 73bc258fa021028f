"""One window per data folder: a second start brings the first one to the front and ends."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from PySide6.QtNetwork import QLocalServer, QLocalSocket

CONNECT_MS = 300


def server_name(root: Path) -> str:
    """A name for this folder, the same for every path that leads to it."""
    return "replyroom-" + hashlib.sha256(str(root.resolve()).encode()).hexdigest()[:16]


def raise_first(root: Path) -> bool:
    """Ask the window that has this folder to come forward; False if there is none."""
    socket = QLocalSocket()
    socket.connectToServer(server_name(root))
    if not socket.waitForConnected(CONNECT_MS):
        return False
    socket.write(b"raise\n")
    socket.waitForBytesWritten(CONNECT_MS)
    socket.disconnectFromServer()
    return True


def listen(root: Path, come_forward: Callable[[], None]) -> QLocalServer:
    """Hear second starts; a name left over from a crash is taken over."""
    server = QLocalServer()
    server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
    QLocalServer.removeServer(server_name(root))
    server.listen(server_name(root))

    def greet() -> None:
        connection = server.nextPendingConnection()
        if connection is not None:
            connection.deleteLater()
            come_forward()

    server.newConnection.connect(greet)
    return server
