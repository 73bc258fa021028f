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
    body = {"name": "Work/Bikes", "color": {"textColor": "#ffffff", "backgroundColor": "#16a766"}}
    made = labels.create(userId="me", body=body).execute()
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
    body = {"name": "One", "labelListVisibility": "labelHide"}
    made = labels.create(userId="me", body=body).execute()
    patched = labels.patch(userId="me", id=made["id"], body={"name": "Two"}).execute()
    assert (patched["name"], patched["labelListVisibility"]) == ("Two", "labelHide")
    updated = labels.update(userId="me", id=made["id"], body={"id": made["id"], "name": "Three"}).execute()
    assert (updated["name"], updated["labelListVisibility"]) == ("Three", "labelShow")


def test_rules_for_names_and_colours(labels: Any) -> None:
    made = labels.create(userId="me", body={"name": "Taken"}).execute()
    assert refusal(labels.create(userId="me", body={"name": "taken"}).execute) == (409, "aborted")
    colour = {"textColor": "#123456", "backgroundColor": "#ffffff"}
    for body in ({"name": ""}, {"name": "INBOX"}, {"name": "x" * 226}, {"name": "C", "color": colour}):
        assert refusal(labels.create(userId="me", body=body).execute) == (400, "invalidArgument"), body
    assert refusal(labels.create(userId="me", body={"name": "V", "labelListVisibility": "no"}).execute) == (400, "invalid")
    assert refusal(labels.delete(userId="me", id="INBOX").execute) == (400, "invalidArgument")
    assert refusal(labels.patch(userId="me", id="Label_404", body={"name": "x"}).execute) == (404, "notFound")
    assert labels.patch(userId="me", id=made["id"], body={"name": "TAKEN"}).execute()["name"] == "TAKEN"


def test_send_as(box: Box) -> None:
    send_as = box.gmail.users().settings().sendAs()
    listed = send_as.list(userId="me").execute()
    conforms("gmail", "ListSendAsResponse", listed)
    assert [entry["sendAsEmail"] for entry in listed["sendAs"]] == [box.address]
    assert send_as.get(userId="me", sendAsEmail=box.address).execute()["isPrimary"] is True
    assert refusal(send_as.get(userId="me", sendAsEmail="no@x.example").execute) == (404, "notFound")
