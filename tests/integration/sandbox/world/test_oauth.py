"""OAuth with Google's own libraries: consent with PKCE, refresh, expiry, scopes and refusals."""

import json
from collections.abc import Iterator
from typing import Any

import google.auth.exceptions
import httplib2
import pytest
from google.auth.transport.requests import Request
from google.oauth2.credentials import Credentials
from google_auth_oauthlib.flow import InstalledAppFlow

from fakes.gmail.google_client import Box, google_service, mail, refusal
from fakes.gmail.sandbox import Sandbox

MODIFY = "https://www.googleapis.com/auth/gmail.modify"
EVENTS = "https://www.googleapis.com/auth/calendar.events"
REDIRECT = "http://127.0.0.1:9/"


@pytest.fixture(autouse=True)
def plain_http(monkeypatch: pytest.MonkeyPatch) -> None:
    """oauthlib refuses plain HTTP, even to loopback, and other scopes than asked for, unless told otherwise."""
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")
    monkeypatch.setenv("OAUTHLIB_RELAX_TOKEN_SCOPE", "1")


def _flow(sandbox: Sandbox, scopes: list[str]) -> Any:
    config = {
        "client_id": "id.apps.example",
        "client_secret": "no-secret",
        "auth_uri": f"{sandbox.url}/o/oauth2/auth",
        "token_uri": f"{sandbox.url}/token",
        "redirect_uris": ["http://localhost"],
    }
    flow = InstalledAppFlow.from_client_config({"installed": config}, scopes, autogenerate_code_verifier=True)
    flow.redirect_uri = REDIRECT
    return flow


def _visit(url: str) -> str:
    http = httplib2.Http()
    http.follow_redirects = False
    response, content = http.request(url)
    http.close()
    return str(response.get("location", content.decode()))


def _consent(sandbox: Sandbox, scopes: list[str]) -> Credentials:
    flow = _flow(sandbox, scopes)
    url, state = flow.authorization_url(access_type="offline", prompt="consent")
    target = _visit(url)
    assert f"state={state}" in target
    flow.fetch_token(authorization_response=target)
    credentials: Credentials = flow.credentials
    return credentials


@pytest.fixture
def session() -> Iterator[Request]:
    request = Request()
    yield request
    request.session.close()


def test_consent_refresh_and_expiry(solo: Sandbox, session: Request) -> None:
    credentials = _consent(solo, [MODIFY])
    assert credentials.refresh_token
    gmail = google_service("gmail.v1", solo.url, credentials.token)
    assert gmail.users().getProfile(userId="me").execute()["emailAddress"] == "ann@example.com"
    solo.clock.advance(3_601)
    bare = google_service("gmail.v1", solo.url, credentials.token).users().getProfile(userId="me")
    with pytest.raises(google.auth.exceptions.RefreshError):
        bare.execute()
    old = credentials.token
    credentials.refresh(session)
    assert credentials.token != old
    again = google_service("gmail.v1", solo.url, credentials.token)
    assert again.users().getProfile(userId="me").execute()["emailAddress"] == "ann@example.com"


def test_wrong_verifier_and_used_codes_are_refused(solo: Sandbox) -> None:
    flow = _flow(solo, [MODIFY])
    url, _ = flow.authorization_url()
    target = _visit(url)
    code = target.split("code=")[1].split("&")[0]
    form = f"grant_type=authorization_code&code={code}&redirect_uri={REDIRECT}&client_id=id.apps.example"
    for _ in range(2):
        response, content = httplib2.Http().request(f"{solo.url}/token", "POST", form + "&code_verifier=wrong")
        assert (response.status, json.loads(content)["error"]) == (400, "invalid_grant")


def test_redirects_go_to_loopback_only(solo: Sandbox) -> None:
    query = "response_type=code&client_id=x&scope=y&redirect_uri=https://elsewhere.example/"
    assert "redirect_uri_mismatch" in _visit(f"{solo.url}/o/oauth2/auth?{query}")
    assert "invalid_request" in _visit(f"{solo.url}/o/oauth2/auth?redirect_uri={REDIRECT}")


def test_the_user_can_say_no_or_grant_less(solo: Sandbox) -> None:
    solo.set_consent(deny=True)
    url, _ = _flow(solo, [MODIFY]).authorization_url()
    assert "error=access_denied" in _visit(url)
    solo.set_consent(deny=False, granted=[MODIFY])
    credentials = _consent(solo, [MODIFY, EVENTS])
    calendar = google_service("calendar.v3", solo.url, credentials.token)
    assert refusal(calendar.events().list(calendarId="primary").execute) == (403, "insufficientPermissions")


def test_scopes_are_enforced(box: Box) -> None:
    prefix = "https://www.googleapis.com/auth/gmail."
    message_id = box.deliver(mail())["id"]
    box.deliver(mail("Sent", To="x@y.example"))

    def service(*scopes: str) -> Any:
        token = box.sandbox.issue_token(*scopes, account=box.address)
        return google_service("gmail.v1", box.sandbox.url, token).users()

    reader = service(prefix + "readonly")
    assert reader.messages().get(userId="me", id=message_id).execute()["id"] == message_id
    star = reader.messages().modify(userId="me", id=message_id, body={"addLabelIds": ["STARRED"]})
    assert refusal(star.execute) == (403, "insufficientPermissions")
    assert refusal(service(MODIFY).messages().delete(userId="me", id=message_id).execute)[0] == 403
    metadata = service(prefix + "metadata")
    assert "payload" in metadata.messages().get(userId="me", id=message_id, format="metadata").execute()
    assert len(metadata.messages().list(userId="me").execute()["messages"]) == 2
    for refused in (
        metadata.messages().list(userId="me", q="x"),
        metadata.threads().list(userId="me", q="x"),
        metadata.messages().get(userId="me", id=message_id),
        metadata.messages().get(userId="me", id=message_id, format="raw"),
        metadata.threads().get(userId="me", id=message_id, format="full"),
    ):
        assert refusal(refused.execute) == (403, "forbidden")
    both = service(prefix + "metadata", prefix + "readonly").messages()
    assert both.get(userId="me", id=message_id, format="raw").execute()["raw"]


def test_a_second_account_consents_by_login_hint(solo: Sandbox) -> None:
    flow = _flow(solo, [MODIFY])
    url, _ = flow.authorization_url(login_hint="ben@example.com")
    flow.fetch_token(authorization_response=_visit(url))
    gmail = google_service("gmail.v1", solo.url, flow.credentials.token)
    assert gmail.users().getProfile(userId="me").execute()["emailAddress"] == "ben@example.com"
