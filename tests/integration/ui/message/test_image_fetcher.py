"""Pictures over a real connection: plain pictures come, everything else does not, and nothing is told about the reader."""

import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from PySide6.QtCore import QObject, QUrl
from PySide6.QtNetwork import QDnsLookup, QHostAddress, QSslCertificate, QSslConfiguration
from pytestqt.qtbot import QtBot

from app.domain.agents.egress import public_address
from app.ui.message.image_fetcher import LARGEST_BYTES, Found, ImageFetcher
from app.ui.message.remote_images import secured
from fakes.gmail.name_server import NameServer

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 64
ANSWERS = {
    "/a.png": (200, {"Content-Type": "image/png", "Set-Cookie": "id=7"}, PNG),
    "/upper.png": (200, {"Content-Type": "IMAGE/PNG; charset=x"}, PNG),
    "/drawing.svg": (200, {"Content-Type": "image/svg+xml"}, b"<svg/>"),
    "/page.html": (200, {"Content-Type": "text/html"}, b"<p>x"),
    "/none": (200, {}, PNG),
    "/gone.png": (404, {"Content-Type": "image/png"}, PNG),
    "/large.png": (200, {"Content-Type": "image/png"}, b"x" * (LARGEST_BYTES + 100_000)),
    "/moved": (302, {"Location": "/a.png"}, b""),
    "/round": (302, {"Location": "/round"}, b""),
    "/away": (302, {"Location": "http://user@127.0.0.1/a.png"}, b""),
    "/inside": (302, {"Location": "//inside.example:{port}/a.png"}, b""),
    "/beside": (302, {"Location": "b.png"}, b""),
    "/b.png": (200, {"Content-Type": "image/png"}, PNG),
}


class Pictures:
    """A server of pictures and what it was told; with `tls` over TLS, the names asked for there in `names`."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.names: list[str | None] = []
        told = self.told = list[dict[str, str]]()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                told.append({"path": self.path, **{name.lower(): value for name, value in self.headers.items()}})
                status, headers, body = ANSWERS[self.path]
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value.replace("{port}", str(self.server.server_address[1])))
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    return

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if tls is not None:
            tls.sni_callback = lambda _socket, name, _context: self.names.append(name)
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def address(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.server.server_address[1]}{path}"

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def server() -> Iterator[Pictures]:
    made = Pictures()
    yield made
    made.close()


def plain(address: str) -> QUrl | None:
    """For this server: without TLS and with its port, the rest as in the program."""
    url = QUrl(address)
    return None if url.userInfo() else url


def fetched(qtbot: QtBot, fetcher: ImageFetcher, address: str) -> tuple[str, int]:
    found: list[tuple[str, int]] = []
    fetcher.fetch(address, lambda kind, data: found.append((kind, len(data))))
    qtbot.waitUntil(lambda: bool(found), timeout=20_000)
    return found[0]


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/a.png", ("image/png", len(PNG))),
        ("/upper.png", ("image/png", len(PNG))),
        ("/moved", ("image/png", len(PNG))),
        ("/drawing.svg", ("", 0)),
        ("/page.html", ("", 0)),
        ("/none", ("", 0)),
        ("/gone.png", ("", 0)),
        ("/large.png", ("", 0)),
        ("/round", ("", 0)),
        ("/away", ("", 0)),
    ],
)
def test_only_plain_pictures_come(qtbot: QtBot, server: Pictures, path: str, answer: tuple[str, int]) -> None:
    parent = QObject()
    fetcher = ImageFetcher(parent, lambda _: True, plain)
    assert fetched(qtbot, fetcher, server.address(path)) == answer


def test_nothing_is_told_about_the_reader(qtbot: QtBot, server: Pictures) -> None:
    parent = QObject()
    fetcher = ImageFetcher(parent, lambda _: True, plain)
    for _ in range(2):
        fetched(qtbot, fetcher, server.address("/a.png"))
    assert len(server.told) == 2
    for told in server.told:
        assert not {"cookie", "referer", "authorization"} & told.keys()
        assert told["user-agent"] == "Mozilla/5.0"
        assert "replyroom" not in str(told).lower()


def test_the_readers_own_network_is_not_asked(qtbot: QtBot, server: Pictures) -> None:
    parent = QObject()
    fetcher = ImageFetcher(parent, public_address, plain)
    assert fetched(qtbot, fetcher, server.address("/a.png")) == ("", 0)
    assert fetched(qtbot, fetcher, server.address("/a.png").replace("127.0.0.1", "localhost")) == ("", 0)
    assert server.told == []


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("https://a.example/x?y=1", "https://a.example/x?y=1"),
        ("http://a.example/x", "https://a.example/x"),
        ("http://a.example:8080/x", None),
        ("https://user@a.example/x", None),
        ("https:///x", None),
        ("file:///etc/passwd", None),
        ("data:image/png;base64,AAAA", None),
        ("ftp://a.example/x", None),
    ],
)
def test_pictures_are_asked_for_over_https_only(address: str, url: str | None) -> None:
    made = secured(address)
    assert (made.toString() if made else None) == url


def only_here(address: str) -> bool:
    """What counts as public in these tests: this machine's first address, and no other one."""
    return address == "127.0.0.1"


