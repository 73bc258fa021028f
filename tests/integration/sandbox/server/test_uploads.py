"""Uploads as googleapiclient's MediaUpload sends them, in one multipart request."""

import base64
import json

import httplib2
import pytest
from googleapiclient.http import MediaInMemoryUpload

from app.sandbox.call import ApiRequest
from app.sandbox.google_api.errors import ApiError
from app.sandbox.server.dispatch import read_json, read_upload
from fakes.gmail.google_client import Box, mail

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


@pytest.mark.parametrize("body", [b"[1]", b"{", b"\xff"])
def test_bodies_must_be_json_objects(body: bytes) -> None:
    with pytest.raises(ApiError) as caught:
        read_json(body)
    assert (caught.value.code, caught.value.reason) == (400, "parseError")


def test_multipart_must_have_two_parts() -> None:
    headers = {"content-type": "multipart/related; boundary=b"}
    body = b"--b\r\nContent-Type: application/json\r\n\r\n{}\r\n--b--"
    with pytest.raises(ApiError):
        read_upload(ApiRequest("POST", "/", {"uploadType": ["multipart"]}, headers, body))
