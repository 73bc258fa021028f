"""The asyncio side of the transport: worker threads, pacing in quota units, retries of reads."""

import asyncio
import http.client
import logging
import random
import re
import threading
import traceback
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from secrets import token_hex
from typing import Protocol, TypeVar
from urllib.parse import urljoin

import msgspec
from google.auth.credentials import Credentials

from app.domain.errors import ExpectedError, LoginNeeded, NotFound, Offline, QuotaReached, ServerError, TemporarilyRejected
from app.domain.record import Record, replace
from app.domain.sync import UNITS
from app.mail.gmail.endpoint import Endpoint, discovery_document, requests_of
from app.mail.gmail.pacing import UnitBucket
from app.mail.gmail.wire.errors import HttpAnswer, failure_of, stranger_in
from app.mail.gmail.wire.transport import HttpCall, Told, Transport

log = logging.getLogger(__name__)


class Backoff(Record):
    """Exponential pauses with jitter: `attempts` in all, `base_s` doubled up to `cap_s`."""

    attempts: int = 5
    base_s: float = 1.0
    cap_s: float = 32.0

    def again(self, error: ExpectedError, attempt: int) -> bool:
        """Whether to retry after `attempt` tries (counted from 1).

        A server that asks for a pause of more than twice `cap_s` is not retried here; the caller waits and can tell the user.
        """
        if attempt >= self.attempts:
            return False
        if isinstance(error, QuotaReached):
            return (error.retry_after_s or 0.0) <= 2 * self.cap_s
        return isinstance(error, ServerError | TemporarilyRejected)

    def pause_s(self, error: ExpectedError, attempt: int, chance: float) -> float:
        """Seconds to wait after `attempt` tries, at least what the server asked for.

        `chance` in 0..1 is the jitter: it spreads clients.
        """
        pause_s: float = min(self.base_s * 2.0 ** (attempt - 1), self.cap_s) * (0.5 + chance / 2)
        asked_s = error.retry_after_s if isinstance(error, QuotaReached) else None
        return max(pause_s, asked_s or 0.0)


T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
Decode = Callable[[bytes], T]
Sleep = Callable[[float], Awaitable[None]]

SERVICE_TIMEOUT_S = 30.0


