"""The sandbox as a whole, over plain HTTP: tokens, request checks, the admin interface and the journal."""

import hashlib
import http.client
import json

import pytest

from fakes.gmail.google_client import Box, mail
from fakes.gmail.sandbox import AdminError


def test_unknown_methods_and_missing_tokens(box: Box) -> None:
    connection = http.client.HTTPConnection(box.sandbox.url.removeprefix("http://"))
    for path, headers, code in (
        ("/gmail/v1/users/me/profile", {}, 401),
        ("/gmail/v1/users/me/profile", {"Authorization": "Bearer wrong"}, 401),
        ("/gmail/v1/users/me/nothing", {"Authorization": f"Bearer {box.token}"}, 404),
        (f"/gmail/v1/users/me/profile?access_token={box.token}", {}, 200),
        ("/sandbox/dump", {"Authorization": f"Bearer {box.token}"}, 401),
        ("/sandbox/nothing", {"Authorization": f"Bearer {box.sandbox.token}"}, 404),
    ):
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        assert (response.status, json.loads(response.read()).get("error", {}).get("code", 200)) == (code, code), path
    connection.close()


@pytest.mark.parametrize(
    ("verb", "path", "body", "message"),
    [
        ("POST", "messages/send", {"raw": "QQ==", "subject": "x"}, 'Unknown name "subject": Cannot find field.'),
        ("POST", "drafts", {"message": {"rwa": "QQ=="}}, "Unknown name \"rwa\" at 'message': Cannot find field."),
        ("POST", "messages/send", {"raw": 5}, "Invalid value at 'raw'"),
        ("POST", "messages/batchModify", {"ids": "one"}, "Invalid value at 'ids'"),
        ("POST", "messages/batchModify", {"ids": [1]}, "Invalid value at 'ids[0]'"),
        ("GET", "messages?labels=INBOX", None, 'Unknown name "labels": Cannot bind query parameter.'),
        ("GET", "messages?maxResults=many", None, "Invalid value at 'maxResults'"),
        ("GET", "messages?q=a&q=b", None, "Parameter 'q' is not repeated."),
        ("GET", "messages/abc?format=full_text", None, "Invalid value at 'format'"),
    ],
)
def test_requests_are_checked_as_google_checks_them(
    box: Box, verb: str, path: str, body: dict[str, object] | None, message: str
) -> None:
    connection = http.client.HTTPConnection(box.sandbox.url.removeprefix("http://"))
    headers = {"Authorization": f"Bearer {box.token}", "Content-Type": "application/json"}
    connection.request(verb, f"/gmail/v1/users/me/{path}", json.dumps(body) if body else None, headers)
    response = connection.getresponse()
    error = json.loads(response.read())["error"]
    connection.close()
    assert (error["code"], error["status"], error["errors"][0]["reason"]) == (400, "INVALID_ARGUMENT", "invalid")
    assert message in error["message"]


def test_the_journal_holds_digests_and_no_mail(solo_box: Box) -> None:
    solo_box.sandbox.admin.call("DELETE", "log")
    solo_box.send(mail("Secret subject", "secret text", To="x@y.example"))
    solo_box.profile()
    entries = solo_box.sandbox.log()
    assert [(entry["method"], entry["status"], entry["units"]) for entry in entries] == [
        ("gmail.users.messages.send", 200, 100),
        ("gmail.users.getProfile", 200, 1),
    ]
    assert len(entries[0]["body_sha256"]) == 64
    assert "ecret" not in json.dumps(entries)
    last = solo_box.sandbox.admin.call("GET", "log", {"since": entries[0]["number"]})["entries"]
    assert [entry["number"] for entry in last] == [entries[1]["number"]]


def test_what_others_do_to_the_mailbox(box: Box) -> None:
    first = box.deliver(mail("Bike", Message_ID="<1@x.example>"), labels=["INBOX", "IMPORTANT"], internal_ms=1_000)
    second = box.deliver(mail("Other"))
    box.sandbox.mail.label(first["id"], add=["starred"], remove=["INBOX"], account=box.address)
    assert set(box.get(first["id"])["labelIds"]) == {"IMPORTANT", "STARRED"}
    box.sandbox.mail.delete(second["id"], account=box.address)
    assert box.found("") == [first["id"]]
    answer = mail("Re: Bike", "from the phone", To="bob@x.example", In_Reply_To="<1@x.example>", References="<1@x.example>")
    sent = box.sandbox.mail.send_from_phone(answer, first["threadId"], account=box.address)
    assert sent["threadId"] == first["threadId"]
    entry = box.sandbox.mail.sent(box.address)[0]
    assert (entry["inReplyTo"], entry["references"], entry["to"]) == (["<1@x.example>"], ["<1@x.example>"], "bob@x.example")
    assert entry["textSha256"] == hashlib.sha256(b"from the phone").hexdigest()
    draft = box.draft(mail("Re: Bike", To="x@y.example", In_Reply_To="<1@x.example>"), first["threadId"])
    edited = box.sandbox.mail.edit_draft(draft["id"], mail("Re: Bike", "edited", To="x@y.example"), box.address)
    assert edited["message"]["threadId"] == first["threadId"]
    assert [entry["message"]["id"] for entry in box.sandbox.mail.drafts(box.address)] == [edited["message"]["id"]]
    assert b"edited" in box.sandbox.mail.raw(edited["message"]["id"], box.address)


def test_admin_mistakes_are_said(box: Box) -> None:
    for verb, name, body in (
        ("POST", "deliver", {}),
        ("POST", "deliver", {"raw": "QQ==", "labels": ["No such label"]}),
        ("POST", "clock", {"set": "yesterday"}),
        ("POST", "delete", {"ids": ["abc"]}),
        ("POST", "accounts", {"address": box.address}),
        ("POST", "quota", {"refusal": "x"}),
    ):
        with pytest.raises(AdminError):
            box.sandbox.admin.call(verb, name, body)
