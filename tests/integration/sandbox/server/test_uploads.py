"""Uploads as googleapiclient's MediaUpload sends them: simple, multipart, resumable."""

import base64
import json

import httplib2
import pytest
from googleapiclient.http import MediaInMemoryUpload

from app.sandbox.call import ApiRequest
from app.sandbox.google_api.errors import ApiError
from app.sandbox.server.uploads import read_json, read_upload
from fakes.gmail.google_client import Box, mail

LARGE = mail("Photo", "0123456789abcdef\r\n" * 40_000, To="bob@other.example")


def _media(raw: bytes, **options: object) -> MediaInMemoryUpload:
    return MediaInMemoryUpload(raw, mimetype="message/rfc822", **options)


def _raw(box: Box, message_id: str) -> bytes:
    return base64.urlsafe_b64decode(box.get(message_id, format="raw")["raw"])


def test_simple_upload(box: Box) -> None:
    raw = mail("Simple", To="x@y.example")
    made = box.messages.insert(userId="me", media_body=_media(raw)).execute()
    assert _raw(box, made["id"]) == raw


def test_multipart_upload_carries_the_json_beside_it(box: Box) -> None:
    made = box.messages.insert(userId="me", body={"labelIds": ["STARRED"]}, media_body=_media(mail("Two parts"))).execute()
    assert made["labelIds"] == ["STARRED"]
    assert box.get(made["id"])["payload"]["headers"][1] == {"name": "Subject", "value": "Two parts"}


@pytest.mark.parametrize("chunk", [-1, 256 * 1024])
def test_resumable_upload(box: Box, chunk: int) -> None:
    first = box.deliver(mail("Photo", Message_ID="<p@x.example>"))
    raw = b"In-Reply-To: <p@x.example>\r\n" + LARGE
    body = {"message": {"threadId": first["threadId"]}}
    draft = box.drafts.create(userId="me", body=body, media_body=_media(raw, resumable=True, chunksize=chunk)).execute()
    assert draft["message"]["threadId"] == first["threadId"]
    assert _raw(box, draft["message"]["id"]) == raw
    updated = box.drafts.update(
        userId="me", id=draft["id"], body=body, media_body=_media(raw + b"more", resumable=True, chunksize=chunk)
    ).execute()
    assert _raw(box, updated["message"]["id"]) == raw + b"more"


def test_resumable_chunks_report_progress(box: Box) -> None:
    request = box.messages.send(userId="me", body={}, media_body=_media(LARGE, resumable=True, chunksize=256 * 1024))
    shares = []
    response = None
    while response is None:
        status, response = request.next_chunk()
        shares.append(status.resumable_progress if status else len(LARGE))
    assert shares == [262_144, 524_288, len(LARGE)]
    assert response["labelIds"] == ["SENT"]


def test_too_large_is_413(box: Box) -> None:
    http = httplib2.Http()
    headers = {"authorization": f"Bearer {box.token}", "content-type": "message/rfc822"}
    raw = mail("Huge", To="x@y.example") + b"x" * 36_700_160
    url = f"{box.sandbox.url}/upload/gmail/v1/users/me/messages/send?uploadType=media"
    response, content = http.request(url, "POST", raw, headers)
    http.close()
    assert response.status == 413
    assert json.loads(content)["error"]["errors"][0]["reason"] == "uploadTooLarge"
    assert box.found("in:sent") == []


def test_unknown_session_and_bad_ranges(box: Box) -> None:
    http, headers = httplib2.Http(), {"authorization": f"Bearer {box.token}"}
    url = f"{box.sandbox.url}/upload/gmail/v1/users/me/drafts?uploadType=resumable"
    response, _ = http.request(url + "&upload_id=nothing", "PUT", b"x", headers)
    assert response.status == 404
    response, _ = http.request(url, "POST", json.dumps({"message": {}}), headers)
    assert response.status == 200
    place = response["location"]
    for content_range in ("bytes 5-6/10", "nonsense"):
        response, _ = http.request(place, "PUT", b"xy", {**headers, "content-range": content_range})
        assert response.status == 400, content_range
    http.close()


def test_uploading_needs_a_token(box: Box) -> None:
    http = httplib2.Http()
    response, _ = http.request(f"{box.sandbox.url}/upload/gmail/v1/users/me/drafts?uploadType=resumable", "POST", "{}")
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
