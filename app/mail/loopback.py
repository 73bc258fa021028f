"""A listener on 127.0.0.1 that waits for the browser to come back from Google's consent page, once.

Answers only the redirect that carries our `state`; everything else (icons, scanners) gets 404 and is not believed.
"""

import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

PAGE = (
    b"<!doctype html><meta charset=utf-8><title>Replyroom</title><body style='font:16px sans-serif;margin:4em'>"
    b"<p>Replyroom has its answer. You can close this page.</p>"
)
READ_S = 10.0


@dataclass(frozen=True, slots=True)
class Redirect:
    """What the browser brought: a `code`, or an `error` such as access_denied."""

    code: str
    error: str


class Listener:
    """Listens from its making on; use it in a `with`."""

    def __init__(self) -> None:
        self._server = _Server(("127.0.0.1", 0), _Handler)

    @property
    def redirect_uri(self) -> str:
        """Where Google shall send the browser."""
        return f"http://127.0.0.1:{self._server.server_port}/"

    def wait(self, state: str, timeout_s: float) -> Redirect | None:
        """The redirect with this state, None if it did not come in time. Blocks."""
        self._server.expected_state = state
        ends = time.monotonic() + timeout_s
        while self._server.found is None and (left_s := ends - time.monotonic()) > 0:
            self._server.timeout = min(left_s, 1.0)
            self._server.handle_request()
        return self._server.found

    def __enter__(self) -> "Listener":
        return self

    def __exit__(self, *_: object) -> None:
        self._server.server_close()


class _Server(HTTPServer):
    """Holds what was expected and what came."""

    expected_state = ""
    found: Redirect | None = None
    allow_reuse_address = False

    def handle_error(self, request: object, client_address: object) -> None:
        """A peer that hangs up in the middle is no concern of ours."""


class _Handler(BaseHTTPRequestHandler):
    """One request of the browser."""

    timeout = READ_S
    server: _Server

    def do_GET(self) -> None:
        """The redirect, or something else."""
        query = parse_qs(urlsplit(self.path).query)
        state = query.get("state", [""])[0]
        if not state or state != self.server.expected_state:
            self.send_error(404)
            return
        self.server.found = Redirect(query.get("code", [""])[0], query.get("error", [""])[0])
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *parts: object) -> None:
        """The address holds the authorization code: it is never logged."""
