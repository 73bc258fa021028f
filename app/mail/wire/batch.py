"""Gmail's batch requests: many reads in one `multipart/mixed` request, and the answer taken apart again.

The client library's own `BatchHttpRequest` neither retries nor survives a failing callback, and costs five times as much
per message. Refuses to guess: an inner answer that is cut or has no id is left out, and the caller asks again.
"""

import re
from collections.abc import Iterable
from secrets import token_hex

from app.mail.wire.failures import Answer
from app.mail.wire.transport import Call

BOUNDARY = re.compile(r'boundary="?([^";,\s]{1,200})', re.IGNORECASE)
CONTENT_ID = re.compile(rb"^content-id:\s*<(?:response-)?([^>\s]+)>", re.IGNORECASE | re.MULTILINE)
STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})[^\r\n]*\r?\n")


def batch_call(url: str, paths: Iterable[tuple[str, str]]) -> Call:
    """One POST for pairs of key and path (`/gmail/v1/...?format=full`). Keys are letters, digits, `-` and `_`."""
    boundary = f"batch_{token_hex(12)}"
    parts = [
        f"--{boundary}\r\nContent-Type: application/http\r\nContent-ID: <{key}>\r\n\r\nGET {path} HTTP/1.1\r\n"
        "Accept: application/json\r\n\r\n\r\n"
        for key, path in paths
    ]
    body = "".join(parts) + f"--{boundary}--\r\n"
    return Call(url, "POST", body.encode("ascii"), {"content-type": f'multipart/mixed; boundary="{boundary}"'})


def split_batch(answer: Answer) -> dict[str, Answer]:
    """The inner answers by key. Those that are missing, cut or unreadable are not in it."""
    found = BOUNDARY.search(answer.headers.get("content-type", ""))
    if found is None:
        return {}
    delimiter = b"\n--" + found[1].encode("latin-1", "replace")
    pieces = (b"\n" + answer.body).split(delimiter)
    # What follows the last delimiter is `--` in a whole answer; anything else is a part that was cut.
    return dict(inner for piece in pieces[1:-1] if (inner := _inner(piece)) is not None)


def _inner(piece: bytes) -> tuple[str, Answer] | None:
    head, rest = _halves(piece)
    key = CONTENT_ID.search(head)
    line = STATUS_LINE.match(rest)
    if key is None or line is None:
        return None
    fields, body = _halves(rest[line.end() - 1 :])
    headers = _headers(fields)
    length = headers.get("content-length", "")
    if length.isdecimal():
        if len(body) < int(length[:12]):
            return None
        body = body[: int(length[:12])]
    return key[1].decode("latin-1"), Answer(int(line[1]), headers, body)


def _halves(block: bytes) -> tuple[bytes, bytes]:
    """What is before and after the first empty line."""
    wide, narrow = block.find(b"\n\r\n"), block.find(b"\n\n")
    if wide >= 0 and (narrow < 0 or wide < narrow):
        return block[: wide + 1], block[wide + 3 :]
    if narrow >= 0:
        return block[: narrow + 1], block[narrow + 2 :]
    return block, b""


def _headers(fields: bytes) -> dict[str, str]:
    pairs = (line.partition(":") for line in fields.decode("latin-1").splitlines())
    return {name.strip().lower(): value.strip() for name, colon, value in pairs if colon}
