"""A model server over loopback in one of the four wire formats. A behaviour decides what it does with each call.

It records every request and answer byte for byte, as a recording proxy would.
"""

import gzip
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from fakes.providers.shapes import Asked, Reply, Shape

Behaviour = Callable[[Asked, int], Reply]
"""What the server does with a call; calls are numbered from 0."""


@dataclass
class ProviderServer:
    """Serves one behaviour in threads. Use it as a context manager."""

    shape: Shape
    behaviour: Behaviour
    asked: list[Asked] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    answered_bytes: int = 0
    times: list[float] = field(default_factory=list)
    models: tuple[str, ...] = ()
    """What it lists."""
    key: str = ""
    """The key without which it lists nothing."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> Self:
        owner = self

        class Handler(_Handler):
            server_of = owner

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = False
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def address(self) -> str:
        """The address to configure."""
        port = self._server.server_address[1]
        return f"http://127.0.0.1:{port}/{self.path}" if self.path else f"http://127.0.0.1:{port}"

    @property
    def seen(self) -> list[tuple[int, str]]:
        """Length and SHA-256 of each body that came, in order."""
        return [(len(one), sha256(one).hexdigest()) for one in self.bodies]

    @property
    def path(self) -> str:
        """The part of the address behind the port."""
        return {"openai": "v1", "gemini": f"v1beta/models/{MODEL}"}.get(self.shape.provider, "")

    @property
    def model(self) -> str:
        """The litellm model id."""
        return f"{self.shape.provider}/{MODEL}"

    def reply_to(self, path: str, body: bytes) -> tuple[Asked, Reply]:
        """Records the call and asks the behaviour."""
        asked = self.shape.read(path, json.loads(body))
        with self._lock:
            number = len(self.asked)
            self.asked.append(asked)
            self.bodies.append(body)
            self.times.append(time.monotonic())
        return asked, self.behaviour(asked, number)


MODEL = "scripted-1"


class _Handler(BaseHTTPRequestHandler):
    server_of: ProviderServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Logs nothing."""

    def do_GET(self) -> None:
        """The list of models, at the path of the server's kind."""
        server = self.server_of
        path, body = server.shape.listed(server.models)
        given = {self.headers.get(name, "").removeprefix("Bearer ") for name in ("Authorization", "x-api-key", "x-goog-api-key")}
        if server.key and server.key not in given:
            self._send(401, "application/json", b'{"error": {"message": "no key"}}', Reply())
        elif self.path.partition("?")[0] == path:
            self._send(200, "application/json", json.dumps(body).encode(), Reply())
        else:
            self._send(404, "application/json", b"{}", Reply())

    def do_POST(self) -> None:
        """Answers a call."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.endswith("/api/show"):  # litellm asks Ollama for the model's abilities
            self.server_of.bodies.append(body)
            self._send(200, "application/json", b'{"capabilities": ["completion", "tools"], "model_info": {}}', Reply())
            return
        shape = self.server_of.shape
        asked, reply = self.server_of.reply_to(self.path, body)
        time.sleep(reply.wait_s)
        if reply.raw is not None:
            self._send(reply.status, "application/json", reply.raw, reply)
        elif reply.status != 200:
            self._send(reply.status, "application/json", shape.error(reply), reply)
        elif asked.stream and not reply.whole:
            self._send(200, shape.stream_type, b"".join(shape.pieces(asked, reply)), reply)
        else:
            self._send(200, "application/json", shape.whole(asked, reply), reply)

    def _send(self, status: int, kind: str, body: bytes, reply: Reply) -> None:
        """Sends headers and as much of the body as the reply wants."""
        headers: dict[str, Any] = {"Content-Type": kind, "Connection": "close", **reply.headers}
        if reply.encoding == "gzip":
            body, headers["Content-Encoding"] = gzip.compress(body), "gzip"
        elif reply.encoding == "utf-16":
            body, headers["Content-Type"] = body.decode().encode("utf-16"), f"{kind}; charset=utf-16"
        elif reply.encoding:
            body = body.replace(b"data: [DONE]\n\n", b"")
        headers["Content-Length"] = len(body)
        self.close_connection = True
        try:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, str(value))
            self.end_headers()
            self.server_of.answered_bytes += len(body)
            self.wfile.write(body if reply.cut < 0 else body[: int(len(body) * reply.cut)])
            if reply.cut >= 0:
                self.wfile.flush()
                self.connection.close()
        except OSError:
            return  # the client has given up
