"""Signing in to Google: an installed app's flow with PKCE in the system browser, and credentials as text for the keyring.

Refuses to keep anything: storing is the caller's, in the keyring only. Refuses to open a browser by itself; the opener is
handed in.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from google.auth.credentials import Credentials as AnyCredentials
from google.oauth2.credentials import Credentials
from google_auth_oauthlib.flow import InstalledAppFlow
from oauthlib.oauth2 import OAuth2Error
from requests import PreparedRequest, RequestException, Response
from requests.adapters import HTTPAdapter

from app.domain.errors import LoginNeeded, Offline, PermissionMissing
from app.mail.client_file import OAuthClient
from app.mail.endpoint import GOOGLE_REFRESH_URL, LOOPBACK, Endpoint
from app.mail.loopback import Listener, Redirect

GMAIL_SCOPE = "https://www.googleapis.com/auth/gmail.modify"
CALENDAR_SCOPE = "https://www.googleapis.com/auth/calendar.events"
CONTACTS_SCOPE = "https://www.googleapis.com/auth/contacts.readonly"
GOOGLE_CONSENT_URL = "https://accounts.google.com/o/oauth2/auth"
ACCESS_VARIABLE = "REPLYROOM_GOOGLE_TOKEN"
BROWSER_S = 300.0
ANSWER_S = 30.0
_make: Callable[..., Credentials] = Credentials


def static_credentials(token: str) -> Credentials:
    """Credentials that are one access token; when the server refuses it, `LoginNeeded` is raised."""
    return _make(token)


def credentials_from(environment: Mapping[str, str]) -> Credentials | None:
    """The static credentials that `REPLYROOM_GOOGLE_TOKEN` holds, None if it is not set."""
    token = environment.get(ACCESS_VARIABLE, "")
    return static_credentials(token) if token else None


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
    return _credentials(token, flow.client_config, scopes)


def stored_form(credentials: Credentials, signed_in_at: datetime, auth_uri: str = GOOGLE_CONSENT_URL) -> str:
    """The credentials as JSON text for the keyring, with the client's consent page, for asking for more later."""
    written: Callable[[], str] = credentials.to_json
    found: dict[str, object] = json.loads(written())
    return json.dumps({**found, "auth_uri": auth_uri, "signed_in_at": signed_in_at.astimezone(UTC).isoformat()})


def stored_client(stored: str) -> OAuthClient:
    """The OAuth client that a stored sign-in was made with. Raises `LoginNeeded`."""
    try:
        found = json.loads(stored)
        client_id, secret = str(found["client_id"]), str(found["client_secret"])
    except (ValueError, KeyError, TypeError) as error:
        raise LoginNeeded("The stored sign-in cannot be read.") from error
    auth_uri, token_uri = found.get("auth_uri") or GOOGLE_CONSENT_URL, found.get("token_uri") or GOOGLE_REFRESH_URL
    return OAuthClient(client_id, secret, auth_uri, token_uri)


def covers(credentials: AnyCredentials, scope: str) -> bool:
    """Whether a scope was granted; a token from the environment is taken to cover everything."""
    if not isinstance(credentials, Credentials):
        return True
    granted: list[str] | None = credentials.granted_scopes or credentials.scopes
    return granted is None or scope in granted


def restore(stored: str, endpoint: Endpoint) -> Credentials:
    """The credentials in a stored text; an endpoint with a token address of its own overrides the stored one.

    Raises `LoginNeeded` when the text is not usable.
    """
    try:
        found = json.loads(stored)
        kept = {name: found[name] for name in ("refresh_token", "client_id", "client_secret")}
        expiry = datetime.fromisoformat(found["expiry"]).replace(tzinfo=None) if "expiry" in found else None
    except (ValueError, KeyError, TypeError) as error:
        raise LoginNeeded("The stored sign-in cannot be read.") from error
    if not all(isinstance(value, str) and value for value in kept.values()):
        raise LoginNeeded("The stored sign-in is not complete.")
    # The library's own reader would put Google's token address in and forget the stored one.
    token_uri = _token_uri(endpoint, found.get("token_uri"))
    return _make(found.get("token"), **kept, token_uri=token_uri, scopes=found.get("scopes"), expiry=expiry)


def _flow(client: OAuthClient, endpoint: Endpoint, scopes: Sequence[str]) -> InstalledAppFlow:
    token_uri = _token_uri(endpoint, client.token_uri)
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
    expires_at = token.get("expires_at")
    expiry = datetime.fromtimestamp(expires_at, UTC).replace(tzinfo=None) if isinstance(expires_at, float | int) else None
    return _make(
        token["access_token"],
        refresh_token=token["refresh_token"],
        token_uri=config["real_token_uri"],
        client_id=config["client_id"],
        client_secret=config["client_secret"],
        scopes=granted,
        expiry=expiry,
    )


def _token_uri(endpoint: Endpoint, own: object) -> str:
    """The endpoint's token address if it is not simply Google's, else the client's own."""
    if endpoint.token_url != GOOGLE_REFRESH_URL or not isinstance(own, str):
        return endpoint.token_url
    return own
