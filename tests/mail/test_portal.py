"""A network that answers every request with its own page: offline, in words, and nobody is told to sign in to Google again."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from google.oauth2.credentials import Credentials

from app.domain.errors import Offline
from app.mail.auth import static_credentials
from app.mail.client import connect
from app.mail.endpoint import Endpoint
from app.mail.wire.retry import Backoff

pytestmark = pytest.mark.anyio

PAGE = b"<!doctype html><title>Hotel</title><form action=/login>Room number</form>"


@contextmanager
def portal(status: int) -> Iterator[tuple[str, list[str]]]:
    """A server that gives the same page for everything; its address and the paths it was asked for."""
    asked: list[str] = []

    class Page(BaseHTTPRequestHandler):
        """One request."""

        def do_GET(self) -> None:
            """The page."""
            asked.append(self.path)
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Location", "http://127.0.0.1:9/login")
            self.send_header("Content-Length", str(len(PAGE)))
            self.end_headers()
            self.wfile.write(PAGE)

        def do_POST(self) -> None:
            """The page too."""
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self.do_GET()

        def log_message(self, *parts: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize("status", [200, 302, 511])
async def test_a_page_instead_of_an_answer_is_offline_and_asked_for_once(status: int) -> None:
    with portal(status) as (address, asked):
        client = connect(Endpoint(address), static_credentials("token"), None, backoff=Backoff(attempts=5, base_s=0.001))
        try:
            with pytest.raises(Offline) as caught:
                await client.profile()
        finally:
            await client.close()
    assert caught.value.remedy
    assert len(asked) == 1


@pytest.mark.parametrize("status", [200, 302, 403])
async def test_a_page_instead_of_a_new_token_does_not_end_the_sign_in(status: int) -> None:
    expired = (datetime.now(UTC) - timedelta(hours=1)).replace(tzinfo=None)
    with portal(status) as (address, _):
        credentials = Credentials(  # type: ignore[no-untyped-call]
            "old", refresh_token="r", token_uri=f"{address}token", client_id="c", client_secret="s", expiry=expired
        )
        client = connect(Endpoint(address), credentials, None, backoff=Backoff(attempts=1))
        try:
            with pytest.raises(Offline):
                await client.profile()
        finally:
            await client.close()
