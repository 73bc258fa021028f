"""An attacker's web server on loopback that counts every connection, whatever it sends."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

ANSWER = b"HTTP/1.1 204 No Content\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Visited:
    """`visits` has the first line of each request, empty for a connection without readable text."""

    def __init__(self) -> None:
        self.visits: list[str] = []
        self._door = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, name="visited", daemon=True)
        self._thread.start()

    @property
    def host(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self._door.getsockname()[1]}"

    def close(self) -> None:
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self._thread.join(timeout=5)

    def _serve(self) -> None:
        while True:
            try:
                visitor, _ = self._door.accept()
            except OSError:
                return
            with visitor:
                visitor.settimeout(0.5)
                try:
                    first = visitor.recv(4096).partition(b"\r\n")[0]
                    self.visits.append(first.decode("latin-1"))
                    visitor.sendall(ANSWER)
                except OSError:
                    self.visits.append("")


@contextmanager
def visited() -> Iterator[Visited]:
    """A server for a `with` block."""
    made = Visited()
    try:
        yield made
    finally:
        made.close()
