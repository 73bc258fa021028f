"""Who is let in: the right Host, no browser, the right token. The first thing every request meets.

Refuses any `Origin`, since no page in a browser has business here, and a Host that is not ours, which is how a page would get
around that.
"""

import hmac
import re
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.service.refusals import Refusal, refused

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "::1")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9.\-_]+)(?::\d{1,5})?", re.IGNORECASE)


class Guard:
    """Stands before `app`. `names` are the host names by which the service may be called, without ports."""

    def __init__(self, app: ASGIApp, token: str, names: Iterable[str]) -> None:
        if not token:
            raise ValueError("a service without a token is open to everybody")
        self._app = app
        self._token = token.encode()
        self._names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, or answer why not."""
        if scope["type"] != "http":
            return
        try:
            self._check(Headers(scope=scope))
        except Refusal as refusal:
            await refused(refusal)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _check(self, headers: Headers) -> None:
        if host_name(headers.getlist("host")) not in self._names:
            raise Refusal(403, "wrong_host", "This service is not called by that name; --allow-host adds one.")
        if "origin" in headers:
            raise Refusal(403, "browser", "Pages in a browser have no business here.")
        given = _given_token(headers)
        if not given:
            raise Refusal(401, "no_token", "Send the token: Authorization: Bearer TOKEN, or x-api-key.")
        if not hmac.compare_digest(given, self._token):
            raise Refusal(401, "wrong_token", "The token is another one; serve-gmail --show-token tells it.")


def host_name(hosts: list[str]) -> str:
    """The name in the one Host header, lower case, without port and brackets; empty where there is not exactly one good one."""
    found = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    return found.group(1).strip("[]").lower() if found else ""


def _given_token(headers: Headers) -> bytes:
    """As `Authorization: Bearer` or as langgraph-sdk's api key; empty for none."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip().encode("latin-1")
    return headers.get("x-api-key", "").encode("latin-1")
