"""Answers a request: token, scopes, quota, faults, parameter checks, method, partial response. Errors become Google's JSON.

A batch is multipart/mixed with one request in each part, each answered on its own; batches in batches get 400. Faults fail a
request before or after it is carried out. Every request is written into the journal.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from http import HTTPStatus

from app.domain.record import Record, replace
from app.sandbox.account import GoogleAccount
from app.sandbox.call import JSON_TYPE, Answer, ApiReply, ApiRequest, Handler, MethodCall, json_reply, query_of
from app.sandbox.gmail.headers import header_fields, split_head
from app.sandbox.gmail.mime import decode_base64
from app.sandbox.google_api.errors import ApiError, insufficient_scopes, invalid_argument, too_many_concurrent, unauthenticated
from app.sandbox.google_api.json_values import JsonObject, encode
from app.sandbox.google_api.quirks import with_numbers
from app.sandbox.google_api.schema import MethodMatch, MethodRouter, check_body, check_query, reduced_to
from app.sandbox.world.faults import FaultRule
from app.sandbox.world.oauth import Grant
from app.sandbox.world.world import SandboxState


class Upload(Record):
    """JSON body and mail."""

    body: JsonObject
    media: bytes | None


def read_upload(call: ApiRequest) -> Upload:
    """Reads a multipart upload. Raises `ApiError` 400."""
    if call.query.get("uploadType") != ["multipart"]:
        raise invalid_argument("Only uploadType=multipart is served")
    content_type = call.headers.get("content-type", "")
    found = re.search(r'boundary="?([^";]+)"?', content_type)
    if found is None:
        raise invalid_argument("Missing multipart boundary")
    mark = b"--" + found.group(1).encode()
    pieces = [_part(piece) for piece in call.body.split(mark)[1:] if not piece.startswith(b"--")]
    if len(pieces) != 2:
        raise invalid_argument("A multipart upload has two parts: JSON and the mail")
    return Upload(read_json(pieces[0][1]), _upload_body(*pieces[1]))


def read_json(data: bytes) -> JsonObject:
    """Parses a JSON object; empty data gives an empty one. Raises `ApiError` 400."""
    if not data.strip():
        return {}
    try:
        body = json.loads(data)
    except ValueError as error:
        raise ApiError(400, "Invalid JSON payload received. Parse error.", "parseError") from error
    if not isinstance(body, dict):
        raise ApiError(400, "Invalid JSON payload received. Root element must be a message.", "parseError")
    return body


def too_large() -> ApiReply:
    """413 for a mail above the method's limit."""
    return json_reply(ApiError(413, "Request Entity Too Large", "uploadTooLarge").body(), 413)


def _part(piece: bytes) -> tuple[bytes, bytes]:
    piece = piece.removeprefix(b"\r\n").removeprefix(b"\n")
    head, body_at = split_head(piece)
    body = piece[body_at:]
    return head, body[:-2] if body.endswith(b"\r\n") else body.removesuffix(b"\n")


def _upload_body(head: bytes, body: bytes) -> bytes:
    headers = {name.lower(): value.lower() for name, value in header_fields(head)}
    if headers.get("content-transfer-encoding") == "base64":
        return decode_base64(body)
    return body


MOST_CALLS = 100
BOUNDARY = "batch_sandbox_"
REQUEST_LINE = re.compile(r"([A-Z]+) (\S+)(?: HTTP/\d\.\d)?")


class InnerCall(Record):
    """A request of a batch and the Content-ID its answer must carry. `call` is None if it is unreadable."""

    content_id: str
    call: ApiRequest | None


def read_batch(outer: ApiRequest) -> list[InnerCall]:
    """Parses the requests of a batch. Raises `ApiError` 400 for a missing boundary, no requests, or more than a hundred."""
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


def batch_reply(answers: list[tuple[InnerCall, ApiReply]], serial: str) -> ApiReply:
    """The answers as multipart/mixed, in order."""
    boundary = BOUNDARY + serial
    pieces = [piece for inner, reply in answers for piece in _piece(boundary, inner, reply)]
    body = b"".join([*pieces, f"--{boundary}--\r\n".encode()])
    return ApiReply(200, body, {"content-type": f"multipart/mixed; boundary={boundary}"})


