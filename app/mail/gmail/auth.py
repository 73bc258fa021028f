"""Google credentials: read from the environment or from the keyring's text, and written as that text.

The caller stores credentials, and only in the keyring. `app.mail.gmail.consent` asks the user; its libraries take 0.3 s to
import, so a start with a stored sign-in does not import them.
"""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from google.auth.credentials import Credentials as AnyCredentials
from google.oauth2.credentials import Credentials

from app.domain.errors import LoginNeeded
from app.mail.gmail.client_file import OAuthClient
from app.mail.gmail.endpoint import GOOGLE_REFRESH_URL, Endpoint

GMAIL_SCOPE = "https://www.googleapis.com/auth/gmail.modify"
SETTINGS_SCOPE = "https://www.googleapis.com/auth/gmail.settings.basic"
CALENDAR_SCOPE = "https://www.googleapis.com/auth/calendar.events"
CONTACTS_SCOPE = "https://www.googleapis.com/auth/contacts.readonly"
GOOGLE_CONSENT_URL = "https://accounts.google.com/o/oauth2/auth"
ACCESS_VARIABLE = "REPLYROOM_GOOGLE_TOKEN"
made: Callable[..., Credentials] = Credentials
"""Google's constructor, which has no annotations."""


def static_credentials(token: str) -> Credentials:
    """Credentials of one access token. They cannot be refreshed: once it is rejected, calls raise `LoginNeeded`."""
    return made(token)


def credentials_from(environment: Mapping[str, str]) -> Credentials | None:
    """Returns the static credentials in `REPLYROOM_GOOGLE_TOKEN`, None if it is not set."""
    return static_credentials(token) if (token := environment.get(ACCESS_VARIABLE, "")) else None


def stored_form(credentials: Credentials, signed_in_at: datetime, auth_uri: str = GOOGLE_CONSENT_URL) -> str:
    """Returns the credentials as JSON text for the keyring.

    The client's consent page is part of it, because more scopes may be asked for later.
    """
    written: Callable[[], str] = credentials.to_json
    found: dict[str, object] = json.loads(written())
    return json.dumps({**found, "auth_uri": auth_uri, "signed_in_at": signed_in_at.astimezone(UTC).isoformat()})


def stored_client(stored: str) -> OAuthClient:
    """Returns the OAuth client of a stored sign-in. Raises `LoginNeeded` if it cannot be read."""
    try:
        found = json.loads(stored)
        uris = found.get("auth_uri") or GOOGLE_CONSENT_URL, found.get("token_uri") or GOOGLE_REFRESH_URL
        return OAuthClient(str(found["client_id"]), str(found["client_secret"]), *uris)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LoginNeeded("The stored sign-in cannot be read.") from error


def covers(credentials: AnyCredentials, scope: str) -> bool:
    """Whether a scope was granted. A token from the environment counts as granted everything."""
    if not isinstance(credentials, Credentials):
        return True
    granted: list[str] | None = credentials.granted_scopes or credentials.scopes
    return granted is None or scope in granted


def restore(stored: str, endpoint: Endpoint) -> Credentials:
    """Reads credentials from a stored text.

    The endpoint's token address replaces the stored one unless it is Google's. Raises `LoginNeeded` if the text cannot be used.
    """
    try:
        found = json.loads(stored)
        kept = {name: found[name] for name in ("refresh_token", "client_id", "client_secret")}
        expiry = datetime.fromisoformat(found["expiry"]).replace(tzinfo=None) if "expiry" in found else None
    except (ValueError, KeyError, TypeError) as error:
        raise LoginNeeded("The stored sign-in cannot be read.") from error
    if not all(isinstance(value, str) and value for value in kept.values()):
        raise LoginNeeded("The stored sign-in is not complete.")
    # The library's own reader would use Google's token address and drop the stored one.
    token_uri = token_uri_of(endpoint, found.get("token_uri"))
    return made(found.get("token"), **kept, token_uri=token_uri, scopes=found.get("scopes"), expiry=expiry)


def token_uri_of(endpoint: Endpoint, own: object) -> str:
    """Returns the endpoint's token address, or `own` if the endpoint uses Google's."""
    if endpoint.token_url != GOOGLE_REFRESH_URL or not isinstance(own, str):
        return endpoint.token_url
    return own
