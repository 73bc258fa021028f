"""The OAuth client file: each fault is named with its remedy."""

import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import BadFile
from app.mail.gmail.client_file import OAuthClient, read_client_file

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
        (b"\xff\xfe\x00", "not a JSON text"),
        (b"<html>", "valid JSON"),
        (b"x" * 200_000, "too large"),
        (b"[" * 90_000, "not"),
        (b'{"installed": ' + b"9" * 5000 + b"}", "not a JSON text"),
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
    places = {"none.json": "cannot be read", ".": "is a folder", "pipe.json": "regular file", "a\0b": "file name"}
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
