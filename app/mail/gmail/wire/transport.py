"""Blocking HTTP to Google over the client library's authorised httplib2 transport, for worker threads.

httplib2 is not thread-safe, so each thread has its own connection. Answers with files go straight to disk.
"""

import http.client
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import google_auth_httplib2
import httplib2
from google.auth.credentials import Credentials
from google.auth.exceptions import GoogleAuthError, RefreshError, TransportError
from httplib2.decode import DecodeLimitError, DecodeRatioError
from msgspec import field

from app.domain.errors import ExpectedError, Intercepted, LoginNeeded, Offline, ServerError
from app.domain.record import Record, replace
from app.mail.gmail.endpoint import Endpoint
from app.mail.gmail.wire.errors import HttpAnswer, portal, stranger_in

LONGEST_READ_S, LONGEST_WRITE_S = 180.0, 1800.0
"""Seconds for a whole exchange. A batch that takes longer is asked for again in parts. Large mail may go up slowly."""
PIECE = 1 << 16
Told = Callable[[int], None]
"""Called on a worker thread with the bytes on disk so far; may raise to stop the download."""


def stream_to(url: str, headers: dict[str, str], part: Path, told: Told, *, direct: bool, timeout_s: float) -> HttpAnswer:
    """Writes a GET answer to the file `part`.

    Returns a success with an empty body, another answer with its body. Raises `Offline` and `ServerError`.
    """
    import httpx  # 0.15 s of imports, needed only for downloads

    try:
        with (
            httpx.Client(timeout=timeout_s, trust_env=not direct, follow_redirects=False) as client,
            client.stream("GET", url, headers={**headers, "accept-encoding": "identity"}) as response,
        ):
            pieces = response.iter_raw(PIECE)
            answer = HttpAnswer(response.status_code, dict(response.headers), b"")
            if not answer.ok or stranger_in(answer) is not None:  # another server's page; none of it belongs to the file
                return replace(answer, body=next(pieces, b""))
            with part.open("wb") as file:
                for piece in pieces:
                    file.write(piece)
                    told(file.tell())
            return answer
    except (httpx.ConnectError, httpx.TimeoutException) as error:
        raise Offline(f"{type(error).__name__}") from error
    except httpx.HTTPError as error:
        raise ServerError(f"The connection was cut: {type(error).__name__}") from error


LARGEST_ANSWER = 1 << 29
"""Bytes a compressed answer may unpack to."""


class HttpCall(Record):
    url: str
    method: str = "GET"
    body: bytes | str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    units: int = 0
    """Gmail's quota units."""


class _TokenRequest:
    """Sends token requests and keeps the last status."""

    def __init__(self, plain: httplib2.Http) -> None:
        self._send: Any = google_auth_httplib2.Request(plain)
        self.status = 0
        self.refused_by_gateway = False

    def __call__(self, *parts: Any, **named: Any) -> Any:
        """Sends the request.

        Google rejects with a JSON object; any other refusal comes from a gateway and does not end the sign-in.
        """
        answer = self._send(*parts, **named)
        self.status = answer.status
        self.refused_by_gateway = answer.status != http.client.OK and not answer.data.lstrip().startswith(b"{")
        return answer


@cache
def _connection(secure: bool, once: bool) -> type:
    """Returns a connection class that knows its socket, which http.client forgets while it reads a last answer.

    With `once` it opens only once: reopening would send a write again.
    """
    kind: Any = httplib2.HTTPSConnectionWithTimeout if secure else httplib2.HTTPConnectionWithTimeout

    def connect(self: Any) -> None:
        if once and self.opened is not None:
            raise ConnectionResetError("The connection was lost after a write had left; it is not sent again.")
        kind.connect(self)
        self.opened = self.sock

    return type(f"Known{kind.__name__}", (kind,), {"connect": connect, "opened": None})


def _raise_closed() -> None:
    raise ConnectionResetError("The connections of this client are closed.")


