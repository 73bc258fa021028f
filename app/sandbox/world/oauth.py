"""Google's OAuth server for installed apps: consent, PKCE, access and refresh tokens. It holds no real secrets."""

import base64
import hashlib
import secrets
from collections.abc import Mapping

from app.domain.record import Record, replace
from app.sandbox.clock import Clock
from app.sandbox.google_api.json_values import JsonObject

ACCESS_S = 3_600
CODE_S = 600
TESTING_S = 7 * 86_400
EVERYTHING = (
    "https://mail.google.com/",
    "https://www.googleapis.com/auth/gmail.settings.basic",
    "https://www.googleapis.com/auth/calendar",
    "https://www.googleapis.com/auth/contacts",
    "https://www.googleapis.com/auth/contacts.other.readonly",
)


class GrantError(Exception):
    """An OAuth error: the `error` code of RFC 6749 and a description."""

    def __init__(self, code: str, description: str) -> None:
        super().__init__(code)
        self.code, self.description = code, description

    def body(self) -> JsonObject:
        return {"error": self.code, "error_description": self.description}


class Grant(Record):
    """What a token allows. Times are in seconds since 1970; `ends_s` None means no end."""

    account: str
    scopes: tuple[str, ...]
    client_id: str
    issued_s: float
    ends_s: float | None


class AuthorizationCode(Record):
    """An authorization code that was not exchanged yet, with the challenge of its PKCE."""

    grant: Grant
    redirect_uri: str
    challenge: str
    method: str


class ConsentScreen(Record):
    """Setup of the Google project and choices of the user.

    `granted` None grants every requested scope. Tokens of `refuse_account` are not renewed. `chosen` is the address that signs
    in, whatever `login_hint` says.
    """

    testing: bool = False
    refuse_refresh: bool = False
    refuse_account: str = ""
    chosen: str = ""
    deny: bool = False
    granted: tuple[str, ...] | None = None


class OAuthServer:
    def __init__(self, clock: Clock, static_token: str, owner: str) -> None:
        self.screen = ConsentScreen()
        self._clock, self._owner, self._static_token = clock, owner, static_token
        self._access: dict[str, Grant] = {}
        self._refresh: dict[str, Grant] = {}
        self._codes: dict[str, AuthorizationCode] = {}

    def is_static(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self._static_token.encode())

    def check(self, token: str) -> Grant | None:
        """Grant of a valid access token, or None."""
        if token and self.is_static(token):
            return Grant(self._owner, EVERYTHING, "sandbox", 0.0, None)
        grant = self._access.get(token)
        if grant is None or (grant.ends_s is not None and grant.ends_s <= self._clock.now_s()):
            return None
        return grant

    def issue(self, account: str, scopes: tuple[str, ...], client_id: str, lifetime_s: float = ACCESS_S) -> str:
        token = "ya29.sandbox-" + secrets.token_urlsafe(24)
        now_s = self._clock.now_s()
        self._access[token] = Grant(account, scopes, client_id, now_s, now_s + lifetime_s)
        return token

    def consent(self, query: Mapping[str, str], account: str) -> tuple[str, tuple[str, ...]]:
        """The code and the scopes for an approved authorization request. Raises `GrantError`."""
        if query.get("response_type") != "code" or not query.get("client_id") or not query.get("scope"):
            raise GrantError("invalid_request", "response_type=code, client_id and scope are required")
        redirect_uri = query.get("redirect_uri", "")
        if not redirect_uri.startswith(("http://127.0.0.1", "http://localhost", "http://[::1]")):
            raise GrantError("redirect_uri_mismatch", "An installed app redirects to a loopback address")
        granted = self.screen.granted
        scopes = tuple(scope for scope in query["scope"].split() if granted is None or scope in granted)
        now_s = self._clock.now_s()
        method = query.get("code_challenge_method", "plain")
        code = "4/sandbox-" + secrets.token_urlsafe(24)
        grant = Grant(account, scopes, query["client_id"], now_s, now_s + CODE_S)
        self._codes[code] = AuthorizationCode(grant, redirect_uri, query.get("code_challenge", ""), method)
        return code, scopes

    def exchange(self, form: Mapping[str, str]) -> JsonObject:
        """The answer to a token request. Raises `GrantError`."""
        if form.get("grant_type") == "authorization_code":
            return self._exchange_code(form)
        if form.get("grant_type") == "refresh_token":
            return self._exchange_refresh(form)
        raise GrantError("unsupported_grant_type", "Invalid grant_type: " + form.get("grant_type", ""))

    def _exchange_code(self, form: Mapping[str, str]) -> JsonObject:
        consent = self._codes.pop(form.get("code", ""), None)
        if consent is None or (consent.grant.ends_s or 0) <= self._clock.now_s():
            raise GrantError("invalid_grant", "Malformed auth code.")
        if form.get("redirect_uri") != consent.redirect_uri:
            raise GrantError("redirect_uri_mismatch", "Bad Request")
        if form.get("client_id", consent.grant.client_id) != consent.grant.client_id:
            raise GrantError("invalid_client", "The OAuth client was not found.")
        _check_verifier(consent, form.get("code_verifier", ""))
        refresh = "1//sandbox-" + secrets.token_urlsafe(24)
        self._refresh[refresh] = replace(consent.grant, issued_s=self._clock.now_s(), ends_s=None)
        return {**self._token_body(consent.grant), "refresh_token": refresh}

    def _exchange_refresh(self, form: Mapping[str, str]) -> JsonObject:
        grant = self._refresh.get(form.get("refresh_token", ""))
        aged = grant is not None and self.screen.testing and self._clock.now_s() - grant.issued_s >= TESTING_S
        if grant is None or self.screen.refuse_refresh or aged or grant.account == self.screen.refuse_account:
            raise GrantError("invalid_grant", "Token has been expired or revoked.")
        if form.get("client_id", grant.client_id) != grant.client_id:
            raise GrantError("unauthorized_client", "Unauthorized")
        return self._token_body(grant)

    def _token_body(self, grant: Grant) -> JsonObject:
        return {
            "access_token": self.issue(grant.account, grant.scopes, grant.client_id),
            "expires_in": ACCESS_S - 1,
            "scope": " ".join(grant.scopes),
            "token_type": "Bearer",
        }


def _check_verifier(consent: AuthorizationCode, verifier: str) -> None:
    if not consent.challenge:
        return
    if not verifier:
        raise GrantError("invalid_grant", "Missing code verifier.")
    expected = verifier
    if consent.method == "S256":
        digest = hashlib.sha256(verifier.encode("ascii", "replace")).digest()
        expected = base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")
    if not secrets.compare_digest(expected.encode(), consent.challenge.encode()):
        raise GrantError("invalid_grant", "Invalid code verifier.")
