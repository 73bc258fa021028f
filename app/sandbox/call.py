"""Requests and answers inside the sandbox, whether they came alone or in a batch, and the table of handlers."""

from collections.abc import Callable, Mapping
from typing import TypeAlias
from urllib.parse import parse_qs

from msgspec import field

from app.domain.record import Record
from app.sandbox.account import GoogleAccount, PostOffice
from app.sandbox.google_api.errors import ApiError
from app.sandbox.google_api.json_values import JsonObject, encode

JSON_TYPE = "application/json; charset=UTF-8"


class ApiRequest(Record):
    """A request: undecoded path, query, lower-case headers, body. `inner`: it came in a batch."""

    verb: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes
    inner: bool = False

    def names(self, text: str) -> bool:
        """Whether the path or the body contains this text."""
        return text in self.path or text.encode() in self.body

    def bearer(self) -> str:
        """The access token, or ''."""
        kind, _, token = self.headers.get("authorization", "").partition(" ")
        return token.strip() if kind.lower() == "bearer" else self.query.get("access_token", [""])[-1]


class ApiReply(Record):
    """An answer and the quota units it cost. `broken` says how the connection fails: '', 'cut' or 'truncate'."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    broken: str = ""
    units: int = 0


class MethodCall(Record):
    """A checked request for a method: account, arguments of path and query, JSON body and uploaded mail."""

    account: GoogleAccount
    office: PostOffice
    path: Mapping[str, str]
    args: JsonObject
    body: JsonObject
    media: bytes | None


Answer: TypeAlias = JsonObject | bytes | None
Handler: TypeAlias = Callable[[MethodCall], Answer]


class HandlerTable(dict[str, Handler]):
    """What is served, by Google's method id."""

    def serves(self, method_id: str) -> Callable[[Handler], Handler]:
        """Registers the handler of a method."""

        def register(handler: Handler) -> Handler:
            self[method_id] = handler
            return handler

        return register


def json_reply(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> ApiReply:
    """An answer with a JSON body."""
    return ApiReply(status, encode(value), {"content-type": JSON_TYPE, **(headers or {})})


def error_reply(error: ApiError, *, calendar: bool = False) -> ApiReply:
    """An error as Google answers it; Calendar omits the status name."""
    wait = {"retry-after": str(error.retry_after_s)} if error.retry_after_s is not None else {}
    return json_reply(error.body(with_status=not calendar), error.code, wait)


def query_of(text: str) -> dict[str, list[str]]:
    """Parses a query string into lists of values; empty values are kept."""
    return parse_qs(text, keep_blank_values=True)
