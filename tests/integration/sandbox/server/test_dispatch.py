"""Batches through googleapiclient's BatchHttpRequest and by hand."""

from typing import Any

import httplib2
import pytest
from googleapiclient.errors import HttpError
from hypothesis import given
from hypothesis import strategies as st

from app.sandbox.call import ApiRequest
from app.sandbox.google_api.errors import ApiError
from app.sandbox.server.dispatch import read_batch
from fakes.gmail.google_client import Box, encoded, mail


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


def test_writes_with_bodies_and_empty_answers(box: Box) -> None:
    message_id = box.deliver(mail())["id"]
    answers = _run(
        box,
        [
            box.messages.modify(userId="me", id=message_id, body={"addLabelIds": ["STARRED"]}),
            box.messages.send(userId="me", body={"raw": encoded(mail("Ahoj ☕", "řeka", To="x@y.example"))}),
            box.messages.batchModify(userId="me", body={"ids": [message_id], "removeLabelIds": ["UNREAD"]}),
            box.messages.list(userId="me", q="in:sent", fields="messages"),
        ],
    )
    assert "STARRED" in answers[0]["labelIds"]
    assert answers[2] == ""
    assert answers[3] == {"messages": [{"id": answers[1]["id"], "threadId": answers[1]["threadId"]}]}


def test_a_hundred_and_no_more(box: Box) -> None:
    message_id = box.deliver(mail())["id"]
    assert len(_run(box, [box.messages.get(userId="me", id=message_id)] * 1)) == 1
    hundred = [box.messages.get(userId="me", id=message_id, format="minimal") for _ in range(100)]
    assert all(answer["id"] == message_id for answer in _run(box, hundred))
    body = _written([f"GET /gmail/v1/users/me/messages/{message_id}"] * 101)
    assert _post(box, body) == 400


def test_plain_batch_address_and_its_own_refusals(box: Box) -> None:
    assert _post(box, _written(["GET /gmail/v1/users/me/profile"]), path="/batch") == 200
    assert _post(box, b"nothing") == 400
    assert _post(box, _written(["POST /batch/gmail/v1"])) == 200


def _written(lines: list[str]) -> bytes:
    pieces = [
        f"--b\r\nContent-Type: application/http\r\nContent-ID: <x + {n}>\r\n\r\n{line}\r\n\r\n" for n, line in enumerate(lines)
    ]
    return ("".join(pieces) + "--b--\r\n").encode()


def _post(box: Box, body: bytes, path: str = "/batch/gmail/v1") -> int:
    http = httplib2.Http()
    headers = {"authorization": f"Bearer {box.token}", "content-type": "multipart/mixed; boundary=b"}
    response, _ = http.request(box.sandbox.url + path, "POST", body, headers)
    http.close()
    return int(response.status)


def test_concurrent_limit_inside_a_batch(solo_box: Box) -> None:
    message_id = solo_box.deliver(mail())["id"]
    solo_box.sandbox.set_quota(concurrent=4)
    answers = _run(solo_box, [solo_box.messages.get(userId="me", id=message_id) for _ in range(6)])
    assert [isinstance(answer, HttpError) and answer.resp.status for answer in answers] == [False] * 4 + [429] * 2


def _call(body: bytes) -> ApiRequest:
    return ApiRequest("POST", "/batch", {}, {"content-type": "multipart/mixed; boundary=b", "authorization": "Bearer t"}, body)


def test_inner_requests_inherit_the_outer_token() -> None:
    inner = read_batch(_call(_written(["GET /a?q=1&q=2"])))[0]
    assert inner.call is not None
    assert (inner.call.bearer(), inner.call.query, inner.content_id) == ("t", {"q": ["1", "2"]}, "<x + 0>")


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    with pytest.raises(ApiError) if b"--b" not in body else _Nothing():
        read_batch(_call(body))


class _Nothing:
    """Lets a refusal or an answer pass."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        return kind is not None and issubclass(kind, ApiError)
