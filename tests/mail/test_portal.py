"""A network that answers every request with its own page: offline, in words, and nobody is told to sign in to Google again."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from google.oauth2.credentials import Credentials

from app.domain.errors import Intercepted
from app.domain.ids import GmailId
from app.domain.mail_files import SOURCE_PART
from app.mail.auth import static_credentials
from app.mail.client import connect
from app.mail.endpoint import Endpoint
from app.mail.wire.retry import Backoff

pytestmark = pytest.mark.anyio

PAGE = b"<!doctype html><title>Hotel</title><form action=/login>Room number</form>"


@contextmanager
def portal(status: int, tls: ssl.SSLContext | None = None) -> Iterator[tuple[str, list[str]]]:
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
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}/", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize("status", [200, 302, 511])
async def test_a_page_instead_of_an_answer_is_offline_and_asked_for_once(status: int) -> None:
    with portal(status) as (address, asked):
        client = connect(Endpoint(address), static_credentials("token"), None, backoff=Backoff(attempts=5, base_s=0.001))
        try:
            with pytest.raises(Intercepted) as caught:
                await client.profile()
        finally:
            await client.close()
    assert caught.value.remedy
    assert len(asked) == 1


async def test_a_page_is_no_part_of_a_file(tmp_path: Path) -> None:
    part = tmp_path / "mail.eml.part"
    part.write_bytes(b'{"raw": "QUJD')
    with portal(200) as (address, asked):
        client = connect(Endpoint(address), static_credentials("token"), None, backoff=Backoff(attempts=1))
        try:
            with pytest.raises(Intercepted):
                await client.download(GmailId("m"), SOURCE_PART, tmp_path / "mail.eml", lambda _: None)
        finally:
            await client.close()
    assert part.read_bytes() == b'{"raw": "QUJD', "what came before is gone on with"
    assert len(asked) == 1


def own_certificate(folder: Path) -> ssl.SSLContext:
    """What a program that reads encrypted connections shows instead of the server's certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(days=1), now + timedelta(days=1))
    plain = serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    text = made.sign(key, hashes.SHA256()).public_bytes(pem)
    (folder / "own.pem").write_bytes(text + key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "own.pem")
    return context


async def test_a_certificate_that_is_not_the_servers_is_not_believed(tmp_path: Path) -> None:
    with portal(200, own_certificate(tmp_path)) as (address, asked):
        client = connect(Endpoint(address), static_credentials("token"), None, backoff=Backoff(attempts=5, base_s=0.001))
        try:
            with pytest.raises(Intercepted):
                await client.profile()
        finally:
            await client.close()
    assert asked == [], "the token was not sent"


@pytest.mark.parametrize("status", [200, 302, 403])
async def test_a_page_instead_of_a_new_token_does_not_end_the_sign_in(status: int) -> None:
    expired = (datetime.now(UTC) - timedelta(hours=1)).replace(tzinfo=None)
    with portal(status) as (address, _):
        credentials = Credentials(  # type: ignore[no-untyped-call]
            "old", refresh_token="r", token_uri=f"{address}token", client_id="c", client_secret="s", expiry=expired
        )
        client = connect(Endpoint(address), credentials, None, backoff=Backoff(attempts=1))
        try:
            with pytest.raises(Intercepted):
                await client.profile()
        finally:
            await client.close()