class Calls:
    """Sends calls for one account. `threads` limits how many run at once."""

    def __init__(
        self,
        transport: Transport,
        pace: UnitBucket | None,
        *,
        sleep: Sleep = asyncio.sleep,
        backoff: Backoff | None = None,
        chance: Callable[[], float] = random.random,
        threads: int = 4,
    ) -> None:
        self._transport, self._pace, self._sleep = transport, pace, sleep
        self._backoff = backoff or Backoff()
        self._chance = chance
        self._workers = ThreadPoolExecutor(threads, thread_name_prefix="google")
        self._closed = threading.Event()
        self._most_in_batch = MOST

    def room_s(self, units: int) -> float:
        """Seconds until background work of that cost may start, 0 if now."""
        return self._pace.room_s(units) if self._pace is not None else 0.0

    async def read(self, request: "BuiltRequest | HttpCall", decode: Decode[T]) -> T:
        """Returns the decoded answer of a read, with retries. Raises `ExpectedError`."""
        return await self._repeated(self._transport.read, call_of(request), lambda answer: decoded(answer.body, decode))

    async def write(self, request: "BuiltRequest | HttpCall", decode: Decode[T]) -> T:
        """Returns the decoded answer of a write: exactly one HTTP request. Raises `ExpectedError`."""
        return await self._exchange(
            lambda one: _foreign_404_as_502(self._transport.write(one)),
            call_of(request),
            lambda answer: decoded(answer.body, decode),
        )

    async def download(self, request: "BuiltRequest | HttpCall", part: Path, told: Told) -> None:
        """Reads into a file, with retries. Raises `ExpectedError`."""
        await self._repeated(lambda one: self._transport.download(one, part, told), call_of(request), lambda _: None)

    async def batch(self, url: str, wanted: Mapping[K, HttpCall], decode: Decode[T]) -> dict[K, T | ExpectedError]:
        """Returns a result for each wanted call, after retries. The calls' addresses are paths.

        Calls that failed temporarily are sent again without the others. Raises `ExpectedError` only if the whole batch gets no
        answer or the sign-in has ended.
        """
        keys = {f"i{number}": key for number, key in enumerate(wanted)}
        done: dict[K, T | ExpectedError] = {}
        renewed, attempt = False, 1
        while pending := [name for name, key in keys.items() if key not in done]:
            asked = [(name, wanted[keys[name]]) for name in pending[: self._most_in_batch]]
            try:
                results = await self._batch_once(url, asked, decode)
            except NotFound as error:
                log.warning("the server takes no batches (%s), so each call is sent alone", error.detail)
                self._most_in_batch = ALONE
                continue
            if any(isinstance(result, LoginNeeded) for result in results.values()):
                if renewed:
                    raise LoginNeeded("The server refuses the renewed access token.")
                await self.run(self._transport.refresh)
                renewed = True
                results = {name: result for name, result in results.items() if not isinstance(result, LoginNeeded)}
            again = {name: r for name, r in results.items() if isinstance(r, ExpectedError) and self._backoff.again(r, attempt)}
            done.update({keys[name]: result for name, result in results.items() if name not in again})
            if again:
                await self._pause(again.values(), attempt)
                attempt += 1
        return {key: done[key] for key in wanted}

    async def run(self, work: Callable[[], T]) -> T:
        """Runs blocking work on a worker thread. Raises `Offline` once this client is closed."""
        if self._closed.is_set():
            raise Offline("The connections of this client are closed.")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._workers, work)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if self._closed.is_set() and task is not None and not task.cancelling():
                raise Offline("The connections of this client are closed.") from None
            raise

    async def close(self) -> None:
        self._closed.set()
        self._transport.close()
        self._workers.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self._workers.shutdown)

    async def _batch_once(
        self, url: str, named: Sequence[tuple[str, HttpCall]], decode: Decode[T]
    ) -> dict[str, T | ExpectedError]:
        if self._most_in_batch == ALONE:
            name, read = named[0]
            return {name: await self._alone(replace(read, url=urljoin(url, read.url)), decode)}
        call = batch_call(url, named)

        def convert(answer: HttpAnswer) -> dict[str, T | ExpectedError]:
            inner = split_batch(answer)
            missing: ExpectedError = ServerError("A batch's answer left this call out.")
            return {name: _outcome(inner[name], decode) if name in inner else missing for name, _ in named}

        results = await self._repeated(self._transport.read, call, convert)
        refused = sum(isinstance(result, QuotaReached) for result in results.values())
        if refused:
            self._learn(rate_limited=True)
        # Google works on a batch in parallel and may rate-limit some of its calls. All are refused where the quota is used up.
        if 0 < refused < len(named):
            self._most_in_batch = max(min(self._most_in_batch, len(named)) // 2, LEAST)
        return results

    async def _alone(self, call: HttpCall, decode: Decode[T]) -> T | ExpectedError:
        """Sends a call of a batch by itself, once. Returns its answer or error."""
        try:
            return await self._exchange(
                lambda one: _foreign_404_as_502(self._transport.read(one)), call, lambda answer: decoded(answer.body, decode)
            )
        except Offline:
            raise
        except ExpectedError as error:
            return error

    async def _repeated(self, send: Callable[[HttpCall], HttpAnswer], call: HttpCall, convert: Callable[[HttpAnswer], T]) -> T:
        """Sends a read until it succeeds or no retry is left."""
        attempt = 1
        while True:
            try:
                return await self._exchange(send, call, convert)
            except (ServerError, QuotaReached, TemporarilyRejected) as error:
                if not self._backoff.again(error, attempt):
                    raise
                await self._pause([error], attempt)
                attempt += 1

    async def _pause(self, errors: Iterable[ExpectedError], attempt: int) -> None:
        await self._sleep(max(self._backoff.pause_s(error, attempt, self._chance()) for error in errors))

    async def _exchange(self, send: Callable[[HttpCall], HttpAnswer], call: HttpCall, convert: Callable[[HttpAnswer], T]) -> T:
        if self._pace is not None:
            await self._pace.take(call.units)

        def work() -> T:
            answer = send(call)
            intercepted = stranger_in(answer)
            if intercepted is not None:
                raise intercepted
            if not answer.ok:
                raise failure_of(answer)
            return convert(answer)

        try:
            result = await self.run(work)
        except QuotaReached:
            self._learn(rate_limited=True)
            raise
        self._learn(rate_limited=False)
        return result

    def _learn(self, rate_limited: bool) -> None:
        if self._pace is not None:
            self._pace.learn(rate_limited)


def decoded(body: bytes, decode: Decode[T]) -> T:
    """Runs `decode(body)` and converts its exceptions to `ServerError`.

    This includes bugs of the parser: otherwise one message would fail the same batch for ever and hold up all later mail.
    """
    try:
        return decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, KeyError, TypeError) as error:
        raise ServerError(f"The server's answer cannot be read: {type(error).__name__}.") from error
    except (LookupError, AttributeError, ArithmeticError, AssertionError, RuntimeError) as error:
        where = "".join(traceback.format_tb(error.__traceback__)[-20:])  # without the error's message, which may hold mail
        log.error("an answer broke its reader: %s\n%s", type(error).__name__, where)
        raise ServerError(f"The server's answer cannot be read: {type(error).__name__}.") from error


