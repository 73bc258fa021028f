"""The wire below the client: batches taken apart, errors named, JSON of any depth, answers read strictly, pauses."""

import base64
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

import pytest
from google.oauth2.credentials import Credentials
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import (
    ApiOff,
    ExpectedError,
    LoginNeeded,
    NotFound,
    Offline,
    PermissionMissing,
    PolicyForbids,
    QuotaReached,
    RejectedByServer,
    ServerError,
    TemporarilyRejected,
)
from app.domain.ids import GmailDraftId, GmailId, GmailThreadId
from app.domain.ports.gmail import ReadDraft
from app.mail.gmail.auth import made, static_credentials
from app.mail.gmail.client import connect, message_of, thread_of
from app.mail.gmail.endpoint import Endpoint
from app.mail.gmail.wire import answers
from app.mail.gmail.wire.calls import Backoff, decoded, split_batch
from app.mail.gmail.wire.errors import DAILY_WAIT_S, HttpAnswer, failure_of, retry_after_s
from app.mail.gmail.wire.transport import HttpCall, Transport
from app.mail.google.calendar import GoogleCalendar
from fakes.gmail.web_server import Handler, WebServer


def batch_answer(
    parts: list[tuple[str, int, bytes]], end: str = "\r\n", boundary: str = "b1", length: bool = False
) -> HttpAnswer:
    """An answer as Google writes it."""
    lines = b""
    for key, status, body in parts:
        extra = f"Content-Length: {len(body)}{end}" if length else ""
        head = f"--{boundary}{end}Content-Type: application/http{end}Content-ID: <response-{key}>{end}{end}"
        lines += (
            f"{head}HTTP/1.1 {status} Words{end}Content-Type: application/json{end}{extra}{end}".encode() + body + end.encode()
        )
    return HttpAnswer(200, {"content-type": f"multipart/mixed; boundary={boundary}"}, lines + f"--{boundary}--{end}".encode())


INNER = [
    ("i0", 200, b'{"a": 1}'),
    ("i1", 404, b'{"error": {}}'),
    ("i2", 204, b""),
    ("i3", 200, b'{"text": "line\\n--b1 is no boundary"}'),
]


@pytest.mark.parametrize("end", ["\r\n", "\n"])
@pytest.mark.parametrize("length", [True, False])
def test_inner_answers_are_found_by_their_ids(end: str, length: bool) -> None:
    found = split_batch(batch_answer(INNER, end, length=length))
    assert {key: (inner.status, inner.body.strip()) for key, inner in found.items()} == {
        key: (status, body) for key, status, body in INNER
    }
    assert found["i0"].headers["content-type"] == "application/json"


@given(st.integers(0, 700))
def test_a_cut_answer_gives_only_whole_inner_answers(cut: int) -> None:
    whole = batch_answer(INNER)
    found = split_batch(HttpAnswer(200, whole.headers, whole.body[:cut]))
    wanted = {key: body for key, _, body in INNER}
    for key, inner in found.items():
        assert inner.body.strip() == wanted[key]


@given(st.binary(max_size=200), st.text(max_size=40))
def test_no_answer_fails_to_split(body: bytes, kind: str) -> None:
    split_batch(HttpAnswer(200, {"content-type": kind}, body))
    split_batch(HttpAnswer(200, {"content-type": "multipart/mixed; boundary=b1"}, b"--b1\r\n" + body + b"\r\n--b1--"))


def test_an_inner_answer_shorter_than_it_says_is_left_out() -> None:
    answer = batch_answer([("i0", 200, b'{"a": 1}')], length=True)
    assert split_batch(HttpAnswer(200, answer.headers, answer.body.replace(b'{"a": 1}', b'{"a"'))) == {}


