"""Asking for consent: an installed app's flow with PKCE in the system browser.

Imported when somebody signs in.

A listener on 127.0.0.1 that waits for the browser to come back from Google's consent page, once.

Answers only the redirect that carries our `state`; everything else (icons, scanners) gets 404 and is not believed.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from google.oauth2.credentials import Credentials
from google_auth_oauthlib.flow import InstalledAppFlow
from oauthlib.oauth2 import OAuth2Error
from requests import PreparedRequest, RequestException, Response
from requests.adapters import HTTPAdapter

from app.domain.errors import LoginNeeded, Offline, PermissionMissing
from app.mail.gmail.auth import GMAIL_SCOPE, made, token_uri_of
from app.mail.gmail.client_file import OAuthClient
from app.mail.gmail.endpoint import LOOPBACK, Endpoint

PAGE = (
    b"<!doctype html><meta charset=utf-8><title>Replyroom</title><body style='font:16px sans-serif;margin:4em'>"
    b"<p>Replyroom has its answer. You can close this page.</p>"
)
READ_S = 10.0


@dataclass(frozen=True, slots=True)
class Redirect:
    """What the browser brought: a `code`, or an `error` such as access_denied."""

    code: str
    error: str


class Listener:
    """Listens from its making on; use it in a `with`."""

    def __init__(self) -> None:
        self._server = _Server(("127.0.0.1", 0), _Handler)

    @property
    def redirect_uri(self) -> str:
        """Where Google shall send the browser."""
        return f"http://127.0.0.1:{self._server.server_port}/"

    def wait(self, state: str, timeout_s: float) -> Redirect | None:
        """The redirect with this state, None if it did not come in time. Blocks."""
        self._server.expected_state = state
        ends = time.monotonic() + timeout_s
        while self._server.found is None and (left_s := ends - time.monotonic()) > 0:
            self._server.timeout = min(left_s, 1.0)
            self._server.handle_request()
        return self._server.found

    def __enter__(self) -> "Listener":
        return self

    def __exit__(self, *_: object) -> None:
        self._server.server_close()


class _Server(HTTPServer):
    """Holds what was expected and what came."""

    expected_state = ""
    found: Redirect | None = None
    allow_reuse_address = False

    def handle_error(self, request: object, client_address: object) -> None:
        """A peer that hangs up in the middle is no concern of ours."""


class _Handler(BaseHTTPRequestHandler):
    """One request of the browser."""

    timeout = READ_S
    server: _Server

    def do_GET(self) -> None:
        """The redirect, or something else."""
        query = parse_qs(urlsplit(self.path).query)
        state = query.get("state", [""])[0]
        if not state or state != self.server.expected_state:
            self.send_error(404)
            return
        self.server.found = Redirect(query.get("code", [""])[0], query.get("error", [""])[0])
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *parts: object) -> None:
        """The address holds the authorization code: it is never logged."""


BROWSER_S = 300.0
ANSWER_S = 30.0


def sign_in(
    client: OAuthClient,
    endpoint: Endpoint,
    open_browser: Callable[[str], object],
    scopes: Sequence[str] = (GMAIL_SCOPE,),
    timeout_s: float = BROWSER_S,
    login_hint: str = "",
) -> Credentials:
    """Ask for consent in the browser and give the credentials; `login_hint` is the address that is offered there. Blocks for
    minutes: call it in a thread.

    Raises `LoginNeeded` (refused, or nobody came back), `PermissionMissing` (Gmail was not granted), `Offline`.
    """
    flow = _flow(client, endpoint, scopes)
    with Listener() as listener:
        flow.redirect_uri = listener.redirect_uri
        hint = {"login_hint": login_hint} if login_hint else {}
        address, state = flow.authorization_url(access_type="offline", prompt="consent", **hint)
        open_browser(address.replace(_secure(client.auth_uri), client.auth_uri, 1))
        code = _code(listener.wait(state, timeout_s), timeout_s)
    # Google's consent page lets people untick scopes; what came is checked below instead.
    flow.oauth2session.scope = None
    try:
        token: dict[str, object] = flow.fetch_token(code=code, timeout=ANSWER_S)
    except RequestException as error:
        raise Offline(f"The token server cannot be reached: {type(error).__name__}.") from error
    except OAuth2Error as error:
        raise LoginNeeded(f"Google refused the sign-in: {error.error} {error.description or ''}".strip()) from error
    except (OverflowError, ValueError) as error:  # a token that expires at no possible time
        raise LoginNeeded("Google's answer to the sign-in cannot be read.") from error
    return _credentials(token, flow.client_config, scopes)


def _flow(client: OAuthClient, endpoint: Endpoint, scopes: Sequence[str]) -> InstalledAppFlow:
    token_uri = token_uri_of(endpoint, client.token_uri)
    config = {
        "client_id": client.client_id,
        "client_secret": client.client_secret,
        "auth_uri": _secure(client.auth_uri),
        "token_uri": _secure(token_uri),
    }
    flow = InstalledAppFlow.from_client_config({"installed": config}, list(scopes))
    if _secure(token_uri) != token_uri:
        flow.oauth2session.mount(f"https://{urlsplit(token_uri).netloc}/", _PlainOnThisMachine())
        flow.oauth2session.trust_env = False
    flow.client_config["real_token_uri"] = token_uri
    return flow


def _secure(address: str) -> str:
    """The address as the OAuth library wants to see it: it insists on https, on this machine too."""
    parts = urlsplit(address)
    plain = parts.scheme == "http" and parts.hostname in LOOPBACK
    return address.replace("http:", "https:", 1) if plain else address


class _PlainOnThisMachine(HTTPAdapter):
    """Sends to a server on this machine without TLS, undoing `_secure`."""

    def send(self, request: PreparedRequest, *args: Any, **kwargs: Any) -> Response:
        """Send over plain HTTP."""
        request.url = (request.url or "").replace("https:", "http:", 1)
        return super().send(request, *args, **kwargs)


def _code(redirect: Redirect | None, timeout_s: float) -> str:
    if redirect is None:
        raise LoginNeeded(f"Nobody finished the sign-in within {timeout_s:.0f} seconds.")
    if redirect.error or not redirect.code:
        raise LoginNeeded(f"The sign-in was refused: {redirect.error or 'no code'}.")
    return redirect.code


def _credentials(token: Mapping[str, object], config: Mapping[str, str], scopes: Sequence[str]) -> Credentials:
    """The credentials in a token answer. Raises `PermissionMissing` and `LoginNeeded`."""
    granted = token.get("scope", list(scopes))
    granted = granted.split() if isinstance(granted, str) else list(granted) if isinstance(granted, list) else []
    if GMAIL_SCOPE in scopes and GMAIL_SCOPE not in granted:
        raise PermissionMissing("Access to Gmail was not granted on Google's page.", "Sign in again and tick Gmail.")
    if not token.get("refresh_token"):
        raise LoginNeeded("Google gave no lasting sign-in.", "Remove the app's access in the Google account and sign in again.")
    return made(
        token["access_token"],
        refresh_token=token["refresh_token"],
        token_uri=config["real_token_uri"],
        client_id=config["client_id"],
        client_secret=config["client_secret"],
        scopes=granted,
        expiry=_expiry(token.get("expires_at")),
    )


def _expiry(expires_at: object) -> datetime | None:
    """Read when a token expires; None for no possible time.

    A token without it is used until it is refused, and renewed then.
    """
    try:
        return datetime.fromtimestamp(expires_at, UTC).replace(tzinfo=None) if isinstance(expires_at, float | int) else None
    except (OverflowError, ValueError, OSError):
        return None
