"""Threads and history through the Google client: placement, lists, changes and expiry.

`users.drafts` and sending, through the Google client.
"""

import base64
from email import message_from_bytes
from itertools import pairwise

from fakes.gmail.google_client import Box, conforms, encoded, mail, refusal
from fakes.gmail.sandbox import Sandbox


def _answer(to: str = "<m1@x.example>", subject: str = "Re: Bike", **more: str) -> bytes:
    return mail(subject, "answer", "Ann <ann@example.com>", To="bob@other.example", In_Reply_To=to, References=to, **more)


def test_arriving_mail_is_threaded_by_headers_and_subject(box: Box) -> None:
    first = box.deliver(mail("Bike", Message_ID="<m1@x.example>"))
    second = box.deliver(mail("Re: Bike", Message_ID="<m2@x.example>", In_Reply_To="<m1@x.example>"))
    third = box.deliver(mail("RE: bike", References="<gone@x.example> <m2@x.example>"))
    other = box.deliver(mail("Another matter", In_Reply_To="<m1@x.example>"))
    bare = box.deliver(mail("Re: Bike"))
    stranger = box.deliver(mail("Re: Bike", sender="Eve <eve@elsewhere.example>"))
    assert first["threadId"] == first["id"] == second["threadId"] == third["threadId"] == bare["threadId"]
    assert other["threadId"] == other["id"]
    assert stranger["threadId"] == stranger["id"]
    thread = box.threads.get(userId="me", id=first["id"]).execute()
    conforms("gmail", "Thread", thread)
    assert [message["id"] for message in thread["messages"]] == [first["id"], second["id"], third["id"], bare["id"]]


def test_own_mail_needs_thread_id_headers_and_subject(box: Box) -> None:
    first = box.deliver(mail("Bike", Message_ID="<m1@x.example>"))
    thread = first["threadId"]
    assert box.send(_answer(), thread)["threadId"] == thread
    assert box.send(_answer())["threadId"] != thread
    assert box.send(_answer(subject="Re: Something else"), thread)["threadId"] != thread
    assert box.send(_answer(to="<unknown@x.example>"), thread)["threadId"] != thread
    assert box.draft(_answer(), thread)["message"]["threadId"] == thread
    assert box.draft(mail("Re: Bike", To="bob@other.example"), thread)["message"]["threadId"] != thread
    assert len(box.threads.get(userId="me", id=thread, format="minimal").execute()["messages"]) == 3


def test_bad_thread_ids_are_refused_and_nothing_is_sent(box: Box) -> None:
    assert refusal(lambda: box.send(_answer(), "0123456789abcdef")) == (404, "notFound")
    assert refusal(lambda: box.send(_answer(), "not-hex")) == (400, "invalidArgument")
    assert refusal(lambda: box.draft(_answer(), "0123456789abcdef")) == (404, "notFound")
    assert box.found("") == []


def test_thread_list_pages_by_newest_found_message(box: Box) -> None:
    threads = []
    for number in range(5):
        first = box.deliver(mail(f"Topic {number}", Message_ID=f"<t{number}@x.example>"), internal_ms=1_000 + number)
        threads.append(first["threadId"])
    for number in (0, 3):
        box.deliver(mail(f"Re: Topic {number}", In_Reply_To=f"<t{number}@x.example>"), internal_ms=9_000 + number)
    seen: list[str] = []
    request = box.threads.list(userId="me", maxResults=2)
    while request is not None:
        page = request.execute()
        conforms("gmail", "ListThreadsResponse", page)
        seen.extend(entry["id"] for entry in page["threads"])
        request = box.threads.list_next(request, page)
    assert seen == [threads[index] for index in (3, 0, 4, 2, 1)]
    found = box.threads.list(userId="me", q="subject:topic -subject:re").execute()["threads"]
    assert [entry["id"] for entry in found] == threads[::-1]
    assert found[0]["snippet"] == "Some words."


def test_labels_sit_on_messages(box: Box) -> None:
    first = box.deliver(mail("Bike", Message_ID="<m1@x.example>"))
    second = box.deliver(mail("Re: Bike", In_Reply_To="<m1@x.example>"))
    box.messages.modify(userId="me", id=first["id"], body={"addLabelIds": ["STARRED"]}).execute()
    assert "STARRED" not in box.get(second["id"])["labelIds"]
    thread = {"userId": "me", "id": first["threadId"]}
    answer = box.threads.modify(**thread, body={"removeLabelIds": ["UNREAD"]}).execute()
    assert [set(message["labelIds"]) for message in answer["messages"]] == [{"INBOX", "STARRED"}, {"INBOX"}]
    conforms("gmail", "Thread", box.threads.trash(**thread).execute())
    assert box.found("") == []
    box.threads.untrash(**thread).execute()
    assert len(box.found("")) == 2
    box.threads.delete(**thread).execute()
    for gone in (box.threads.get(**thread), box.threads.trash(**thread), box.threads.delete(**thread)):
        assert refusal(gone.execute) == (404, "notFound")