def error_body(reason: str = "", message: str = "m", status: str = "") -> bytes:
    return json.dumps(
        {"error": {"message": message, "status": status, "errors": [{"reason": reason}] if reason else []}}
    ).encode()


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (400, error_body("failedPrecondition"), TemporarilyRejected),
        (412, error_body(status="FAILED_PRECONDITION"), TemporarilyRejected),
        (412, error_body("conditionNotMet"), RejectedByServer),
        (400, error_body("invalidArgument"), RejectedByServer),
        (401, error_body("authError"), LoginNeeded),
        (403, error_body("rateLimitExceeded"), QuotaReached),
        (403, error_body("userRateLimitExceeded"), QuotaReached),
        (403, error_body("quotaExceeded"), QuotaReached),
        (403, error_body("dailyLimitExceeded"), QuotaReached),
        (403, error_body(status="RESOURCE_EXHAUSTED"), QuotaReached),
        (403, error_body("insufficientPermissions"), PermissionMissing),
        (403, error_body("domainPolicy"), PolicyForbids),
        (403, error_body("accessNotConfigured"), ApiOff),
        (403, error_body(status="PERMISSION_DENIED"), PermissionMissing),
        (403, b"<html>", PermissionMissing),
        (404, error_body("notFound"), NotFound),
        (408, b"", ServerError),
        (409, error_body("aborted"), RejectedByServer),
        (410, b"", NotFound),
        (412, b"", RejectedByServer),
        (413, b"", RejectedByServer),
        (429, b"", QuotaReached),
        (500, error_body("backendError"), ServerError),
        (502, b"<html>Bad gateway", ServerError),
        (503, b"\xff", ServerError),
        (302, b"", ServerError),
        (500, b'{"error": "text"}', ServerError),
        (403, b'{"error": {"errors": 3}}', PermissionMissing),
        (500, b"[" * 5000, ServerError),
    ],
)
def test_each_refusal_has_its_error(status: int, body: bytes, error: type[ExpectedError]) -> None:
    found = failure_of(HttpAnswer(status, {}, body))
    assert type(found) is error
    assert found.detail.startswith(str(status))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "999999999999"}, 3600.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Tue, 03 Nov 2026 10:00:30 +99999999999999999999"}, None),
        ({"retry-after": "Tue, 03 Nov 2026 10:00:30 GMT", "date": "Tue, 03 Nov 2026 10:00:00 GMT"}, 30.0),
        ({"retry-after": "Tue, 03 Nov 2026 09:00:00 GMT", "date": "Tue, 03 Nov 2026 10:00:00 GMT"}, 0.0),
    ],
)
def test_retry_after_is_seconds_or_a_date(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers) == seconds
    found = failure_of(HttpAnswer(429, headers, b""))
    assert isinstance(found, QuotaReached) and found.retry_after_s == seconds


def test_a_days_quota_is_not_asked_for_every_few_seconds() -> None:
    spent = failure_of(HttpAnswer(403, {}, error_body("dailyLimitExceeded")))
    assert isinstance(spent, QuotaReached) and spent.retry_after_s == DAILY_WAIT_S
    assert not Backoff().again(spent, 1)


@given(st.integers(1, 12), st.floats(0, 1), st.one_of(st.none(), st.floats(0, 100)))
def test_pauses_grow_are_spread_and_never_shorter_than_asked(attempt: int, chance: float, told_s: float | None) -> None:
    backoff = Backoff()
    pause_s = backoff.pause_s(QuotaReached("", told_s), attempt, chance)
    assert 0.5 <= pause_s <= max(backoff.cap_s, told_s or 0)
    assert told_s is None or pause_s >= told_s
    assert not backoff.again(Offline(), 1)
    assert not backoff.again(ServerError(), backoff.attempts)
    assert not backoff.again(QuotaReached("", 1000.0), 1), "a long pause is the user's to know of"


def test_addresses_nobody_confirmed_are_not_offered() -> None:
    body = (
        b'{"sendAs": [{"sendAsEmail": "A@x.example", "isDefault": true},'
        b'{"sendAsEmail": "b@x.example", "verificationStatus": "pending"}]}'
    )
    assert [each.email for each in answers.send_as(body)] == ["a@x.example"]


@pytest.mark.parametrize(
    "read",
    [
        answers.profile,
        answers.labels,
        answers.list_page,
        answers.history_page,
        answers.thread_state,
        answers.draft,
        answers.draft_ids,
        answers.read_draft,
        answers.message_id,
    ],
)
@pytest.mark.parametrize(
    "body", [b"", b"[]", b"null", b"<html>", b'{"id": {}, "messages": 3, "labels": 3, "history": 3, "drafts": 3}']
)
def test_answers_of_another_shape_are_the_servers_trouble(read: Callable[[bytes], object], body: bytes) -> None:
    with pytest.raises(ServerError):
        decoded(body, read)


