"""Signing in against the local OAuth server: a browser that follows redirects, PKCE, refusals, refresh and storing.

A network that answers every request with its own page: offline, in words, and nobody is told to sign in to Google again.
"""

import asyncio
import json
import socket
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from google.oauth2.credentials import Credentials

from app.domain.errors import Intercepted, LoginNeeded, Offline, PermissionMissing
from app.domain.ids import GmailId, GmailThreadId
from app.domain.mail.files import SOURCE_PART
from app.mail.gmail.auth import CALENDAR_SCOPE, GMAIL_SCOPE, credentials_from, restore, static_credentials, stored_form
from app.mail.gmail.client_file import OAuthClient
from app.mail.gmail.consent import Listener, Redirect, sign_in
from app.mail.gmail.endpoint import Endpoint
from app.mail.gmail.wire.calls import Backoff
from fakes.gmail.client_box import connected
from fakes.gmail.consenting_browser import ConsentingBrowser
from fakes.gmail.sandbox import Sandbox
from fakes.gmail.sending import question
from fakes.gmail.web_server import Handler, WebServer


def oauth_client(server: Sandbox) -> OAuthClient:
    """A client file's content for the local server."""
    return OAuthClient("1.apps.example", "no-secret", f"{server.url}/o/oauth2/auth", f"{server.url}/token")


def signed_in(server: Sandbox, browser: ConsentingBrowser, **more: object) -> Credentials:
    try:
        return sign_in(oauth_client(server), Endpoint(f"{server.url}/"), browser, **more)  # type: ignore[arg-type]
    finally:
        browser.close()


async def test_a_sign_in_with_pkce_gives_credentials_that_work_and_renew_themselves(server: Sandbox) -> None:
    browser = ConsentingBrowser()
    credentials = signed_in(server, browser)
    query = parse_qs(urlsplit(browser.opened[0]).query)
    assert query["code_challenge_method"] == ["S256"]
    assert query["redirect_uri"][0].startswith("http://127.0.0.1:")
    assert (query["access_type"], query["prompt"], query["scope"]) == (["offline"], ["consent"], [GMAIL_SCOPE])
    stored = stored_form(credentials, datetime.now(UTC))
    again = restore(stored, Endpoint(f"{server.url}/"))
    again.token = "expired"
    async with connected(Endpoint(f"{server.url}/"), again, None) as client:
        assert (await client.profile()).email == "owner@example.com"
        again.expiry = datetime(2020, 1, 1)  # noqa: DTZ001 - google-auth wants it naive
        assert await client.labels()


async def test_whoever_is_refused_at_once_with_others_shares_their_new_token(server: Sandbox) -> None:
    """An access token that Google ended before its time, in the middle of much that goes on."""
    credentials = signed_in(server, ConsentingBrowser())
    ids = [GmailId(server.deliver(question(number))["id"]) for number in range(1, 4)]
    async with connected(Endpoint(f"{server.url}/"), credentials, None) as client:
        await client.profile()
        credentials.token = "ended"
        server.admin.call("DELETE", "log")
        await asyncio.gather(*(client.labels() for _ in range(4)))
        assert sum(one["path"] == "/token" for one in server.log()) == 1
        server.faults.add("401", "gmail.users.messages.get", place="inner", nth=2)
        fetched = await client.fetch_messages(ids)
        assert [one.gmail_id for one in fetched if one.message is not None] == ids


async def test_a_write_after_an_expired_token_renews_it_and_is_not_repeated(server: Sandbox) -> None:
    from app.domain.errors import ServerError

    credentials = signed_in(server, ConsentingBrowser())
    credentials.token = "expired"
    async with connected(Endpoint(f"{server.url}/"), credentials, None) as client:
        server.admin.call("DELETE", "log")
        with pytest.raises(ServerError):
            await client.create_draft(b"Subject: x\r\nTo: a@example.org\r\n\r\nx", GmailThreadId(""))
        assert [each["status"] for each in server.log() if each["method"] == "gmail.users.drafts.create"] == [401]
        draft = await client.create_draft(b"Subject: x\r\nTo: a@example.org\r\n\r\nx", GmailThreadId(""))
        await client.delete_draft(await client.get_draft(draft.draft_id))


