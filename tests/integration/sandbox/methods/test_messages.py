"""`users.messages` through the unmodified Google client.

`users.labels` and `settings.sendAs` through the Google client.
"""

import base64
from typing import Any

import pytest

from fakes.gmail.google_client import Box, conforms, encoded, mail, refusal


def test_body_is_utf8_whatever_the_declared_charset(box: Box) -> None:
    raw = "Content-Type: text/plain; charset=windows-1250\r\n\r\npříliš žluťoučký".encode("cp1250")
    part = box.get(box.deliver(raw)["id"])["payload"]
    assert base64.urlsafe_b64decode(part["body"]["data"]).decode("utf-8") == "příliš žluťoučký"
    assert part["headers"][0]["value"].endswith("windows-1250")
    assert part["body"]["size"] == len("příliš žluťoučký".encode())


def test_attachments_come_by_their_id(box: Box) -> None:
    content = bytes(range(256)) * 40
    raw = (
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b\r\n"
        b"Content-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + base64.encodebytes(content)
        + b"\r\n--b--\r\n"
    )
    message = box.get(box.deliver(raw)["id"])
    part = message["payload"]["parts"][1]
    assert (part["filename"], part["partId"], "data" in part["body"]) == ("a.png", "1", False)
    attachments = box.messages.attachments()
    found = attachments.get(userId="me", messageId=message["id"], id=part["body"]["attachmentId"]).execute()
    assert base64.urlsafe_b64decode(found["data"]) == content
    assert found["size"] == len(content) == part["body"]["size"]
    wrong = attachments.get(userId="me", messageId=message["id"], id="ANGjdJnothing")
    assert refusal(wrong.execute) == (400, "invalidArgument")


def test_paging_newest_first(box: Box) -> None:
    ids = [box.deliver(mail(f"number {number}"), internal_ms=1_000_000 + number)["id"] for number in range(7)]
    seen: list[str] = []
    request = box.messages.list(userId="me", maxResults=3)
    while request is not None:
        page = request.execute()
        conforms("gmail", "ListMessagesResponse", page)
        seen.extend(entry["id"] for entry in page["messages"])
        box.deliver(mail("arrives while paging"))
        request = box.messages.list_next(request, page)
    assert seen == ids[::-1]


def test_spam_and_trash_are_hidden_unless_asked_for(box: Box) -> None:
    spam = box.deliver(mail(), labels=["SPAM"])["id"]
    trash = box.deliver(mail())["id"]
    assert set(box.messages.trash(userId="me", id=trash).execute()["labelIds"]) == {"TRASH", "UNREAD"}
    assert box.found("") == []
    assert box.found("", labelIds=["SPAM"]) == [spam]
    assert set(box.found("", includeSpamTrash=True)) == {spam, trash}
    assert set(box.found("in:anywhere")) == {spam, trash}
    assert box.messages.untrash(userId="me", id=trash).execute()["labelIds"] == ["UNREAD"]
    assert box.found("") == [trash]


def test_modify_and_its_limits(box: Box) -> None:
    message_id = box.deliver(mail())["id"]
    body = {"addLabelIds": ["STARRED"], "removeLabelIds": ["UNREAD"]}
    answer = box.messages.modify(userId="me", id=message_id, body=body).execute()
    assert set(answer["labelIds"]) == {"INBOX", "STARRED"}
    for wrong in ({"addLabelIds": ["SENT"]}, {"removeLabelIds": ["DRAFT"]}, {"addLabelIds": ["Label_77"]}, {}):
        request = box.messages.modify(userId="me", id=message_id, body=wrong)
        assert refusal(request.execute) == (400, "invalidArgument"), wrong


def test_batch_modify_and_batch_delete(box: Box) -> None:
    ids = [box.deliver(mail())["id"] for _ in range(3)]
    assert box.messages.batchModify(userId="me", body={"ids": ids, "addLabelIds": ["STARRED"]}).execute() == ""
    assert set(box.found("is:starred")) == set(ids)
    too_many = {"ids": [f"{number:016x}" for number in range(1_001)], "addLabelIds": ["STARRED"]}
    assert refusal(box.messages.batchModify(userId="me", body=too_many).execute) == (400, "invalidArgument")
    box.messages.batchDelete(userId="me", body={"ids": [*ids[:2], ids[0], "0123456789abcdef"]}).execute()
    assert box.found("") == ids[2:]
    assert refusal(box.messages.batchDelete(userId="me", body={"ids": ids[:2]}).execute) == (404, "notFound")


def test_insert_and_import_dates_labels_and_threads(box: Box) -> None:
    def added(add: Any, more: dict[str, Any], **options: str) -> dict[str, Any]:
        return box.get(add(userId="me", body={"raw": encoded(raw), **more}, **options).execute()["id"])

    first = box.deliver(mail("Bike", Message_ID="<m1@x.example>"))["threadId"]
    raw = mail("Re: Bike", Date="Fri, 14 Mar 2025 10:00:00 +0100", In_Reply_To="<m1@x.example>")
    insert, import_ = box.messages.insert, box.messages.import_
    inserted, imported = added(insert, {"labelIds": ["INBOX"]}), added(import_, {"labelIds": ["STARRED"]})
    told = added(insert, {"threadId": first}, internalDateSource="dateHeader")
    assert [one.get("labelIds") for one in (inserted, imported)] == [["INBOX"], ["STARRED"]]
    assert imported["internalDate"] == told["internalDate"] == "1741942800000" != inserted["internalDate"]
    assert imported["threadId"] == told["threadId"] == first != inserted["threadId"]
    assert refusal(insert(userId="me", body={}).execute) == (400, "invalidArgument")
    assert refusal(insert(userId="me", body={"raw": "%%%"}).execute) == (400, "invalid")
    for wrong in ({"labelIds": ["Label_77"]}, {"threadId": "not-hex"}):
        assert refusal(import_(userId="me", body={"raw": encoded(raw), **wrong}).execute) == (400, "invalidArgument")