@pytest.mark.parametrize(
    ("body", "read"), [(b"[]", message_of), (b'{"messages": 1}', thread_of), (b'{"messages": [1]}', thread_of)]
)
def test_what_is_no_message_or_thread_is_told(body: bytes, read: Callable[[bytes], object]) -> None:
    with pytest.raises(TypeError):
        read(body)


class RudeServer:
    """Takes each connection, reads the request, says `answer`, and hangs up; counts the requests."""

    def __init__(self, answer: bytes) -> None:
        self.requests = 0
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                peer, _ = self._listener.accept()
            except OSError:
                return
            with peer:
                data = peer.recv(65_536)
                if data == b"stop":
                    return
                self.requests += bool(data)
                if self._answer:
                    peer.sendall(self._answer)

    def close(self) -> None:
        with socket.create_connection(self._listener.getsockname()) as last:
            last.sendall(b"stop")
        self._thread.join()
        self._listener.close()

    def __enter__(self) -> "RudeServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transport(self, credentials: Credentials | None = None) -> Iterator[Transport]:
        """A transport to this server, closed at the end."""
        made = Transport(Endpoint(self.url), credentials or static_credentials("t"), timeout_s=5)
        try:
            yield made
        finally:
            made.close()


@pytest.mark.parametrize("answer", [b"", b"garbage\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"])
def test_a_write_whose_answer_is_lost_is_never_sent_again(answer: bytes) -> None:
    with RudeServer(answer) as server, server.transport() as transport, pytest.raises(ServerError):
        transport.write(HttpCall(f"{server.url}send", "POST", b"{}", {"content-type": "application/json"}))
    assert server.requests == 1


def test_a_redirect_is_not_followed_with_the_token() -> None:
    found = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/elsewhere\r\nContent-Length: 0\r\n\r\n"
    with RudeServer(found) as server, server.transport() as transport:
        assert transport.read(HttpCall(server.url)).status == 302
    with pytest.raises(Offline):
        transport.read(HttpCall(server.url))


def json_answer(**fields: object) -> bytes:
    body = json.dumps(fields).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


@pytest.mark.parametrize("lifetime", [10**30, "9" * 30, "soon", [], -(10**30)], ids=str)
def test_a_token_that_expires_at_no_possible_time_is_the_servers_trouble(lifetime: object) -> None:
    with RudeServer(json_answer(access_token="t2", expires_in=lifetime)) as server:
        credentials = made("t1", refresh_token="r", client_id="c", client_secret="s", token_uri=server.url)
        with server.transport(credentials) as transport, pytest.raises((ServerError, Offline)):
            transport.refresh()


@pytest.mark.parametrize("message", [{"id": "m1", "threadId": "t"}, {"threadId": "t"}, None], ids=["whole", "no id", "nothing"])
async def test_an_answer_about_another_draft_deletes_none(message: object) -> None:
    server = RudeServer(json_answer(id="r2", message=message))
    client = connect(Endpoint(server.url), static_credentials("t"), None, backoff=Backoff(attempts=1))
    asked = ReadDraft(GmailDraftId("r1"), GmailId("m1"), GmailThreadId("t"))
    try:
        with pytest.raises(ServerError):
            await client.delete_draft(asked)
    finally:
        await client.close()
        server.close()
    assert server.requests == 1


@pytest.mark.parametrize(("answered", "there"), [("ours", True), ("another", False), ("", False)])
async def test_only_the_event_that_was_asked_for_says_that_it_stands(answered: str, there: bool) -> None:
    server = RudeServer(json_answer(id=answered, status="confirmed"))
    calendar = GoogleCalendar(Endpoint(server.url), static_credentials("t"))
    try:
        assert await calendar.has("ours") is there
    finally:
        await calendar.close()
        server.close()


