"""Faults: each kind, before and after the commit, inside and outside batches, and the rules about rules."""

import http.client
import json

import httplib2
import pytest
from googleapiclient.errors import HttpError

from fakes.gmail.google_client import Box, mail, refusal

SEND = "gmail.users.drafts.send"
BROKEN = (httplib2.HttpLib2Error, http.client.HTTPException, OSError)


@pytest.mark.parametrize(
    ("kind", "code", "reason"),
    [
        ("429", 429, "rateLimitExceeded"),
        ("403-rate", 403, "rateLimitExceeded"),
        ("403-user-rate", 403, "userRateLimitExceeded"),
        ("403-permission", 403, "insufficientPermissions"),
        ("400-precondition", 400, "failedPrecondition"),
        ("400-token", 400, "invalidArgument"),
        ("403-daily", 403, "dailyLimitExceeded"),
        ("403-domain", 403, "domainPolicy"),
        ("403-api-off", 403, "accessNotConfigured"),
        ("500", 500, "backendError"),
        ("503", 503, "backendError"),
        ("404-history", 404, "notFound"),
    ],
)
def test_refusing_kinds_fire_once_and_commit_nothing(solo_box: Box, kind: str, code: int, reason: str) -> None:
    draft = solo_box.draft(mail("Hi", To="x@y.example"))
    solo_box.sandbox.faults.add(kind, SEND)
    send = solo_box.drafts.send(userId="me", body={"id": draft["id"]})
    assert refusal(send.execute) == (code, reason)
    assert solo_box.drafts.get(userId="me", id=draft["id"]).execute()["id"] == draft["id"]
    assert send.execute()["labelIds"] == ["SENT"]


def test_bad_gateway_is_no_json(solo_box: Box) -> None:
    solo_box.sandbox.faults.add("502", "gmail.users.getProfile")
    with pytest.raises(HttpError) as caught:
        solo_box.profile()
    assert caught.value.content.startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize("kind", ["500", "503", "429"])
def test_refusal_after_the_commit_did_send(solo_box: Box, kind: str) -> None:
    draft = solo_box.draft(mail("Hi", To="x@y.example"))
    solo_box.sandbox.faults.add(kind, SEND, when="after")
    with pytest.raises(HttpError):
        solo_box.drafts.send(userId="me", body={"id": draft["id"]}).execute()
    assert refusal(solo_box.drafts.get(userId="me", id=draft["id"]).execute) == (404, "notFound")
    assert len(solo_box.found("in:sent")) == 1


@pytest.mark.parametrize(("kind", "when", "sent"), [("cut", "before", 0), ("cut", "after", 1), ("truncate", "after", 1)])
def test_broken_connections(solo_box: Box, kind: str, when: str, sent: int) -> None:
    """The HTTP library repeats a request whose connection was cut: the rule must hold for its tries as well."""
    draft = solo_box.draft(mail("Hi", To="x@y.example"))
    solo_box.sandbox.faults.add(kind, SEND, when=when, times=0)
    with pytest.raises(BROKEN):
        solo_box.drafts.send(userId="me", body={"id": draft["id"]}).execute()
    solo_box.sandbox.faults.clear()
    assert len(solo_box.found("in:sent")) == sent


def test_doubled_write(solo_box: Box) -> None:
    draft = solo_box.draft(mail("Hi", To="x@y.example"))
    solo_box.sandbox.faults.add("double", SEND)
    assert refusal(solo_box.drafts.send(userId="me", body={"id": draft["id"]}).execute) == (404, "notFound")
    assert len(solo_box.found("in:sent")) == 1
    solo_box.sandbox.faults.add("double", "gmail.users.messages.send")
    solo_box.send(mail("Twice", To="x@y.example"))
    assert len(solo_box.found("subject:twice")) == 2


@pytest.mark.parametrize(("when", "sent"), [("before", 0), ("after", 1)])
def test_slow_answers_and_a_client_that_gives_up(solo_box: Box, when: str, sent: int) -> None:
    draft = solo_box.draft(mail("Hi", To="x@y.example"))
    solo_box.sandbox.faults.add("slow", SEND, when=when, seconds=0.6)
    connection = http.client.HTTPConnection(solo_box.sandbox.url.removeprefix("http://"), timeout=0.2)
    headers = {"Authorization": f"Bearer {solo_box.token}", "Content-Type": "application/json"}
    connection.request("POST", "/gmail/v1/users/me/drafts/send", json.dumps({"id": draft["id"]}), headers)
    with pytest.raises(TimeoutError):
        connection.getresponse()
    connection.close()
    solo_box.sandbox.faults.add("slow", "gmail.users.getProfile", seconds=0.7)
    solo_box.profile()
    assert len(solo_box.found("in:sent")) == sent


def test_inner_and_outer(solo_box: Box) -> None:
    message_id = solo_box.deliver(mail())["id"]
    solo_box.sandbox.faults.add("503", "gmail.users.messages.*", place="inner", nth=2, times=1)
    assert solo_box.get(message_id)["id"] == message_id
    answers: list[object] = []
    batch = solo_box.gmail.new_batch_http_request(callback=lambda _, answer, error: answers.append(error or answer))
    for _ in range(3):
        batch.add(solo_box.messages.get(userId="me", id=message_id))
    batch.execute()
    assert [isinstance(answer, HttpError) for answer in answers] == [False, True, False]
    solo_box.sandbox.faults.add("429", "batch")
    batch = solo_box.gmail.new_batch_http_request()
    batch.add(solo_box.messages.get(userId="me", id=message_id))
    assert refusal(batch.execute) == (429, "rateLimitExceeded")


def test_a_rule_may_be_about_one_message_alone(solo_box: Box) -> None:
    one, other = solo_box.deliver(mail("one")), solo_box.deliver(mail("other"))
    solo_box.sandbox.faults.add("500", "gmail.users.messages.get", about=one["id"], times=0)
    assert solo_box.messages.get(userId="me", id=other["id"]).execute()["id"] == other["id"]
    assert refusal(solo_box.messages.get(userId="me", id=one["id"]).execute) == (500, "backendError")