async def test_a_consent_that_died_asks_for_a_sign_in(server: Sandbox) -> None:
    credentials = signed_in(server, ConsentingBrowser())
    server.set_consent(refuse_refresh=True)
    credentials.token = "expired"
    async with connected(Endpoint(f"{server.url}/"), credentials, None) as client:
        with pytest.raises(LoginNeeded) as needed:
            await client.profile()
        assert "invalid_grant" in needed.value.detail


def test_a_refusal_in_the_browser_is_told(server: Sandbox) -> None:
    server.set_consent(deny=True)
    with pytest.raises(LoginNeeded) as needed:
        signed_in(server, ConsentingBrowser())
    assert "access_denied" in needed.value.detail


def test_unticked_gmail_is_a_missing_permission_and_unticked_calendar_is_not(server: Sandbox) -> None:
    server.set_consent(granted=[CALENDAR_SCOPE])
    with pytest.raises(PermissionMissing):
        signed_in(server, ConsentingBrowser(), scopes=[GMAIL_SCOPE, CALENDAR_SCOPE])
    server.set_consent(granted=[GMAIL_SCOPE])
    credentials = signed_in(server, ConsentingBrowser(), scopes=[GMAIL_SCOPE, CALENDAR_SCOPE])
    assert credentials.scopes == [GMAIL_SCOPE]


def test_nobody_coming_back_ends_in_time(server: Sandbox) -> None:
    before = time.monotonic()
    with pytest.raises(LoginNeeded):
        sign_in(oauth_client(server), Endpoint(f"{server.url}/"), lambda _: None, timeout_s=0.2)
    assert time.monotonic() - before < 60


def test_a_forged_redirect_is_not_believed(server: Sandbox) -> None:
    with pytest.raises(LoginNeeded):
        signed_in(server, ConsentingBrowser(lambda address: address.replace("state=", "state=forged")), timeout_s=1.0)


def test_a_token_server_that_is_not_there_is_offline(server: Sandbox) -> None:
    with Listener() as unused:
        port = urlsplit(unused.redirect_uri).port
    browser = ConsentingBrowser()
    elsewhere = OAuthClient("1.apps.example", "x", f"{server.url}/o/oauth2/auth", f"http://127.0.0.1:{port}/token")
    with pytest.raises(Offline):
        sign_in(elsewhere, Endpoint(f"{server.url}/"), browser)
    browser.close()


def test_the_endpoints_token_address_wins_over_the_stored_one() -> None:
    stored = stored_form(restore(STORED, Endpoint()), datetime(2026, 11, 1, tzinfo=UTC))
    assert restore(stored, Endpoint()).token_uri == "https://oauth2.googleapis.com/token"
    assert restore(stored, Endpoint(token_url="http://127.0.0.1:9/token")).token_uri == "http://127.0.0.1:9/token"


STORED = json.dumps(
    {
        "refresh_token": "r",
        "client_id": "c",
        "client_secret": "s",
        "token_uri": "https://oauth2.googleapis.com/token",
        "token": "t",
    }
)


@pytest.mark.parametrize("stored", ["", "x", "[]", "{}", "null", '{"refresh_token": 1}'])
def test_a_stored_text_that_is_no_sign_in_asks_for_one(stored: str) -> None:
    with pytest.raises(LoginNeeded):
        restore(stored, Endpoint())


def test_the_environments_token() -> None:
    assert credentials_from({}) is None
    given = credentials_from({"REPLYROOM_GOOGLE_TOKEN": "abc"})
    assert given is not None and given.token == static_credentials("abc").token == "abc"


PAGE = b"<!doctype html><title>Hotel</title><form action=/login>Room number</form>"


@contextmanager
def portal(status: int, tls: ssl.SSLContext | None = None) -> Iterator[tuple[str, list[str]]]:
    """A server that gives the same page for everything; its address and the paths it was asked for."""
    asked: list[str] = []

    class Page(Handler):
        def respond(self) -> None:
            self.body()
            asked.append(self.path)
            self.answer(status, PAGE, {"Content-Type": "text/html; charset=utf-8", "Location": "http://127.0.0.1:9/login"})

    with WebServer(Page, tls) as server:
        yield f"{server.address}/", asked


