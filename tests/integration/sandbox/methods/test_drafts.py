"""`users.drafts` and sending, through the Google client."""

import base64
from email import message_from_bytes

from fakes.gmail.google_client import Box, conforms, encoded, mail, refusal
from fakes.gmail.sandbox import Sandbox


def _reply(text: str = "answer", **more: str) -> bytes:
    return mail("Re: Bike", text, "Ann <ann@x.example>", To="bob@other.example", In_Reply_To="<m1@x.example>", **more)


def test_updating_gives_the_message_a_new_id(box: Box) -> None:
    first = box.deliver(mail("Bike", Message_ID="<m1@x.example>"))
    draft = box.draft(_reply("one"), first["threadId"])
    conforms("gmail", "Draft", draft)
    start = box.profile()["historyId"]
    body = {"message": {"raw": encoded(_reply("two")), "threadId": first["threadId"]}}
    updated = box.drafts.update(userId="me", id=draft["id"], body=body).execute()
    assert updated["id"] == draft["id"]
    assert updated["message"]["id"] != draft["message"]["id"]
    assert updated["message"]["threadId"] == first["threadId"]
    assert refusal(box.messages.get(userId="me", id=draft["message"]["id"]).execute) == (404, "notFound")
    kinds = {key for record in box.history(start)["history"] for key in record} - {"id", "messages"}
    assert kinds == {"messagesAdded", "messagesDeleted"}
    got = box.drafts.get(userId="me", id=draft["id"], format="raw").execute()
    assert b"two" in base64.urlsafe_b64decode(got["message"]["raw"])


def test_update_without_thread_id_leaves_the_thread(box: Box) -> None:
    first = box.deliver(mail("Bike", Message_ID="<m1@x.example>"))
    draft = box.draft(_reply(), first["threadId"])
    body = {"message": {"raw": encoded(_reply("two"))}}
    updated = box.drafts.update(userId="me", id=draft["id"], body=body).execute()
    assert updated["message"]["threadId"] != first["threadId"]


def test_listing_pages_and_deleting(box: Box) -> None:
    ids = [box.draft(mail(f"draft {number}", To="x@y.example"))["id"] for number in range(5)]
    seen: list[str] = []
    request = box.drafts.list(userId="me", maxResults=2)
    while request is not None:
        page = request.execute()
        conforms("gmail", "ListDraftsResponse", page)
        seen.extend(entry["id"] for entry in page["drafts"])
        request = box.drafts.list_next(request, page)
    assert seen == ids[::-1]
    found = box.drafts.list(userId="me", q="subject:3").execute()["drafts"]
    assert [entry["id"] for entry in found] == [ids[3]]
    box.drafts.delete(userId="me", id=ids[0]).execute()
    assert refusal(box.drafts.get(userId="me", id=ids[0]).execute) == (404, "notFound")
    message_id = box.drafts.get(userId="me", id=ids[1]).execute()["message"]["id"]
    box.messages.delete(userId="me", id=message_id).execute()
    assert len(box.drafts.list(userId="me").execute()["drafts"]) == 3


def test_sending_a_draft_happens_once(box: Box) -> None:
    first = box.deliver(mail("Bike", Message_ID="<m1@x.example>"))
    draft = box.draft(_reply(Message_ID="<outbox-1@replyroom.invalid>"), first["threadId"])
    sent = box.drafts.send(userId="me", body={"id": draft["id"]}).execute()
    conforms("gmail", "Message", sent)
    assert sent["labelIds"] == ["SENT"]
    assert sent["threadId"] == first["threadId"]
    assert sent["id"] != draft["message"]["id"]
    assert refusal(box.drafts.send(userId="me", body={"id": draft["id"]}).execute) == (404, "notFound")
    assert refusal(box.drafts.get(userId="me", id=draft["id"]).execute) == (404, "notFound")
    assert box.found("in:drafts") == []
    assert box.found("in:sent") == [sent["id"]]


