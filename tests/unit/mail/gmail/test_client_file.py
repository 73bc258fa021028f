"""The OAuth client file: each fault is named with its remedy."""

import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import BadFile, NotAllowed
from app.mail.gmail.client_file import OAuthClient, read_client_file
from app.mail.gmail.endpoint import Endpoint, discovery_document, endpoint_from, requests_of

GOOD = {
    "client_id": "1.apps.googleusercontent.com",
    "client_secret": "x",
    "auth_uri": "https://accounts.google.com/o/oauth2/auth",
    "token_uri": "https://oauth2.googleapis.com/token",
}


def written(folder: Path, content: object) -> Path:
    path = folder / "client.json"
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    path.write_bytes(data)
    return path


def test_an_installed_app_is_taken(tmp_path: Path) -> None:
    found = read_client_file(written(tmp_path, {"installed": {**GOOD, "redirect_uris": ["http://localhost"]}}))
    assert found == OAuthClient(**GOOD)
    read_client_file(written(tmp_path, b"\xef\xbb\xbf" + json.dumps({"installed": GOOD}).encode()))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"web": GOOD}, "Web application"),
        ({"type": "service_account", "private_key": "x"}, "service account"),
        ({"type": "authorized_user", "refresh_token": "x"}, "another app's sign-in"),
        ({"refresh_token": "x"}, "another app's sign-in"),
        ({"api_key": "x"}, "API key"),
        ({}, "desktop OAuth client file"),
        ({"installed": []}, "desktop OAuth client file"),
        ({"installed": {**GOOD, "client_id": ""}}, "client_id"),
        ({"installed": {"client_id": "x"}}, "client_secret, auth_uri, token_uri"),
        ({"installed": {**GOOD, "token_uri": "http://evil.example/token"}}, "token_uri"),
        ({"installed": {**GOOD, "auth_uri": "javascript:alert(1)"}}, "auth_uri"),
        ([1], "isn't an object"),
        (b"{\n  nonsense", "valid JSON"),
        (b"\xff\xfe\x00", "isn't a JSON text"),
        (b"<html>", "valid JSON"),
        (b"x" * 200_000, "too large"),
        (b"[" * 90_000, "JSON"),
        (b'{"installed": ' + b"9" * 5000 + b"}", "isn't a JSON text"),
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n", "is empty"),
        ({"installed": {**GOOD, "token_uri": "https://google.com.evil.example/token"}}, "token_uri"),
        ({"installed": {**GOOD, "token_uri": "https://[evil/token"}}, "token_uri"),
        ({"installed": {**GOOD, "auth_uri": "https://accounts.google.com@evil.example/"}}, "auth_uri"),
        ({"installed": {**GOOD, "client_secret": 7}}, "client_secret"),
    ],
)
def test_each_fault_has_its_words(tmp_path: Path, content: object, words: str) -> None:
    with pytest.raises(BadFile) as bad:
        read_client_file(written(tmp_path, content))
    assert words in bad.value.detail
    assert bad.value.path.endswith("client.json")


def test_the_line_of_a_syntax_error_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as bad:
        read_client_file(written(tmp_path, b'{\n"installed": {\n"client_id" "x"}}'))
    assert bad.value.line == 3


@pytest.mark.timeout(30)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes among files")
def test_what_is_no_file_is_named_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    places = {"none.json": "can't be read", ".": "is a folder", "pipe.json": "regular file", "a\0b": "file name"}
    for name, words in places.items():
        with pytest.raises(BadFile) as bad:
            read_client_file(tmp_path / name)
        assert words in bad.value.detail


@given(
    st.dictionaries(
        st.sampled_from(["installed", "web", "type", *GOOD]), st.one_of(st.none(), st.text(), st.just(GOOD)), max_size=4
    )
)
def test_any_object_is_a_client_or_a_bad_file(tmp_path_factory: pytest.TempPathFactory, content: dict[str, object]) -> None:
    try:
        read_client_file(written(tmp_path_factory.mktemp("client"), content))
    except BadFile:
        return
    assert content["installed"] == GOOD


def test_without_variables_it_is_google() -> None:
    endpoint = endpoint_from({})
    assert endpoint == Endpoint()
    assert not endpoint.loopback
    uri = requests_of(endpoint, "gmail.v1").users().getProfile(userId="me").uri
    assert uri.startswith("https://gmail.googleapis.com/gmail/v1/users/me/profile")
    assert endpoint.root_of(discovery_document("calendar.v3")) == "https://www.googleapis.com/"


@pytest.mark.parametrize(("api", "path"), [("gmail.v1", "gmail/v1/"), ("calendar.v3", "calendar/v3/"), ("people.v1", "v1/")])
def test_another_server_gets_every_request(api: str, path: str) -> None:
    endpoint = endpoint_from(
        {"REPLYROOM_GOOGLE_ENDPOINT": "http://127.0.0.1:8025", "REPLYROOM_GOOGLE_TOKEN_URI": "http://127.0.0.1:8025/token"}
    )
    assert endpoint == Endpoint("http://127.0.0.1:8025/", "http://127.0.0.1:8025/token")
    assert endpoint.loopback
    service = requests_of(endpoint, api)
    made = {
        "gmail.v1": lambda: service.users().labels().list(userId="me"),
        "calendar.v3": lambda: service.events().list(calendarId="primary"),
        "people.v1": lambda: service.people().connections().list(resourceName="people/me"),
    }[api]()
    assert made.uri.startswith(f"http://127.0.0.1:8025/{path}")


@pytest.mark.parametrize("name", ["REPLYROOM_GOOGLE_ENDPOINT", "REPLYROOM_GOOGLE_TOKEN_URI"])
@pytest.mark.parametrize("address", ["http://mail.example/", "ftp://127.0.0.1/", "nonsense", "https://"])
def test_a_token_is_never_sent_in_clear_text_to_elsewhere(name: str, address: str) -> None:
    with pytest.raises(NotAllowed) as refused:
        endpoint_from({name: address})
    assert name in refused.value.detail
    assert endpoint_from({name: "https://mail.example"}) != Endpoint()