def _inner(outer: ApiRequest, piece: bytes) -> InnerCall:
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
    call = ApiRequest(found.group(1), re.sub(r"^https?://[^/]+", "", path), query_of(query), headers, body, inner=True)
    return InnerCall(content_id, call)


def _piece(boundary: str, inner: InnerCall, reply: ApiReply) -> Iterator[bytes]:
    content_id = inner.content_id
    named = f"Content-ID: <response-{content_id[1:]}\r\n" if content_id.startswith("<") else ""
    status = HTTPStatus(reply.status)
    headers = "".join(f"{name.title()}: {value}\r\n" for name, value in reply.headers.items())
    yield f"--{boundary}\r\nContent-Type: application/http\r\n{named}\r\n".encode()
    yield f"HTTP/1.1 {reply.status} {status.phrase}\r\n{headers}Content-Length: {len(reply.body)}\r\n\r\n".encode()
    yield reply.body
    yield b"\r\n"


BAD_GATEWAY = b"<!DOCTYPE html><html lang=en><title>Error 502 (Server Error)!!1</title></html>"
UNANSWERED = 408
Gone = Callable[[], Awaitable[bool]]
Produce = Callable[[], Awaitable[ApiReply]]


class FaultGate:
    def __init__(self, world: SandboxState) -> None:
        self._world = world

    async def run(self, call: ApiRequest, method_id: str, gone: Gone, produce: Produce) -> ApiReply:
        """Returns the answer of `produce`, or what the first firing rule makes of it."""
        fault = self._world.faults.pick(method_id, call.inner, call.names)
        reply = await self._before(fault, gone)
        if reply is None:
            reply = await produce()
            if fault is not None and fault.kind == "double":
                reply = await produce()
            reply = await self._after(fault, reply)
        self.note(call, method_id, reply, fault.kind if fault else "")
        return reply

    def note(self, call: ApiRequest, method_id: str, reply: ApiReply, fault: str) -> None:
        self._world.journal.note(self._world.clock.now_s(), call, method_id, reply.status, reply.units, fault)

    async def _before(self, fault: FaultRule | None, gone: Gone) -> ApiReply | None:
        if fault is None or fault.when != "before":
            return None
        if fault.kind == "slow":
            await asyncio.sleep(fault.seconds)
            return ApiReply(UNANSWERED) if await gone() else None
        if fault.kind == "cut":
            return ApiReply(UNANSWERED).breaking("cut")
        return _fault_reply(fault)

    async def _after(self, fault: FaultRule | None, reply: ApiReply) -> ApiReply:
        if fault is None or fault.when != "after" or fault.kind == "double":
            return reply
        if fault.kind == "slow":
            await asyncio.sleep(fault.seconds)
            return reply
        if fault.kind in {"cut", "truncate"}:
            return reply.breaking(fault.kind)
        return _fault_reply(fault)


def error_reply(error: ApiError, *, calendar: bool = False) -> ApiReply:
    """An error as Google answers it; Calendar omits the status name."""
    wait = {"retry-after": str(error.retry_after_s)} if error.retry_after_s is not None else {}
    return json_reply(error.body(with_status=not calendar), error.code, wait)


def _fault_reply(fault: FaultRule) -> ApiReply:
    error = fault.error()
    assert error is not None, fault.kind
    if error.code == 502:
        return ApiReply(502, BAD_GATEWAY, {"content-type": "text/html; charset=UTF-8"})
    return error_reply(error)


METADATA_SCOPE = "https://www.googleapis.com/auth/gmail.metadata"


class MatchedRequest(Record):
    """A request with its method."""

    call: ApiRequest
    match: MethodMatch


