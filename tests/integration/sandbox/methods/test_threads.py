"""Threads and history through the Google client: placement, lists, changes and expiry."""

from itertools import pairwise

import pytest

from fakes.gmail.google_client import Box, conforms, mail, refusal
from fakes.gmail.sandbox import AdminError


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
    assert [e["id"] for e in box.threads.list(userId="me", q="subject:topic -subject:re").execute()["threads"]] == [
        threads[index] for index in (4, 3, 2, 1, 0)
    ]


def test_labels_sit_on_messages(box: Box) -> None:
    first = box.deliver(mail("Bike", Message_ID="<m1@x.example>"))
    second = box.deliver(mail("Re: Bike", In_Reply_To="<m1@x.example>"))
    box.messages.modify(userId="me", id=first["id"], body={"addLabelIds": ["STARRED"]}).execute()
    assert "STARRED" not in box.get(second["id"])["labelIds"]
    answer = box.threads.modify(userId="me", id=first["threadId"], body={"removeLabelIds": ["UNREAD"]}).execute()
    assert [set(m["labelIds"]) for m in answer["messages"]] == [{"INBOX", "STARRED"}, {"INBOX"}]
    box.threads.trash(userId="me", id=first["threadId"]).execute()
    assert box.found("") == []
    box.threads.untrash(userId="me", id=first["threadId"]).execute()
    assert len(box.found("")) == 2
    box.threads.delete(userId="me", id=first["threadId"]).execute()
    assert refusal(box.threads.get(userId="me", id=first["threadId"]).execute) == (404, "notFound")


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


def test_history_filters_and_pages(box: Box) -> None:
    start = box.profile()["historyId"]
    ids = [box.deliver(mail(), labels=["INBOX"] if number % 2 else ["SPAM"])["id"] for number in range(6)]
    box.sandbox.mail.label(ids[1], add=["STARRED"], account=box.address)
    only = box.history(start, historyTypes=["labelAdded"])["history"]
    assert [record["labelsAdded"][0]["message"]["id"] for record in only] == [ids[1]]
    inbox = box.history(start, labelId="INBOX", historyTypes=["messageAdded"])["history"]
    assert [record["messages"][0]["id"] for record in inbox] == ids[1::2]
    seen: list[str] = []
    history = box.gmail.users().history()
    request = history.list(userId="me", startHistoryId=start, maxResults=2)
    while request is not None:
        page = request.execute()
        assert len(page["history"]) <= 2
        seen.extend(record["id"] for record in page["history"])
        request = history.list_next(request, page)
    assert len(seen) == len(set(seen)) == 7
    assert refusal(lambda: box.history("nonsense")) == (400, "invalidArgument")


def test_expired_history_is_404(box: Box) -> None:
    start = box.profile()["historyId"]
    box.deliver(mail())
    box.sandbox.admin.call("POST", "history/expire", {"account": box.address})
    assert refusal(lambda: box.history(start)) == (404, "notFound")
    assert "history" not in box.history(box.profile()["historyId"])


def test_history_expires_after_a_week(solo_box: Box) -> None:
    start = solo_box.profile()["historyId"]
    solo_box.deliver(mail())
    solo_box.sandbox.clock.advance(6 * 86_400)
    token = solo_box.sandbox.issue_token(account=solo_box.address)
    later = Box(solo_box.sandbox, solo_box.address, token)
    assert len(later.history(start)["history"]) == 1
    solo_box.sandbox.clock.advance(2 * 86_400)
    later = Box(solo_box.sandbox, solo_box.address, solo_box.sandbox.issue_token(account=solo_box.address))
    assert refusal(lambda: later.history(start)) == (404, "notFound")


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


def test_a_renamed_account_keeps_its_token_its_mail_and_its_old_address(solo_box: Box) -> None:
    there = solo_box.deliver(mail("before"))
    admin, new = solo_box.sandbox.admin, f"renamed.{solo_box.address}"
    admin.call("POST", "accounts/rename", {"account": solo_box.address, "address": new})
    assert solo_box.profile()["emailAddress"] == new
    assert solo_box.deliver(mail("after"))["id"]
    assert solo_box.get(there["id"])["id"] == there["id"]
    with pytest.raises(AdminError):
        admin.call("POST", "accounts/rename", {"account": new, "address": solo_box.address})
