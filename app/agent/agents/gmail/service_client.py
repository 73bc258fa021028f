"""HTTP client for the Gmail service: its address, size and time limits, and the mapping of its errors to ours.

The service may run on another machine, so its answers are not trusted.
"""

import ipaddress
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx
import orjson
from langgraph.pregel.remote import RemoteException
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import APIStatusError

from app.agent.llm.turns import UnusableAnswer
from app.domain.errors import AgentsPaused, CapReached, ExpectedError, ModelUnavailable, NotAllowed, Offline
from app.domain.record import Record

URL_VARIABLE, TOKEN_VARIABLE = "GMAIL_SERVICE_URL", "GMAIL_SERVICE_TOKEN"
KEYRING_NAME = "gmail-service"
"""Keyring entry for the token of the local service. For other machines the host is appended."""

LARGEST_ANSWER = 8_000_000
"""Bytes of one response."""
SILENCE_S = 60.0
"""Seconds. The service sends a heartbeat every 15 s."""
CONNECT_S = 10.0
LONGEST_WORDS = 300

WORDS: Mapping[str, type[ExpectedError]] = {
    "unusable_answer": UnusableAnswer,
    "model_unavailable": ModelUnavailable,
    "cap_reached": CapReached,
    "paused": AgentsPaused,
    "refused": NotAllowed,
    "offline": Offline,
}
"""Our errors by the service's error codes."""


class ServiceAddress(Record):
    """The service's address. `url` has no trailing slash, `host` is for display."""

    url: str
    host: str
    local: bool

    @classmethod
    def of(cls, url: str) -> "ServiceAddress":
        """Parses an address. Raises `NotAllowed`, also for plain http to another machine."""
        try:
            parts = urlsplit(url.strip())
            name, port = parts.hostname or "", parts.port
        except ValueError:
            name, port, parts = "", None, urlsplit("")
        if parts.scheme not in ("http", "https") or not name or "@" in parts.netloc or parts.query or parts.fragment:
            raise NotAllowed("The Gmail service's address is no plain http or https address.", f"Mend {URL_VARIABLE}.")
        local = _local(name)
        if parts.scheme == "http" and not local:
            remedy = "Use https, or an SSH tunnel to a port of this machine."
            raise NotAllowed(f"The Gmail service at {name} would get mail unencrypted.", remedy)
        host = f"{name}:{port}" if port else name
        return cls(url.strip().rstrip("/"), host, local)

    @property
    def token_name(self) -> str:
        return KEYRING_NAME if self.local else f"{KEYRING_NAME}:{self.host}"


def _local(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def open_client(address: ServiceAddress, token: str) -> LangGraphClient:
    """A langgraph-sdk client with our limits. Ignores proxies of the environment. Close it at the end."""
    client = httpx.AsyncClient(
        base_url=address.url,
        transport=LimitedTransport(),
        timeout=httpx.Timeout(SILENCE_S, connect=CONNECT_S),
        headers={"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"},
        trust_env=False,
    )
    return LangGraphClient(client)


class ResponseTooLarge(httpx.TransportError):
    """The response is too large, compressed, or a redirect."""


class LimitedTransport(httpx.AsyncHTTPTransport):
    """Limits the size of responses. Rejects compressed responses and redirects."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends the request. Raises `ResponseTooLarge`."""
        response = await super().handle_async_request(request)
        packed = response.headers.get("content-encoding", "identity") != "identity"
        if packed or 300 <= response.status_code < 400:
            await response.aclose()
            raise ResponseTooLarge("packed or led elsewhere")
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = LimitedStream(response.stream)
        return response


class LimitedStream(httpx.AsyncByteStream):
    """A response body of at most `LARGEST_ANSWER` bytes."""

    def __init__(self, inner: httpx.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = LARGEST_ANSWER
        async for piece in self._inner:
            left -= len(piece)
            if left < 0:
                raise ResponseTooLarge("too large")
            yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()


@contextmanager
def service_errors(address: ServiceAddress) -> Iterator[None]:
    """Turns errors of calls to the service into `ExpectedError`."""
    try:
        yield
    except ResponseTooLarge:
        raise UnusableAnswer("The Gmail service gave an answer that is too large or of another kind.") from None
    except APIStatusError as error:
        if error.status_code in (401, 403):
            remedy = f"Put its token into {TOKEN_VARIABLE}, or into the keyring with serve-gmail --keep-token URL."
            raise NotAllowed(f"The Gmail service at {address.host} does not take this program's token.", remedy) from None
        if error.status_code >= 500 or error.status_code in (408, 409, 429):
            raise Offline(f"The Gmail service at {address.host} has no time.") from None
        raise UnusableAnswer(f"The Gmail service refused the task ({error.status_code}).") from None
    except httpx.HTTPError:
        raise Offline(f"The Gmail service at {address.host} does not answer.") from None
    except RemoteException as error:
        told = error.args[0] if error.args and isinstance(error.args[0], Mapping) else {}
        words = "".join(one for one in str(told.get("message") or "") if one.isprintable())[:LONGEST_WORDS]
        kind = WORDS.get(str(told.get("error")), UnusableAnswer)
        raise kind(f"The Gmail service says: {words}" if words else "The Gmail service failed.") from None
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError):
        # langgraph-sdk and RemoteGraph do not check the form of an answer.
        raise UnusableAnswer("The Gmail service answered in a form that cannot be used.") from None