class Transport:
    """Sends calls. Thread-safe. Raises only `ExpectedError`; an answer is returned whatever its status."""

    def __init__(self, endpoint: Endpoint, credentials: Credentials, timeout_s: float = 60.0) -> None:
        self._endpoint = endpoint
        self._credentials: Any = credentials
        self._timeout_s = timeout_s
        self._local = threading.local()
        self._lock = threading.Lock()
        self._refreshing = threading.Lock()
        self._open: list[httplib2.Http] = []
        self._closed = False

    def read(self, call: HttpCall) -> HttpAnswer:
        """Sends a call that changes nothing. After a 401 it refreshes the token and tries once more."""
        return self._twice(lambda: self._exchange(self._pooled(), call))

    def _twice(self, send: Callable[[], HttpAnswer]) -> HttpAnswer:
        used = self._credentials.token
        answer = send()
        if answer.status != 401:
            return answer
        self.refresh(used)
        return send()

    def write(self, call: HttpCall) -> HttpAnswer:
        """Sends a call that changes something: one HTTP request, never repeated.

        After a 401 it refreshes the token and raises `ServerError`: nothing was changed, and the caller decides.
        """
        plain = self._new_http()
        try:
            answer = self._exchange(plain, call, once=True)
        finally:
            with self._lock:
                if plain in self._open:
                    self._open.remove(plain)
            plain.close()
        if answer.status == 401:
            self.refresh()
            raise ServerError("401 The access token had expired; it is renewed now.")
        return answer

    def download(self, call: HttpCall, part: Path, told: Told) -> HttpAnswer:
        """Sends a read whose answer is written to the file `part`. `told` gets the number of bytes on disk."""
        return self._twice(lambda: self._streamed(call, part, told))

    def refresh(self, refused: str | None = None) -> None:
        """Gets a new access token, unless another thread has replaced the `refused` one.

        Raises `LoginNeeded` if the account's consent was withdrawn.
        """
        with self._converting_errors(), self._refreshing:
            if refused is None or self._credentials.token in (None, refused):
                self._renew(self._pooled())

    def close(self) -> None:
        """Closes every connection, also those a thread is waiting on."""
        with self._lock:
            opened, self._open = self._open, []
            self._closed = True
        for each in opened:
            _cut(each)

    def _streamed(self, call: HttpCall, part: Path, told: Told) -> HttpAnswer:
        with self._converting_errors():
            self._renew_when_due(self._pooled())
        headers = {**call.headers, "user-agent": "Replyroom"}
        self._credentials.apply(headers)

        def tell(done_bytes: int) -> None:
            if self._closed:
                raise Offline("The connections of this client are closed.")
            told(done_bytes)

        return stream_to(call.url, headers, part, tell, direct=self._endpoint.loopback, timeout_s=self._timeout_s)

    def _exchange(self, plain: httplib2.Http, call: HttpCall, once: bool = False) -> HttpAnswer:
        authorised = google_auth_httplib2.AuthorizedHttp(self._credentials, http=plain, max_refresh_attempts=0)
        with self._converting_errors(), _within(LONGEST_WRITE_S if once else LONGEST_READ_S, plain):
            self._renew_when_due(plain)
            headers = {"user-agent": "Replyroom (gzip)", **call.headers}
            kind = _connection(call.url.startswith("https:"), once)
            response, body = authorised.request(
                call.url, method=call.method, body=call.body, headers=headers, connection_type=kind
            )
        return HttpAnswer(response.status, dict(response), body)

    def _renew_when_due(self, plain: httplib2.Http) -> None:
        """Refreshes an expired token under a lock, so only one thread does it."""
        if not self._credentials.valid:
            with self._refreshing:
                if not self._credentials.valid:
                    self._renew(plain)

    def _renew(self, plain: httplib2.Http) -> None:
        request = _TokenRequest(plain)
        try:
            self._credentials.refresh(request)
        except (TypeError, KeyError) as error:  # the library takes any page with status 200 for a token
            raise portal() from error
        except (OverflowError, ValueError) as error:  # the new token's expiry is not a valid time
            raise ServerError("The new access token cannot be read.") from error
        except RefreshError as error:
            if request.refused_by_gateway and not str(error.args[0]).lstrip().startswith("<"):
                raise ServerError(f"{request.status} came instead of a new access token.") from error
            raise

    @contextmanager
    def _converting_errors(self) -> Iterator[None]:
        """Converts the exceptions of httplib2 and google-auth to `ExpectedError`."""
        try:
            yield
        except (GoogleAuthError, OSError, http.client.HTTPException, httplib2.HttpLib2Error) as error:
            raise _converted(error) from error
        except (DecodeLimitError, DecodeRatioError) as error:
            raise ServerError("The server's answer unpacks to more than is sensible.") from error
        except (AttributeError, TypeError, ValueError) as error:
            if not self._closed:
                raise
            # http.client raises these when `close` takes a connection away while it is being read.
            raise ServerError("The connection was cut: this client is closed.") from error

    def _pooled(self) -> httplib2.Http:
        """This thread's own HTTP client. Raises `Offline` after `close`: a connection opened then would never be closed."""
        if self._closed:
            raise Offline("The connections of this client are closed.")
        found: httplib2.Http | None = getattr(self._local, "http", None)
        if found is None:
            found = self._local.http = self._new_http()
        return found

    def _new_http(self) -> httplib2.Http:
        proxy = None if self._endpoint.loopback else httplib2.proxy_info_from_environment
        made = httplib2.Http(timeout=self._timeout_s, proxy_info=proxy, decode_limit_hard=LARGEST_ANSWER, decode_limit_ratio=0)
        made.follow_redirects = False
        with self._lock:
            if self._closed:
                raise Offline("The connections of this client are closed.")
            self._open.append(made)
        return made