BROKEN = [
    b"",
    b"\n",
    b"no colon at all",
    b"\xff\xfe\x00",
    b"Content-Type: multipart/mixed; boundary=\n\n--\n",
    b"Content-Type: multipart/mixed; boundary=b\n\nno part",
    b"Content-Type: text/plain; charset=\x00\n\nx",
    b"Subject: =?utf-16?b?2AA=?=\nContent-Type: text/html; charset=utf-7\n\n+2AA-",
    b"Date: nonsense\nFrom: <<<>>>@@\nTo: ,,;:\n\n",
]


@pytest.mark.parametrize("number", range(1, len(BROKEN)))
def test_broken_mail_is_served(box: Box, number: int) -> None:
    message_id = box.deliver(BROKEN[number])["id"]
    for format_ in ("full", "metadata", "minimal", "raw"):
        conforms("gmail", "Message", box.get(message_id, format=format_))
    assert message_id in box.found("-from:nobody -thisword")


@pytest.fixture
def labels(box: Box) -> Any:
    return box.gmail.users().labels()


def test_system_labels_and_one_of_ones_own(box: Box, labels: Any) -> None:
    names = {label["name"] for label in labels.list(userId="me").execute()["labels"]}
    assert {"INBOX", "SENT", "DRAFT", "SPAM", "TRASH", "UNREAD", "STARRED", "IMPORTANT"} <= names
    made = labels.create(userId="me", body={"name": "Work/Bikes"}).execute()
    conforms("gmail", "Label", made)
    assert made["type"] == "user"
    first = box.deliver(mail("a", Message_ID="<l@x.example>"), labels=["INBOX", "UNREAD", "work/bikes"])
    box.deliver(mail("Re: a", In_Reply_To="<l@x.example>"), labels=["Work/Bikes"])
    got = labels.get(userId="me", id=made["id"]).execute()
    conforms("gmail", "Label", got)
    counts = [got[name] for name in ("messagesTotal", "messagesUnread", "threadsTotal", "threadsUnread")]
    assert counts == [2, 1, 1, 1]
    assert len(box.found("label:work-bikes")) == 2
    labels.delete(userId="me", id=made["id"]).execute()
    assert made["id"] not in box.get(first["id"])["labelIds"]
    assert refusal(labels.get(userId="me", id=made["id"]).execute) == (404, "notFound")


def test_update_replaces_and_patch_changes(labels: Any) -> None:
    colour = {"textColor": "#ffffff", "backgroundColor": "#16a766"}
    body = {"name": "One", "labelListVisibility": "labelHide", "color": colour}
    one = {"userId": "me", "id": labels.create(userId="me", body=body).execute()["id"]}
    patched = labels.patch(**one, body={"name": "Two"}).execute()
    assert [patched[name] for name in ("name", "labelListVisibility", "color")] == ["Two", "labelHide", colour]
    assert labels.patch(**one, body={"messageListVisibility": "hide"}).execute()["messageListVisibility"] == "hide"
    updated = labels.update(**one, body={"id": one["id"], "name": "Three"}).execute()
    conforms("gmail", "Label", updated)
    assert [updated[name] for name in ("name", "labelListVisibility")] == ["Three", "labelShow"]
    assert updated in labels.list(userId="me").execute()["labels"]
    for call in (labels.patch, labels.update):
        assert refusal(call(**one, body={"id": "Label_2", "name": "x"}).execute) == (400, "invalidArgument")


def test_rules_for_names(labels: Any) -> None:
    made = labels.create(userId="me", body={"name": "Taken"}).execute()["id"]
    other = labels.create(userId="me", body={"name": "Other"}).execute()["id"]
    assert refusal(labels.patch(userId="me", id=other, body={"name": "taken"}).execute) == (409, "aborted")
    assert labels.patch(userId="me", id=made, body={"name": "TAKEN"}).execute()["name"] == "TAKEN"
    assert refusal(labels.patch(userId="me", id="Label_404", body={"name": "x"}).execute) == (404, "notFound")
    assert refusal(labels.update(userId="me", id="INBOX", body={"name": "x"}).execute) == (400, "invalidArgument")
    assert refusal(labels.create(userId="me", body={"name": "taken"}).execute) == (409, "aborted")
    for body in ({"name": ""}, {"name": "INBOX"}, {"name": "x" * 226}):
        assert refusal(labels.create(userId="me", body=body).execute) == (400, "invalidArgument"), body
    assert refusal(labels.create(userId="me", body={"name": "V", "labelListVisibility": "no"}).execute) == (400, "invalid")
    assert refusal(labels.delete(userId="me", id="INBOX").execute) == (400, "invalidArgument")


def test_send_as(box: Box) -> None:
    send_as = box.gmail.users().settings().sendAs()
    listed = send_as.list(userId="me").execute()
    conforms("gmail", "ListSendAsResponse", listed)
    assert [entry["sendAsEmail"] for entry in listed["sendAs"]] == [box.address]
    assert send_as.get(userId="me", sendAsEmail=box.address).execute() == listed["sendAs"][0]
    assert refusal(send_as.get(userId="me", sendAsEmail="no@x.example").execute) == (404, "notFound")
    changed = send_as.patch(userId="me", sendAsEmail=box.address, body={"displayName": "Ann X"}).execute()
    assert (changed["displayName"], changed["isPrimary"]) == ("Ann X", True)
    assert refusal(send_as.patch(userId="me", sendAsEmail="no@x.example", body={}).execute) == (404, "notFound")