def test_history_tells_every_kind_of_change(box: Box) -> None:
    start = box.profile()["historyId"]
    message = box.deliver(mail())
    box.messages.modify(userId="me", id=message["id"], body={"removeLabelIds": ["UNREAD"]}).execute()
    box.messages.modify(userId="me", id=message["id"], body={"addLabelIds": ["STARRED"]}).execute()
    box.messages.modify(userId="me", id=message["id"], body={"addLabelIds": ["STARRED"]}).execute()
    box.messages.delete(userId="me", id=message["id"]).execute()
    answer = box.history(start)
    conforms("gmail", "ListHistoryResponse", answer)
    kinds = [next(key for key in record if key not in {"id", "messages"}) for record in answer["history"]]
    assert kinds == ["messagesAdded", "labelsRemoved", "labelsAdded", "messagesDeleted"]
    assert answer["history"][0]["messagesAdded"][0]["message"]["labelIds"] == ["INBOX", "UNREAD"]
    assert answer["history"][2]["labelsAdded"][0]["labelIds"] == ["STARRED"]
    numbers = [int(start)] + [int(record["id"]) for record in answer["history"]]
    assert all(later - earlier > 1 for earlier, later in pairwise(numbers))
    assert answer["historyId"] == box.profile()["historyId"] == str(numbers[-1])
    assert box.history(answer["historyId"]) == {"historyId": answer["historyId"]}


def test_expired_history_is_404(box: Box) -> None:
    start = box.profile()["historyId"]
    box.deliver(mail())
    box.sandbox.admin.call("POST", "history/expire", {"account": box.address})
    assert refusal(lambda: box.history(start)) == (404, "notFound")
    assert "history" not in box.history(box.profile()["historyId"])


def test_a_historys_pages_end_where_the_first_one_did_and_its_id_is_that_of_now(solo_box: Box) -> None:
    start = solo_box.profile()["historyId"]
    for number in range(3):
        solo_box.deliver(mail(str(number)))
    first = solo_box.history(start, maxResults=2)
    late = solo_box.deliver(mail("late"))
    second = solo_box.history(start, pageToken=first["nextPageToken"])
    assert int(second["historyId"]) > int(first["historyId"])
    told = [one["messagesAdded"][0]["message"]["id"] for page in (first, second) for one in page["history"]]
    assert (len(told), late["id"] in told) == (3, False)
    assert refusal(lambda: solo_box.history(start, pageToken="12")) == (400, "invalidArgument")


def test_habits_hide_mail_in_threads_and_end_lists_until_they_are_off(solo_box: Box) -> None:
    first = solo_box.deliver(mail("Bike", Message_ID="<m1@x.example>"))
    second = solo_box.deliver(mail("Re: Bike", In_Reply_To="<m1@x.example>"))
    solo_box.sandbox.mail.label(second["id"], add=["TRASH"], remove=["INBOX"], account=solo_box.address)
    solo_box.sandbox.set_habits(hidden_in_threads=["TRASH"], lists_end_after=1)
    thread = solo_box.threads.get(userId="me", id=first["id"])
    listed = solo_box.messages.list(userId="me", includeSpamTrash=True)
    assert [one["id"] for one in thread.execute()["messages"]] == [first["id"]]
    assert len(listed.execute()["messages"]) == 1
    solo_box.sandbox.set_habits()
    assert len(thread.execute()["messages"]) == len(listed.execute()["messages"]) == 2


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


def test_unsendable_mail_keeps_its_draft(box: Box) -> None:
    draft = box.draft(mail("Hi", "nobody to send to"))
    assert refusal(box.drafts.send(userId="me", body={"id": draft["id"]}).execute) == (400, "invalidArgument")
    assert box.drafts.get(userId="me", id=draft["id"]).execute()["id"] == draft["id"]
    assert refusal(box.drafts.send(userId="me", body={}).execute) == (400, "invalidArgument")
    assert refusal(lambda: box.send(mail("Hi", "x", To="not an address"))) == (400, "invalidArgument")


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
