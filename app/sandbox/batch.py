"""Batches: multipart/mixed with requests inside, each answered by itself. Nested batches are refused."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus

from app.sandbox.call import Call, Reply, query_of
from app.sandbox.errors import ApiError, invalid_argument
from app.sandbox.headers import header_fields, split_head

MOST_CALLS = 100
BOUNDARY = "batch_sandbox_"
REQUEST_LINE = re.compile(r"([A-Z]+) (\S+)(?: HTTP/\d\.\d)?")


@dataclass(frozen=True, slots=True)
class InnerCall:
    """One request of a batch with the Content-ID its answer must carry; None when it could not be read."""

    content_id: str
    call: Call | None


def read_batch(outer: Call) -> list[InnerCall]:
    """The requests in a batch. Raises ApiError 400 for no boundary, for none, and for more than a hundred."""
    found = re.search(r'boundary="?([^";]+)"?', outer.headers.get("content-type", ""))
    if found is None:
        raise ApiError(400, "Failed to parse batch request, error: missing boundary.", "badRequest")
    pieces = re.split(rb"(?:\A|\r?\n)--" + re.escape(found.group(1).encode()) + rb"(?=\r?\n|--)", outer.body)
    calls = [_inner(outer, piece) for piece in pieces[1:] if not piece.startswith(b"--")]
    if not calls:
        raise ApiError(400, "Failed to parse batch request, error: 0 items.", "badRequest")
    if len(calls) > MOST_CALLS:
        raise invalid_argument(f"The batch request has {len(calls)} calls; at most {MOST_CALLS} are allowed.")
    return calls


def batch_reply(answers: list[tuple[InnerCall, Reply]], serial: str) -> Reply:
    """The answers as multipart/mixed, in order."""
    boundary = BOUNDARY + serial
    pieces = [piece for inner, reply in answers for piece in _piece(boundary, inner, reply)]
    body = b"".join([*pieces, f"--{boundary}--\r\n".encode()])
    return Reply(200, body, {"content-type": f"multipart/mixed; boundary={boundary}"})


def _inner(outer: Call, piece: bytes) -> InnerCall:
    head, body_at = split_head(piece.lstrip(b"\r\n"))
    envelope = {name.lower(): value for name, value in header_fields(head)}
    content_id = envelope.get("content-id", "")
    line, _, rest = piece.lstrip(b"\r\n")[body_at:].lstrip(b"\r\n").partition(b"\n")
    found = REQUEST_LINE.fullmatch(line.strip().decode("utf-8", "replace"))
    if found is None:
        return InnerCall(content_id, None)
    inner_head, inner_at = split_head(rest)
    headers = {name.lower(): value for name, value in header_fields(inner_head)}
    if "authorization" in outer.headers:
        headers.setdefault("authorization", outer.headers["authorization"])
    path, _, query = found.group(2).partition("?")
    body = rest[inner_at:]
    if "content-length" in headers and headers["content-length"].isdecimal():
        body = body[: int(headers["content-length"])]
    call = Call(found.group(1), re.sub(r"^https?://[^/]+", "", path), query_of(query), headers, body, inner=True)
    return InnerCall(content_id, call)


def _piece(boundary: str, inner: InnerCall, reply: Reply) -> Iterator[bytes]:
    content_id = inner.content_id
    named = f"Content-ID: <response-{content_id[1:]}\r\n" if content_id.startswith("<") else ""
    status = HTTPStatus(reply.status)
    headers = "".join(f"{name.title()}: {value}\r\n" for name, value in reply.headers.items())
    yield f"--{boundary}\r\nContent-Type: application/http\r\n{named}\r\n".encode()
    yield f"HTTP/1.1 {reply.status} {status.phrase}\r\n{headers}Content-Length: {len(reply.body)}\r\n\r\n".encode()
    yield reply.body
    yield b"\r\n"
