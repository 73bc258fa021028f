"""Gmail's batch requests: many reads in one `multipart/mixed` request.

The client library's `BatchHttpRequest` does not retry, does not survive a failing callback and costs five times as much per
message.
"""

import re
from collections.abc import Iterable
from itertools import pairwise
from secrets import token_hex

from app.mail.gmail.wire.errors import HttpAnswer
from app.mail.gmail.wire.transport import HttpCall

BOUNDARY = re.compile(r'boundary="?([^";,\s]{1,200})', re.IGNORECASE)
CONTENT_ID = re.compile(rb"^content-id:\s*<(?:response-)?([^>\s]+)>", re.IGNORECASE | re.MULTILINE)
EMPTY_LINE = re.compile(rb"\n\r?\n")
STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})[^\r\n]*\r?\n")

MOST = 50
LEAST = 10


class BatchLimit:
    """Number of calls per batch.

    Google works on a batch in parallel and may rate-limit some of its calls. Then the limit is halved for good.
    """

    def __init__(self) -> None:
        self.most = MOST

    def learn(self, asked: int, refused: int) -> None:
        """Halves the limit if some, but not all, calls of a batch were refused.

        If all were refused, the minute's quota was used up.
        """
        if 0 < refused < asked:
            self.most = max(min(self.most, asked) // 2, LEAST)


def batch_call(url: str, paths: Iterable[tuple[str, str]]) -> HttpCall:
    """Builds one POST for pairs of key and path (`/gmail/v1/...?format=full`).

    Keys hold only letters, digits, `-` and `_`.
    """
    boundary = f"batch_{token_hex(12)}"
    parts = [
        f"--{boundary}\r\nContent-Type: application/http\r\nContent-ID: <{key}>\r\n\r\nGET {path} HTTP/1.1\r\n"
        "Accept: application/json\r\n\r\n\r\n"
        for key, path in paths
    ]
    body = "".join(parts) + f"--{boundary}--\r\n"
    return HttpCall(url, "POST", body.encode("ascii"), {"content-type": f'multipart/mixed; boundary="{boundary}"'})


def split_batch(answer: HttpAnswer) -> dict[str, HttpAnswer]:
    """Returns the inner answers by key. Missing, cut and unreadable ones are left out."""
    found = BOUNDARY.search(answer.headers.get("content-type", ""))
    if found is None:
        return {}
    spans = _spans(answer.body, b"\n--" + found[1].encode("latin-1", "replace"))
    return dict(inner for start, end in spans if (inner := _inner(answer.body, start, end)) is not None)


def _spans(body: bytes, delimiter: bytes) -> list[tuple[int, int]]:
    """Start and end of each part between two delimiters.

    A complete answer ends with `--` after the last delimiter; anything else there is a part that was cut.
    """
    ends = [0] if body.startswith(delimiter[1:]) else []
    place = body.find(delimiter)
    while place >= 0:
        ends.append(place)
        place = body.find(delimiter, place + len(delimiter))
    return list(pairwise(ends))


def _inner(body: bytes, start: int, end: int) -> tuple[str, HttpAnswer] | None:
    head = _head_end(body, start, end)
    key = CONTENT_ID.search(body, start, head[0])
    line = STATUS_LINE.match(body, head[1], end)
    if key is None or line is None:
        return None
    fields = _head_end(body, line.end() - 1, end)
    headers = _headers(body[line.end() - 1 : fields[0]])
    length = headers.get("content-length", "")
    if length.isdecimal():
        if end - fields[1] < int(length[:12]):
            return None
        end = fields[1] + int(length[:12])
    return key[1].decode("latin-1"), HttpAnswer(int(line[1]), headers, body[fields[1] : end])


def _head_end(body: bytes, start: int, end: int) -> tuple[int, int]:
    """Returns where the head ends and where its body starts.

    The head begins at `start`. Bodies are large and are not searched.
    """
    found = EMPTY_LINE.search(body, start, end)
    return (found.start() + 1, found.end()) if found else (end, end)


def _headers(fields: bytes) -> dict[str, str]:
    pairs = (line.partition(":") for line in fields.decode("latin-1").splitlines())
    return {name.strip().lower(): value.strip() for name, colon, value in pairs if colon}
