"""Large answers to disk: on from where a cut left off, from the start where the server knows no ranges, decoded in pieces."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.domain.errors import Offline, ServerError
from app.mail.gmail.wire import transport
from app.mail.gmail.wire.transport import stream_to, unpack_field
from fakes.gmail.web_server import Handler, WebServer


class Ranges(WebServer):
    """Serves `content`, cut short `cuts` times; knows ranges if `ranged`."""

    def __init__(self, content: bytes) -> None:
        super().__init__(_Handler)
        self.content = content
        self.cuts = 0
        self.ranged = True
        self.asked: list[str] = []
        self.url = f"{self.address}/"


class _Handler(Handler):
    server: Ranges

    def respond(self) -> None:
        wanted = self.headers.get("range", "")
        self.server.asked.append(wanted)
        start = int(wanted[6:-1]) if wanted and self.server.ranged else 0
        body = self.server.content[start:]
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(self.server.content) - 1}/{len(self.server.content)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.server.cuts:
            self.server.cuts -= 1
            body = body[: len(body) // 2]
        self.wfile.write(body)


@pytest.fixture
def ranges() -> Iterator[Ranges]:
    with Ranges(bytes(range(256)) * 2000) as server:
        yield server


def get(server: Ranges, part: Path) -> list[int]:
    """Stream once; what was told."""
    told: list[int] = []
    stream_to(server.url, {}, part, told.append, direct=True, timeout_s=10)
    return told


@pytest.mark.parametrize("ranged", [True, False])
def test_after_cuts_it_goes_on(ranges: Ranges, tmp_path: Path, ranged: bool) -> None:
    ranges.cuts, ranges.ranged = 2, ranged
    part = tmp_path / "x.part"
    for _ in range(2):
        with pytest.raises(ServerError):
            get(ranges, part)
    told = get(ranges, part)
    assert part.read_bytes() == ranges.content
    assert told[-1] == len(ranges.content)
    assert [bool(one) for one in ranges.asked] == [False, True, True]
    assert (told[0] > len(ranges.content) // 2) == ranged


def test_nobody_there(tmp_path: Path) -> None:
    with pytest.raises(Offline):
        stream_to("http://127.0.0.1:1/", {}, tmp_path / "x", lambda _: None, direct=True, timeout_s=2)


@example(b"\x00", True, 17)
@given(st.binary(max_size=2000), st.booleans(), st.integers(1, 50))
def test_any_file_is_decoded_in_pieces_of_any_size(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, escaped: bool, piece: int
) -> None:
    folder = tmp_path_factory.mktemp("json")
    text = base64.urlsafe_b64encode(data).decode()
    body = json.dumps({"size": len(data), "data": text, "attachmentId": "x"}, indent=1)
    if escaped:
        body = body.replace("=", "\\u003d")
    (folder / "a").write_text(body)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transport, "PIECE", max(piece, 12))
        assert unpack_field(folder / "a", "data", folder / "b") == len(data)
    assert (folder / "b").read_bytes() == data


@pytest.mark.parametrize("body", [b"", b"{}", b'{"size": 1}', b'{"data": "QUJD', b'{"raw": "QUJD"}'])
def test_what_holds_no_whole_file_is_no_success(tmp_path: Path, body: bytes) -> None:
    (tmp_path / "a").write_bytes(body)
    with pytest.raises(ServerError):
        unpack_field(tmp_path / "a", "data", tmp_path / "b")
