"""From a request to its answer: token, scopes, quota, faults, checks, method, partial response. Errors become Google's JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.sandbox.account import Account
from app.sandbox.authority import Grant
from app.sandbox.batch import InnerCall, batch_reply, read_batch
from app.sandbox.call import JSON_TYPE, Answer, Ask, Call, Handler, Reply
from app.sandbox.errors import (
    ApiError,
    insufficient_scopes,
    not_found,
    too_many_concurrent,
    unauthenticated,
)
from app.sandbox.fields import apply_fields, parse_fields
from app.sandbox.gate import FaultGate, Gone, error_reply
from app.sandbox.methods import Match, Router
from app.sandbox.schema import check_body, check_query
from app.sandbox.shapes import JsonObject, encode
from app.sandbox.uploads import Upload, Uploads, finished, read_json, read_upload, too_large, upload_type
from app.sandbox.world import World

METADATA_SCOPE = "https://www.googleapis.com/auth/gmail.metadata"


@dataclass(frozen=True, slots=True)
class Work:
    """A request with its method and, for a finished resumable upload, its mail."""

    call: Call
    match: Match
    media: bytes | None = None


class Dispatcher:
    """Answers API requests, alone or in batches."""

    def __init__(self, world: World, router: Router, handlers: Mapping[str, Handler], base_url: str) -> None:
        self._world = world
        self._router = router
        self._handlers = handlers
        self._base_url = base_url
        self._uploads = Uploads(world.owner.mailbox)
        self._gate = FaultGate(world)
        self._batches = 0

    async def answer(self, call: Call, gone: Gone) -> Reply:
        """One request's answer; `gone` tells whether the client has hung up."""
        match = self._router.find(call.verb, call.path)
        work = Work(call, match) if match else None
        if "/upload/" in call.path:
            try:
                step = self._upload_step(call, match)
            except ApiError as error:
                return self._refused(call, "upload", error)
            if isinstance(step, Reply):
                return step
            work = step
        if work is None:
            return self._refused(call, "", ApiError(404, "Not Found", "notFound"))
        return await self._run(work, gone)

    async def answer_batch(self, call: Call, gone: Gone) -> Reply:
        """The answers of a batch; a fault on the method id `batch` hits the whole of it."""

        async def produce() -> Reply:
            try:
                return await self._batched(read_batch(call), gone)
            except ApiError as error:
                return error_reply(error)

        return await self._gate.run(call, "batch", gone, produce)

    async def _batched(self, inners: list[InnerCall], gone: Gone) -> Reply:
        limit = self._world.quota.rules.concurrent
        answers: list[tuple[InnerCall, Reply]] = []
        for index, inner in enumerate(inners):
            answers.append((inner, await self._inner(inner, gone, refused=bool(limit) and index >= limit)))
        self._batches += 1
        return batch_reply(answers, str(self._batches))

    async def _inner(self, inner: InnerCall, gone: Gone, *, refused: bool) -> Reply:
        if inner.call is None or inner.call.path.startswith("/batch"):
            return error_reply(ApiError(400, "Failed to parse batch request.", "badRequest"))
        if refused:
            return self._refused(inner.call, "concurrent", too_many_concurrent())
        reply = await self.answer(inner.call, gone)
        return replace(reply, body=reply.body[: len(reply.body) // 2]) if reply.broken == "truncate" else reply

    async def _run(self, work: Work, gone: Gone) -> Reply:
        async def produce() -> Reply:
            return self._produce(work)

        return await self._gate.run(work.call, work.match.method.id, gone, produce)

    def _produce(self, work: Work) -> Reply:
        method, units = work.match.method, 0
        try:
            account, grant = self._authorized(work.call, work.match)
            units = self._world.quota.charge(account.address, method)
            return replace(self._perform(work, account, grant), units=units)
        except ApiError as error:
            return replace(error_reply(error, calendar=method.id.startswith("calendar.")), units=units)

    def _authorized(self, call: Call, match: Match) -> tuple[Account, Grant]:
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

    def _perform(self, work: Work, account: Account, grant: Grant) -> Reply:
        method, call = work.match.method, work.call
        arguments = check_query(call.query, method.query)
        upload = _upload_of(work)
        if upload.media is not None and len(upload.media) > method.max_upload_bytes:
            return too_large()
        if upload.body and not method.body:
            raise ApiError(400, "This method takes no request body.", "badRequest")
        if method.body:
            check_body(method.body, upload.body)
        metadata_only = set(grant.scopes) & set(method.scopes) == {METADATA_SCOPE}
        ask = Ask(account, self._world.office, work.match.arguments, arguments, upload.body, upload.media, metadata_only)
        mask = parse_fields(arguments.text("fields") or "") if arguments.text("fields") else {}
        answer = self._handlers[method.id](ask)
        return _answer_reply(apply_fields(mask, _decoded(answer)) if mask else answer)

    def _upload_step(self, call: Call, match: Match | None) -> Reply | Work | None:
        session = self._uploads.session(call)
        if session is not None:
            waiting = self._uploads.receive(session, call)
            if waiting is not None:
                return waiting
            complete = finished(session)
            found = self._router.find(complete.verb, complete.path)
            return Work(complete, found, bytes(session.media)) if found else None
        if match is None:
            raise not_found()
        if upload_type(call) == "resumable":
            self._authorized(call, match)
            return self._uploads.begin(call, self._base_url)
        return Work(call, match)

    def _refused(self, call: Call, method_id: str, error: ApiError) -> Reply:
        reply = error_reply(error, calendar=call.path.startswith("/calendar/"))
        self._gate.note(call, method_id, reply, "")
        return reply


def _upload_of(work: Work) -> Upload:
    if work.media is not None:
        return Upload(read_json(work.call.body), work.media)
    if work.match.upload:
        return read_upload(work.call)
    return Upload(read_json(work.call.body), None)


def _decoded(answer: Answer) -> JsonObject | None:
    if isinstance(answer, bytes):
        value = json.loads(answer)
        return value if isinstance(value, dict) else None
    return answer


def _answer_reply(answer: object) -> Reply:
    if answer is None:
        return Reply(204)
    return Reply(200, answer if isinstance(answer, bytes) else encode(answer), {"content-type": JSON_TYPE})