def test_sending_rewrites_message_id_from_and_date(box: Box) -> None:
    raw = mail(
        "Hi",
        "text",
        "Fake <fake@else.example>",
        To="x@y.example",
        Message_ID="<mine@x.example>",
        Date="Mon, 1 Jan 2001 00:00:00 +0000",
    )
    sent = box.send(raw)
    headers = message_from_bytes(base64.urlsafe_b64decode(box.get(sent["id"], format="raw")["raw"]))
    assert headers["Message-ID"] != "<mine@x.example>"
    assert headers["Message-ID"].endswith("@mail.gmail.com>")
    assert headers["From"] == f"Ann Example <{box.address}>"
    assert "2001" not in headers["Date"]
    assert box.found("rfc822msgid:<mine@x.example>") == []
    assert box.found("rfc822msgid:" + headers["Message-ID"]) == [sent["id"]]


def test_draft_can_be_sent_with_another_content(box: Box) -> None:
    draft = box.draft(mail("Hi", "old", To="x@y.example"))
    sent = box.drafts.send(
        userId="me", body={"id": draft["id"], "message": {"raw": encoded(mail("Hi", "new", To="x@y.example"))}}
    ).execute()
    assert box.get(sent["id"])["snippet"] == "new"


def test_unsendable_mail_keeps_its_draft(box: Box) -> None:
    draft = box.draft(mail("Hi", "nobody to send to"))
    assert refusal(box.drafts.send(userId="me", body={"id": draft["id"]}).execute) == (400, "invalidArgument")
    assert box.drafts.get(userId="me", id=draft["id"]).execute()["id"] == draft["id"]
    assert refusal(box.drafts.send(userId="me", body={}).execute) == (400, "invalidArgument")
    assert refusal(lambda: box.send(mail("Hi", "x", To="not an address"))) == (400, "invalidArgument")


def test_mail_to_oneself_arrives(box: Box) -> None:
    sent = box.send(mail("Note", "to me", To=box.address))
    assert set(sent["labelIds"]) == {"SENT", "INBOX", "UNREAD"}
    assert len(box.found("")) == 1


def test_mail_to_another_account_arrives_without_bcc(box: Box, shared: Sandbox) -> None:
    other = "other-" + box.address
    friend = Box(shared, other, shared.add_account(other))
    first = box.send(mail("Plan", "shall we?", To=other, Bcc="hidden@x.example"))
    arrived = friend.get(friend.found("in:inbox")[0])
    assert set(arrived["labelIds"]) == {"INBOX", "UNREAD"}
    names = {header["name"]: header["value"] for header in arrived["payload"]["headers"]}
    assert "Bcc" not in names
    assert "hidden@x.example" in str(box.get(first["id"])["payload"]["headers"])
    answer = mail("Re: Plan", "yes", To=box.address, In_Reply_To=names["Message-ID"], References=names["Message-ID"])
    friend.send(answer, arrived["threadId"])
    assert box.get(box.found("in:inbox")[0])["threadId"] == first["threadId"]


def test_index_lag_hides_new_mail_from_search_not_from_drafts_list(solo_box: Box) -> None:
    solo_box.sandbox.set_lag(30)
    draft = solo_box.draft(mail("Hi", "text", To="x@y.example", Message_ID="<outbox-2@replyroom.invalid>"))
    assert solo_box.found("rfc822msgid:<outbox-2@replyroom.invalid>") == []
    assert solo_box.found("", labelIds=["DRAFT"]) == []
    assert [entry["id"] for entry in solo_box.drafts.list(userId="me").execute()["drafts"]] == [draft["id"]]
    assert solo_box.get(draft["message"]["id"])["id"] == draft["message"]["id"]
    solo_box.sandbox.clock.advance(31)
    assert solo_box.found("rfc822msgid:outbox-2@replyroom.invalid") == [draft["message"]["id"]]
