"""Answers a request: token, scopes, quota, faults, parameter checks, method, partial response. Errors become Google's JSON.

A batch is multipart/mixed with one request in each part, each answered on its own; batches in batches get 400. Faults fail a
request before or after it is carried out. Every request is written into the journal.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus

from app.domain.record import Record, replace
from app.sandbox.account import GoogleAccount
from app.sandbox.call import JSON_TYPE, ApiReply, ApiRequest, Handler, MethodCall, error_reply, query_of
from app.sandbox.gmail.headers import header_fields, split_head
from app.sandbox.gmail.mime import decode_base64
from app.sandbox.google_api.errors import ApiError, insufficient_scopes, invalid_argument, unauthenticated
from app.sandbox.google_api.json_values import JsonObject, encode
from app.sandbox.google_api.quirks import with_numbers
from app.sandbox.google_api.schema import Method, MethodMatch, MethodRouter, check_body, check_query, reduced_to
from app.sandbox.world.faults import FaultRule
from app.sandbox.world.world import SandboxState

MOST_CALLS = 100
BOUNDARY = re.compile(r'boundary="?([^";]+)"?')
REQUEST_LINE = re.compile(r"([A-Z]+) (\S+)(?: HTTP/\d\.\d)?")


def _parts(call: ApiRequest, missing: ApiError) -> list[tuple[dict[str, str], bytes]]:
    """The parts of a multipart body with their headers, in lower case. Raises `missing` without a boundary."""
    boundary = BOUNDARY.search(call.headers.get("content-type", ""))
    if boundary is None:
        raise missing
    pieces = re.split(rb"(?:\A|\r?\n)--" + re.escape(boundary[1].encode()) + rb"(?=\r?\n|--)", call.body)
    return [_headed(piece.removeprefix(b"\r\n").removeprefix(b"\n")) for piece in pieces[1:] if not piece.startswith(b"--")]


def _headed(piece: bytes) -> tuple[dict[str, str], bytes]:
    head, body_at = split_head(piece)
    return {name.lower(): value for name, value in header_fields(head)}, piece[body_at:]


def read_upload(call: ApiRequest) -> tuple[JsonObject, bytes]:
    """The JSON body and the mail of a multipart upload. Raises `ApiError` 400."""
    if call.query.get("uploadType") != ["multipart"]:
        raise invalid_argument("Only uploadType=multipart is served")
    parts = _parts(call, invalid_argument("Missing multipart boundary"))
    if len(parts) != 2:
        raise invalid_argument("A multipart upload has two parts: JSON and the mail")
    headers, mail = parts[1]
    encoded = headers.get("content-transfer-encoding", "").lower() == "base64"
    return read_json(parts[0][1]), decode_base64(mail) if encoded else mail


def read_json(data: bytes) -> JsonObject:
    """Parses a JSON object; empty data gives an empty one. Raises `ApiError` 400."""
    try:
        body = json.loads(data.strip() or b"{}")
    except ValueError as error:
        raise ApiError(400, "Invalid JSON payload received. Parse error.", "parseError") from error
    if not isinstance(body, dict):
        raise ApiError(400, "Invalid JSON payload received. Root element must be a message.", "parseError")
    return body


class InnerCall(Record):
    """A request of a batch and the Content-ID its answer must carry. `call` is None if it is unreadable."""

    content_id: str
    call: ApiRequest | None


def read_batch(outer: ApiRequest) -> list[InnerCall]:
    """Parses the requests of a batch. Raises `ApiError` 400 for a missing boundary, no requests, or more than a hundred."""
    missing = ApiError(400, "Failed to parse batch request, error: missing boundary.", "badRequest")
    calls = [_inner(outer, envelope.get("content-id", ""), piece) for envelope, piece in _parts(outer, missing)]
    if not calls:
        raise ApiError(400, "Failed to parse batch request, error: 0 items.", "badRequest")
    if len(calls) > MOST_CALLS:
        raise invalid_argument(f"The batch request has {len(calls)} calls; at most {MOST_CALLS} are allowed.")
    return calls


def _inner(outer: ApiRequest, content_id: str, piece: bytes) -> InnerCall:
    line, _, rest = piece.lstrip(b"\r\n").partition(b"\n")
    found = REQUEST_LINE.fullmatch(line.strip().decode("utf-8", "replace"))
    if found is None:
        return InnerCall(content_id, None)
    headers, body = _headed(rest)
    if "authorization" in outer.headers:
        headers.setdefault("authorization", outer.headers["authorization"])
    if headers.get("content-length", "").isdecimal():
        body = body[: int(headers["content-length"])]
    path, _, query = found[2].partition("?")
    path = re.sub(r"^https?://[^/]+", "", path)
    return InnerCall(content_id, ApiRequest(found[1], path, query_of(query), headers, body, inner=True))


def batch_reply(answers: list[tuple[InnerCall, ApiReply]], serial: int) -> ApiReply:
    """The answers as multipart/mixed, in order."""
    boundary = f"batch_sandbox_{serial}"
    body = b""
    for inner, reply in answers:
        named = f"Content-ID: <response-{inner.content_id[1:]}\r\n" if inner.content_id.startswith("<") else ""
        headers = "".join(f"{name.title()}: {value}\r\n" for name, value in reply.headers.items())
        status = f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}\r\n{headers}Content-Length: {len(reply.body)}"
        body += f"--{boundary}\r\nContent-Type: application/http\r\n{named}\r\n{status}\r\n\r\n".encode() + reply.body + b"\r\n"
    return ApiReply(200, body + f"--{boundary}--\r\n".encode(), {"content-type": f"multipart/mixed; boundary={boundary}"})


METADATA_SCOPE = "https://www.googleapis.com/auth/gmail.metadata"
BAD_GATEWAY = b"<!DOCTYPE html><html lang=en><title>Error 502 (Server Error)!!1</title></html>"
UNANSWERED = 408
Gone = Callable[[], Awaitable[bool]]
Produce = Callable[[], Awaitable[ApiReply]]


class Dispatcher:
    """Answers API requests, alone or in batches. `gone()` returns whether the client has disconnected."""

    def __init__(self, world: SandboxState, handlers: Mapping[str, Handler]) -> None:
        self._world, self._handlers = world, handlers
        self._router = MethodRouter(map(Method.named, handlers))
        self._batches = 0

    async def run(self, call: ApiRequest, method_id: str, gone: Gone, produce: Produce) -> ApiReply:
        """Returns the answer of `produce`, or what the first firing fault makes of it, and writes it into the journal."""
        fault = self._world.faults.pick(method_id, call.inner, call.names)
        when = fault.when if fault else ""
        reply = await self._failed(fault, ApiReply(UNANSWERED), gone) if fault and when == "before" else None
        if reply is None:
            reply = await produce()
            if fault and fault.kind == "double":
                reply = await produce()
            elif fault and when == "after":
                reply = await self._failed(fault, reply, gone) or reply
        return self._noted(call, method_id, reply, fault.kind if fault else "")

    async def _failed(self, fault: FaultRule, reply: ApiReply, gone: Gone) -> ApiReply | None:
        """What a fault makes of a request that would get this reply; None if it is only late."""
        if fault.kind == "slow":
            await asyncio.sleep(fault.seconds)
            return reply if fault.when == "before" and await gone() else None
        if fault.kind in {"cut", "truncate"}:
            return replace(reply, broken=fault.kind)
        if fault.kind == "502":
            return ApiReply(502, BAD_GATEWAY, {"content-type": "text/html; charset=UTF-8"})
        return error_reply(fault.error())

    def _noted(self, call: ApiRequest, method_id: str, reply: ApiReply, fault: str = "") -> ApiReply:
        self._world.journal.note(self._world.clock.now_s(), call, method_id, reply, fault)
        return reply

    async def answer(self, call: ApiRequest, gone: Gone) -> ApiReply:
        """Answers one request."""
        match = self._router.find(call.verb, call.path)
        if match is None:
            error = ApiError(404, "Not Found", "notFound")
            return self._noted(call, "", error_reply(error, calendar=call.path.startswith("/calendar/")))

        async def produce() -> ApiReply:
            method, units = match.method, 0
            try:
                account = self._authorized(call, match)
                units = self._world.quota.charge(account.address, method)
                return replace(self._perform(call, match, account), units=units)
            except ApiError as error:
                return replace(error_reply(error, calendar=method.id.startswith("calendar.")), units=units)

        return await self.run(call, match.method.id, gone, produce)

    async def answer_batch(self, call: ApiRequest, gone: Gone) -> ApiReply:
        """Answers a batch. A fault on the method id `batch` applies to the batch as a whole."""

        async def produce() -> ApiReply:
            try:
                inners = read_batch(call)
            except ApiError as error:
                return error_reply(error)
            answers = [(inner, await self._answer_inner(inner, index, gone)) for index, inner in enumerate(inners)]
            self._batches += 1
            return batch_reply(answers, self._batches)

        return await self.run(call, "batch", gone, produce)

    async def _answer_inner(self, inner: InnerCall, index: int, gone: Gone) -> ApiReply:
        if inner.call is None or inner.call.path.startswith("/batch"):
            return error_reply(ApiError(400, "Failed to parse batch request.", "badRequest"))
        limit = self._world.quota.rules.concurrent
        if limit and index >= limit:
            error = ApiError(429, "Too many concurrent requests for user.", "rateLimitExceeded", domain="usageLimits")
            return self._noted(inner.call, "concurrent", error_reply(error))
        reply = await self.answer(inner.call, gone)
        return replace(reply, body=reply.body[: len(reply.body) // 2]) if reply.broken == "truncate" else reply

    def _authorized(self, call: ApiRequest, match: MethodMatch) -> GoogleAccount:
        grant = self._world.authority.check(call.bearer())
        if grant is None:
            raise unauthenticated()
        allowing = set(match.method.scopes) & set(grant.scopes)
        if not allowing:
            raise insufficient_scopes(match.method.id)
        if allowing == {METADATA_SCOPE}:
            _check_metadata_only(call, match.method)
        account = self._world.account(grant.account)
        user = match.arguments.get("userId", "me")
        if user != "me" and not account.owns(user):
            raise ApiError(403, f"Delegation denied for {account.address}", "forbidden")
        return account

    def _perform(self, call: ApiRequest, match: MethodMatch, account: GoogleAccount) -> ApiReply:
        method = match.method
        arguments = check_query(call.query, method.query)
        body, media = read_upload(call) if match.upload else (read_json(call.body), None)
        if media is not None and len(media) > method.max_upload_bytes:
            raise ApiError(413, "Request Entity Too Large", "uploadTooLarge")
        if body and not method.body:
            raise ApiError(400, "This method takes no request body.", "badRequest")
        if method.body:
            check_body(method.body, body)
        answer = self._handlers[method.id](MethodCall(account, self._world.office, match.arguments, arguments, body, media))
        if answer is None:
            return ApiReply(204)
        fields, odd = arguments.get("fields"), account.habits.odd_numbers
        if fields or odd:
            whole = with_numbers(json.loads(answer) if isinstance(answer, bytes) else answer, odd)
            answer = reduced_to(fields, whole) if fields else whole
        return ApiReply(200, answer if isinstance(answer, bytes) else encode(answer), {"content-type": JSON_TYPE})


def _check_metadata_only(call: ApiRequest, method: Method) -> None:
    """Raises `ApiError` 403 for searches and mail bodies, which the scope for metadata does not allow."""
    format_ = call.query.get("format", ["full"])[-1]
    if any(call.query.get("q", ())):
        raise ApiError(403, "Metadata scope does not support 'q' parameter", "forbidden")
    if "format" in method.query and format_ in {"full", "raw"}:
        raise ApiError(403, f"Metadata scope doesn't allow format {format_.upper()}", "forbidden")