@contextmanager
def _within(limit_s: float, plain: httplib2.Http) -> Iterator[None]:
    """Cuts the connection after `limit_s` and raises `Offline`. The socket's timeout does not end an answer that trickles."""
    late = threading.Event()

    def cut() -> None:
        late.set()
        _cut(plain)

    timer = threading.Timer(limit_s, cut)
    timer.start()
    try:
        yield
    except Exception as error:
        if late.is_set():
            raise Offline(f"The answer took longer than {limit_s:.0f} s.") from error
        raise
    finally:
        timer.cancel()
        timer.join()


def _cut(plain: httplib2.Http) -> None:
    """Wakes a thread that reads from a connection and prevents httplib2 from reopening it."""
    for connection in list(plain.connections.values()):
        connection.connect = _raise_closed
        open_socket = connection.sock or getattr(connection, "opened", None)
        if open_socket is not None:
            with suppress(OSError):  # it may be closed already
                open_socket.shutdown(socket.SHUT_RDWR)
    plain.close()


def _converted(error: Exception) -> ExpectedError:
    detail = f"{type(error).__name__}: {error}"[:300]
    if isinstance(error, TransportError) and error.args and isinstance(error.args[0], Exception):
        return _converted(error.args[0])
    if isinstance(error, RefreshError) and error.args and str(error.args[0]).lstrip().startswith("<"):
        return portal()
    if isinstance(error, RefreshError):
        return ServerError(detail) if error.retryable else LoginNeeded(detail)
    if isinstance(error, ssl.SSLCertVerificationError):
        return Intercepted(detail)
    if isinstance(error, ConnectionRefusedError | TimeoutError | httplib2.ServerNotFoundError | socket.gaierror):
        return Offline(detail)
    if isinstance(error, ConnectionError | http.client.HTTPException | httplib2.HttpLib2Error | GoogleAuthError):
        return ServerError(detail)
    return Offline(detail)