@pytest.mark.parametrize("status", [200, 302, 511])
async def test_a_page_instead_of_an_answer_is_offline_and_asked_for_once(status: int) -> None:
    with portal(status) as (address, asked):
        async with connected(
            Endpoint(address), static_credentials("token"), None, backoff=Backoff(attempts=5, base_s=0.001)
        ) as client:
            with pytest.raises(Intercepted):
                await client.profile()
    assert len(asked) == 1


async def test_a_page_is_no_part_of_a_file(tmp_path: Path) -> None:
    with portal(200) as (address, asked):
        async with connected(Endpoint(address), static_credentials("token"), None, backoff=Backoff(attempts=1)) as client:
            with pytest.raises(Intercepted):
                await client.download(GmailId("m"), SOURCE_PART, tmp_path / "mail.eml", lambda _: None)
    assert (list(tmp_path.iterdir()), len(asked)) == ([], 1)


def own_certificate(folder: Path) -> ssl.SSLContext:
    """What a program that reads encrypted connections shows instead of the server's certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(days=1), now + timedelta(days=1))
    plain = serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    text = made.sign(key, hashes.SHA256()).public_bytes(pem)
    (folder / "own.pem").write_bytes(text + key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "own.pem")
    return context


async def test_a_certificate_that_is_not_the_servers_is_not_believed(tmp_path: Path) -> None:
    with portal(200, own_certificate(tmp_path)) as (address, asked):
        async with connected(
            Endpoint(address), static_credentials("token"), None, backoff=Backoff(attempts=5, base_s=0.001)
        ) as client:
            with pytest.raises(Intercepted):
                await client.profile()
    assert asked == [], "the token was not sent"


@pytest.mark.parametrize("status", [200, 302, 403])
async def test_a_page_instead_of_a_new_token_does_not_end_the_sign_in(status: int) -> None:
    expired = (datetime.now(UTC) - timedelta(hours=1)).replace(tzinfo=None)
    with portal(status) as (address, _):
        credentials = Credentials(  # type: ignore[no-untyped-call]
            "old", refresh_token="r", token_uri=f"{address}token", client_id="c", client_secret="s", expiry=expired
        )
        async with connected(Endpoint(address), credentials, None, backoff=Backoff(attempts=1)) as client:
            with pytest.raises(Intercepted):
                await client.profile()


def fetch(address: str, statuses: list[int]) -> None:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            statuses.append(answer.status)
    except urllib.error.HTTPError as error:
        statuses.append(error.code)
        error.close()


@pytest.mark.parametrize(
    ("query", "found"),
    [("code=c1&state=s1", Redirect("c1", "")), ("error=access_denied&state=s1", Redirect("", "access_denied"))],
)
def test_the_redirect_is_taken_and_noise_is_refused(query: str, found: Redirect, capsys: pytest.CaptureFixture[str]) -> None:
    statuses: list[int] = []

    def visit(address: str) -> None:
        for path in ("favicon.ico", "?code=evil", "?code=evil&state=other", f"?{query}"):
            fetch(f"{address}{path}", statuses)

    with Listener() as listener:
        thread = threading.Thread(target=visit, args=(listener.redirect_uri,))
        thread.start()
        assert listener.wait("s1", timeout_s=20) == found
        thread.join()
    assert statuses == [404, 404, 404, 200]
    assert capsys.readouterr().err == "", "the address with the code is never written anywhere"


def test_it_listens_on_this_machine_only_and_gives_up_in_time() -> None:
    with Listener() as listener:
        address = urlsplit(listener.redirect_uri)
        assert address.hostname == "127.0.0.1"
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.2", address.port or 0), timeout=5).close()
        assert listener.wait("s1", timeout_s=0.05) is None


def test_silent_and_slow_connections_do_not_keep_the_browser_waiting() -> None:
    with Listener() as listener:
        port = urlsplit(listener.redirect_uri).port or 0
        silent = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(20)]
        silent[0].sendall(b"GET /?co")
        thread = threading.Thread(target=fetch, args=(f"{listener.redirect_uri}?code=c1&state=s1", []))
        thread.start()
        assert listener.wait("s1", timeout_s=8) == Redirect("c1", "")
        thread.join()
        for one in silent:
            one.close()
