"""The process: its announcement, its token, its orderly end, and what it says when it cannot start."""

import base64
import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import httplib2
import pytest
from googleapiclient.errors import HttpError
from googleapiclient.http import MediaInMemoryUpload
from hypothesis import given
from hypothesis import strategies as st

from app.sandbox.call import ApiRequest
from app.sandbox.google_api.errors import ApiError
from app.sandbox.server.dispatch import read_batch
from app.sandbox.server.server import serve
from fakes.gmail.google_client import Box, mail
from fakes.gmail.sandbox import running_sandbox


def _start(root: Path, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "app.sandbox", *arguments]
    return subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_it_ends_with_its_parents_pipe(root: Path) -> None:
    process = _start(root, "--json", "--parent-pipe", "--token", "given-token")
    hello = json.loads(process.stdout.readline())
    assert (hello["token"], hello["account"], hello["messages"]) == ("given-token", "me@example.com", 0)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, b"")


def test_it_ends_with_sigterm_and_answers_the_terminal(root: Path) -> None:
    process = _start(root)
    assert process.stdout is not None
    lines = [process.stdout.readline().decode() for _ in range(4)]
    assert lines[1].startswith("Address: http://127.0.0.1:")
    process.terminate()
    process.communicate(timeout=20)
    assert process.returncode == 0


def test_a_taken_port_and_a_bad_source_are_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with running_sandbox() as sandbox:
        assert serve(["--port", sandbox.url.rpartition(":")[2]]) == 2
    assert serve(["--mbox", str(tmp_path / "missing.mbox")]) == 2
    assert serve(["--sample", str(tmp_path)]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert [line.startswith("The sandbox cannot start: ") for line in errors] == [True] * 3
    assert "missing.mbox" in errors[1]
    assert "owner.yaml" in errors[2]


LARGE = mail("Photo", "0123456789abcdef\r\n" * 40_000, To="bob@other.example")


def _media(raw: bytes) -> MediaInMemoryUpload:
    """A mail beside the JSON; without a body Google's client would send it alone."""
    return MediaInMemoryUpload(raw, mimetype="message/rfc822")


def _raw(box: Box, message_id: str) -> bytes:
    return base64.urlsafe_b64decode(box.get(message_id, format="raw")["raw"])


def test_multipart_upload_carries_the_json_beside_it(box: Box) -> None:
    first = box.deliver(mail("Photo", Message_ID="<p@x.example>"))
    raw = b"In-Reply-To: <p@x.example>\r\n" + LARGE
    body = {"message": {"threadId": first["threadId"]}}
    draft = box.drafts.create(userId="me", body=body, media_body=_media(raw)).execute()
    assert draft["message"]["threadId"] == first["threadId"]
    assert _raw(box, draft["message"]["id"]) == raw
    updated = box.drafts.update(userId="me", id=draft["id"], body=body, media_body=_media(raw + b"more")).execute()
    assert _raw(box, updated["message"]["id"]) == raw + b"more"


def test_too_large_is_413(box: Box) -> None:
    raw = mail("Huge", To="x@y.example") + b"x" * 36_700_160
    body = b"--b\r\nContent-Type: application/json\r\n\r\n{}\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n" + raw + b"\r\n--b--"
    headers = {"authorization": f"Bearer {box.token}", "content-type": "multipart/related; boundary=b"}
    http = httplib2.Http()
    url = f"{box.sandbox.url}/upload/gmail/v1/users/me/drafts?uploadType=multipart"
    response, content = http.request(url, "POST", body, headers)
    http.close()
    assert response.status == 413
    assert json.loads(content)["error"]["errors"][0]["reason"] == "uploadTooLarge"
    assert box.found("in:drafts") == []


def test_uploading_needs_a_token_and_a_method_that_takes_mail(box: Box) -> None:
    http = httplib2.Http()
    response, _ = http.request(f"{box.sandbox.url}/upload/gmail/v1/users/me/drafts?uploadType=multipart", "POST", "{}")
    assert response.status == 401
    response, _ = http.request(f"{box.sandbox.url}/upload/gmail/v1/users/me/profile", "GET")
    assert response.status == 404
    http.close()


def _run(box: Box, requests: list[Any]) -> list[Any]:
    answers: list[Any] = []
    batch = box.gmail.new_batch_http_request(callback=lambda _, answer, error: answers.append(error or answer))
    for request in requests:
        batch.add(request)
    batch.execute()
    return answers


def test_answers_are_independent_and_in_order(box: Box) -> None:
    ids = [box.deliver(mail(f"mail {number}"))["id"] for number in range(20)]
    requests = [box.messages.get(userId="me", id=message_id) for message_id in ids]
    requests.insert(5, box.messages.get(userId="me", id="0123456789abcdef"))
    answers = _run(box, requests)
    assert isinstance(answers[5], HttpError)
    assert answers[5].resp.status == 404
    assert [answer["id"] for index, answer in enumerate(answers) if index != 5] == ids


def test_concurrent_limit_inside_a_batch(solo_box: Box) -> None:
    message_id = solo_box.deliver(mail())["id"]
    solo_box.sandbox.set_quota(concurrent=4)
    answers = _run(solo_box, [solo_box.messages.get(userId="me", id=message_id) for _ in range(6)])
    assert [isinstance(answer, HttpError) and answer.resp.status for answer in answers] == [False] * 4 + [429] * 2


def _call(body: bytes) -> ApiRequest:
    return ApiRequest("POST", "/batch", {}, {"content-type": "multipart/mixed; boundary=b", "authorization": "Bearer t"}, body)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    with suppress(ApiError):
        assert read_batch(_call(body))
