"""The process: its announcement, its token, its orderly end, and what it says when it cannot start."""

import hashlib
import http.client
import json
import subprocess
import sys
from pathlib import Path

import pytest

from app.sandbox.server import serve
from fakes.google_client import Box, mail
from fakes.sandbox import AdminError, running_sandbox


def _start(root: Path, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "app.sandbox", *arguments]
    return subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_it_ends_with_its_parents_pipe(root: Path) -> None:
    process = _start(root, "--json", "--parent-pipe", "--token", "given-token")
    assert process.stdout is not None
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


def test_it_does_not_wait_for_open_connections() -> None:
    with running_sandbox() as sandbox:
        connection = http.client.HTTPConnection(sandbox.url.removeprefix("http://"))
        connection.request("GET", "/tokeninfo")
        connection.getresponse().read()
        assert sandbox.stop() == 0
        connection.close()


def test_a_taken_port_and_a_bad_source_are_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with running_sandbox() as sandbox:
        assert serve(["--port", sandbox.url.rpartition(":")[2]]) == 2
    assert serve(["--mbox", str(tmp_path / "missing.mbox")]) == 2
    assert serve(["--sample", str(tmp_path)]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert [line.startswith("The sandbox cannot start: ") for line in errors] == [True] * 3
    assert "missing.mbox" in errors[1]
    assert "owner.yaml" in errors[2]


def test_mbox_over_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "x.mbox"
    file.write_bytes(b"From a Sun Mar 15 08:30:00 2026\nFrom: ann@x.example\nSubject: mine\n\ntext\n")
    with running_sandbox("--mbox", file, "--me", "ann@x.example") as sandbox:
        assert sandbox.messages == 1
        assert sandbox.dump()["messages"][0]["labelIds"] == ["SENT"]


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
        ("POST", "quota", {"table": "x"}),
    ):
        with pytest.raises(AdminError):
            box.sandbox.admin.call(verb, name, body)
