"""The served methods, their router, and partial responses: the fields that `fields` names."""

import pytest

from app.sandbox.google_api.errors import ApiError
from app.sandbox.google_api.schema import MethodRouter, reduced_to
from app.sandbox.methods.served_methods import served_methods
from app.sandbox.server.asgi import all_handlers

METHODS = served_methods()


def test_every_method_has_a_handler_and_every_handler_a_method() -> None:
    assert {method.id for method in METHODS} == set(all_handlers())


def test_router_prefers_literal_paths_and_decodes_arguments() -> None:
    router = MethodRouter(METHODS)
    send = router.find("POST", "/gmail/v1/users/me/messages/send")
    assert send is not None
    assert send.method.id == "gmail.users.messages.send"
    upload = router.find("POST", "/upload/gmail/v1/users/me/messages/send")
    assert upload is not None
    assert upload.upload
    event = router.find("GET", "/calendar/v3/calendars/ann%40example.com/events/abc")
    assert event is not None
    assert event.arguments["calendarId"] == "ann@example.com"
    assert router.find("GET", "/upload/gmail/v1/users/me/messages") is None
    assert router.find("PUT", "/gmail/v1/users/me/profile") is None


def test_a_partial_answer_has_the_named_fields_alone() -> None:
    answer: dict[str, object] = {"id": "1", "payload": {"headers": []}, "snippet": "x"}
    assert reduced_to("id, payload", answer) == {"id": "1", "payload": {"headers": []}}


@pytest.mark.parametrize("text", ["", "a(", "a)", ",a", "a,,b", "a(b)", "a/b", "a b;"])
def test_nonsense_is_refused_as_google_does(text: str) -> None:
    with pytest.raises(ApiError) as caught:
        reduced_to(text, {})
    assert (caught.value.code, caught.value.reason) == (400, "invalidParameter")
