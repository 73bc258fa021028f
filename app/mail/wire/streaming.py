"""Large answers straight to disk: what came stays there when the connection is cut, and the rest is asked for by range.

A server that does not know ranges sends all of it again, which is as right and only slower. Refuses to keep a whole file in
memory.
"""

import base64
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.errors import Offline, ServerTrouble
from app.mail.wire.failures import Answer, stranger_in

if TYPE_CHECKING:
    import httpx

PIECE = 1 << 16
LARGEST_REFUSAL = 1 << 20
Told = Callable[[int], None]
"""Called with the bytes on disk so far, from a worker thread; may raise to stop."""


def stream_to(url: str, headers: dict[str, str], part: Path, told: Told, *, direct: bool, timeout_s: float) -> Answer:
    """Append to `part` what is missing of the answer to a GET. An answer that is no success is returned with its body; a
    success with an empty one. Raises `Offline`, `ServerTrouble`; then `part` keeps what came."""
    import httpx  # 0.15 s of imports, for those who open a file

    start = part.stat().st_size if part.exists() else 0
    asked = {**headers, "accept-encoding": "identity", **({"range": f"bytes={start}-"} if start else {})}
    try:
        with (
            httpx.Client(timeout=timeout_s, trust_env=not direct, follow_redirects=False) as client,
            client.stream("GET", url, headers=asked) as response,
        ):
            return _received(response, start, part, told)
    except (httpx.ConnectError, httpx.TimeoutException) as error:
        raise Offline(f"{type(error).__name__}") from error
    except httpx.HTTPError as error:
        raise ServerTrouble(f"The connection was cut: {type(error).__name__}") from error


def _received(response: "httpx.Response", start: int, part: Path, told: Told) -> Answer:
    headers = dict(response.headers)
    if response.status_code == 416:
        part.unlink(missing_ok=True)
        raise ServerTrouble("The server does not have the rest that was asked for.")
    if response.status_code not in (200, 206):
        body = b"".join(_at_most(response.iter_raw(PIECE), LARGEST_REFUSAL))
        return Answer(response.status_code, headers, body)
    page = Answer(response.status_code, headers, b"")
    if stranger_in(page) is not None:  # somebody else's page; nothing of it belongs to the file
        return page
    goes_on = response.status_code == 206 and response.headers.get("content-range", "").startswith(f"bytes {start}-")
    if response.status_code == 206 and not goes_on:
        part.unlink(missing_ok=True)
        raise ServerTrouble("The server sent another range than was asked for.")
    with part.open("ab" if goes_on else "wb") as file:
        for piece in response.iter_raw(PIECE):
            file.write(piece)
            told(file.tell())
    return Answer(200, headers, b"")


def _at_most(pieces: Iterator[bytes], most: int) -> Iterator[bytes]:
    for piece in pieces:
        yield piece[:most]
        most -= len(piece)
        if most <= 0:
            return


_START = {key: re.compile(rb'(?<!\\)"' + key.encode() + rb'"\s*:\s*"') for key in ("data", "raw")}
_ESCAPED = re.compile(rb"\\u00([0-9a-fA-F]{2})")


def unpack_field(source: Path, key: str, target: Path) -> int:
    """Decode the base64url text in the field `key` (data or raw) of a JSON file into `target`; its size in bytes. Raises
    `ServerTrouble` for a file without it or with an end missing."""
    size, rest = 0, b""
    with source.open("rb") as file, target.open("wb") as out:
        for text in _field_text(file.read, key):
            clean = _ESCAPED.sub(lambda found: bytes((int(found[1], 16),)), rest + text)
            cut = max(0, len(clean) - 6) if b"\\" in clean[-6:] else len(clean)
            cut -= cut % 4
            size += out.write(_decoded(clean[:cut]))
            rest = clean[cut:]
        size += out.write(_decoded(_ESCAPED.sub(lambda found: bytes((int(found[1], 16),)), rest)))
    return size


def _field_text(read: Callable[[int], bytes], key: str) -> Iterator[bytes]:
    """The pieces of the text between the quotes of one field."""
    head = b""
    while (found := _START[key].search(head)) is None:
        piece = read(PIECE)
        if not piece:
            raise ServerTrouble("The server's answer holds no file.")
        head = head[-PIECE:] + piece
    text = head[found.end() :]
    while True:
        before, quote, _ = text.partition(b'"')
        yield before
        if quote:
            return
        text = read(PIECE)
        if not text:
            raise ServerTrouble("The server's answer ends in the middle of a file.")


def _decoded(text: bytes) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))
    except ValueError as error:
        raise ServerTrouble("The server's answer holds a file that cannot be decoded.") from error