def asking(names: NameServer) -> Callable[[str, Found], None]:
    """A look-up over the wire at a name server of this machine."""
    kept: list[QDnsLookup] = []

    def look_up(host: str, found: Found) -> None:
        asked = QDnsLookup(QDnsLookup.Type.A, host, QHostAddress("127.0.0.1"), names.port)
        kept.append(asked)
        asked.finished.connect(lambda: found([one.value().toString() for one in asked.hostAddressRecords()]))
        asked.lookup()

    return look_up


def test_a_name_is_looked_up_once_and_what_was_looked_at_is_asked(qtbot: QtBot, server: Pictures) -> None:
    """A name that means another place by the time of the request leads nowhere else."""
    parent = QObject()
    with NameServer({"rebind.example": [["127.0.0.1"], ["127.0.0.9"]]}) as names:
        fetcher = ImageFetcher(parent, only_here, plain, asking(names))
        address = server.address("/a.png", "rebind.example")
        assert fetched(qtbot, fetcher, address) == ("image/png", len(PNG))
        assert names.asked == ["rebind.example"]
        assert fetched(qtbot, fetcher, address) == ("", 0)
    assert [told["host"] for told in server.told] == [address.split("/")[2]]


@pytest.mark.parametrize("places", [["127.0.0.9"], ["127.0.0.1", "10.0.0.1"], ["169.254.169.254", "127.0.0.1"], []])
def test_one_closed_address_among_a_names_is_enough(qtbot: QtBot, server: Pictures, places: list[str]) -> None:
    parent = QObject()
    with NameServer({"mixed.example": [places]}) as names:
        fetcher = ImageFetcher(parent, only_here, plain, asking(names))
        assert fetched(qtbot, fetcher, server.address("/a.png", "mixed.example")) == ("", 0)
    assert server.told == []


def test_each_redirect_is_looked_up_and_looked_at_again(qtbot: QtBot, server: Pictures) -> None:
    parent = QObject()
    zone = {"outside.example": [["127.0.0.1"]], "inside.example": [["10.0.0.1"]]}
    with NameServer(zone) as names:
        fetcher = ImageFetcher(parent, only_here, plain, asking(names))
        assert fetched(qtbot, fetcher, server.address("/beside", "outside.example")) == ("image/png", len(PNG))
        assert fetched(qtbot, fetcher, server.address("/inside", "outside.example")) == ("", 0)
    assert names.asked == ["outside.example", "outside.example", "outside.example", "inside.example"]
    assert [told["path"] for told in server.told] == ["/beside", "/b.png", "/inside"]
    assert {told["host"] for told in server.told} == {server.address("", "outside.example").removeprefix("http://")}


def certificate(folder: Path, name: str) -> Path:
    """A key and a certificate of its own for a host, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    made = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    built = x509.CertificateBuilder().subject_name(made).issuer_name(made).public_key(key.public_key()).serial_number(7)
    now = datetime.now(UTC)
    built = built.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=300))
    built = built.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    signed = built.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True).sign(key, hashes.SHA256())
    form, private = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    path = folder / "host.pem"
    path.write_bytes(key.private_bytes(form, private, serialization.NoEncryption()) + signed.public_bytes(form))
    return path


@pytest.mark.parametrize(("host", "size"), [("pictures.example", len(PNG)), ("other.example", 0)])
def test_tls_is_for_the_name_and_not_for_the_address(qtbot: QtBot, tmp_path: Path, host: str, size: int) -> None:
    path = certificate(tmp_path, "pictures.example")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    before = QSslConfiguration.defaultConfiguration()
    trusting = QSslConfiguration(before)
    trusting.setCaCertificates(QSslCertificate.fromPath(str(path)))
    QSslConfiguration.setDefaultConfiguration(trusting)
    server = Pictures(context)
    parent = QObject()
    try:
        with NameServer({host: [["127.0.0.1"]]}) as names:
            fetcher = ImageFetcher(parent, only_here, secured, asking(names))
            address = server.address("/a.png", host).replace("http:", "https:")
            assert fetched(qtbot, fetcher, address)[1] == size
    finally:
        server.close()
        QSslConfiguration.setDefaultConfiguration(before)
    assert set(server.names) == {host}
    assert [told["host"] for told in server.told] == ([address.split("/")[2]] if size else [])