def _foreign_404_as_502(answer: HttpAnswer) -> HttpAnswer:
    """A 404 without JSON is a gateway's: it does not show that a message or draft is gone. It becomes a 502."""
    foreign = answer.status == http.client.NOT_FOUND and not answer.body.lstrip().startswith(b"{")
    return replace(answer, status=http.client.BAD_GATEWAY) if foreign else answer


def _outcome(answer: HttpAnswer, decode: Decode[T]) -> T | ExpectedError:
    if not answer.ok:
        return failure_of(answer)
    try:
        return decoded(answer.body, decode)
    except ServerError as error:
        return error


class BuiltRequest(Protocol):
    """The used part of the client library's `HttpRequest`; its `execute` is not used."""

    uri: str
    method: str
    body: str | None
    headers: dict[str, str]


_method_id = attrgetter("methodId")


def call_of(request: BuiltRequest | HttpCall) -> HttpCall:
    """Converts a built request to an `HttpCall`. Calls of Gmail cost what `UNITS` says; other services are not paced."""
    if isinstance(request, HttpCall):
        return request
    service, _, method = _method_id(request).partition(".users.")
    units = UNITS[method] if service == "gmail" else 0
    return HttpCall(request.uri, request.method, request.body, request.headers, units)


class ServiceClient:
    """A client of a Google API beside Gmail (`api`, such as calendar.v3), with one worker thread and no pacing."""

    api: str

    def __init__(self, endpoint: Endpoint, credentials: Credentials, *, sleep: Sleep = asyncio.sleep) -> None:
        self._resource = requests_of(endpoint, self.api)
        self._calls = Calls(Transport(endpoint, credentials, SERVICE_TIMEOUT_S), None, sleep=sleep, threads=1)

    async def close(self) -> None:
        await self._calls.close()


class GmailCollections:
    """Gmail's collections at an endpoint, built once. Building a collection takes 1 ms, building a request 0.1 ms."""

    def __init__(self, endpoint: Endpoint, calls: Calls) -> None:
        document = discovery_document("gmail.v1")
        users = requests_of(endpoint, "gmail.v1").users()
        self.calls = calls
        self.root_url = endpoint.root_of(document)
        self.batch_url = self.root_url + str(document["batchPath"])
        self.users = users
        self.messages = users.messages()
        self.attachments = self.messages.attachments()
        self.threads = users.threads()
        self.drafts = users.drafts()
        self.labels = users.labels()
        self.history = users.history()
        self.settings = users.settings()
        self.send_as = self.settings.sendAs()


BOUNDARY = re.compile(r'boundary="?([^";,\s]{1,200})', re.IGNORECASE)
CONTENT_ID = re.compile(rb"^content-id:\s*<(?:response-)?([^>\s]+)>", re.IGNORECASE | re.MULTILINE)
EMPTY_LINE = re.compile(rb"\n\r?\n")
STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})[^\r\n]*\r?\n")

MOST = 50
LEAST = 10
ALONE = 1
"""The limit for a server that has no batches."""


def batch_call(url: str, named: Sequence[tuple[str, HttpCall]]) -> HttpCall:
    """Builds one POST of reads by key. Keys hold only letters, digits, `-` and `_`."""
    boundary = f"batch_{token_hex(12)}"
    parts = [
        f"--{boundary}\r\nContent-Type: application/http\r\nContent-ID: <{key}>\r\n\r\nGET {each.url} HTTP/1.1\r\n"
        "Accept: application/json\r\n\r\n\r\n"
        for key, each in named
    ]
    body = "".join(parts) + f"--{boundary}--\r\n"
    headers = {"content-type": f'multipart/mixed; boundary="{boundary}"'}
    return HttpCall(url, "POST", body.encode("ascii"), headers, sum(each.units for _, each in named))


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
