"""`users.labels` and `settings.sendAs` through the Google client."""

from typing import Any

import pytest

from fakes.gmail.google_client import Box, conforms, mail, refusal


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


def test_rules_for_names(labels: Any) -> None:
    labels.create(userId="me", body={"name": "Taken"}).execute()
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
    assert listed["sendAs"][0]["isPrimary"] is True
    unknown = send_as.patch(userId="me", sendAsEmail="no@x.example", body={})
    assert refusal(unknown.execute) == (404, "notFound")
