"""Asks for consent in the system browser: an installed app's OAuth flow with PKCE.

A listener on 127.0.0.1 waits for the browser to come back from Google's consent page. It accepts only the redirect with our
`state`; every other request gets 404. The module is imported only for a sign-in.
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import active_count
from urllib.parse import parse_qs, urlsplit

from google.oauth2.credentials import Credentials
from google_auth_oauthlib.flow import InstalledAppFlow
from oauthlib.oauth2 import OAuth2Error
from requests import RequestException

from app.domain.errors import LoginNeeded, Offline, PermissionMissing, SignInCancelled
from app.domain.record import Record
from app.mail.gmail.auth import GMAIL_SCOPE, made, token_uri_of
from app.mail.gmail.client_file import OAuthClient
from app.mail.gmail.endpoint import LOOPBACK, Endpoint

PAGE = (
    b"<!doctype html><meta charset=utf-8><title>Replyroom</title><body style='font:16px sans-serif;margin:4em'>"
    b"<p>Replyroom has its answer. You can close this page.</p>"
)
READ_S = 10.0
POLL_S = 0.2
MOST_CONNECTIONS = 50


class Redirect(Record):
    """The parameters of the redirect: a `code`, or an `error` such as access_denied."""

    code: str
    error: str


class Listener(ThreadingHTTPServer):
    """Waits for the redirect on a free port of 127.0.0.1. Listens as soon as it is made; use it in a `with`.

    Each connection has a thread of its own, so that one which stays silent does not keep the browser waiting.
    """

    allow_reuse_address = False
    daemon_threads = True
    request_queue_size = MOST_CONNECTIONS
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.redirect_uri = f"http://127.0.0.1:{self.server_port}/"
        self.expected_state = ""
        self.found: Redirect | None = None

    def wait(self, state: str, timeout_s: float, given_up: Callable[[], bool] = lambda: False) -> Redirect | None:
        """Returns the redirect with this state, None after the timeout. Blocks. Raises `SignInCancelled` once `given_up`."""
        self.expected_state = state
        ends = time.monotonic() + timeout_s
        while self.found is None and (left_s := ends - time.monotonic()) > 0:
            if given_up():
                raise SignInCancelled
            self.timeout = min(left_s, POLL_S)
            self.handle_request()
        return self.found

    def verify_request(self, request: object, client_address: object) -> bool:
        """Turns connections away while many are open."""
        return active_count() < MOST_CONNECTIONS

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignores a peer that closes the connection early."""


class _Handler(BaseHTTPRequestHandler):
    timeout = READ_S
    server: Listener

    def do_GET(self) -> None:
        """Answers the redirect; anything else gets 404."""
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
        """Logs nothing, because the address holds the authorisation code."""


ANSWER_S = 30.0


def sign_in(
    client: OAuthClient,
    endpoint: Endpoint,
    open_browser: Callable[[str], object],
    scopes: Sequence[str] = (GMAIL_SCOPE,),
    timeout_s: float = 300.0,
    login_hint: str = "",
    given_up: Callable[[], bool] = lambda: False,
) -> Credentials:
    """Asks for consent in the browser and returns the credentials.

    `login_hint` is the address that Google's page suggests. Blocks for minutes, so call it in a thread. Raises `LoginNeeded`
    (refused or timed out), `SignInCancelled`, `PermissionMissing` (Gmail was not granted), `Offline`.
    """
    flow = _flow(client, endpoint, scopes)
    with Listener() as listener:
        flow.redirect_uri = listener.redirect_uri
        hint = {"login_hint": login_hint} if login_hint else {}
        address, state = flow.authorization_url(access_type="offline", prompt="consent", **hint)
        open_browser(address)
        redirect = listener.wait(state, timeout_s, given_up)
    if redirect is None:
        raise LoginNeeded(f"Nobody finished the sign-in within {timeout_s:.0f} seconds.")
    if redirect.error or not redirect.code:
        raise LoginNeeded(f"The sign-in was refused: {redirect.error or 'no code'}.")
    # The user can untick scopes on Google's page, so the granted ones are checked below.
    flow.oauth2session.scope = None
    try:
        token: dict[str, object] = flow.fetch_token(code=redirect.code, timeout=ANSWER_S)
    except RequestException as error:
        raise Offline(f"The token server cannot be reached: {type(error).__name__}.") from error
    except OAuth2Error as error:
        raise LoginNeeded(f"Google refused the sign-in: {error.error} {error.description or ''}".strip()) from error
    except (OverflowError, ValueError) as error:  # the token's expiry is not a valid time
        raise LoginNeeded("Google's answer to the sign-in cannot be read.") from error
    return _credentials(token, flow.client_config, scopes)


def _flow(client: OAuthClient, endpoint: Endpoint, scopes: Sequence[str]) -> InstalledAppFlow:
    token_uri = token_uri_of(endpoint, client.token_uri)
    config = {
        "client_id": client.client_id,
        "client_secret": client.client_secret,
        "auth_uri": client.auth_uri,
        "token_uri": token_uri,
    }
    flow = InstalledAppFlow.from_client_config({"installed": config}, list(scopes))
    if urlsplit(token_uri).hostname in LOOPBACK:  # other addresses without TLS are refused before
        os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
        flow.oauth2session.trust_env = False
    return flow


def _credentials(token: Mapping[str, object], config: Mapping[str, str], scopes: Sequence[str]) -> Credentials:
    """Makes the credentials of a token answer. Raises `PermissionMissing` and `LoginNeeded`."""
    granted = token.get("scope", list(scopes))
    granted = granted.split() if isinstance(granted, str) else list(granted) if isinstance(granted, list) else []
    if GMAIL_SCOPE in scopes and GMAIL_SCOPE not in granted:
        raise PermissionMissing("Access to Gmail was not granted on Google's page.", "Sign in again and tick Gmail.")
    if not token.get("refresh_token"):
        raise LoginNeeded("Google gave no lasting sign-in.", "Remove the app's access in the Google account and sign in again.")
    return made(
        token["access_token"],
        refresh_token=token["refresh_token"],
        token_uri=config["token_uri"],
        client_id=config["client_id"],
        client_secret=config["client_secret"],
        scopes=granted,
        expiry=_expiry(token.get("expires_at")),
    )


def _expiry(expires_at: object) -> datetime | None:
    """Returns when a token expires, None if missing or not a valid time.

    A token without an expiry is used until the server rejects it, then refreshed.
    """
    try:
        return datetime.fromtimestamp(expires_at, UTC).replace(tzinfo=None) if isinstance(expires_at, float | int) else None
    except (OverflowError, ValueError, OSError):
        return None
