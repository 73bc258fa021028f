"""Web servers on free loopback ports, each in a thread of its own: one for handlers, and an attacker's that counts visits."""

import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self


class Handler(BaseHTTPRequestHandler):
    """Answers GET and POST alike and logs nothing."""

    def respond(self) -> None:
        """Answers the request."""
        raise NotImplementedError

    def do_GET(self) -> None:
        self.respond()

    def do_POST(self) -> None:
        self.respond()

    def answer(self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        """Sends a whole answer."""
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def body(self) -> bytes:
        """What the client sent."""
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Logs nothing."""


class WebServer(ThreadingHTTPServer):
    """Serves in a `with` block, with `tls` over TLS."""

    daemon_threads = False

    def __init__(self, handler: type[Handler], tls: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.address = f"http{'s' if tls else ''}://127.0.0.1:{self.server_port}"
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        self._serving = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02})

    def __enter__(self) -> Self:
        self._serving.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.shutdown()
        self._serving.join()
        self.server_close()


ANSWER = b"HTTP/1.1 204 No Content\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Visited:
    """Counts every connection, whatever it sends.

    `visits` has the first line of each request, empty for a connection without readable text.
    """

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