async def test_an_empty_answer_that_calls_itself_html_is_nobodys_page() -> None:
    server = RudeServer(b"HTTP/1.1 204 No Content\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n")
    client = connect(Endpoint(server.url), static_credentials("t"), None)
    try:
        await client.modify([GmailId("a1")], ["STARRED"], [])
    finally:
        await client.close()
        server.close()
    assert server.requests == 1


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (b"502 Bad Gateway\r\nContent-Length: 11\r\n\r\nBad Gateway", ServerError),
        (b"504 Gateway Timeout\r\nContent-Length: 0\r\n\r\n", ServerError),
        (b'400 Bad Request\r\nContent-Length: 25\r\n\r\n{"error":"invalid_grant"}', LoginNeeded),
    ],
)
def test_only_googles_own_refusal_ends_a_sign_in(answer: bytes, error: type[ExpectedError]) -> None:
    expired = (datetime.now(UTC) - timedelta(hours=1)).replace(tzinfo=None)
    with RudeServer(b"HTTP/1.1 " + answer) as server:
        token_uri = f"{server.url}token"
        credentials = made("old", refresh_token="r", token_uri=token_uri, client_id="c", client_secret="s", expiry=expired)
        with server.transport(credentials) as transport, pytest.raises(error):
            transport.read(HttpCall(server.url))


class Dripping(Handler):
    """An answer that takes its time."""

    def respond(self) -> None:
        """Twenty pieces, until nobody listens."""
        self.send_response(200)
        self.send_header("Content-Length", "200000")
        self.end_headers()
        with suppress(OSError):
            for _ in range(20):
                self.wfile.write(b" " * 10_000)
                time.sleep(0.001)


def test_closing_in_the_middle_of_answers_is_no_fault() -> None:
    raised: list[Exception] = []

    def ask(transport: Transport) -> None:
        try:
            while True:
                transport.read(HttpCall(f"{server.address}/"))
        except Exception as error:
            raised.append(error)

    with WebServer(Dripping) as server:
        for number in range(12):
            transport = Transport(Endpoint(f"{server.address}/"), static_credentials("t"), timeout_s=20)
            threads = [threading.Thread(target=ask, args=(transport,)) for _ in range(4)]
            for thread in threads:
                thread.start()
            time.sleep(number * 0.002)
            transport.close()
            for thread in threads:
                thread.join()
    assert len(raised) == 48
    assert not [error for error in raised if not isinstance(error, ExpectedError)]


def test_a_name_that_does_not_resolve_is_offline() -> None:
    transport = Transport(Endpoint("http://nowhere.invalid/"), static_credentials("t"), timeout_s=1)
    with pytest.raises((Offline, RuntimeError)):
        transport.read(HttpCall("http://nowhere.invalid/"))
    transport.close()


@pytest.mark.expects_warnings
async def test_a_source_that_breaks_its_reader_is_named() -> None:
    nested = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(2000))
    raw = base64.urlsafe_b64encode(nested).decode()
    body = json.dumps({"id": "m", "raw": raw, "payload": {"parts": [{"partId": "0"}]}}).encode()
    server = RudeServer(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    client = connect(Endpoint(server.url), static_credentials("t"), None, backoff=Backoff(attempts=1))
    try:
        with pytest.raises(ServerError):
            await client.attachment(GmailId("m"), "0")
    finally:
        await client.close()
        server.close()


@pytest.mark.parametrize(
    ("written", "sender"),
    [
        ("Jan (it's me) <Jan@b.example>", "jan@b.example"),
        ("=?utf-8?Q?Nov=C3=A1k=2C_Jan?= <jan@b.example>", "jan@b.example"),
        ("(" * 5000 + "<jan@b.example>", ""),
        ("Nov\u00e1k, Jan <jan@b.example>", "jan@b.example"),
    ],
)
def test_a_threads_senders_are_read_as_the_mirrors_are(written: str, sender: str) -> None:
    message = {"id": "m", "internalDate": "-1000", "payload": {"headers": [{"name": "From", "value": written}]}}
    (state,) = answers.thread_state(json.dumps({"messages": [message]}).encode())
    assert (state.sender, state.date.year) == (sender, 1969)
