"""Methods and message types as Google's discovery documents have them.

Partial responses: the fields that `fields` names.
"""

import re

import pytest

from app.sandbox.google_api.errors import ApiError
from app.sandbox.google_api.json_values import JsonObject
from app.sandbox.google_api.schema import Method, MethodRouter, check_body
from app.sandbox.methods import calendar_people, mail, settings

METHODS = [Method.named(one) for one in mail.HANDLERS | settings.HANDLERS | calendar_people.HANDLERS]


def test_methods_and_types_are_as_google_describes_them() -> None:
    by_id = {method.id: method for method in METHODS}
    send, history = by_id["gmail.users.messages.send"], by_id["gmail.users.history.list"]
    assert (send.verb, send.path, send.body) == ("POST", "/gmail/v1/users/{userId}/messages/send", "Message")
    assert "https://www.googleapis.com/auth/gmail.send" in send.scopes and send.max_upload_bytes == 36_700_160
    assert history.query["historyTypes"].endswith("[]") and "messageAdded" in history.query["historyTypes"].split("|")
    assert by_id["people.people.connections.list"].path == "/v1/people/{peopleId}/connections"


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"organizer": {"mail": "a@x.org"}}, "Cannot find field"),
        ({"attendees": [{"email": 1}]}, "attendees[0].email"),
        ({"attendees": {}}, "attendees"),
        ({"sequence": True}, "sequence"),
        ({"extendedProperties": {"private": 1}}, "extendedProperties.private"),
    ],
)
def test_a_body_of_another_form_is_refused(body: JsonObject, where: str) -> None:
    with pytest.raises(ApiError, match=re.escape(where)):
        check_body("Event", body)


def test_router_prefers_literal_paths_and_decodes_arguments() -> None:
    router = MethodRouter(METHODS)
    send = router.find("POST", "/gmail/v1/users/me/messages/send")
    assert send.method.id == "gmail.users.messages.send"
    upload = router.find("POST", "/upload/gmail/v1/users/me/messages/send")
    assert upload.upload
    event = router.find("GET", "/calendar/v3/calendars/ann%40example.com/events/abc")
    assert event.arguments["calendarId"] == "ann@example.com"
    assert router.find("GET", "/upload/gmail/v1/users/me/messages") is None
    assert router.find("PUT", "/gmail/v1/users/me/profile") is None
