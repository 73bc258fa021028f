"""Pictures over a real connection: plain pictures come, everything else does not, and nothing is told about the reader."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from PySide6.QtCore import QObject, QUrl
from pytestqt.qtbot import QtBot

from app.domain.egress import public_address
from app.ui.mail.fetching import LARGEST_BYTES, PictureFetcher, secured

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
}


class Pictures:
    """A server of pictures and what it was told."""

    def __init__(self) -> None:
        told = self.told = list[dict[str, str]]()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                told.append({"path": self.path, **{name.lower(): value for name, value in self.headers.items()}})
                status, headers, body = ANSWERS[self.path]
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    return

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}{path}"


@pytest.fixture
def server() -> Iterator[Pictures]:
    made = Pictures()
    yield made
    made.server.shutdown()
    made.thread.join()
    made.server.server_close()


def plain(address: str) -> QUrl | None:
    """For this server: without TLS and with its port, the rest as in the program."""
    url = QUrl(address)
    return None if url.userInfo() else url


def fetched(qtbot: QtBot, fetcher: PictureFetcher, address: str) -> tuple[str, int]:
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
    fetcher = PictureFetcher(parent, lambda _: True, plain)
    assert fetched(qtbot, fetcher, server.address(path)) == answer


def test_nothing_is_told_about_the_reader(qtbot: QtBot, server: Pictures) -> None:
    parent = QObject()
    fetcher = PictureFetcher(parent, lambda _: True, plain)
    for _ in range(2):
        fetched(qtbot, fetcher, server.address("/a.png"))
    assert len(server.told) == 2
    for told in server.told:
        assert not {"cookie", "referer", "authorization"} & told.keys()
        assert told["user-agent"] == "Mozilla/5.0"
        assert "replyroom" not in str(told).lower()


def test_the_readers_own_network_is_not_asked(qtbot: QtBot, server: Pictures) -> None:
    parent = QObject()
    fetcher = PictureFetcher(parent, public_address, plain)
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