class Dispatcher:
    """Answers API requests, alone or in batches."""

    def __init__(self, world: SandboxState, router: MethodRouter, handlers: Mapping[str, Handler]) -> None:
        self._world, self._router, self._handlers = world, router, handlers
        self._gate = FaultGate(world)
        self._batches = 0

    async def answer(self, call: ApiRequest, gone: Gone) -> ApiReply:
        """Answers one request. `gone()` returns whether the client has disconnected."""
        match = self._router.find(call.verb, call.path)
        if match is None:
            return self._refused(call, "", ApiError(404, "Not Found", "notFound"))
        return await self._run(MatchedRequest(call, match), gone)

    async def answer_batch(self, call: ApiRequest, gone: Gone) -> ApiReply:
        """Answers a batch. A fault on the method id `batch` applies to the batch as a whole."""

        async def produce() -> ApiReply:
            try:
                return await self._batched(read_batch(call), gone)
            except ApiError as error:
                return error_reply(error)

        return await self._gate.run(call, "batch", gone, produce)

    async def _batched(self, inners: list[InnerCall], gone: Gone) -> ApiReply:
        limit = self._world.quota.rules.concurrent
        answers: list[tuple[InnerCall, ApiReply]] = []
        for index, inner in enumerate(inners):
            answers.append((inner, await self._inner(inner, gone, refused=bool(limit) and index >= limit)))
        self._batches += 1
        return batch_reply(answers, str(self._batches))

    async def _inner(self, inner: InnerCall, gone: Gone, *, refused: bool) -> ApiReply:
        if inner.call is None or inner.call.path.startswith("/batch"):
            return error_reply(ApiError(400, "Failed to parse batch request.", "badRequest"))
        if refused:
            return self._refused(inner.call, "concurrent", too_many_concurrent())
        reply = await self.answer(inner.call, gone)
        return replace(reply, body=reply.body[: len(reply.body) // 2]) if reply.broken == "truncate" else reply

    async def _run(self, work: MatchedRequest, gone: Gone) -> ApiReply:
        async def produce() -> ApiReply:
            return self._produce(work)

        return await self._gate.run(work.call, work.match.method.id, gone, produce)

    def _produce(self, work: MatchedRequest) -> ApiReply:
        method, units = work.match.method, 0
        try:
            account, grant = self._authorized(work.call, work.match)
            units = self._world.quota.charge(account.address, method)
            return replace(self._perform(work, account, grant), units=units)
        except ApiError as error:
            return replace(error_reply(error, calendar=method.id.startswith("calendar.")), units=units)

    def _authorized(self, call: ApiRequest, match: MethodMatch) -> tuple[GoogleAccount, Grant]:
        grant = self._world.authority.check(call.bearer())
        if grant is None:
            raise unauthenticated()
        if not set(match.method.scopes) & set(grant.scopes):
            raise insufficient_scopes(match.method.id)
        account = self._world.account(grant.account)
        user = match.arguments.get("userId", "me")
        if user != "me" and not account.owns(user):
            raise ApiError(403, f"Delegation denied for {account.address}", "forbidden")
        return account, grant

    def _perform(self, work: MatchedRequest, account: GoogleAccount, grant: Grant) -> ApiReply:
        method, call = work.match.method, work.call
        arguments = check_query(call.query, method.query)
        upload = read_upload(call) if work.match.upload else Upload(read_json(call.body), None)
        if upload.media is not None and len(upload.media) > method.max_upload_bytes:
            return too_large()
        if upload.body and not method.body:
            raise ApiError(400, "This method takes no request body.", "badRequest")
        if method.body:
            check_body(method.body, upload.body)
        metadata_only = set(grant.scopes) & set(method.scopes) == {METADATA_SCOPE}
        method_call = MethodCall(
            account, self._world.office, work.match.arguments, arguments, upload.body, upload.media, metadata_only
        )
        answer = self._handlers[method.id](method_call)
        if account.habits.odd_numbers:
            answer = with_numbers(_decoded(answer), account.habits.odd_numbers)
        fields = arguments.text("fields")
        return _answer_reply(reduced_to(fields, _decoded(answer) or {}) if fields else answer)

    def _refused(self, call: ApiRequest, method_id: str, error: ApiError) -> ApiReply:
        reply = error_reply(error, calendar=call.path.startswith("/calendar/"))
        self._gate.note(call, method_id, reply, "")
        return reply


def _decoded(answer: Answer) -> JsonObject | None:
    if isinstance(answer, bytes):
        value = json.loads(answer)
        return value if isinstance(value, dict) else None
    return answer


def _answer_reply(answer: object) -> ApiReply:
    if answer is None:
        return ApiReply(204)
    return ApiReply(200, answer if isinstance(answer, bytes) else encode(answer), {"content-type": JSON_TYPE})
